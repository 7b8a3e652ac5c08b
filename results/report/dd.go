package report

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ddState is the run of dd at hand.
type ddState struct {
	in, out   string  // "4096+0"
	bare      bool    // no records stood before the last figure
	asked     bool    // a terminal's status line stood above: the run goes on
	progress  *Result // the newest line of status=progress, not emitted yet
	heldLine  line
	lastAt    int // index of the last dd result, -1: none
	lastDepth int
}

// ddSeconds are the seconds of GNU's dd in the languages that were seen.
const ddSeconds = `s|秒|с|c|сек|초|seconds|sekund|sec|sekunden|Sekunden|segundos|secondi|secondes`

var ddSecondWords = strings.Split(ddSeconds, "|")

var (
	ddBSD    = regexp.MustCompile(`(\^C)?\b(\d{1,19}) bytes transferred in (\d+(?:[.,]\d+)?) ?sec(?:ond)?s?(?: ?\((\d+(?:[.,]\d+)?) bytes/sec\))?`)
	ddBSDNow = regexp.MustCompile(`(\^C)?\b(\d{1,19}) bytes (?:\([^()]*\) )?transferred (\d+(?:\.\d+)?)s, (\d+(?:[.,]\d+)?) ?([kKMGT]?i?B/s)`)
	// In every language: bytes, a word, perhaps the size in larger units, a word,
	// the seconds, the rate. The rate must fit the two.
	ddGNU = regexp.MustCompile(`(\^C)?(\d{1,19}) ?([\pL]+)(?: ?\([^()]{0,60}\))?,? ?([\pL ]{0,40}?)(?: ?\([^()]{0,60}\))?, ?(\d+(?:[.,]\d+)?(?:e-\d\d)?) ?(` + ddSeconds + `),? ?(\d+(?:[.,]\d+)?) ?([\pL]{1,6}/[\pL]+)(\^C)?`)
	recs  = regexp.MustCompile(`(?:^|\^C| )(\d+\+\d+) (records|Datensätze|enregistrements|registros|record|rekord|poster|записей|recs|kayıt|registrů|rekordów|zápisů)`)
	// The same in other languages, where nothing else stands on the line.
	recsAny = regexp.MustCompile(`^(?:\pL+ ?)?(\d+\+\d+) ?\pL+(?: \pL+){0,2}$`)
)

// ddLabel stands before the figure where a script says which way the bytes go.
var ddLabel = regexp.MustCompile(`(?i)^\W*(?:dd )?(read|write|reading|writing)(?: speed| test)?: *\d`)

// ddBegin are signs of a dd line that was cut.
var ddBegin = regexp.MustCompile(`\b\d{3,19} bytes (transferred in|\([^()]*\) copied,?)`)

