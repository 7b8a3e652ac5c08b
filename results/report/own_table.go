package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ownTable is the table of gelibench at hand, and what stands around it.
type ownTable struct {
	columns []ownColumn
	pending []string // the beginning of a row that was broken
	line    line     // where it began
	closed  bool     // no more rows
	over    bool     // nothing of it is awaited but the command that repeats it
	rows    []int    // its figures, by their places in the report
	footer  string   // a line below the table that may go on
	last    int      // the last line that belonged to it
}

var (
	ownHost = regexp.MustCompile(`^(\S.{0,100}?), \d{1,6} CPUs?, [a-z0-9]{2,20}/[a-z0-9]{2,20}, (?:go|devel)\S+(?:, |$)`)
	ownZero = regexp.MustCompile(`(?:^|; )(\S{1,200}): kern\.geom\.zero\.clear=([01])`)
	// What stands above gelibench's tables, and says nothing of a figure.
	ownWords = regexp.MustCompile(`^(?:path \S+: |IVs hashed by |MB = 10\^6 bytes, GB = 10\^9|= user \+ system time|requests; CPU-s = user)`)
	ownGone  = regexp.MustCompile(`(request bytes|integrity|engine) \((?:all (\S+?)|not known)\)`)
)

// ownTableLine reads gelibench's table as it is on a screen, with a head of one
// line or two, and in markdown: lines may be broken, columns may be left out.
func (rd *reader) ownTableLine(l line) verdict {
	s := l.text
	c := rd.peek(l)
	if c.own != nil || c.table != nil {
		rd.at(l)
	}
	if v := rd.ownAround(c, l); v != no {
		return v
	}
	if c.table == nil && !strings.HasPrefix(s, "key ") && !strings.Contains(s, "provider") {
		return no
	}
	words, cells := ownWordsOf(s)
	if at := headAt(words); at >= 0 {
		rd.at(l)
		rd.ownTableEnd(c)
		columns, rest := parseOwnHead(nil, words[at:])
		c.table = &ownTable{columns: columns, last: l.no}
		c.label, c.labelAlg = "", nil
		return rd.ownRows(c, l, rest)
	}
	t := c.table
	if t != nil && (t.closed || t.over) && (strings.HasPrefix(s, "again: ") || strings.HasPrefix(t.footer, "again: ")) {
		return rd.ownFooter(c, l)
	}
	if t == nil || t.over {
		if len(words) >= 3 && words[0] == "key" && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(ownAbove, w) }) {
			return yes // the upper line of the head
		}
		return no
	}
	if l.no > t.last+3 {
		rd.ownTableOver(c)
		return no
	}
	if !wholeHead(t.columns) || len(t.rows) == 0 && len(t.pending) == 0 {
		columns, rest := parseOwnHead(t.columns, words)
		if len(columns) > len(t.columns) {
			t.columns, t.last = columns, l.no
			return rd.ownRows(c, l, rest)
		}
	}
	if !wholeHead(t.columns) {
		rd.ownTableEnd(c)
		return no
	}
	if strings.HasPrefix(s, "|") && ruler.MatchString(s) {
		t.last = l.no
		return yes
	}
	if t.closed {
		return rd.ownFooter(c, l)
	}
	if len(cells) == len(t.columns) && len(t.pending) == 0 {
		words = cells // a name may have blanks
	}
	if dash := append([]string{"-"}, words...); len(t.pending) == 0 && !t.begins(words) && t.begins(dash) {
		words = dash // of a provider that isn't known; it was taken for a list's mark
	}
	if len(t.pending) == 0 && !t.begins(words) {
		t.closed = true
		return rd.ownFooter(c, l)
	}
	return rd.ownRows(c, l, words)
}

// ownAbove are the words of the head's upper line.
var ownAbove = []string{"key", "sector", "request", "ns", "per", "CPU-s"}

// headAt is where the head of the table begins; -1 of none.
func headAt(words []string) int {
	for i := 0; i+2 < len(words) && i < 64; i++ {
		if words[i] == "provider" && words[i+1] == "cipher" && (words[i+2] == "bits" || words[i+2] == "key") {
			return i
		}
	}
	return -1
}

// ownWordsOf parts a line at its blanks, and into cells where they are told
// apart by pipes, tabs or two blanks.
func ownWordsOf(s string) (words, cells []string) {
	if strings.Contains(s, "|") {
		for p := range strings.SplitSeq(strings.Trim(s, "| \t"), "|") {
			cells = append(cells, strings.TrimSpace(p))
		}
		return strings.Fields(strings.ReplaceAll(s, "|", " ")), cells
	}
	return strings.Fields(s), wide.Split(s, 64)
}

var wide = regexp.MustCompile(`[ ]*\t[ \t]*|  +`)

// begins tells whether words can be the beginning of a row.
func (t *ownTable) begins(words []string) bool {
	if len(words) < 3 {
		return false
	}
	for i := range min(len(words), len(t.columns)) {
		if !t.columns[i].fits(words[i]) {
			return false
		}
	}
	return true
}

// ownRows takes the words of rows, as many as there are; what is left waits for
// its rest on the next line.
func (rd *reader) ownRows(c *context, l line, words []string) verdict {
	t := c.table
	t.last = l.no
	if len(words) > 0 && !wholeHead(t.columns) {
		rd.ownTableEnd(c)
		return no
	}
	if len(t.pending) == 0 {
		t.line = l
	}
	words = append(t.pending, words...)
	t.pending = nil
	for len(words) >= len(t.columns) && len(t.columns) > 0 {
		if !t.begins(words) {
			break
		}
		rd.ownRow(c, words[:len(t.columns)])
		words, t.line = words[len(t.columns):], l
	}
	switch {
	case len(words) == 0:
	case t.begins(words) && len(words) < len(t.columns):
		t.pending = slices.Clone(words)
	default:
		t.closed = true
		if len(words) >= 3 {
			return rd.broken("a row of gelibench's table that can't be read")
		}
	}
	return yes
}

