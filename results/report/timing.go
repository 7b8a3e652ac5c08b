package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// timeState is the time line at hand.
type timeState struct {
	real, user, sys *float64 // of bash's three lines
	percent         *float64
	line            line
	command         string // GNU time -v names it
	figure          int    // index of the dd result that a time line may belong to
	depth           int
	armed           bool
}

// after notes a result that a time line may follow.
func (t *timeState) after(at int, l line) {
	t.figure, t.depth, t.armed = at, l.quoted, at >= 0
}

var (
	cshTime  = regexp.MustCompile(`^(\d+\.\d+)u[ \t]+(\d+\.\d+)s[ \t]+([\d:.]+)[ \t]+(\d+(?:\.\d+)?)%(?:[ \t]|$)`)
	gnuTime  = regexp.MustCompile(`^(\d+\.\d+)user (\d+\.\d+)system ([\d:.]+)elapsed (\d+|\?)%CPU`)
	zshTime  = regexp.MustCompile(`(\d+\.\d+)s user (\d+\.\d+)s system (\d+)% cpu ([\d:.]+) total`)
	kshTime  = regexp.MustCompile(`^((?:\d+m ?)?\d+\.\d+)s real[ \t]+((?:\d+m ?)?\d+\.\d+)s user[ \t]+((?:\d+m ?)?\d+\.\d+)s sys(?:tem)?(?: +(\d+)%)?`)
	bsdTime  = regexp.MustCompile(`^(\d+\.\d+) real[ \t]+(\d+\.\d+) user[ \t]+(\d+\.\d+) sys\b`)
	bashTime = regexp.MustCompile(`^(real|user|sys)[ \t]+(?:(\d+)h ?)?(?:(\d+)m ?)?(\d+(?:[.,]\d+)?)s?\b`)
)

// timeLine reads what the shells' time, /usr/bin/time and GNU time -v print.
func (rd *reader) timeLine(l line) verdict {
	s := l.text
	t := &rd.timing
	if len(s) > 400 || len(s) < 7 {
		return no
	}
	sec := func(x string) *float64 { return clockTime(x) }
	switch {
	case strings.HasPrefix(s, "real") || strings.HasPrefix(s, "user") || strings.HasPrefix(s, "sys"):
		m := bashTime.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		v, ok := number(m[4], true)
		if !ok {
			return no
		}
		h, _ := strconv.ParseFloat("0"+m[2], 64)
		min, _ := strconv.ParseFloat("0"+m[3], 64)
		x := h*3600 + min*60 + v.v
		switch m[1] {
		case "real":
			t.real, t.user, t.sys, t.line = &x, nil, nil, l
		case "user":
			t.user = &x
		case "sys":
			t.sys = &x
			if t.real != nil && t.user != nil {
				rd.timed(t.line, t.real, t.user, t.sys, nil)
			}
			t.real, t.user, t.sys = nil, nil, nil
		}
		return yes
	case s[0] >= '0' && s[0] <= '9' && strings.Contains(s, "u") && strings.Contains(s, "%"):
		if m := cshTime.FindStringSubmatch(s); m != nil {
			rd.timed(l, sec(m[3]), sec(m[1]), sec(m[2]), percent(m[4]))
			return yes
		}
	}
	switch {
	case strings.Contains(s, "s real") || strings.Contains(s, " real "):
		if m := kshTime.FindStringSubmatch(s); m != nil {
			rd.timed(l, sec(m[1]), sec(m[2]), sec(m[3]), percent(m[4]))
			return yes
		}
		if m := bsdTime.FindStringSubmatch(s); m != nil {
			rd.timed(l, sec(m[1]), sec(m[2]), sec(m[3]), nil)
			return yes
		}
	case strings.Contains(s, "elapsed"):
		if m := gnuTime.FindStringSubmatch(s); m != nil {
			rd.timed(l, sec(m[3]), sec(m[1]), sec(m[2]), percent(m[4]))
			return yes
		}
	case strings.Contains(s, "% cpu "):
		if m := zshTime.FindStringSubmatch(s); m != nil {
			if at := strings.Index(s, m[0]); at > 1 {
				cmd := l
				cmd.text = strings.TrimSpace(s[:at])
				if rd.commandLine(cmd) == no {
					rd.at(l).newCommand(cmd.text)
				}
			}
			rd.timed(l, sec(m[4]), sec(m[1]), sec(m[2]), percent(m[3]))
			return yes
		}
	}
	if t.command != "" || strings.HasPrefix(s, "Command being timed:") || strings.HasPrefix(s, "User time (seconds):") {
		return rd.gnuVerbose(l)
	}
	return no
}