// ddLine reads dd's last line in the forms of BSD, macOS, GNU, busybox and
// toybox, and its records lines.
func (rd *reader) ddLine(l line) verdict {
	s := l.text
	if strings.HasPrefix(s, "load: ") && strings.Contains(s, "cmd: dd ") {
		rd.dd.asked = true
		return yes
	}
	if strings.Contains(s, "+") {
		all := recs.FindAllStringSubmatchIndex(s, 4)
		if all == nil && len(s) < 80 {
			all = recsAny.FindAllStringSubmatchIndex(s, 1)
		}
		if all != nil {
			if at := all[0][0]; at > 8 && strings.Contains(s[:at], "dd ") {
				cmd := l
				cmd.text = s[:at]
				rd.commandLine(cmd)
			}
			for i, m := range all {
				end := len(s)
				if i+1 < len(all) {
					end = all[i+1][0]
				}
				rd.records(s[m[0]:end], s[m[2]:m[3]])
			}
			// Behind lost line breaks the figure is on the same line.
			if s = s[all[len(all)-1][1]:]; !hasSeconds(s) && !strings.Contains(s, "transferred in") {
				return yes
			}
		}
	}
	if strings.IndexByte(s, '/') < 0 && !strings.Contains(s, "bytes transferred in") && !strings.Contains(s, "copied") || len(s) > 4000 {
		return no
	}
	if strings.Contains(s, "transferred ") {
		if m := ddBSD.FindStringSubmatch(s); m != nil {
			n, ok := integer(m[2])
			sec, ok2 := number(m[3], true)
			if !ok || !ok2 || n == 0 || sec.v <= 0 {
				return rd.broken("a dd line without bytes or time")
			}
			rate := exact(over(figure{float64(n), 0}, sec))
			printed := ""
			if r, ok := number(m[4], false); ok && math.Abs(r.v-rate.v) <= 0.02*rate.v {
				rate, printed = exact(r, rate), m[4]+" bytes/sec"
			} else if ok {
				return rd.broken("a dd line whose numbers don't fit each other")
			}
			if m[4] == "" && strings.Contains(s, "secs (") && !strings.Contains(s, ")") {
				rd.warn("dd's rate is cut off; taken from bytes and seconds: " + clip(s))
			}
			rd.ddDone(l, n, sec.v, rate.v, printed, m[1] != "", false)
			return yes
		}
		if m := ddBSDNow.FindStringSubmatch(s); m != nil {
			n, ok := integer(m[2])
			sec, ok2 := number(m[3], true)
			if ok && ok2 && n > 0 && sec.v > 0 {
				rd.ddDone(l, n, sec.v, float64(n)/sec.v, m[4]+" "+m[5], m[1] != "", true)
				return yes
			}
		}
	}
	begun := strings.Contains(s, "transferred in") || strings.Contains(s, ") copied")
	if begun && !strings.Contains(s, "/s") && ddBegin.MatchString(s) {
		return partial
	}
	if !strings.Contains(s, "B/") && !strings.Contains(s, "Б/") && !strings.Contains(s, "o/s") && !strings.Contains(s, "copied, ") {
		return no
	}
	var m []string
	if hasSeconds(s) {
		m = ddGNU.FindStringSubmatch(s)
	}
	if m != nil && !strings.Contains(m[8], "b/") && !strings.Contains(m[8], "bit") {
		n, ok := integer(m[2])
		sec, ok2 := shortTime(m[5])
		r, ok3 := number(m[7], true)
		unit := m[8]
		if len(unit) == 3 && strings.IndexByte("kKMGT", unit[0]) >= 0 { // toybox: "1.0 G/s"
			unit = unit[:1] + "B" + unit[1:]
		}
		scale, _, ok4 := rateUnit(unit)
		if ok && ok2 && ok3 && ok4 && n > 0 && sec.v > 0 {
			rate := float64(n) / sec.v
			// kB to GB are 10^3… in GNU's and 2^10… in busybox's dd.
			if !near(rate, r.v*scale, r.half*scale) && !near(rate, r.v*binaryScale(scale), r.half*binaryScale(scale)) {
				return rd.broken("a dd line whose numbers don't fit each other")
			}
			whole := !strings.ContainsAny(m[5], ".,e")
			rd.ddDone(l, n, sec.v, rate, m[7]+" "+m[8], m[1] != "" || m[9] != "", l.cr || whole && (m[6] == "s" || m[9] != ""))
			return yes
		}
	}
	if begun && ddBegin.MatchString(s) {
		return partial
	}
	return no
}

// hasSeconds tells whether s holds a number of seconds with another number
// behind it, as ddGNU wants, which is slow to find out that there is none.
func hasSeconds(s string) bool {
	for i := range len(s) - 1 {
		if s[i] < '0' || s[i] > '9' || s[i+1] >= '0' && s[i+1] <= '9' {
			continue
		}
		rest := strings.TrimPrefix(s[i+1:], " ")
		behind := strings.TrimLeftFunc(rest, unicode.IsLetter)
		if !slices.Contains(ddSecondWords, rest[:len(rest)-len(behind)]) {
			continue
		}
		behind = strings.TrimPrefix(strings.TrimPrefix(behind, ","), " ")
		if behind != "" && behind[0] >= '0' && behind[0] <= '9' {
			return true
		}
	}
	return false
}

// shortTime reads seconds as GNU's dd prints them, by %g: "8.0342e-05".
func shortTime(s string) (figure, bool) {
	digits, exponent, short := strings.Cut(s, "e-")
	f, ok := number(digits, true)
	if n, good := integer(exponent); ok && short {
		v, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
		return figure{v, f.half * math.Pow10(-int(n))}, good && err == nil
	}
	return f, ok
}

// ddWhole tells whether a line is a figure of dd by itself, and not the rest of
// one that was broken.
func ddWhole(s string) bool {
	return ddBSD.MatchString(s) || hasSeconds(s) && ddGNU.MatchString(s)
}

// near tells whether a rate is the printed one, within its last digit and a
// little more.
func near(rate, printed, half float64) bool {
	return math.Abs(rate-printed) <= 1.1*half+0.03*printed
}

// binaryScale is the power of 1024 beside a power of 1000.
func binaryScale(scale float64) float64 {
	return math.Pow(1024, math.Round(math.Log10(scale)/3))
}

