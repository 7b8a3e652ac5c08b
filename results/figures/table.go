package figures

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gelibench/results/report"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

// Table writes a report for people: a table for each stretch of figures that
// one tool printed on one machine, under a line of what they have in common,
// with the number of the line in the text before each; below stand the repairs
// and doubts, by letters. Rates are decimal (MB = 10^6 bytes). Columns that
// don't fit into width are named at the end; a width of 0 has no bounds.
func Table(w io.Writer, rep *report.Report, width int) error {
	p := newPage(rep, width)
	p.line(p.title())
	groups := group(rep.Results)
	for _, g := range groups {
		p.line("")
		p.group(g)
	}
	p.footer()
	return p.flush(w)
}

// Markdown writes the same as tables in GitHub's markdown.
func Markdown(w io.Writer, rep *report.Report) error {
	p := newPage(rep, 0)
	p.markdown = true
	p.line("## " + p.title())
	for _, g := range group(rep.Results) {
		p.line("")
		p.group(g)
	}
	p.footer()
	return p.flush(w)
}

// page is a report in the making.
type page struct {
	rep      *report.Report
	width    int
	markdown bool
	lines    []string
	// letters of the remarks, in the order of the text, and the rows they are on
	letters map[string]string
	remarks []string
	rows    map[string]int
	gone    []string
}

func newPage(rep *report.Report, width int) *page {
	return &page{rep: rep, width: width, letters: map[string]string{}, rows: map[string]int{}}
}

func (p *page) line(s string) { p.lines = append(p.lines, s) }