// ownRow takes one row.
func (rd *reader) ownRow(c *context, cells []string) {
	t := c.table
	var oc ownCase
	r := Result{Line: t.line.no, Kind: Cipher, Tool: ownTool, Clock: Wall}
	for i, col := range t.columns {
		col.into(cells[i], &oc, &r)
	}
	if r.BytesPerSecond == 0 {
		return // the case was not reached
	}
	oc.clear = c.zero[oc.provider]
	oc.to(&r)
	r.Name = algorithm{cipher: r.Cipher, mode: r.Mode}.String()
	if src := c.owned(); src != nil {
		r.Tool, r.Version = src.tool, src.version
		src.figures = true
	} else if r.Has(Stated) {
		r.Tool = ""
	}
	if r.Has(Stated) {
		r.Clock = UnknownClock
	}
	if at := rd.emit(r); at >= 0 {
		t.rows = append(t.rows, at)
	}
}

// ownAround reads the lines above a table.
func (rd *reader) ownAround(c *context, l line) verdict {
	s := l.text
	if strings.Contains(s, ": kern.geom.zero.clear=") {
		all := ownZero.FindAllStringSubmatch(s, 64)
		if len(all) == 0 || !strings.HasPrefix(s, all[0][0]) {
			return no
		}
		c.zero = map[string]*bool{}
		for _, m := range all {
			on := m[2] == "1"
			if old, twice := c.zero[m[1]]; twice && (old == nil || *old != on) {
				c.zero[m[1]] = nil // both were measured
				continue
			}
			c.zero[m[1]] = &on
		}
		return yes
	}
	if strings.Contains(s, " CPU") {
		if m := ownHost.FindStringSubmatch(s); m != nil {
			c.setCPU(rd, l, modelOf(m[1], "tool"), trustTool)
			return yes
		}
	}
	if c.owned() != nil && (c.table == nil || c.table.closed) && ownWords.MatchString(s) {
		return yes
	}
	return no
}

// footers are the words that lines below a table begin with.
var footers = []string{"no room for: ", "! unreliable: ", "* stated by the report", "note: ", "interrupted: ", "again: "}

// ownFooter reads the lines below a table; a line that begins with none of their
// words goes on with the one before.
func (rd *reader) ownFooter(c *context, l line) verdict {
	t := c.table
	s := l.text
	begins := slices.ContainsFunc(footers, func(f string) bool { return strings.HasPrefix(s, f) })
	if !begins && (t.footer == "" || rd.gap) {
		rd.ownTableOver(c) // tables of answers may stand before the command
		return no
	}
	if begins {
		rd.ownFooterEnd(c)
		t.footer = s
	} else {
		t.footer += " " + s
	}
	t.last = l.no
	if len(t.footer) > 4096 || strings.HasPrefix(t.footer, "again: ") && rd.ownAgain(c) {
		t.footer = ""
	}
	return yes
}

// ownAgain gives the figures of a table the command that repeats them, once it
// is whole: it ends with a provider.
func (rd *reader) ownAgain(c *context) bool {
	t := c.table
	command := strings.TrimPrefix(t.footer, "again: ")
	words := strings.Fields(command)
	if len(words) < 3 || words[0] != "gelibench" {
		return false
	}
	whole := false
	for _, at := range t.rows {
		whole = whole || rd.report.Results[at].Device == words[len(words)-1]
	}
	if !whole {
		return false
	}
	for _, at := range t.rows {
		rd.report.Results[at].Command = command
	}
	return true
}

// ownFooterEnd takes a line below a table that is whole now: columns that had
// no room, and what stood in all their rows.
func (rd *reader) ownFooterEnd(c *context) {
	t := c.table
	text, gone := strings.CutPrefix(t.footer, "no room for: ")
	t.footer = ""
	if !gone {
		return
	}
	for _, m := range ownGone.FindAllStringSubmatch(text, 8) {
		for _, at := range t.rows {
			r := &rd.report.Results[at]
			switch value := m[2]; m[1] {
			case "request bytes":
				r.BlockBytes, _ = integer(value)
			case "engine":
				r.Engine = value
			case "integrity":
				r.Auth = strings.ToUpper(strings.TrimSuffix(value, "-"))
			}
		}
	}
	if strings.Contains(text, "integrity") && !strings.Contains(text, "integrity (") {
		for _, at := range t.rows {
			rd.report.Results[at].fix(Unnamed, "the column of the integrity algorithm had no room: which one it was is not known")
		}
	}
}

// ownTableOver ends a table; a row that has no rest is given up.
func (rd *reader) ownTableOver(c *context) {
	t := c.table
	if t == nil {
		return
	}
	rd.ownFooterEnd(c)
	if len(t.pending) > 0 {
		rd.warnAt(t.line.no, fmt.Sprintf("cut off: %q", clip(strings.Join(t.pending, " "))))
		t.pending = nil
	}
	t.closed, t.over = true, true
}

// ownTableEnd forgets a table.
func (rd *reader) ownTableEnd(c *context) {
	rd.ownTableOver(c)
	c.table = nil
}
