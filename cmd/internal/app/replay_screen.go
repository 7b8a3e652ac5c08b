package app

import (
	"fmt"
	"io"
	"strings"

	"gelibench/cmd/internal/plan"
	"gelibench/results"
	"gelibench/results/compare"
	"gelibench/results/format"
	importer "gelibench/results/report"
	"gelibench/results/textgrid"
)

// here is the name of the figures that were measured now.
const here = "here"

// screen sets what a report says beside what was measured here. Its width is in
// columns; so is that of the table of rows, of which 0 has no bounds.
func (r *replayed) screen(w io.Writer, run results.Run, width, tableWidth int) error {
	ours := run
	ours.Series = append(append([]results.Series(nil), run.Series...), bothDirections(run.Series)...)
	now := compare.FromRuns(here, []results.Run{ours})
	compared := false
	for _, o := range r.operands {
		figures := make([]importer.Result, 0, len(o.figures))
		for _, x := range o.figures {
			if x.Kind != importer.Cipher && x.Kind != importer.Disk || x.Alg() == "" {
				continue
			}
			x.KeyBits = geliBits(x)
			figures = append(figures, x)
		}
		theirs := compare.FromResults(o.name, figures)
		if len(theirs.Figures) == 0 {
			continue
		}
		compared = true
		res := compare.Beside(theirs, []compare.Operand{now}, compare.Across{"storage": true})
		res.Alone = onlyOf(res.Alone, o.name)
		if err := compare.Screen(w, res, width); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if !compared {
		if err := format.TableIn(w, run, tableWidth); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	var lines []string
	add := func(text string) { lines = append(lines, textgrid.Wrap(text, width, "   ")...) }
	add("path geli makes the IV and expands the key for every sector, as the kernel does; path batch keeps expanded keys. Both make an IV for every sector; libraries and other tools are called with one that is there already.")
	lines = append(lines, r.skippedLines(width)...)
	if compared && len(run.Command) > 0 {
		lines = append(lines, "again: "+format.ShellLine(run.Command))
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// onlyOf keeps the figures of the report that found no partner here: ours are
// all made after theirs.
func onlyOf(list []compare.Alone, name string) []compare.Alone {
	var out []compare.Alone
	for _, a := range list {
		// Those that could not be run are listed with the reason already.
		if a.Figure.Operand == name && a.Why != "" && !strings.HasPrefix(a.Why, "another ") {
			out = append(out, a)
		}
	}
	return out
}

// bothDirections makes, for cases measured both ways, the rate of as many bytes
// each way, as cryptotest prints it.
func bothDirections(series []results.Series) []results.Series {
	var out []results.Series
	for _, read := range series {
		if read.Case.Op != string(plan.Read) {
			continue
		}
		for _, write := range series {
			c := write.Case
			c.Op = read.Case.Op
			if write.Case.Op != string(plan.Write) || fmt.Sprint(c) != fmt.Sprint(read.Case) {
				continue
			}
			x, y := format.RateOf(read).Value, format.RateOf(write).Value
			if x <= 0 || y <= 0 {
				continue
			}
			c.Op = ""
			out = append(out, results.Series{Case: c, Stated: &results.StatedRate{BytesPerSecond: 2 / (1/x + 1/y)}})
		}
	}
	return out
}
