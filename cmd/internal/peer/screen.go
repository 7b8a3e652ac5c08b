package peer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gelibench/results"
	"gelibench/results/stats"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

// Outcome is what became of a tool.
type Outcome struct {
	Tool  Tool
	Label string // the tool with its version
	Why   string // it was not measured; "" if it was
}

// ScreenColumns is the width that Answer keeps to: the lines are kept with the
// run, and so can't know how wide the screen is that they are read on.
const ScreenColumns = 80

// own is the engine name that stands for gelibench's in keys.
const own = ""

// Answer puts the figures of a run of all tools side by side: a row a case, a
// column a tool, in groups by what was done about the IV; groups that have no room
// beside others stand below them. At the end stand what each column is, the tools
// that are missing and why, and figures of other ciphers.
func Answer(run results.Run, outcomes []Outcome) results.Answer {
	s := &screen{run: run, outcomes: outcomes}
	s.sort()
	a := results.Answer{Question: "peers"}
	a.Lines = append(a.Lines, s.tables()...)
	a.Lines = append(a.Lines, s.marks()...)
	a.Lines = append(a.Lines, "")
	a.Lines = append(a.Lines, s.legend()...)
	if apart := s.apart(); len(apart) > 0 {
		a.Lines = append(append(a.Lines, ""), apart...)
	}
	a.Text, a.Figures = s.verdict()
	return a
}

// screen is the run, sorted into the table.
type screen struct {
	run      results.Run
	outcomes []Outcome
	rows     []Cell
	columns  []column
	others   []results.Series // of ciphers that are not ours
}

// column is a tool, or one of our paths.
type column struct {
	engine, path string // engine is own for ours
	heading      [2]string
	iv           IV
	of           map[Cell]results.Series
}

func cellOf(c results.Case) Cell { return Cell{c.Alg, c.KeyBits, c.SectorBytes, c.Op} }

// sort finds the rows and the columns.
func (s *screen) sort() {
	add := func(c column) {
		c.of = map[Cell]results.Series{}
		s.columns = append(s.columns, c)
	}
	ourPaths := []string{}
	for _, x := range s.run.Series {
		if !s.isTool(x.Case.Engine) && !slices.Contains(ourPaths, x.Case.Path) {
			ourPaths = append(ourPaths, x.Case.Path)
		}
	}
	for _, p := range ourPaths {
		add(column{engine: own, path: p, heading: [2]string{"gelibench", p}, iv: Made})
	}
	for _, iv := range []IV{Made, Given, Once} {
		for _, o := range s.outcomes {
			if o.Tool.IV == iv && o.Why == "" {
				add(column{engine: o.Tool.Name, path: o.Tool.Path, heading: [2]string{o.Tool.Name, strings.TrimPrefix(o.Label, o.Tool.Name+" ")}, iv: iv})
			}
		}
	}
	// Ours say which cases there are.
	for _, x := range s.run.Series {
		if c := cellOf(x.Case); !s.isTool(x.Case.Engine) && !slices.Contains(s.rows, c) {
			s.rows = append(s.rows, c)
		}
	}
	for _, x := range s.run.Series {
		cell, engine := cellOf(x.Case), own
		if s.isTool(x.Case.Engine) {
			engine = x.Case.Engine
		}
		if !slices.Contains(s.rows, cell) || nameOf(x) != "" {
			s.others = append(s.others, x)
			continue
		}
		for _, c := range s.columns {
			if c.engine == engine && c.path == x.Case.Path {
				c.of[cell] = x
			}
		}
	}
	s.columns = slices.DeleteFunc(s.columns, func(c column) bool {
		return !slices.ContainsFunc(s.rows, func(r Cell) bool { return measured(c.of[r]) })
	})
	// What is of one cipher stays together, sizes ascending.
	ciphers := []Cell{}
	first := func(c Cell) int {
		return slices.IndexFunc(ciphers, func(x Cell) bool { return x.Alg == c.Alg && x.KeyBits == c.KeyBits })
	}
	for _, r := range s.rows {
		if first(r) < 0 {
			ciphers = append(ciphers, r)
		}
	}
	slices.SortStableFunc(s.rows, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(a.UnitBytes, b.UnitBytes))
	})
}

