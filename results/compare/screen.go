package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gelibench/results/stats"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

// A bar is as long as there is room for, within these bounds.
const (
	shortestBar = 8
	longestBar  = 40
)

// Screen writes a comparison for people: the operands, then for each case the
// base and what stands beside it, then what found no partner. Width 0 has no
// bounds.
func Screen(w io.Writer, res Result, width int) error {
	var lines []string
	add := func(text, indent string) { lines = append(lines, textgrid.Wrap(text, width, indent)...) }
	lines = append(lines, operandLines(res, width)...)
	n := &notes{}
	if len(res.Rows) > 0 {
		lines = append(lines, "")
		if res.Nearest {
			add("no case is the same in both: each stands beside the nearest", "  ")
			lines = append(lines, "")
		}
		n.alone = len(res.Others) == 1
		lines = append(lines, n.table(res.Rows, width)...)
	}
	if len(n.list)+n.tested > 0 {
		lines = append(lines, "")
	}
	switch {
	case n.tested > 1:
		add(fmt.Sprintf("times the base, with its 95 %% interval; ~: no difference shown; %d verdicts, corrected for their number (Holm)", n.tested), "  ")
	case n.tested == 1:
		add("times the base, with its 95 % interval; ~: no difference shown", "  ")
	}
	if n.few > 0 {
		add(fmt.Sprintf("?: too few samples to show a difference (%s); it takes about six on each side", units.Count(n.few, "case")), "  ")
	}
	for i, text := range n.list {
		add(textgrid.Letter(i)+": "+text, "   ")
	}
	if alone := aloneLines(res.Alone, width); len(alone) > 0 {
		lines = append(lines, "")
		lines = append(lines, alone...)
	}
	for _, o := range append([]Operand{res.Base}, res.Others...) {
		for _, why := range sortedKeys(o.Left) {
			add(fmt.Sprintf("left out of %s: %s: %s", o.Name, units.Count(o.Left[why], "figure"), why), "  ")
		}
	}
	return write(w, lines)
}

func write(w io.Writer, lines []string) error {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(textgrid.Printable(l), " "))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// operandLines say what the operands are.
func operandLines(res Result, width int) []string {
	all := append([]Operand{res.Base}, res.Others...)
	longest := 0
	for _, o := range all {
		longest = max(longest, len([]rune(o.Name)))
	}
	longest = min(longest, 30)
	var lines []string
	for i, o := range all {
		head := "     "
		if i == 0 {
			head = "base "
		}
		line := fmt.Sprintf("%s%-*s  %s", head, longest, o.Name, o.About)
		lines = append(lines, textgrid.WrapBehind(line, longest+7, width)...)
	}
	return lines
}

// notes collects what is marked in a table.
type notes struct {
	list        []string
	tested, few int
	alone       bool // there is one operand beside the base
}

func (n *notes) letter(text string) string {
	i := slices.Index(n.list, text)
	if i < 0 {
		i = len(n.list)
		n.list = append(n.list, text)
	}
	return textgrid.Letter(i)
}

// line is one line of the table: a figure, the base's own or one beside it.
type line struct {
	name, who       string
	rate            stats.Interval
	lower           bool
	times, interval string
	full            float64 // the rate that fills a bar
	see             string
}

// table writes the rows under those of their base.
func (n *notes) table(rows []Row, width int) []string {
	var all []line
	for i := 0; i < len(rows); {
		k := i
		full := rows[i].Base.Rate().Value
		for k < len(rows) && rows[k].Base.same(rows[i].Base) {
			full = max(full, rows[k].Figure.Rate().Value)
			k++
		}
		base := rows[i].Base
		all = append(all, line{name: caseName(base), who: n.who(base), rate: base.Rate(), lower: base.LowerBound, times: "1", full: full})
		for _, r := range rows[i:k] {
			l := line{who: n.who(r.Figure), rate: r.Figure.Rate(), lower: r.Figure.LowerBound, times: times(r.Ratio.Value), full: full}
			if r.Tested {
				n.tested++
				switch {
				case !canShow(r.Comparison):
					n.few++
					l.times += "?"
				case r.Comparison.Verdict == stats.NoDifference:
					l.times += "~"
				}
				if r.Ratio.Bounded() {
					l.interval = times(r.Ratio.Lo) + " to " + times(r.Ratio.Hi)
				}
			}
			var see []string
			for _, m := range r.Marks {
				see = append(see, n.letter(m))
			}
			slices.Sort(see)
			l.see = strings.Join(see, ",")
			all = append(all, l)
		}
		i = k
	}
	for i := range all {
		if all[i].times != "" && !strings.HasSuffix(all[i].times, "~") && !strings.HasSuffix(all[i].times, "?") && n.tested > 0 {
			all[i].times += " "
		}
	}
	return grid(all, width)
}

// longestOperand is how much of an operand's name stands before what sets a
// figure apart in it.
const longestOperand = 14

