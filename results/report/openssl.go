package report

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// opensslState is what is known of the run of openssl speed at hand.
type opensslState struct {
	version string
	sbc     bool // the text is a report of sbc-bench, which runs -elapsed -evp
	sbcEnd  bool // its processor was named: what follows is another report
	elapsed bool // "You have chosen to measure elapsed time"
	user    bool // "timing function used: getrusage"
	engine  string
	refused bool // "Invalid engine"
	command *opensslCommand

	sizes     []int64
	stale     bool // the header is of an earlier run
	headAt    int  // above 0: the header was the line before
	headAlg   string
	headDir   Direction
	groups    []string // headings of tables that stand side by side
	groupOf   []int
	prevPipes []string
	unit      float64 // of values without k, where a caption says so
	thousands bool    // "The 'numbers' are in 1000s"

	lone lone // a table whose cells stand on lines of their own

	doing []doingRef // not yet found in a table
	mr    mrState
}

// doingRef is a Doing line's result that a table may repeat.
type doingRef struct {
	at   int
	name string
	size int64
	raw  float64 // COUNT*SIZE/SEC, before any repair
	sec  float64
}

// newRun forgets what belongs to one command's output.
func (s *opensslState) newRun(rd *reader) {
	s.flushMR(rd)
	s.doing = nil
	s.stale = true
	s.elapsed, s.user, s.refused, s.engine, s.version = false, false, false, "", ""
	s.unit = 0
	s.command = rd.at(rd.l).openssl
	if s.command != nil && s.command.text != rd.at(rd.l).command {
		s.command = nil
	}
}

// newTable forgets what stood above a table that gelibench wrote.
func (s *opensslState) newTable() {
	s.doing, s.sizes, s.stale = nil, nil, true
	s.unit, s.lone = 0, lone{}
}

// newSection forgets everything: another machine.
func (s *opensslState) newSection(rd *reader) {
	s.newRun(rd)
	*s = opensslState{}
}

var (
	doingLine  = regexp.MustCompile(`Doing (.{1,50}?)(?: ops)? for (\d+(?:\.\d+)?)s on (\d+) size blocks: ?(\d+) (.{1,50}?)(?:'s| ops)? in (\d+(?:[.,]\d+)?) ?s\b`)
	sslBanner  = regexp.MustCompile(`^(?:OpenSSL|LibreSSL|SSLeay) v?(\d+\.\d[\w.+~-]*)`)
	sslVersion = regexp.MustCompile(`^version: (\d+\.\d[\w.+-]*)`)
	engineSet  = regexp.MustCompile(`(?i)^engine "([^"]+)" set`)
	caption    = regexp.MustCompile(`\bin ([kKMG]i?B|kbytes|Kbytes)/s(?:ec)?\b`)
)

// opensslBanner reads what openssl prints around its figures.
func (rd *reader) opensslBanner(l line) verdict {
	s := l.text
	st := &rd.ssl
	if len(s) < 160 && strings.Contains(s, "/s") && caption.MatchString(s) {
		m := caption.FindStringSubmatch(s)
		u := m[1]
		if strings.HasPrefix(strings.ToLower(u), "kb") {
			u = "kB"
		}
		st.unit, _, _ = byteUnit(u)
		return no // it may name the processor too
	}
	switch {
	case strings.HasPrefix(s, "You have chosen to measure elapsed"):
		rd.ownEnd(rd.at(l))
		st.elapsed = true
		return yes
	case strings.HasPrefix(s, "The 'numbers' are in 1000s"):
		st.thousands = true
		return yes
	case strings.HasPrefix(s, "timing function used:"):
		st.user = strings.Contains(s, "getrusage") || strings.Contains(s, "times")
		return yes
	case strings.HasPrefix(s, "available timing options"):
		return yes
	case strings.Contains(s, "ngine "):
		low := strings.ToLower(s)
		if m := engineSet.FindStringSubmatch(s); m != nil {
			st.engine = m[1]
			return yes
		}
		if strings.HasPrefix(low, "invalid engine") || strings.Contains(low, "can't use that engine") || strings.Contains(low, "no such engine") {
			st.refused, st.engine = true, ""
			return yes
		}
	case strings.Contains(s, "SSL") || strings.HasPrefix(s, "version: "):
		m := sslBanner.FindStringSubmatch(s)
		if m == nil {
			m = sslVersion.FindStringSubmatch(s)
		}
		if m == nil {
			return no
		}
		rd.ownEnd(rd.at(l))
		if st.sbc && st.sbcEnd {
			rd.section++
			st.newSection(rd)
		}
		v := m[1]
		if !strings.HasPrefix(s, "OpenSSL") && !strings.HasPrefix(s, "version") {
			v = s[:strings.IndexByte(s, ' ')] + " " + v
		}
		st.version = v
		st.stale = true
		if len(st.doing) == 0 && !st.elapsed {
			st.user = false
		}
		for _, d := range st.doing {
			if r := &rd.report.Results[d.at]; r.Version == "" {
				r.Version = v
			}
		}
		return yes
	}
	return no
}