func (s *screen) isTool(engine string) bool {
	return slices.ContainsFunc(s.outcomes, func(o Outcome) bool { return o.Tool.Name == engine })
}

func measured(s results.Series) bool { return s.BytesPerSecond() > 0 }

// about is what the groups are headed by.
var about = map[IV]string{Made: "IV made per sector", Given: "IV given", Once: "IV set once"}

// tables are the rows under their headings, in as few tables one below the other
// as the groups of columns take, and with the spread if that takes no more.
func (s *screen) tables() []string {
	const withSpread = true
	blocks := s.blocks(!withSpread)
	if wide := s.blocks(withSpread); len(wide) == len(blocks) && width(slices.Concat(wide...)) <= ScreenColumns {
		blocks = wide
	}
	var lines []string
	for i, b := range blocks {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, b...)
	}
	return lines
}

// blocks puts as many groups into each table as have room side by side.
func (s *screen) blocks(withSpread bool) [][]string {
	var blocks [][]string
	for begin := 0; begin == 0 || begin < len(s.columns); {
		var lines []string
		end := begin
		for next := begin; next < len(s.columns); {
			iv := s.columns[next].iv
			for next < len(s.columns) && s.columns[next].iv == iv {
				next++
			}
			longer := s.table(s.columns[begin:next], withSpread)
			if end > begin && width(longer) > ScreenColumns {
				break
			}
			lines, end = longer, next
		}
		if end == begin { // there is no column at all
			return [][]string{s.table(nil, withSpread)}
		}
		blocks, begin = append(blocks, lines), end
	}
	return blocks
}

// table is some columns: all rows beside ours, otherwise those that hold a rate.
// Groups of columns have a rule between them.
func (s *screen) table(columns []column, withSpread bool) []string {
	const gap, rule = "  ", " | "
	rows := s.rows
	if len(columns) > 0 && columns[0].engine != own { // ours have all of them
		rows = slices.DeleteFunc(slices.Clone(rows), func(r Cell) bool {
			return !slices.ContainsFunc(columns, func(c column) bool { return measured(c.of[r]) })
		})
	}
	text := make([][]string, len(columns))
	widths := make([]int, len(columns))
	for i, c := range columns {
		text[i] = []string{c.heading[0], c.heading[1]}
		for _, r := range rows {
			text[i] = append(text[i], cell(c.of[r], withSpread))
		}
		for _, t := range text[i] {
			widths[i] = max(widths[i], utf8.RuneCountInString(t))
		}
	}
	// A group is at least as wide as its heading.
	groupWidth := func(i int) (end, w int) {
		for end = i; end < len(columns) && columns[end].iv == columns[i].iv; end++ {
			if end > i {
				w += len(gap)
			}
			w += widths[end]
		}
		return end, w
	}
	headings := ""
	for i := 0; i < len(columns); {
		end, w := groupWidth(i)
		if more := len(about[columns[i].iv]) - w; more > 0 {
			widths[i] += more
			w += more
		}
		headings += rule + fmt.Sprintf("%-*s", w, about[columns[i].iv])
		i = end
	}
	// The first columns say which case a row is.
	cipher, unit := len("cipher"), len("sector")
	for _, r := range rows {
		cipher = max(cipher, len(r.Alg)+1+len(strconv.Itoa(r.KeyBits)))
	}
	line := func(a, b, c string, at int) string {
		t := fmt.Sprintf("%-*s  %*s  %-5s", cipher, a, unit, b, c)
		for i := range columns {
			switch {
			case i == 0 || columns[i].iv != columns[i-1].iv:
				t += rule
			default:
				t += gap
			}
			t += strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text[i][at])) + text[i][at]
		}
		return strings.TrimRight(t, " ")
	}
	rates := "MB/s, median"
	if withSpread {
		rates += " ± %"
	}
	lines := []string{
		strings.TrimRight(fmt.Sprintf("%-*s%s", cipher+2+unit+2+5, rates, headings), " "),
		line("", "", "", 0), line("cipher", "sector", "op", 1),
	}
	for i, r := range rows {
		lines = append(lines, line(fmt.Sprintf("%s-%d", r.Alg, r.KeyBits), strconv.Itoa(r.UnitBytes), r.Op, i+2))
	}
	return lines
}

