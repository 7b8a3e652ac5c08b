package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gelibench/results/textgrid"
)

// CSV writes a comparison as a table, a row for each pair, and one for each
// figure without a partner, whose ratio is empty. What is not known is empty.
func CSV(w io.Writer, res Result) error {
	out := csv.NewWriter(w)
	out.Write([]string{"case", "base", "base_label", "base_bytes_per_second", "figure", "figure_label", "figure_bytes_per_second", "ratio", "ratio_lo", "ratio_hi", "verdict", "p", "marks", "why_not", "refused"})
	num := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', 10, 64)
	}
	rate := func(f Figure) string { return strconv.FormatFloat(f.Rate().Value, 'f', -1, 64) }
	for _, r := range res.Rows {
		verdict, p := "", ""
		if r.Tested {
			verdict, p = r.Comparison.Verdict.String(), num(bound(r.Comparison.P))
		}
		out.Write([]string{caseName(r.Base), r.Base.Operand, r.Base.Label, rate(r.Base), r.Figure.Operand, r.Figure.Label, rate(r.Figure),
			num(&r.Ratio.Value), num(bound(r.Ratio.Lo)), num(bound(r.Ratio.Hi)), verdict, p, strings.Join(r.Marks, "; "), "", ""})
	}
	for _, a := range res.Alone {
		row := []string{caseName(a.Figure), "", "", "", a.Figure.Operand, a.Figure.Label, rate(a.Figure), "", "", "", "", "", "", firstOf(a.Why, "not in "+a.In), a.Refused}
		if a.Figure.Operand == res.Base.Name {
			row[1], row[2], row[3] = row[4], row[5], row[6]
			row[4], row[5], row[6] = a.In, "", ""
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// Markdown writes a comparison as a table in GitHub's markdown, with what has no
// partner below it.
func Markdown(w io.Writer, res Result) error {
	var b strings.Builder
	cell := strings.NewReplacer("|", "\\|")
	row := func(cells ...string) {
		for _, c := range cells {
			b.WriteString("| " + cell.Replace(textgrid.Printable(c)) + " ")
		}
		b.WriteString("|\n")
	}
	for i, o := range append([]Operand{res.Base}, res.Others...) {
		what := "- "
		if i == 0 {
			what = "- base "
		}
		b.WriteString(textgrid.Printable(what+o.Name+": "+o.About) + "\n")
	}
	b.WriteByte('\n')
	row("case", "figure", "MB/s", "base MB/s", "times", "95 %", "remarks")
	row("---", "---", "--:", "--:", "--:", "---", "---")
	n := &notes{alone: len(res.Others) == 1}
	for _, r := range res.Rows {
		interval, remarks := "", r.Marks
		if r.Ratio.Bounded() {
			interval = times(r.Ratio.Lo) + " to " + times(r.Ratio.Hi)
		}
		if r.Tested {
			remarks = append([]string{r.Comparison.Words()}, remarks...)
		}
		mb := func(f Figure) string { return fmt.Sprintf("%.4g", f.Rate().Value/1e6) }
		row(caseName(r.Base), n.who(r.Figure), mb(r.Figure), mb(r.Base), times(r.Ratio.Value), interval, strings.Join(remarks, "; "))
	}
	if alone := aloneLines(res.Alone, 0); len(alone) > 0 {
		b.WriteByte('\n')
		for _, l := range alone {
			b.WriteString("- " + textgrid.Printable(l) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
