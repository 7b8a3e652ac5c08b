package report

import (
	"fmt"
	"math"
	"strings"
)

// verdict is what a parser says of a line.
type verdict int

const (
	no      verdict = iota // not mine
	yes                    // mine; whatever it held was taken
	partial                // mine, but it ends too early: the next line may be its rest
)

// reader keeps what a text has said so far and hands its lines to the parsers.
type reader struct {
	report  *Report
	ctx     [depths]context
	section int   // counts machines where a text tells them apart
	held    *line // a partial line, waiting for its rest
	holder  func(*reader, line) verdict
	joins   int
	l       line // the line at hand, for emit

	meta []meta // of report.Results, same order

	ssl   opensslState
	crypt cryptsetupState
	fio   fioState
	dd    ddState
	tc    [depths]tcryptState
	// tcRight is the right column's of two logs side by side.
	tcRight tcryptState
	lib     libState
	typed   typedState
	units   unitTable
	sizeTab sizeTable
	disk    diskState
	geli    geliListState
	gotime  goState
	timing  timeState
	gap     bool           // a blank line came before this one
	rows    map[string]int // rows of openssl's tables so far, and their lines
	said    []line         // prose that nobody has asked for yet
}

// meta is what finish needs to know of a result beyond what it shows.
type meta struct {
	section, depth int
	command        int // number of the command it came from
}

func newReader(name string) *reader {
	return &reader{report: &Report{Name: name}, gap: true}
}

// parsers in the order in which they are asked. Each first looks for a word
// without which it has no business.
var parsers = []func(*reader, line) verdict{
	(*reader).ownScreenLine,
	(*reader).ownBenchLine,
	(*reader).dmesgNoise,
	(*reader).ownLine,
	(*reader).ownTableLine,
	(*reader).ownMetric,
	(*reader).machineLine,
	(*reader).opensslDoing,
	(*reader).opensslMR,
	(*reader).opensslBanner,
	(*reader).cryptotestRow,
	(*reader).cryptsetupLine,
	(*reader).ddLine,
	(*reader).timeLine,
	(*reader).tcryptLine,
	(*reader).fioLine,
	(*reader).benchSlope,
	(*reader).gocryptfsLine,
	(*reader).goBench,
	(*reader).botanLine,
	(*reader).gnutlsLine,
	(*reader).cryptodevLine,
	(*reader).bsslLine,
	(*reader).wolfLine,
	(*reader).mbedLine,
	(*reader).rustBench,
	(*reader).aesNiBench,
	(*reader).diskTool,
	(*reader).bonnie,
	(*reader).geliList,
	(*reader).commandLine,
	(*reader).sizeRows,
	(*reader).unitRows,
	(*reader).opensslTable,
	(*reader).handMade,
	(*reader).rateTable,
	(*reader).typedTable,
}

// at is the context of the line's depth of quoting, with what prose has said
// up to here.
func (rd *reader) at(l line) *context {
	if len(rd.said) > 0 {
		said := rd.said
		rd.said = nil
		for _, p := range said {
			rd.ctx[p.depth()].prose(rd, p)
		}
		rd.said = said[:0]
	}
	return &rd.ctx[l.depth()]
}

// maxSaid is how many lines of prose are kept until somebody asks for what they
// say. A log of a million lines that holds no figure is never asked.
const maxSaid = 128

// say keeps a line of prose.
func (rd *reader) say(l line) {
	rd.ownProse(l)
	l.gap = rd.gap || remark(l.text)
	if len(rd.said) == maxSaid {
		copy(rd.said, rd.said[1:])
		rd.said = rd.said[:maxSaid-1]
	}
	if len(l.text) > 2000 {
		l.text = l.text[:2000]
	}
	rd.said = append(rd.said, l)
}

// remarked makes a comment that stands right above a command the heading of
// what the command prints.
func (rd *reader) remarked(l line) {
	if n := len(rd.said); n > 0 && rd.said[n-1].no == l.no-1 && rd.said[n-1].hash && len(strings.Fields(rd.said[n-1].text)) <= 12 {
		rd.said[n-1].heavy = true
	}
}

// take handles one logical line.
func (rd *reader) take(l line) {
	if l.fence {
		rd.letGo()
		return
	}
	if l.blank {
		rd.gap = true
		if rd.held != nil && !l.flat {
			rd.joins++ // a blank line may stand between; two may not
			if rd.joins > 2 {
				rd.letGo()
			}
		}
		rd.typed.blank()
		return
	}
	if rd.held != nil && rd.joined(l) {
		rd.gap = false
		return
	}
	rd.one(l)
	rd.gap = false
}

// joined tries the held line with this one behind it.
func (rd *reader) joined(l line) bool {
	if !rest(l.text) || ddWhole(l.text) {
		rd.letGo()
		return false
	}
	whole := *rd.held
	whole.text += " " + l.text
	if len(whole.text) > 4096 {
		rd.letGo()
		return false
	}
	rd.l = whole
	switch rd.holder(rd, whole) {
	case yes:
		rd.held = nil
		return true
	case partial:
		if rd.joins++; rd.joins <= 2 && rd.own(l) == no {
			rd.held.text = whole.text
			return true
		}
	}
	rd.letGo()
	return false
}