// Marks behind a rate.
const (
	fewMark = "!" // unreliable by itself
	oneMark = "*" // one run
)

// cell is a rate in MB/s, with how far it is known.
func cell(x results.Series, withSpread bool) string {
	if !measured(x) {
		return "-"
	}
	rate := stats.Summarize(x).Rate
	mb := rate.Value / 1e6
	t := strconv.FormatFloat(mb, 'f', min(2, units.Decimals(mb, 3)), 64)
	switch {
	case len(x.Samples) == 0:
		return t + oneMark
	case x.Grade == results.Unreliable:
		return t + fewMark
	case withSpread && rate.Bounded():
		return t + " " + strings.TrimSuffix(strings.Replace(rate.PlusMinus(), "± ", "±", 1), " %")
	}
	return t
}

// marks explains those that the table has.
func (s *screen) marks() []string {
	few, one := false, false
	for _, c := range s.columns {
		for _, x := range c.of {
			few = few || measured(x) && len(x.Samples) > 0 && x.Grade == results.Unreliable
			one = one || measured(x) && len(x.Samples) == 0
		}
	}
	var lines []string
	if few {
		lines = append(lines, fewMark+" unreliable: too few samples, or too far apart")
	}
	if one {
		lines = append(lines, oneMark+" one run, so nothing is known of its spread")
	}
	return lines
}

// legend says what each column is, and what is missing.
func (s *screen) legend() []string {
	var names, texts []string
	add := func(name, text string) { names, texts = append(names, name), append(texts, text) }
	for _, c := range s.columns {
		if c.engine != own {
			continue
		}
		var engines []string
		rekey := ""
		for _, r := range s.rows {
			if x := c.of[r]; x.Case.Engine != "" && !slices.Contains(engines, x.Case.Engine) {
				engines = append(engines, x.Case.Engine)
			}
			rekey = c.of[r].Case.Rekey
		}
		key := map[string]string{"per-sector": "key and IV made for each sector", "cached": "key set once, IV made for each sector"}[rekey]
		add("gelibench "+c.path, strings.TrimPrefix(key+", ", ", ")+"engine "+strings.Join(engines, ", ")+"; wall time")
	}
	for _, o := range s.outcomes {
		name := o.Label
		if name == "" {
			name = o.Tool.Name
		}
		text := o.Tool.Does + "; " + o.Tool.Divisor
		if s.noted(o.Tool.Name, clockSteps) {
			text += ", between its lines, as its clock moves in steps of 10 ms"
		}
		if o.Why != "" {
			text = "not measured: " + o.Why
		}
		add(name, text)
		if fault := s.fault(o.Tool.Name); fault != "" && o.Why == "" {
			add("", fault)
		}
	}
	w := 0
	for _, n := range names {
		w = max(w, utf8.RuneCountInString(n))
	}
	var lines []string
	for i, n := range names {
		pad := strings.Repeat(" ", w-utf8.RuneCountInString(n))
		lines = append(lines, textgrid.WrapBehind(n+pad+"  "+texts[i], w+2, ScreenColumns)...)
	}
	return lines
}

// noted says whether a series of a tool has a note of that kind.
func (s *screen) noted(tool, kind string) bool {
	return slices.ContainsFunc(s.run.Series, func(x results.Series) bool {
		return x.Case.Engine == tool && slices.ContainsFunc(x.Notes, func(n results.Note) bool { return n.Kind == kind })
	})
}

