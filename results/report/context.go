package report

import (
	"regexp"
	"slices"
	"strings"
)

// context is what the text of one depth of quoting has said about the figures
// that follow. Figures quoted from somebody else's machine have their own.
type context struct {
	cpu       Machine
	cpuAt     int  // line of the statement
	cpuUsed   bool // a result took it
	cpuTrust  trust
	maker     string // of an ARM core that isn't ARM's, as it stands before a key of arm
	commands  int    // command lines so far
	command   string
	openssl   *opensslCommand
	dd        *ddCommand
	ddLeft    int // dd commands whose figures have not come yet
	enc       *encCommand
	geli      *geliConf
	gelis     []geliConf // all so far, for labels that name one again
	dm        *geliConf  // what cryptsetup set up for /dev/mapper
	clear     *bool
	label     string
	labelAlg  *algorithm
	labelNone bool // the heading says unencrypted
	direction Direction
	modules   []string
	sizes     map[string]figure // of files, as prose gives them
	fresh     bool              // nothing was printed since the label
	heads     int
	own       *ownSource // what gelibench said of the figures that follow
	table     *ownTable
	prom      *ownProm
	bench     *ownBench
	screen    int              // the last line of a table of gelibench that isn't read
	zero      map[string]*bool // kern.geom.zero.clear, by provider
}

// geliConf is an encrypted provider as a command line sets it up.
type geliConf struct {
	alg      algorithm
	sector   int64
	defaults string // what was not given and is the tool's default
	crypto   string
	line     int
}

// newCommand notes a command line.
func (c *context) newCommand(text string) {
	c.commands++
	c.command = strings.TrimSpace(text)
}

// fill completes a result.
func (c *context) fill(r *Result) {
	if r.Command == "" {
		r.Command = c.commandFor(r.Tool)
	}
	if !r.CPU.Known() {
		r.CPU = c.cpu
		if c.cpu.Known() {
			c.cpuUsed = true
		}
	}
	if r.Kind == Disk && r.Cipher == "" && r.Tool != "dd" {
		// What diskinfo or hdparm reads through a provider that a command set up.
		g := c.geli
		if strings.HasPrefix(r.Device, "/dev/mapper/") {
			g = c.dm
		} else if !strings.HasSuffix(r.Device, ".eli") {
			g = nil
		}
		if g != nil {
			g.alg.to(r)
			r.Sector, r.Accelerator = g.sector, g.crypto
		}
	}
	if r.Label == "" {
		r.Label = c.label
	}
	if r.State == "" {
		r.State = strings.Join(c.modules, "; ")
	}
	if r.Direction == "" && (r.Kind == Cipher || r.Kind == Disk) {
		r.Direction = c.direction
	}
	c.fresh = false
}

// commandFor is the last command line, where it can be the tool's.
func (c *context) commandFor(tool string) string {
	word := map[string]string{"openssl speed": "openssl", "openssl enc": "openssl", "cryptsetup benchmark": "cryptsetup"}[tool]
	if word == "" {
		word, _, _ = strings.Cut(tool, " ")
	}
	if word != "" && strings.Contains(strings.ToLower(c.command), strings.ToLower(word)) {
		return c.command
	}
	return ""
}

// numbering stands before a heading's words.
var numbering = regexp.MustCompile(`^\d+(?:\.\d+)*[.)]? ?-? +`)

// sameMachine are the words a heading starts with that tells two runs of one
// machine apart, not two machines.
var sameMachine = regexp.MustCompile(`(?i)^\W*(before|after|old|new|this|that|these|proposed|original|vanilla|stock|mainline|upstream|commit|branch|pr |improved|speedup|master|main\b|baseline|base\b|based|patched|patch|with|without|no |now|current|current master|encrypt|decrypt|read|write|in \d|openssl|libressl|and |but |then |using|same|first|second|run|test|result|software|hardware|after |e\.g|[0-9a-f]{7,40}\b|v?\d+\.\d+|aes|xts|cbc|for |truecrypt|veracrypt|cryptsetup|luks|dm-crypt|geli|bitlocker|zfs|dd\b|fio\b|hdparm|botan|gnutls|libgcrypt|aes-?ni|vaes|avx|sse\d?|neon|gfni|sha-?ni|sve|generic|assembl|asm\b|simd|v?pclmul|intrinsics|\d+ (?:thread|job|core)|single|multi|benchmark|algorithm|conclusion|summary|update)`)

var (
	decryptHead = regexp.MustCompile(`(?i)^\W*(decrypt|decryption|dec)\b`)
	encryptHead = regexp.MustCompile(`(?i)^\W*(encrypt|encryption|enc)\b`)
	readHead    = regexp.MustCompile(`(?i)^\W*(?:sequential |dd )?(read|reading)(?: speed| test| performance)?\W*$`)
	writeHead   = regexp.MustCompile(`(?i)^\W*(?:sequential |dd )?(write|writing)(?: speed| test| performance)?\W*$`)
	fileSize    = regexp.MustCompile(`"([\w./-]{1,40})"[^"]{0,120}?\bis (?:about )?(\d+(?:\.\d+)?) ?([kKMGT]i?B)\b`)
	archHead    = regexp.MustCompile(`(?i)^(x64|x86|x86[-_]64|amd64|i[3-6]86|arm64|aarch64|armv\d\w*|mips\w*|risc-?v\w*|ppc64\w*|s390x)( \pL+)?$`)
	noCipher    = regexp.MustCompile(`(?i)\b(unencrypted|without encryption|no encryption|not encrypted|plain disk|raw disk)\b`)
)