// rest tells whether a line can be the end of one that was wrapped: it begins
// with a number, a parenthesis or one of the words behind which tools' lines
// were seen to break.
func rest(s string) bool {
	if s[0] >= '0' && s[0] <= '9' || strings.IndexByte("(=[.", s[0]) >= 0 || strings.Contains(s, "'s in ") || strings.Contains(s, " ops in ") {
		return true
	}
	for _, w := range []string{"in ", "sec", "bytes", "byte ", "MiB/s", "N/A", "maxb=", "minb=", "mint=", "maxt=", "run=", "io=", "aggrb=", "crypts", "copied", "blocks", "size ",
		"operations", "ops/sec", "seal ", "open ", "seconds", "iterations", "memory", "parallel", "threads", "MB", "ns/B", "c/B", "kbytes", "="} {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// own tells whether a line would be read by itself. It is asked only of lines
// behind a broken one, so only the cheap signs count.
func (rd *reader) own(l line) verdict {
	for _, sign := range []string{"Doing ", "bytes transferred", "MiB/s", "size blocks", "records in", "iterations per", " crypts,", " copied,"} {
		if strings.Contains(l.text, sign) {
			return yes
		}
	}
	return no
}

// letGo gives a held line up as broken.
func (rd *reader) letGo() {
	if rd.held == nil {
		return
	}
	h := rd.held
	rd.held = nil
	rd.warnAt(h.no, fmt.Sprintf("cut off: %q", clip(h.text)))
}

// one offers a line to the parsers.
func (rd *reader) one(l line) {
	rd.l = l
	for _, parse := range parsers {
		switch parse(rd, l) {
		case yes:
			return
		case partial:
			if l.flat {
				// What follows in a flattened text is the next line's beginning.
				rd.warnAt(l.no, fmt.Sprintf("cut off: %q", clip(l.text)))
				return
			}
			h := l
			rd.held, rd.holder, rd.joins = &h, parse, 0
			return
		}
	}
	rd.say(l)
}

// emit takes a result; what the parser left unknown and the text has said
// before is filled in from the context.
// It returns the result's index, or -1 where there were too many to keep.
func (rd *reader) emit(r Result) int {
	c := rd.at(rd.l)
	if len(rd.report.Results) >= maxResults {
		rd.report.Left++
		return -1
	}
	if r.Line == 0 {
		r.Line = rd.l.no
	}
	if why := misfit(r); why != "" {
		rd.warnAt(r.Line, fmt.Sprintf("%s: %q", why, clip(rd.l.text)))
		return -1
	}
	if drop := rd.claim(c, &r); drop != "" {
		rd.broken(drop)
		return -1
	}
	r.File = rd.report.Name
	r.Quoted = rd.l.quoted
	c.fill(&r)
	rd.checkKey(&r, rd.l.text)
	rd.report.Results = append(rd.report.Results, r)
	rd.meta = append(rd.meta, meta{section: rd.section, depth: rd.l.depth(), command: c.commands})
	return len(rd.report.Results) - 1
}

// checkKey corrects the key length of a figure, and warns where no cipher has it.
func (rd *reader) checkKey(r *Result, text string) {
	if odd := r.halve(); odd != 0 {
		rd.warnAt(r.Line, fmt.Sprintf("no key of %s has %d bits; its length stays unknown: %q", r.Cipher, odd, clip(text)))
	}
}

// misfit says why no tool can have printed a figure: parts of two lines came
// together, or it is no rate.
func misfit(r Result) string {
	const fastest = 1e14 // bytes a second, all cores of the largest machine
	switch by := float64(r.Bytes) / r.Seconds; {
	case math.IsNaN(r.BytesPerSecond) || r.BytesPerSecond < 0 || r.BytesPerSecond > fastest:
		return "no rate of this world"
	case r.HasRate() && r.Bytes > 0 && r.Seconds > 0.05 && r.Threads <= 1 && math.Abs(by-r.BytesPerSecond) > 0.25*by+1000:
		return "numbers that don't fit each other"
	}
	return ""
}

// warn reports that the line at hand was not taken.
func (rd *reader) warn(text string) { rd.warnAt(rd.l.no, text) }

func (rd *reader) warnAt(no int, text string) {
	if len(rd.report.Warnings) >= maxWarnings {
		rd.report.Left++
		return
	}
	rd.report.Warnings = append(rd.report.Warnings, Warning{File: rd.report.Name, Line: no, Text: text})
}

// broken warns about a row that can't be read.
func (rd *reader) broken(what string) verdict {
	rd.warn(fmt.Sprintf("%s: %q", what, clip(rd.l.text)))
	return yes
}

// clip shortens a line for a message.
func clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	return strings.ToValidUTF8(s[:77], "") + "..."
}