// fault says in how many cases a tool failed, and how.
func (s *screen) fault(tool string) string {
	n, all, why := 0, 0, ""
	for _, x := range s.run.Series {
		if x.Case.Engine != tool {
			continue
		}
		all++
		for _, note := range x.Notes {
			if note.Kind == "failed" {
				n++
				if why == "" {
					why = note.Text
				}
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("failed in %d of %s: %s", n, units.Count(all, "case"), why)
}

// nameKind is the kind of note that names the cipher of a figure that is none of
// ours, as the tool prints it.
const nameKind = "name"

func nameOf(x results.Series) string {
	for _, n := range x.Notes {
		if n.Kind == nameKind {
			return n.Text
		}
	}
	return ""
}

// apart lists the figures of other ciphers.
func (s *screen) apart() []string {
	var lines []string
	for _, o := range s.outcomes {
		var parts []string
		for _, x := range s.others {
			if x.Case.Engine != o.Tool.Name || !measured(x) {
				continue
			}
			parts = append(parts, fmt.Sprintf("%s %.0f", nameOf(x), x.BytesPerSecond()/1e6))
		}
		if len(parts) > 0 {
			head := "apart, MB/s of one run of " + o.Tool.Name + ": "
			lines = append(lines, textgrid.Wrap(head+strings.Join(parts, ", "), ScreenColumns, "  ")...)
		}
	}
	return lines
}

// verdict compares each tool with the path of ours that does the same: batch,
// or geli for the kernel.
func (s *screen) verdict() (text string, figures []results.Figure) {
	type pair struct{ tool int }
	var pairs []pair
	var all []stats.Comparison
	for i, c := range s.columns {
		ours := s.against(c)
		if c.engine == own || ours < 0 {
			continue
		}
		for _, r := range s.rows {
			a, b := s.columns[ours].of[r], c.of[r]
			if len(a.Samples) > 0 && len(b.Samples) > 0 {
				pairs = append(pairs, pair{i})
				all = append(all, stats.Paired(a, b))
			}
		}
	}
	all = stats.Holm(all)
	var parts []string
	for i, c := range s.columns {
		var n, faster, slower, few int
		var ratios []float64
		for k, p := range pairs {
			if p.tool != i {
				continue
			}
			n++
			ratios = append(ratios, all[k].Ratio.Value)
			switch {
			case all[k].Verdict == stats.Faster:
				faster++
			case all[k].Verdict == stats.Slower:
				slower++
			case slices.ContainsFunc(all[k].Notes, func(n results.Note) bool { return n.Kind == "few-rounds" }):
				few++
			}
		}
		ratios = slices.DeleteFunc(ratios, math.IsNaN)
		if len(ratios) == 0 {
			continue
		}
		slices.Sort(ratios)
		part := fmt.Sprintf("path %s is ×%.2f", s.columns[s.against(c)].path, ratios[0])
		if last := len(ratios) - 1; last > 0 {
			part += fmt.Sprintf(" to ×%.2f", ratios[last])
		}
		part += " of " + c.engine
		var words []string
		for _, w := range []struct {
			n    int
			text string
		}{{faster, "faster"}, {slower, "slower"}, {n - faster - slower - few, "no difference shown"}, {few, "too few rounds"}} {
			if w.n > 0 {
				words = append(words, fmt.Sprintf("%s in %d", w.text, w.n))
			}
		}
		cases := "cases"
		if n == 1 {
			cases = "case"
		}
		parts = append(parts, fmt.Sprintf("%s (%s of %d %s)", part, strings.Join(words, ", "), n, cases))
		figures = append(figures,
			results.Figure{Name: "faster_cases", About: c.engine, Value: float64(faster)},
			results.Figure{Name: "slower_cases", About: c.engine, Value: float64(slower)},
			results.Figure{Name: "cases", About: c.engine, Value: float64(n)})
	}
	if len(parts) == 0 {
		return "no other tool was measured in rounds with ours", nil
	}
	return strings.Join(parts, "; "), figures
}

// against is the column of ours that a tool is compared with; -1: none.
func (s *screen) against(c column) int {
	path := "batch"
	if c.path == PathKernel {
		path = "geli"
	}
	return slices.IndexFunc(s.columns, func(x column) bool { return x.engine == own && x.path == path })
}

func width(lines []string) int {
	w := 0
	for _, l := range lines {
		w = max(w, utf8.RuneCountInString(l))
	}
	return w
}