// records takes "4096+0 records in".
func (rd *reader) records(s, n string) {
	st := &rd.dd
	low := strings.ToLower(s)
	for _, in := range []string{" in", "ein", "lus", "leídos", "leidos", "lidos", "вход", "dentro", "wczytanych", "inlästa"} {
		if strings.HasSuffix(strings.TrimRight(low, " .;"), in) || strings.Contains(low, in+" ") && !strings.Contains(low, " out") {
			st.in, st.out = n, ""
			return
		}
	}
	if st.out != "" || st.in == "" && !strings.Contains(low, " out") {
		st.in, st.out = n, "" // the first of the two, whatever its language
		return
	}
	st.out = n
}

// ddDone takes a final or a progress line.
func (rd *reader) ddDone(l line, bytes int64, sec, rate float64, printed string, stopped, progress bool) {
	st := &rd.dd
	c := rd.at(l)
	r := Result{Kind: Disk, Tool: "dd", Bytes: bytes, Seconds: sec, BytesPerSecond: rate, AsPrinted: printed, Clock: Wall, Line: l.no}
	if printed == "" {
		r.AsPrinted = "no rate"
	}
	if m := ddLabel.FindStringSubmatch(l.text); m != nil {
		r.Direction = Writing
		if strings.EqualFold(m[1][:1], "r") {
			r.Direction = Reading
		}
	}
	asked := st.asked
	st.asked = false
	switch {
	case asked:
		r.fix(Unfinished, "a progress line; the run's last line is missing")
	case stopped || st.in != "" && st.out != "" && st.in != st.out && (c.dd == nil || !c.dd.reblocks):
		r.fix(Unfinished, "the run was interrupted")
	}
	if progress && st.in == "" {
		r.fix(Unfinished, "a progress line; the run's last line is missing")
		if l.cr {
			st.progress, st.heldLine = &r, l
			return
		}
	}
	if st.progress != nil && st.progress.Bytes > bytes {
		rd.ddFlush()
	}
	st.progress = nil
	if n := len(rd.report.Results); st.lastAt > 0 && st.lastAt == n && rd.meta[n-1].command == c.commands && c.ddLeft == 0 && st.overtakes(&rd.report.Results[n-1], &r, progress) {
		rd.report.Results, rd.meta = rd.report.Results[:n-1], rd.meta[:n-1]
		if c.dd != nil {
			c.ddLeft++
		}
	}
	rd.ddEmit(l, r)
	st.bare = st.in == ""
	st.in, st.out = "", ""
}

// overtakes tells whether old is an earlier progress line of the run that r is
// the next or the last line of.
func (st *ddState) overtakes(old, r *Result, progress bool) bool {
	if old.Tool != "dd" || old.Bytes > r.Bytes {
		return false
	}
	marked := old.Has(Unfinished) && strings.Contains(old.Repairs[0].Text, "progress")
	switch {
	case st.in == "":
		return marked && progress && r.Line-old.Line <= 2 && old.Bytes < r.Bytes && old.Seconds < r.Seconds
	case st.bare && r.Line-old.Line == 3 && old.Seconds <= r.Seconds:
		return true // only the two lines of records stand between
	}
	return marked
}

// ddFlush emits a progress line whose run has no last line.
func (rd *reader) ddFlush() {
	st := &rd.dd
	if st.progress == nil {
		return
	}
	r, l := *st.progress, st.heldLine
	st.progress = nil
	rd.ddEmit(l, r)
}

func (rd *reader) ddEmit(l line, r Result) {
	keep := rd.l
	rd.l = l
	c := rd.at(l)
	if c.owned() == nil {
		c.ddTo(&r)
	}
	at := rd.emit(r)
	rd.dd.lastAt, rd.dd.lastDepth = at+1, l.quoted
	rd.timing.after(at, l)
	rd.l = keep
}

