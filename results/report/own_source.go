package report

import (
	"regexp"
	"strings"
)

// ownTool is what the tool of gelibench's own figures is called.
const ownTool = "gelibench"

// ownSource is what gelibench has said, in one of the forms of other tools or
// in its own, of the figures that follow.
type ownSource struct {
	tool, version string
	ownCase
	text     string // of the heading; a next line may be its rest
	open     bool   // its last part is not known
	line     int    // of the heading or the banner
	commands int    // command lines before it: another one ends it
	figures  bool   // some came: prose ends it
}

// ownTools are the tools whose figures gelibench writes, too.
var ownTools = []string{ownTool, "openssl speed", "openssl enc", "cryptsetup benchmark", "dd", "fio", "cryptotest", "tcrypt", "bench-slope", "gocryptfs -speed", "go test", "botan speed", "botan",
	"gnutls-cli", "cryptodev speed", "bssl speed", "wolfCrypt", "cargo bench", "AesNiBenchmark", "VeraCrypt", "TrueCrypt", "hdparm", "diskinfo", "bonnie++", "CrystalDiskMark"}

// maxOwnGap is how many lines may stand between a heading and its first figure:
// a table's own lines, and notes that mails have wrapped.
const maxOwnGap = 24

var (
	// Versions are as Go gives them, "(devel)", "v1.2.0", or as other tools do.
	ownVersion  = regexp.MustCompile(`^(?:\(devel\)|v?\d+\.\d\S*|(?:OpenSSL|LibreSSL|SSLeay) \S+)$`)
	ownBannerIn = regexp.MustCompile(`^version: (` + quotedTools() + `)(?: (\S+(?: \S+)?))?$`)
	ownOrigin   = regexp.MustCompile(`^gelibench (\(devel\)|v\d\S*)(?:, (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)| (\S.*))?$`)
)

// ownLine reads the lines that gelibench writes around its figures in the forms
// of other tools: who measured, and what.
func (rd *reader) ownLine(l line) verdict {
	s := l.text
	c := rd.peek(l)
	if src := c.own; src != nil && src.text != "" && (l.no == src.line+1 || l.flat) {
		// A mail may have broken the heading.
		if oc, open, ok := parseOwnHeading(src.text+" "+s, false); ok && (src.open || strings.HasSuffix(src.text, ",") || s[0] == '(' || strings.HasPrefix(s, "kern.geom.")) {
			src.ownCase, src.open, src.text, src.line = oc, open, src.text+" "+s, l.no
			return yes
		}
		src.text = ""
	}
	switch {
	case strings.HasPrefix(s, "version: "):
		m := ownBannerIn.FindStringSubmatch(s)
		if m == nil || m[2] != "" && !ownVersion.MatchString(m[2]) {
			return no
		}
		rd.ownBegin(c, l, ownSource{tool: m[1], version: m[2]})
		return yes
	case strings.HasPrefix(s, "gelibench "):
		m := ownOrigin.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		rd.ownBegin(c, l, ownSource{tool: ownTool, version: m[1]})
		if m[3] != "" {
			c.setCPU(rd, l, modelOf(m[3], "tool"), trustTool)
		}
		return yes
	case strings.HasPrefix(s, "not in the table: "):
		return yes
	case s == "elapsed time; a size is that of a sector":
		if c.owned() == nil {
			rd.ownBegin(c, l, ownSource{}) // the tool isn't known
		}
		return yes
	case l.hash && strings.HasPrefix(s, "XTS keys are counted with both halves; sectors of GELI"):
		if c.owned() == nil {
			tool, version, cpu := originOf(rd.lastSaid(l))
			rd.ownBegin(c, l, ownSource{tool: tool, version: version})
			if cpu != "" {
				c.setCPU(rd, l, modelOf(cpu, "tool"), trustTool)
			}
		}
		return yes
	}
	below := c.owned() != nil || l.hash && (strings.Contains(s, "read (decrypt)") || strings.Contains(s, "write (encrypt)") || strings.Contains(s, " requests"))
	if !below && !strings.Contains(s, "(decrypt), ") && !strings.Contains(s, "(encrypt), ") && !strings.Contains(s, "-byte sectors, ") && !strings.Contains(s, " engine ") {
		return no
	}
	oc, open, ok := parseOwnHeading(s, below)
	if !ok || oc.request+oc.sector == 0 && oc.direction == "" && oc.workers == 0 && oc.auth == "" {
		return no // the line above a table that says what the device reads as
	}
	src := ownSource{tool: ownTool}
	if old := c.own; old != nil && old.commands == c.commands {
		src.tool, src.version = old.tool, old.version
	}
	src.ownCase, src.open, src.text = oc, open, s
	rd.ownBegin(c, l, src)
	return yes
}

// lastSaid is the line of prose before l, in the same depth; "" of none.
func (rd *reader) lastSaid(l line) string {
	if n := len(rd.said); n > 0 && rd.said[n-1].no == l.no-1 && rd.said[n-1].quoted == l.quoted {
		return rd.said[n-1].text
	}
	return ""
}