// gnuVerbose reads the block of GNU time -v, which ends for us at the elapsed
// time.
func (rd *reader) gnuVerbose(l line) verdict {
	t := &rd.timing
	key, v, ok := strings.Cut(l.text, ": ")
	if !ok {
		return no
	}
	v = strings.TrimSpace(v)
	switch {
	case key == "Command being timed":
		t.command, t.real, t.user, t.sys, t.percent, t.line = strings.Trim(v, `"`), nil, nil, nil, nil, l
	case key == "User time (seconds)":
		t.user = clockTime(v)
		if t.command == "" {
			t.command, t.line = "?", l
		}
	case key == "System time (seconds)":
		t.sys = clockTime(v)
	case key == "Percent of CPU this job got":
		t.percent = percent(strings.TrimSuffix(v, "%"))
	case strings.HasPrefix(key, "Elapsed (wall clock) time"):
		// The key holds colons of its own: "(h:mm:ss or m:ss)".
		v = l.text[strings.LastIndex(l.text, "): ")+3:]
		t.real = clockTime(strings.TrimSpace(v))
		rd.timed(t.line, t.real, t.user, t.sys, t.percent)
		t.command, t.real, t.user, t.sys, t.percent = "", nil, nil, nil, nil
	case strings.HasPrefix(key, "Average ") || strings.HasPrefix(key, "Maximum ") || strings.HasPrefix(key, "Swaps") || strings.HasPrefix(key, "Page size"):
	default:
		return no
	}
	return yes
}

func percent(s string) *float64 {
	if v, err := strconv.ParseFloat(s, 64); err == nil && v >= 0 {
		return &v
	}
	return nil
}

// clockTime reads "97.498", "1:40.20", "1:02:03.5", "0m 18.03s", "1m2.5" as
// seconds; nil if it is none of these.
func clockTime(s string) *float64 {
	s = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(s), "s"), " ", "")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "h", ":"), "m", ":")
	total := 0.0
	parts := strings.Split(s, ":")
	if len(parts) > 3 {
		return nil
	}
	for _, p := range parts {
		f, ok := number(p, true)
		if !ok {
			return nil
		}
		total = total*60 + f.v
	}
	if math.IsInf(total, 0) || total > 1e9 {
		return nil
	}
	return &total
}

// timed gives a time line to the figure it belongs to, or keeps it as a Result
// of its own.
func (rd *reader) timed(l line, real, user, sys, cpu *float64) {
	if real == nil && user == nil {
		return
	}
	u := &Usage{RealSeconds: real, UserSeconds: user, SystemSeconds: sys, CPUPercent: cpu}
	if cpu == nil && real != nil && *real > 0 && user != nil && sys != nil {
		p := (*user + *sys) / *real * 100
		u.CPUPercent, u.Computed = &p, true
	}
	t := &rd.timing
	if t.armed && t.depth == l.quoted && real != nil && t.figure < len(rd.report.Results) {
		r := &rd.report.Results[t.figure]
		if r.Usage == nil && math.Abs(*real-r.Seconds) <= math.Max(1.5, 0.1**real) {
			r.Usage, t.armed = u, false
			return
		}
	}
	t.armed = false
	keep := rd.l
	rd.l = l
	defer func() { rd.l = keep }()
	c := rd.at(l)
	if c.enc != nil && c.enc.text == c.command {
		rd.encTimed(c, l, u)
		c.enc = nil // one time line to a command
		return
	}
	r := Result{Kind: Time, Tool: "time", Line: l.no, Usage: u, Clock: Wall, Command: c.command}
	if real != nil {
		r.Seconds = *real
	}
	// A run of openssl speed as a whole: its figures share the CPU percentage.
	speed := strings.Contains(t.command, "openssl speed") || c.openssl != nil && c.openssl.text == c.command
	for i := len(rd.report.Results) - 1; i >= 0 && rd.meta[i].depth == l.depth(); i-- {
		x := &rd.report.Results[i]
		if x.Tool != "openssl speed" || rd.meta[i].command != c.commands {
			break
		}
		if !speed && c.command != "" {
			break
		}
		if x.Usage != nil && x.Usage.WholeRun {
			break // an earlier run's
		}
		w := *u
		w.WholeRun = true
		x.Usage = &w
		if user != nil && real != nil && *real > 1 && *user < 0.5**real && x.Clock != Wall && !x.Has(UserTime) && x.Threads <= 1 {
			x.fix(UserTimeTable, "divided by user CPU time, of which the run took little: the work was done elsewhere")
		}
		r.Name = "openssl speed"
	}
	if t.command != "" && t.command != "?" {
		r.Command = t.command
	}
	rd.emit(r)
}

// encTimed makes a figure of "time openssl enc -des3 -in big …", whose size
// stands in the prose or nowhere.
func (rd *reader) encTimed(c *context, l line, u *Usage) {
	r := Result{Kind: Cipher, Tool: "openssl enc", Line: l.no, Usage: u, Clock: Wall, Command: c.enc.text, Direction: Encrypt, Threads: 1}
	if c.enc.dec {
		r.Direction = Decrypt
	}
	c.enc.alg.to(&r)
	r.Name = strings.ToLower(strings.TrimSuffix(r.Cipher+"-"+r.Mode, "-"))
	if u.RealSeconds != nil {
		r.Seconds = *u.RealSeconds
	}
	if size, ok := c.sizes[c.enc.in]; ok && r.Seconds > 0 {
		r.Bytes, r.BytesPerSecond = int64(size.v), size.v/r.Seconds
		r.fix(SizeFromProse, "the size of "+c.enc.in+" stands in the text only, and its MB may be 2^20 bytes")
		r.AsPrinted = strconv.FormatFloat(r.Seconds, 'f', -1, 64) + " s"
	} else {
		r.Kind = Time
	}
	rd.emit(r)
}