// opensslDoing reads "Doing aes-256 cbc for 3s on 16 size blocks: 10210845
// aes-256 cbc's in 3.00s", the newer wording with "ops", and skips the lines
// about public keys.
func (rd *reader) opensslDoing(l line) verdict {
	if !strings.Contains(l.text, "Doing ") {
		return no
	}
	s := strings.ReplaceAll(l.text, " = ", " ") // what is left of a soft line end
	m := doingLine.FindStringSubmatch(s)
	if m == nil {
		switch {
		case strings.Contains(s, "size blocks:") || doingBegin.MatchString(s):
			return partial
		case strings.HasPrefix(s, "Doing ") && strings.Contains(s, " for ") && strings.Contains(s, "s:"):
			return yes // rsa, dsa, ecdsa
		}
		return no
	}
	if norm(m[1]) != norm(m[5]) && m[5] != "evp" { // -mb says "evp" behind the count
		return rd.broken("two lines run into each other")
	}
	nominal, _ := strconv.ParseFloat(m[2], 64)
	size, ok1 := integer(m[3])
	count, ok2 := integer(m[4])
	sec, ok3 := number(m[6], true)
	if !ok1 || !ok2 || !ok3 || size <= 0 || size > 1<<40 || nominal <= 0 || float64(count)*float64(size) > 1e18 {
		return rd.broken("numbers out of range")
	}
	if count == 0 {
		rd.warn("no operation was done: " + clip(s))
		return yes
	}
	r := rd.opensslResult(m[1])
	r.BlockBytes, r.Ops, r.Bytes, r.Seconds = size, count, count*size, sec.v
	r.AsPrinted = m[4] + " in " + m[6] + "s"
	raw := math.Inf(1)
	if sec.v > 0 {
		raw = float64(r.Bytes) / sec.v
	}
	r.BytesPerSecond = raw
	if sec.v < 0.9*nominal && r.Clock != Wall {
		r.Clock = UserCPU
		r.BytesPerSecond, r.Seconds = float64(r.Bytes)/nominal, nominal
		r.fix(UserTime, "divided by "+m[6]+" s of user CPU time of a run of "+m[2]+" s: recomputed from the "+m[2]+" s, a lower bound")
	} else if math.IsInf(raw, 1) {
		return rd.broken("no time")
	}
	if at := rd.emit(r); at >= 0 {
		if len(rd.ssl.doing) > 4096 {
			rd.ssl.doing = rd.ssl.doing[2048:]
		}
		rd.ssl.doing = append(rd.ssl.doing, doingRef{at, norm(m[1]), size, raw, sec.v})
	}
	return yes
}

var doingBegin = regexp.MustCompile(`^Doing (?:[A-Za-z][\w()-]+(?: [\w()-]+)?)(?: ops)? for \d+s on`)

// norm makes "aes-256 cbc" and "AES-256-CBC" one.
func norm(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "-")
}