func (p *page) flush(w io.Writer) error {
	var b strings.Builder
	for _, l := range p.lines {
		b.WriteString(strings.TrimRight(textgrid.Printable(l), " "))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *page) title() string {
	name := p.rep.Name
	if name == "" {
		name = "standard input"
	}
	return name + ": " + units.Count(len(p.rep.Results)+p.rep.Left, "figure")
}

// group parts figures where the tool, the machine or its state changes, unless
// that would leave hardly more than a row to each.
func group(list []report.Result) [][]report.Result {
	type key struct {
		tool, cpu, state string
		quoted           int
		kdf              bool
	}
	of := func(r report.Result) key {
		return key{Tool(r), Machine(r.CPU), r.State, r.Quoted, r.Kind == report.KDF}
	}
	var groups [][]report.Result
	for i, r := range list {
		if i == 0 || of(r) != of(list[i-1]) {
			groups = append(groups, nil)
		}
		g := &groups[len(groups)-1]
		*g = append(*g, r)
	}
	if len(groups) > 1 && len(list) < 2*len(groups) && len(groups) > 3 {
		return [][]report.Result{list}
	}
	return groups
}

// letter finds the letter of a remark.
func (p *page) letter(remark string) string {
	l, ok := p.letters[remark]
	if !ok {
		l = textgrid.Letter(len(p.remarks))
		p.letters[remark] = l
		p.remarks = append(p.remarks, remark)
	}
	p.rows[l]++
	return l
}

// group writes one table.
func (p *page) group(list []report.Result) {
	columns := p.columns(list)
	var common []string
	rest := columns[:0:0]
	for _, c := range columns {
		if text, same := c.Common(); same && c.hoist != "" {
			common = append(common, strings.ReplaceAll(c.hoist, "%", text))
			continue
		}
		if c.Known() {
			rest = append(rest, c)
		}
	}
	if list[0].Quoted > 0 && list[len(list)-1].Quoted > 0 {
		common = append(common, "quoted in the text")
	}
	if len(common) > 0 {
		for _, l := range textgrid.Wrap(strings.Join(common, "; "), p.width, "  ") {
			p.line(l)
		}
		if p.markdown {
			p.line("")
		}
	}
	plain := make([]textgrid.Column, len(rest))
	for i, c := range rest {
		plain[i] = c.Column
	}
	if p.markdown {
		p.pipes(plain, len(list))
		return
	}
	kept, gone := textgrid.Fit(plain, p.width)
	p.gone = append(p.gone, gone...)
	p.lines = append(p.lines, textgrid.Lines(kept, len(list))...)
}

// pipes writes a table in markdown.
func (p *page) pipes(columns []textgrid.Column, rows int) {
	cell := strings.NewReplacer("|", "\\|", "\n", " ")
	row := func(get func(c textgrid.Column) string) {
		var b strings.Builder
		for _, c := range columns {
			b.WriteString("| " + cell.Replace(get(c)) + " ")
		}
		p.line(b.String() + "|")
	}
	row(func(c textgrid.Column) string { return c.Heading })
	row(func(c textgrid.Column) string {
		if c.Right {
			return "--:"
		}
		return "---"
	})
	for i := range rows {
		row(func(c textgrid.Column) string { return c.Cells[i] })
	}
}

// column is a column that may move into the line above the table, where all its
// cells agree: hoist is that text, with the cell for %.
type column struct {
	textgrid.Column
	hoist string
}

func (p *page) columns(list []report.Result) []column {
	text := func(heading, hoist string, keep, cut int, cell func(r report.Result) string) column {
		c := column{textgrid.Column{Heading: heading, Keep: keep, Cut: cut}, hoist}
		for _, r := range list {
			c.Cells = append(c.Cells, cell(r))
		}
		return c
	}
	number := func(heading, hoist string, keep int, cell func(r report.Result) string) column {
		c := text(heading, hoist, keep, 0, cell)
		c.Right = true
		return c
	}
	const must = textgrid.MustKeep
	decimals := rateDecimals(list)
	return []column{
		number("line", "", must, func(r report.Result) string { return strconv.Itoa(r.Line) }),
		text("tool", "%", 40, 12, Tool),
		text("processor", "%", 45, 16, func(r report.Result) string { return Machine(r.CPU) }),
		text("state", "after %", 30, 12, func(r report.Result) string { return r.State }),
		text("algorithm", "", must, 14, Algorithm),
		text("direction", "", 90, 0, func(r report.Result) string { return string(r.Direction) }),
		number("call", "", 85, func(r report.Result) string { return whole(r.BlockBytes) }),
		number("sector", "", 88, func(r report.Result) string { return whole(r.Sector) }),
		number("threads", threads(list), 60, func(r report.Result) string { return whole(r.Threads) }),
		number("run", "", 65, func(r report.Result) string { return whole(r.Run) }),
		number("MB/s", "", must, func(r report.Result) string { return rateCell(r, decimals) }),
		number("offered", "", 80, func(r report.Result) string {
			if v := Offered(r); v > 0 {
				return strconv.FormatFloat(v/1e6, 'f', decimals, 64)
			}
			return ""
		}),
		text("as printed", "", 50, 10, func(r report.Result) string { return r.AsPrinted }),
		number("iterations/s", "", 70, func(r report.Result) string { return real(r.IterationsPerSecond) }),
		number("memory KiB", "", 35, func(r report.Result) string { return whole(r.MemoryKiB) }),
		number("seconds", "", 25, func(r report.Result) string { return real(r.Seconds) }),
		number("user s", "", 24, usage2(func(u *report.Usage) *float64 { return u.UserSeconds })),
		number("sys s", "", 24, usage2(func(u *report.Usage) *float64 { return u.SystemSeconds })),
		number("CPU %", "", 75, func(r report.Result) string {
			if r.Usage == nil || r.Usage.CPUPercent == nil {
				return ""
			}
			return strconv.FormatFloat(*r.Usage.CPUPercent, 'f', 1, 64)
		}),
		text("clock", "%", 20, 0, func(r report.Result) string { return clockName(r.Clock) }),
		text("engine", "engine %", 55, 10, func(r report.Result) string { return r.Engine }),
		text("accelerator", "accelerator %", 54, 12, func(r report.Result) string { return r.Accelerator }),
		text("device", "%", 28, 12, func(r report.Result) string { return r.Device }),
		text("variant", "%", 53, 12, func(r report.Result) string { return r.Variant }),
		text("label", "“%”", 10, 14, func(r report.Result) string { return r.Label }),
		text("see", "", must, 0, func(r report.Result) string {
			var ls []string
			for _, d := range Doubts(r) {
				ls = append(ls, p.letter(d))
			}
			return strings.Join(ls, ",")
		}),
	}
}

func threads(list []report.Result) string {
	if list[0].Threads == 1 {
		return "1 thread"
	}
	return "% threads"
}

func clockName(c report.Clock) string {
	switch c {
	case report.Wall:
		return "wall clock"
	case report.UserCPU:
		return "user CPU time"
	}
	return ""
}

func usage2(field func(*report.Usage) *float64) func(report.Result) string {
	cell := usage(field)
	return func(r report.Result) string { return cell(&r) }
}

// rateDecimals is how many digits behind the point give the smallest rate three
// significant ones, at most three.
func rateDecimals(list []report.Result) int {
	smallest := math.Inf(1)
	for _, r := range list {
		if r.HasRate() {
			smallest = min(smallest, r.BytesPerSecond/1e6)
		}
	}
	return min(3, units.Decimals(smallest, 3))
}

func rateCell(r report.Result, decimals int) string {
	if !r.HasRate() {
		return ""
	}
	s := strconv.FormatFloat(r.BytesPerSecond/1e6, 'f', decimals, 64)
	if r.LowerBound() {
		s = "≥" + s
	}
	return s
}

// footer explains the letters, and says what is not in the tables.
func (p *page) footer() {
	if len(p.remarks)+len(p.rep.Providers)+len(p.gone)+p.rep.Left > 0 {
		p.line("")
	}
	add := func(text, indent string) { p.lines = append(p.lines, textgrid.Wrap(text, p.width, indent)...) }
	for _, remark := range p.remarks {
		l := p.letters[remark]
		text := l + ": " + remark
		if n := p.rows[l]; n > 1 {
			text = fmt.Sprintf("%s (%s): %s", l, units.Count(n, "figure"), remark)
		}
		if p.markdown {
			text = "- " + text
		}
		add(text, "   ")
	}
	for _, x := range p.rep.Providers {
		parts := []string{fmt.Sprintf("line %d: %s is described without a figure", x.Line, x.Name)}
		r := report.Result{Cipher: x.Cipher, Mode: x.Mode, KeyBits: x.KeyBits, Auth: x.Auth}
		for _, s := range []string{Algorithm(r), x.Crypto} {
			if s != "" {
				parts = append(parts, s)
			}
		}
		if x.Sector > 0 {
			parts = append(parts, fmt.Sprintf("%d-byte sectors", x.Sector))
		}
		add(strings.Join(parts, ", "), "   ")
	}
	if p.rep.Left > 0 {
		add(fmt.Sprintf("%d more figures and warnings were not kept", p.rep.Left), "   ")
	}
	if len(p.gone) > 0 {
		add("no room for: "+strings.Join(distinct(p.gone), ", ")+" (--format csv has everything)", "   ")
	}
}

func distinct(words []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}