// who names a figure: by what sets it apart in its operand, and by the operand
// where there are several.
func (n *notes) who(f Figure) string {
	switch {
	case f.Label == "":
		return f.Operand
	case n.alone:
		return f.Label
	}
	return textgrid.Shorten(f.Operand, longestOperand) + ": " + f.Label
}

// grid lays the lines out. The bar takes what room there is.
func grid(all []line, width int) []string {
	smallest := math.Inf(1)
	for _, l := range all {
		smallest = min(smallest, l.rate.Value/1e6)
	}
	decimals := min(3, units.Decimals(smallest, 3))
	col := func(heading string, right bool, keep, cut int, cell func(l line) string) textgrid.Column {
		c := textgrid.Column{Heading: heading, Right: right, Keep: keep, Cut: cut}
		for _, l := range all {
			c.Cells = append(c.Cells, cell(l))
		}
		return c
	}
	const must = textgrid.MustKeep
	columns := []textgrid.Column{
		col("case", false, must, 0, func(l line) string { return blank(l.name) }),
		col("figure", false, must, 14, func(l line) string { return l.who }),
		col("MB/s", true, must, 0, func(l line) string {
			s := strconv.FormatFloat(l.rate.Value/1e6, 'f', decimals, 64)
			if l.lower {
				s = "≥" + s
			}
			return s
		}),
		col("± %", true, 10, 0, func(l line) string {
			if !l.rate.Bounded() {
				return ""
			}
			return strings.TrimSuffix(strings.TrimPrefix(l.rate.PlusMinus(), "± "), " %")
		}),
		col("times", true, must, 0, func(l line) string { return l.times }),
		col("interval", false, 20, 0, func(l line) string { return l.interval }),
		col("see", false, must, 0, func(l line) string { return l.see }),
	}
	kept := columns[:0:0]
	for _, c := range columns {
		if c.Known() {
			kept = append(kept, c)
		}
	}
	// The bar gets at least its shortest form, unless nothing else can go.
	room := width
	if width > 0 {
		room = max(width-shortestBar-2, 1)
	}
	kept, _ = textgrid.Fit(kept, room)
	bar := longestBar
	if width > 0 {
		bar = min(bar, width-2-textgrid.Width(kept))
	}
	if bar >= shortestBar {
		at := len(kept)
		if kept[at-1].Heading == "see" {
			at--
		}
		kept = slices.Insert(kept, at, col("", false, must, 0, func(l line) string { return blank(Bar(l.rate.Value/l.full, bar)) }))
	}
	lines := textgrid.Lines(kept, len(all))
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// blank keeps a cell that is empty on purpose from being a "-".
func blank(s string) string {
	if s == "" {
		return " "
	}
	return s
}

// Bar is a bar of a share, from 0 to 1, of so many characters, in eighths of
// one. What is not nothing shows.
func Bar(share float64, width int) string {
	if !(share > 0) {
		return ""
	}
	eighths := max(1, int(math.Round(min(share, 1)*float64(8*width))))
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}

// times prints a ratio with three digits, or all before the point; near 1 with
// three behind it.
func times(v float64) string {
	switch {
	case v >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 1.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v >= 0.0995:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// aloneLines list what has no partner, with figures that differ in the sector
// alone on one line.
func aloneLines(list []Alone, width int) []string {
	type group struct{ operand, in, name, why, refused string }
	var order []group
	sectors := map[group][]string{}
	count := map[group]int{}
	for _, a := range list {
		f := a.Figure
		sector := f.Case.SectorBytes
		f.Case.SectorBytes = 0
		g := group{a.Figure.Operand, a.In, caseName(f), a.Why, a.Refused}
		if count[g] == 0 {
			order = append(order, g)
		}
		count[g]++
		if sector > 0 {
			sectors[g] = append(sectors[g], itoa(sector))
		}
	}
	var lines []string
	var fields []string
	for _, g := range order {
		text := "only in " + g.operand + ": "
		if g.in != "" {
			text = "in " + g.operand + ", not in " + g.in + ": "
		}
		if g.refused != "" {
			text = "refused, of " + g.operand + " against " + g.in + ": "
			fields = append(fields, strings.Split(g.refused, ",")...)
		}
		text += g.name
		if s := distinct(sectors[g]); len(s) > 0 {
			text += ", sector " + strings.Join(s, ", ")
		}
		if g.why != "" {
			text += " (" + g.why + ")"
		}
		lines = append(lines, textgrid.Wrap(text, width, "   ")...)
	}
	if fields = distinct(fields); len(fields) > 0 {
		slices.Sort(fields)
		lines = append(lines, textgrid.Wrap("hint: --across "+strings.Join(fields, ",")+" compares them all the same", width, "   ")...)
	}
	var other []string
	for _, g := range order {
		if list, ok := strings.CutPrefix(g.why, "another "); ok {
			other = append(other, strings.Split(list, " and ")...)
		}
	}
	if other = distinct(slices.DeleteFunc(other, func(f string) bool { return !slices.Contains(acrossFields, f) })); len(other) > 0 {
		slices.Sort(other)
		lines = append(lines, textgrid.Wrap("hint: --across "+strings.Join(other, ",")+" sets each beside what comes nearest", width, "   ")...)
	}
	return lines
}

// HostsScreen writes what Among found.
func HostsScreen(w io.Writer, hosts []Operand, cases []HostsCase, once []Figure, width int) error {
	var lines []string
	add := func(text, indent string) { lines = append(lines, textgrid.Wrap(text, width, indent)...) }
	add(fmt.Sprintf("%s, %s in common", units.Count(len(hosts), "host"), units.Count(len(cases), "case")), "")
	if len(cases) > 0 {
		lines = append(lines, "")
		smallest, longest := math.Inf(1), 0.0
		for _, c := range cases {
			smallest = min(smallest, c.Figures[0].Rate().Value/1e6)
			longest = max(longest, c.Figures[len(c.Figures)-1].Rate().Value)
		}
		decimals := min(3, units.Decimals(smallest, 3))
		mb := func(v float64) string { return strconv.FormatFloat(v/1e6, 'f', decimals, 64) }
		col := func(heading string, right bool, cell func(c HostsCase) string) textgrid.Column {
			k := textgrid.Column{Heading: heading, Right: right, Keep: textgrid.MustKeep}
			for _, c := range cases {
				k.Cells = append(k.Cells, cell(c))
			}
			return k
		}
		columns := []textgrid.Column{
			col("case", false, func(c HostsCase) string { return hostsCaseName(cases, c) }),
			col("hosts", true, func(c HostsCase) string { return itoa(len(c.Figures)) }),
			col("median MB/s", true, func(c HostsCase) string { return mb(c.Median) }),
			col("slowest", true, func(c HostsCase) string { return mb(c.Figures[0].Rate().Value) }),
			col("fastest", true, func(c HostsCase) string { return mb(c.Figures[len(c.Figures)-1].Rate().Value) }),
			col("spread", true, func(c HostsCase) string { return strconv.FormatFloat(100*c.Spread, 'f', 1, 64) + " %" }),
			col("out", true, func(c HostsCase) string { return itoa(len(c.Out)) }),
		}
		lines = append(lines, textgrid.Lines(columns, len(cases))...)
	}
	type fallen struct {
		host    string
		cases   []string
		reasons []string
		lo, hi  float64
	}
	var out []*fallen
	for _, c := range cases {
		for _, o := range c.Out {
			i := slices.IndexFunc(out, func(f *fallen) bool { return f.host == o.Figure.Operand })
			if i < 0 {
				i = len(out)
				out = append(out, &fallen{host: o.Figure.Operand, lo: math.Inf(1)})
			}
			f := out[i]
			f.cases = append(f.cases, caseName(o.Figure))
			f.reasons = distinct(append(f.reasons, o.Reasons...))
			f.lo, f.hi = min(f.lo, o.Ratio), max(f.hi, o.Ratio)
		}
	}
	if len(out) > 0 {
		lines = append(lines, "")
	}
	for _, f := range out {
		ratio := times(f.lo)
		if times(f.hi) != ratio {
			ratio += " to " + times(f.hi)
		}
		add(fmt.Sprintf("%s falls out: %s times the median in %d of %s", f.host, ratio, len(f.cases), units.Count(len(cases), "case")), "   ")
		if len(f.reasons) == 0 {
			lines = append(lines, "   nothing in its record tells why")
		}
		for _, r := range f.reasons {
			add("   "+r, "      ")
		}
	}
	if len(hosts) < fewestHosts {
		add(fmt.Sprintf("it takes %d hosts to say that one falls out", fewestHosts), "   ")
	} else if len(out) == 0 && len(cases) > 0 {
		lines = append(lines, "", "no host falls out")
	}
	if len(once) > 0 {
		lines = append(lines, "")
		var alone []Alone
		for _, f := range once {
			alone = append(alone, Alone{Figure: f})
		}
		lines = append(lines, aloneLines(alone, width)...)
	}
	return write(w, lines)
}

// hostsCaseName names a case among others, by the path and the request where
// there are several.
func hostsCaseName(cases []HostsCase, c HostsCase) string {
	f := c.Figures[0]
	name := caseName(f)
	for _, o := range cases {
		x := o.Figures[0]
		if caseName(x) != name {
			continue
		}
		if x.Case.Path != f.Case.Path {
			return strings.TrimSpace(name + " " + f.Case.Path)
		}
		if x.Case.RequestBytes != f.Case.RequestBytes {
			return name + " bs " + itoa(int(f.Case.RequestBytes))
		}
	}
	return name
}