// opensslResult begins a result of openssl speed with what the run says of all
// its figures.
func (rd *reader) opensslResult(name string) Result {
	st, c := &rd.ssl, rd.at(rd.l)
	r := Result{Tool: "openssl speed", Version: st.version, Name: name, Kind: Other}
	a, known := parseAlg(name)
	if known {
		a.is(&r)
		if r.Cipher == "3DES" && r.Mode == "" {
			r.Mode = "CBC" // the tool's "des ede3" is CBC
		}
	}
	cmd := st.command
	if cmd == nil && c.openssl != nil && c.openssl.text == c.command {
		cmd = c.openssl
	}
	if cmd != nil && known && !cmd.ran(name, a) {
		cmd = nil // a row of another run, whose command nobody gave
	}
	switch {
	case st.elapsed || cmd != nil && cmd.elapsed || st.sbc:
		r.Clock = Wall
	case cmd != nil || st.user:
		r.Clock = UserCPU
	}
	if r.Kind == Cipher {
		r.Direction = Encrypt
		switch {
		case cmd != nil && cmd.decrypt:
			r.Direction = Decrypt
		case st.headDir != "" && !st.stale:
			r.Direction = st.headDir
		case c.direction == Encrypt || c.direction == Decrypt:
			r.Direction = c.direction
		}
	}
	if cmd != nil {
		r.Command = cmd.text
		r.Threads = cmd.threads
		if cmd.aesOff {
			r.Accelerator = "none"
		}
	}
	engine := st.engine
	if a.cipher == "AES" && strings.Contains(name, " ") {
		engine = ""
	}
	if engine == "" && cmd != nil && !st.refused {
		engine = cmd.engine
	}
	// Without -evp openssl never asks the engine.
	if engine != "" && (cmd == nil || cmd.evp) {
		r.Engine = engine
	}
	if r.Cipher == "AES" && strings.Contains(name, " ") {
		r.fix(WithoutEVP, "without -evp: no engine and, on x86 and ARM, none of the processor's AES instructions were used")
	}
	return r
}

// ran tells whether the command can have printed a row of that name: with -evp
// none has a blank.
func (cmd *opensslCommand) ran(name string, a algorithm) bool {
	return !cmd.evp || len(cmd.names) == 0 || a.cipher != "AES" || !strings.Contains(name, " ")
}

// offload engines do the work elsewhere: user CPU time says nothing.
var offload = regexp.MustCompile(`(?i)cryptodev|devcrypto|af_?alg|qat|hifn|cesa|zynq|\.so$|uadk|caam|pka|ubsec|chil|nuron`)

// cell is one value of a table.
type cell struct {
	text string
	v    float64
	k    bool
}

var (
	cellForm  = regexp.MustCompile(`^(\d+(?:,\d{3})*[.,]\d{1,2}|\d+)([kKMG]?)$`)
	gluedCell = regexp.MustCompile(`\d{1,3}(?:,\d{3})+\.\d\d[kMG]?|\d+\.\d\d[kMG]?`)
	sizeForm  = regexp.MustCompile(`(\d{1,3}(?:,\d{3})+|\d+)(?: ?bytes?| ?B\b)`)
	ruler     = regexp.MustCompile(`^[-=_+|: ]+$`)
	variantIn = regexp.MustCompile(` \(([^()]{1,30})\) ?$`)
)

// parseCell reads "176609.34k", "9077.01", "0.00", "1.2M".
func parseCell(s string) (cell, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' || len(s) > 24 {
		return cell{}, false
	}
	m := cellForm.FindStringSubmatch(s)
	if m == nil {
		return cell{}, false
	}
	f, ok := number(m[1], true)
	if !ok || m[2] == "" && !strings.ContainsAny(m[1], ".,") {
		return cell{}, false
	}
	c := cell{text: s, v: f.v, k: m[2] != ""}
	switch m[2] {
	case "k", "K":
		c.v *= 1e3
	case "M":
		c.v *= 1e6
	case "G":
		c.v *= 1e9
	}
	return c, true
}

var (
	separators = strings.NewReplacer("|", " ", "\"", " ", "k,", "k ")
	apostrophe = regexp.MustCompile(`(\d)'(\d{3})`)
)