// prose reads a line that no parser wanted: headings, processors, sizes.
func (c *context) prose(rd *reader, l line) {
	s := l.text
	if len(s) > 400 {
		c.cpuInProse(rd, l)
		return
	}
	if strings.Contains(s, "B") && strings.Contains(s, " is ") {
		if m := fileSize.FindStringSubmatch(s); m != nil {
			scale, _, _ := byteUnit(m[3])
			if n, ok := number(m[2], false); ok && scale > 0 {
				if c.sizes == nil {
					c.sizes = map[string]figure{}
				}
				if len(c.sizes) < 64 {
					c.sizes[m[1]] = n.times(scale)
				}
			}
		}
	}
	found := c.cpuInProse(rd, l)
	if rd.ssl.sbc {
		return // its lines say nothing that heads a figure
	}
	if !headingLike(l, l.gap) {
		return
	}
	c.heading(rd, l, found)
}

// headingLike tells whether a line may head what follows.
func headingLike(l line, gap bool) bool {
	if len(l.text) > 110 || len(l.text) < 3 {
		return false
	}
	t := l.text
	if ruler.MatchString(t) || setting.MatchString(t) || slices.ContainsFunc(noHeadingAt, func(w string) bool { return strings.HasPrefix(t, w) }) || strings.Contains(t, " | ") || strings.Contains(t, " · ") || strings.HasSuffix(t, "(author):") || strings.Contains(t, "\t") || noHeading[strings.TrimRight(t, ":")] || rateIn.MatchString(t) {
		return false
	}
	switch {
	case strings.HasSuffix(t, ":"), l.heavy, archHead.MatchString(t):
		return true
	case strings.HasPrefix(t, "-> "), strings.HasPrefix(t, "=> "), strings.HasPrefix(t, "==> "):
		return true
	case strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]"):
		return true
	case encryptHead.MatchString(t) && len(t) < 90, decryptHead.MatchString(t) && len(t) < 90:
		return len(strings.Fields(t)) <= 8
	}
	return gap && len(strings.Fields(t)) <= 12 && !strings.HasSuffix(t, ".") && !strings.HasSuffix(t, "。") && !strings.HasSuffix(t, "?")
}

// setting is a line of a configuration, the size of CrystalDiskMark's test, or
// the day on which a paste site got the text.
var setting = regexp.MustCompile(`^Test ?: \d+ [MG]i?B |^#?\w+=\S+$|^[A-Z][a-z]{2} \d{1,2}(?:st|nd|rd|th), \d{4}(?: \(edited\))?$`)

// noHeadingAt begins lines that are none: a terminal's, a table's, a template's.
var noHeadingAt = []string{"|", "[turn ", "Enter ", "Reenter ", "[sudo] password ", "load: ", "{% "}

// noHeading are lines in heading's form that tools print themselves.
var noHeading = map[string]bool{"Hash": true, "Cipher": true, "MAC": true, "Transfer rates": true, "Seek times": true, "Password": true, "Profile": true, "Disk stats (read/write)": true,
	"Advertisement": true, "Guest User": true, "a guest": true, "Untitled": true, "Created": true, "Last active": true, "[ available ]": true, "[ unavailable ]": true}

// heading takes a line as the label of the figures that follow.
func (c *context) heading(rd *reader, l line, cpu bool) {
	s := strings.Trim(l.text, "*:#=-> \t")
	if readHead.MatchString(s) {
		c.direction = Reading
		return
	}
	if writeHead.MatchString(s) {
		c.direction = Writing
		return
	}
	switch {
	case decryptHead.MatchString(s):
		c.direction = Decrypt
	case encryptHead.MatchString(s) && !strings.Contains(strings.ToLower(s), "encrypted"):
		c.direction = Encrypt
	}
	if !cpu && !c.fresh && c.cpu.Known() && c.cpuTrust <= trustProse && c.cpuUsed && l.gap && !sameMachine.MatchString(numbering.ReplaceAllString(s, "")) && !c.gelisNamed(s) {
		// Another heading after a processor that only prose named: perhaps
		// another machine. Unknown is the honest answer.
		c.cpu, c.cpuTrust = Machine{}, trustNone
	}
	if !cpu && c.cpuTrust == trustProse && archHead.MatchString(s) {
		c.cpu, c.cpuTrust = Machine{}, trustNone // a kind of machine, other than the one a sentence named
	}
	c.label, c.fresh = s, true
	c.heads++
	c.labelNone = noCipher.MatchString(s)
	c.labelAlg = nil
	if a, ok := mentioned(s); ok && !c.labelNone {
		c.labelAlg = &a
		for i := len(c.gelis) - 1; i >= 0; i-- {
			if g := c.gelis[i]; g.alg.cipher == a.cipher && g.alg.mode == a.mode && a.mode != "" {
				c.geli = &c.gelis[i]
				break
			}
		}
	}
}

// gelisNamed tells whether a heading names a cipher of a geli command.
func (c *context) gelisNamed(s string) bool {
	_, ok := mentioned(s)
	return ok && len(c.gelis) > 0
}