// originOf parts "openssl speed 3.0.2 AMD EPYC".
func originOf(s string) (tool, version, cpu string) {
	for _, name := range ownTools {
		rest, ok := strings.CutPrefix(s, name)
		if !ok || rest != "" && rest[0] != ' ' {
			continue
		}
		rest = strings.TrimSpace(rest)
		if word, more, _ := strings.Cut(rest, " "); ownVersion.MatchString(word) {
			return name, word, more
		}
		return name, "", rest
	}
	return "", "", ""
}

// peek is the context of the line's depth of quoting before what prose has said
// up to here, which is left unread: most lines are none of gelibench's.
func (rd *reader) peek(l line) *context { return &rd.ctx[l.depth()] }

// ownBegin makes src what the figures that follow are of.
func (rd *reader) ownBegin(c *context, l line, src ownSource) {
	rd.at(l)
	rd.ssl.flushMR(rd) // what stands above is of the heading before
	src.line, src.commands = l.no, c.commands
	rd.ownTableEnd(c)
	c.zero = nil
	c.own = &src
	rd.ssl.newTable()
	rd.crypt = cryptsetupState{}
}

// ownEnd says that what follows is no longer gelibench's.
func (rd *reader) ownEnd(c *context) {
	if c.own != nil {
		rd.ssl.flushMR(rd)
		c.own = nil
	}
}

// ownProse ends a source behind whose figures the text goes on.
func (rd *reader) ownProse(l line) {
	c := &rd.ctx[l.depth()]
	if c.own != nil && (c.own.figures || l.no > c.own.line+maxOwnGap) {
		rd.ownEnd(c)
	}
}

// owned is what gelibench said of the figure at hand; nil where it is another
// tool's.
func (c *context) owned() *ownSource {
	if c.own == nil || c.own.commands != c.commands {
		return nil
	}
	return c.own
}

// claim makes a figure that was read as another tool's gelibench's, if it is.
// drop says that it stands there in a form that gelibench doesn't write.
func (rd *reader) claim(c *context, r *Result) (drop string) {
	src := c.owned()
	if src == nil || r.Kind == KDF || r.Kind == Time {
		return ""
	}
	column := int64(0) // the size above the figure, where it is a request's
	switch r.Tool {
	case "openssl speed":
		if r.Has(SizesAssumed) {
			return "a row without the head that gelibench writes above it"
		}
		if src.sector == 0 && (src.tool == ownTool || src.request > 0) {
			r.Sector = r.BlockBytes
		} else {
			column = r.BlockBytes // no sector is known, see format.OpenSSL
		}
		r.Direction = ""
		r.Ops = 0 // requests are counted, not calls
	case "cryptsetup benchmark", "dd":
	default:
		return ""
	}
	src.figures = true
	var kept []Repair
	for _, x := range r.Repairs {
		if x.Fix == HalfKey || x.Fix == Unfinished {
			kept = append(kept, x)
		}
	}
	r.Repairs = kept
	src.to(r)
	if r.BlockBytes == 0 {
		r.BlockBytes = column
	}
	r.Tool, r.Version, r.Kind, r.Clock, r.Command = src.tool, src.version, Cipher, Wall, ""
	if src.tool != ownTool {
		r.Clock = UnknownClock // gelibench's forms don't say what others divided by
	}
	if a := (algorithm{cipher: r.Cipher, mode: r.Mode}); a.cipher != "" {
		if src.tool == ownTool {
			r.KeyBits = ownKeyBits(a.cipher, r.KeyBits)
		}
		r.Name = a.String()
	}
	return ""
}

// String is the algorithm as geli(8) would name it, without its key.
func (a algorithm) String() string {
	return strings.ToLower(strings.TrimSuffix(a.cipher+"-"+a.mode, "-"))
}

// to writes what a case states into r; what it doesn't state stays.
func (c *ownCase) to(r *Result) {
	if c.alg.cipher != "" {
		r.Cipher, r.Mode = c.alg.cipher, c.alg.mode
	}
	if c.alg.keyBits > 0 {
		r.KeyBits = c.alg.keyBits
	}
	r.Auth = strings.ToUpper(c.auth)
	if c.sector > 0 {
		r.Sector = c.sector
	}
	r.BlockBytes, r.Threads, r.PerThread = c.request, c.workers, false
	if c.direction != "" {
		r.Direction = c.direction
	}
	switch r.Direction {
	case Encrypt:
		r.Direction = Writing
	case Decrypt:
		r.Direction = Reading
	}
	r.Engine, r.Device, r.Clear = c.engine, c.provider, c.clear
	r.Variant = ""
	if c.path != "" {
		r.Variant = "path " + c.path
	}
}

// quotedTools are the tools' names for a regular expression, the longer of two
// that begin alike first.
func quotedTools() string {
	quoted := make([]string, len(ownTools))
	for i, name := range ownTools {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return strings.Join(quoted, "|")
}