// row parts a line into what stands before its values, the values, and what
// stands behind them.
func row(s string) (lead string, cells []cell, tail string) {
	if strings.ContainsAny(s, "|\",") {
		s = separators.Replace(s)
	}
	if strings.IndexByte(s, '\'') > 0 {
		s = apostrophe.ReplaceAllString(s, "$1$2") // thousands, as the Swiss write them
	}
	f := strings.Fields(s)
	if strings.IndexByte(s, ',') >= 0 {
		f = slices.DeleteFunc(f, func(w string) bool { return w == "," })
	}
	first, last := -1, -1
	for i, w := range f {
		c, ok := parseCell(strings.TrimSuffix(w, ","))
		if ok {
			if first < 0 {
				first = i
			} else if last != i {
				break
			}
			cells = append(cells, c)
			last = i + 1
		} else if first >= 0 {
			break
		}
		if len(cells) > 64 {
			return "", nil, ""
		}
	}
	if first < 0 {
		return s, nil, ""
	}
	return strings.Join(f[:first], " "), cells, strings.Join(f[last:], " ")
}

// glued is row for values that touch each other.
func glued(s string) (lead string, cells []cell) {
	all := gluedCell.FindAllStringIndex(s, 32)
	if len(all) < 3 {
		return s, nil
	}
	for i, m := range all {
		if i > 0 && m[0] != all[i-1][1] && strings.TrimSpace(s[all[i-1][1]:m[0]]) != "" {
			return s, nil
		}
		c, ok := parseCell(s[m[0]:m[1]])
		if !ok {
			return s, nil
		}
		cells = append(cells, c)
	}
	return s[:all[0][0]], cells
}

// opensslTable reads the header and the rows of openssl's table.
func (rd *reader) opensslTable(l line) verdict {
	s := l.text
	st := &rd.ssl
	if len(s) > 600 {
		return no
	}
	if strings.IndexByte("-=_+|: ", s[0]) >= 0 && ruler.MatchString(s) {
		return no
	}
	if head, values, ok := headAndRow(s); ok && rd.sizesHeader(head) == yes {
		s = values
	} else if v := rd.sizesHeader(s); v != no {
		rd.ssl.headAt = 2
		return v
	}
	rd.ssl.headAt--
	if v := rd.loneCell(l); v != no {
		return v
	}
	if strings.Contains(s, "|") && !strings.ContainsAny(s, "%") {
		if p := pipeCells(s); len(p) >= 2 && len(p) <= 4 && len(s) < 120 {
			st.prevPipes = p
		}
	}
	if !strings.ContainsAny(s, ".,") || strings.ContainsAny(s, "=[]{}<$;") {
		return no
	}
	lead, cells, tail := row(s)
	if len(cells) < 2 && len(s) < 300 {
		if g, gc := glued(s); len(gc) > len(cells) {
			lead, cells, tail = g, gc, ""
		}
	}
	if len(cells) == 0 || lead == "" || strings.ContainsAny(lead, "=[]{}<%$#;") {
		return no
	}
	if strings.HasPrefix(tail, "%") || strings.HasPrefix(lead, "rsa") || strings.HasPrefix(lead, "dsa") {
		return no
	}
	if w := strings.Fields(tail); len(w) > 0 && (strings.ContainsAny(w[0][:1], "0123456789") || unitWord[strings.TrimRight(w[0], ",.;")]) {
		// A number that is no value: a cut cell, or another kind of table.
		if !st.stale && len(st.sizes) > 0 && allK(cells) {
			return rd.broken("a row that doesn't fit its header")
		}
		return no
	}
	return rd.opensslRow(l, lead, cells, tail)
}

// unitWord are words behind a number that make it no value of openssl's.
var unitWord = map[string]bool{"MB/s": true, "MiB/s": true, "GB/s": true, "kB/s": true, "KB/s": true, "s": true, "sec": true, "seconds": true, "ms": true, "us": true, "MB": true,
	"GB": true, "MHz": true, "GHz": true, "bytes": true, "ns/B": true, "c/B": true, "%": true, "x": true, "MB/sec": true, "MiB/sec": true, "GB/sec": true, "MiB": true, "ops": true, "times": true}