// newDD takes a command line of dd.
func (rd *reader) newDD(l line, args, text string) {
	rd.ddFlush()
	rd.dd.in, rd.dd.out = "", ""
	rd.remarked(l)
	c := rd.at(l)
	c.newCommand(text)
	cmd := &ddCommand{text: text}
	for _, a := range strings.Fields(args) {
		k, v, ok := strings.Cut(a, "=")
		if !ok {
			if strings.ContainsAny(a, "|;&>") {
				break
			}
			continue
		}
		v = strings.Trim(v, `"'`)
		switch k {
		case "if":
			cmd.in = v
		case "of":
			cmd.out = v
		case "bs", "ibs":
			if n, ok := ddSize(v); ok {
				cmd.bs = n
			}
			cmd.reblocks = cmd.reblocks || k == "ibs"
		case "obs":
			cmd.reblocks = true
		}
	}
	source := func(p string) bool {
		return p == "/dev/zero" || p == "/dev/urandom" || p == "/dev/random" || p == "-" || p == ""
	}
	sink := func(p string) bool { return p == "/dev/null" || p == "/dev/zero" || p == "-" || p == "" }
	encrypted := func(p string) bool {
		return strings.HasSuffix(p, ".eli") || strings.HasPrefix(p, "/dev/mapper/") || strings.HasPrefix(p, "/dev/dm-")
	}
	switch {
	case cmd.in == "/dev/zero" && cmd.out == "/dev/null":
		cmd.memory = true
	case encrypted(cmd.in) && !encrypted(cmd.out):
		cmd.direction, cmd.device = Reading, cmd.in
	case encrypted(cmd.out) && !encrypted(cmd.in):
		cmd.direction, cmd.device = Writing, cmd.out
	case source(cmd.in) && !sink(cmd.out):
		cmd.direction, cmd.device = Writing, cmd.out
	case !source(cmd.in) && sink(cmd.out):
		cmd.direction, cmd.device = Reading, cmd.in
	}
	cmd.throughCipher = strings.HasSuffix(cmd.device, ".eli")
	cmd.mapped = strings.HasPrefix(cmd.device, "/dev/mapper/") || strings.HasPrefix(cmd.device, "/dev/dm-")
	if strings.Contains(l.text, "RAM Disk") || strings.Contains(l.text, "ramdisk") || strings.Contains(cmd.device, "/dev/shm/") || strings.Contains(cmd.device, "/dev/ram") || strings.Contains(cmd.device, "/tmpfs") {
		cmd.cached = "a RAM disk"
	}
	if cmd.bs == 0 {
		cmd.bs = 512
		cmd.countWithoutBS = true
	}
	rd.ddRecipe(l, c, cmd)
	c.dd = cmd
	c.ddLeft = min(c.ddLeft+1, 1000)
}

// ddTo completes a dd result by its command line and the provider it read.
func (c *context) ddTo(r *Result) {
	cmd := c.dd
	if cmd == nil || c.ddLeft == 0 {
		if c.labelNone {
			r.Cipher = "none"
		} else if c.labelAlg != nil {
			c.labelAlg.to(r)
		}
		return
	}
	c.ddLeft--
	r.Command, r.BlockBytes, r.Device = cmd.text, cmd.bs, cmd.device
	if cmd.direction != "" {
		r.Direction = cmd.direction
	}
	if cmd.countWithoutBS {
		r.fix(ToolDefault, "dd's default block size of 512 bytes")
	}
	if r.Direction == "" {
		r.Direction = UnknownDirection
	}
	switch {
	case cmd.memory:
		r.Kind = Memory
		r.fix(Cached, "/dev/zero to /dev/null moves memory")
	case cmd.cached != "":
		r.Kind = Memory
		r.fix(Cached, "the speed of "+cmd.cached)
	}
	g := c.geli
	if cmd.mapped {
		g = c.dm
	}
	switch {
	case (cmd.throughCipher || cmd.mapped) && g != nil:
		g.alg.to(r)
		r.Sector = g.sector
		r.Name = strings.ToLower(strings.TrimSuffix(g.alg.cipher+"-"+g.alg.mode, "-"))
		if g.defaults != "" {
			r.fix(ToolDefault, g.defaults)
		}
		r.Accelerator = g.crypto
		if path.Base(cmd.device) == "gzero.eli" {
			r.Kind = Cipher
			r.Clear = c.clear
		}
	case cmd.throughCipher || cmd.mapped:
		if c.labelAlg != nil {
			c.labelAlg.to(r)
		}
	case c.labelNone:
		r.Cipher = "none"
	}
	if r.Direction == "" && c.direction != "" {
		r.Direction = c.direction
	}
}

// ddSize reads "1m", "1M", "1MB", "128k", "2x1k", "1048576", "1MiB".
func ddSize(s string) (int64, bool) {
	total := int64(1)
	for f := range strings.SplitSeq(s, "x") {
		num, unit := splitUnit(f)
		n, ok := integer(num)
		if !ok {
			return 0, false
		}
		switch unit {
		case "":
		case "b":
			n *= 512
		case "w":
			n *= 2
		case "c", "B":
		case "kB", "MB", "GB":
			scale, _, _ := byteUnit(unit)
			n *= int64(scale)
		default:
			e, ok := expand("1" + strings.TrimSuffix(strings.TrimSuffix(unit, "B"), "i"))
			if !ok {
				return 0, false
			}
			n *= e
		}
		if n <= 0 || n > 1<<40 || total > 1<<40/n {
			return 0, false
		}
		total *= n
	}
	return total, true
}