// sizesHeader takes a header of block sizes: "type  16 bytes  64 bytes …",
// "decryption 16B 64B …", "AES-128-GCM 64 bytes 79 bytes …".
func (rd *reader) sizesHeader(s string) verdict {
	if strings.Count(s, "byte") < 2 && strings.Count(s, "B") < 2 && !strings.Contains(s, "ype") {
		return no
	}
	all := sizeForm.FindAllStringSubmatchIndex(s, 40)
	if len(all) < 2 && !(len(all) == 1 && strings.HasPrefix(strings.ToLower(strings.TrimLeft(s, "| ")), "type")) {
		return no
	}
	var sizes []int64
	var groups []int
	rest := s[:all[0][0]]
	for i, m := range all {
		n, ok := integer(s[m[2]:m[3]])
		if !ok || n <= 0 || n > 1<<32 {
			return no
		}
		if i > 0 {
			between := s[all[i-1][1]:m[0]]
			if strings.Trim(between, " |\t,\"'&") != "" {
				return no
			}
		}
		sizes = append(sizes, n)
		groups = append(groups, strings.Count(s[:m[0]], "|"))
	}
	if tail := strings.Trim(s[all[len(all)-1][1]:], " |\t,\"'"); tail != "" {
		if n, ok := integer(tail); !ok || n <= sizes[len(sizes)-1] {
			return no
		}
		return partial // wrapped between a number and its "bytes"
	}
	lead := strings.Trim(rest, " |\t,\"':")
	if len(lead) > 50 || strings.ContainsAny(lead, "/(=") {
		return no
	}
	st := &rd.ssl
	st.sizes, st.stale, st.headAlg, st.headDir = sizes, false, "", ""
	st.groups, st.groupOf = nil, nil
	if len(st.prevPipes) == 2 && groups[len(groups)-1] == 1 && groups[0] == 0 {
		st.groups, st.groupOf = st.prevPipes, groups
	}
	switch low := strings.ToLower(lead); {
	case strings.HasPrefix(low, "dec"):
		st.headDir = Decrypt
	case strings.HasPrefix(low, "enc"):
		st.headDir = Encrypt
	default:
		if a, ok := parseAlg(lead); ok && a.mode != "" {
			st.headAlg = lead
		}
	}
	return yes
}

// headAndRow parts a header from the row that a lost line break put behind it,
// "16 bytes 64 bytes 646811.75k 714955.19k". A row without a name gets the
// command's.
func headAndRow(s string) (head, values string, ok bool) {
	if !strings.Contains(s, " bytes ") || strings.Count(s, "k") < 2 {
		return "", "", false
	}
	m := lastSize.FindStringIndex(s)
	if m == nil {
		return "", "", false
	}
	head, values = s[:m[1]], strings.TrimSpace(s[m[1]:])
	lead, cells, _ := row(values)
	if len(cells) < 2 || !asPrinted(cells) || len(cells) != len(sizeForm.FindAllString(head, 40)) {
		return "", "", false
	}
	if lead == "" {
		values = namelessRow + " " + values
	}
	return head, values, true
}

const namelessRow = "row"

var lastSize = regexp.MustCompile(`^.*\d bytes(?: |$)`)

func pipeCells(s string) []string {
	var out []string
	for p := range strings.SplitSeq(strings.Trim(s, "| "), "|") {
		out = append(out, strings.TrimSpace(p))
	}
	return out
}

// asPrinted tells whether all values look as openssl prints them, "176609.34k":
// other tools' tables hold "919M" and "8.0M".
func asPrinted(cells []cell) bool {
	return !slices.ContainsFunc(cells, func(c cell) bool {
		n := len(c.text)
		return n < 5 || c.text[n-1] != 'k' || c.text[n-4] != '.'
	})
}

func allK(cells []cell) bool {
	return !slices.ContainsFunc(cells, func(c cell) bool { return !c.k })
}
