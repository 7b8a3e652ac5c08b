package format

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/stats"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

// Table writes a run as an aligned table, one row a case, under a heading that
// says where it was measured and what the words in it mean; notes and the
// command that repeats the run stand below. What is not known is a "-".
//
// Rates are decimal (MB = 10^6 bytes). In a run in rounds they are the median of
// the samples, with the half-width of its 95 % interval; otherwise all samples of
// a case count together, as they do in the other figures. The nanoseconds are
// what one request waits (results.Sample.NSPerRequest); CPU time is that of the
// whole process.
func Table(w io.Writer, run results.Run) error { return table(w, run, 0, 0) }

// TableIn is Table for people, on a screen of so many columns. The columns of
// the table that matter least are left out where they don't fit, and named
// below; lines of words are folded. The command stays whole, to be pasted. A
// width of 0 stands for no screen: the rows have no bounds, the words have 80
// columns.
func TableIn(w io.Writer, run results.Run, width int) error {
	return table(w, run, width, cmp.Or(width, proseColumns))
}

// table writes rows of up to width columns and words of up to prose; 0 has no
// bounds.
func table(w io.Writer, run results.Run, width, prose int) error {
	lines := append(fold(tableHeading(run), prose), "")
	columns := tableColumns(run.Series)
	kept, gone := textgrid.Fit(columns, width)
	lines = append(lines, textgrid.Lines(kept, len(run.Series))...)
	var footer []string
	if len(gone) > 0 {
		footer = fold([]string{"no room for: " + strings.Join(withValues(gone, columns), ", ")}, prose)
	}
	if footer = append(footer, tableFooter(run, prose)...); len(footer) > 0 {
		lines = append(lines, "")
		lines = append(lines, footer...)
	}
	return writeLines(w, lines)
}

// withValues adds to the names of columns what stands in every row of them, where
// that is the same.
func withValues(names []string, columns []textgrid.Column) []string {
	out := slices.Clone(names)
	for i, name := range names {
		at := slices.IndexFunc(columns, func(c textgrid.Column) bool { return c.Name() == name })
		switch same, ok := columns[at].Common(); {
		case ok && same == "-":
			out[i] = name + " (not known)"
		case ok:
			out[i] = fmt.Sprintf("%s (all %s)", name, same)
		}
	}
	return out
}

// shortestName is what the name of a provider or path may be cut to, in
// characters, before columns go.
const shortestName = 10

// tableColumns makes the cells of all series. Of the columns that may be left
// out, those whose rows are all the same go first: one word says as much.
func tableColumns(series []results.Series) []textgrid.Column {
	const must = textgrid.MustKeep
	text := func(above, heading string, keep, cut int, field func(c results.Case) string) textgrid.Column {
		col := textgrid.Column{Above: above, Heading: heading, Keep: keep, Cut: cut}
		for _, s := range series {
			col.Cells = append(col.Cells, orDash(field(s.Case)))
		}
		return col
	}
	count := func(above, heading string, keep int, field func(c results.Case) int64) textgrid.Column {
		col := text(above, heading, keep, 0, func(c results.Case) string {
			if n := field(c); n != 0 {
				return strconv.FormatInt(n, 10)
			}
			return ""
		})
		col.Right = true
		return col
	}
	rates := figures(series, "", "MB/s", must, 3, func(s results.Series) (float64, bool) {
		v := RateOf(s).Value / 1e6
		return v, v > 0
	})
	markRates(&rates, series)
	columns := []textgrid.Column{
		text("", "provider", must, shortestName, func(c results.Case) string { return c.Provider }),
		text("", "cipher", must, 0, func(c results.Case) string { return c.Alg }),
		count("key", "bits", must, func(c results.Case) int64 { return int64(c.KeyBits) }),
		text("", "integrity", 60, 0, func(c results.Case) string { return c.AAlg }),
		count("sector", "bytes", must, func(c results.Case) int64 { return int64(c.SectorBytes) }),
		count("request", "bytes", 40, func(c results.Case) int64 { return c.RequestBytes }),
		text("", "op", must, 0, func(c results.Case) string { return c.Op }),
		count("", "workers", must, func(c results.Case) int64 { return int64(c.Workers) }),
		text("", "path", must, shortestName, pathNames(series)),
		text("", "engine", 50, 0, func(c results.Case) string { return c.Engine }),
		rates,
		spread(series),
		figures(series, "ns per", "request", 20, 2, func(s results.Series) (float64, bool) {
			return s.Total().NSPerRequest(s.Case.Workers)
		}),
		figures(series, "", "CPU %", 30, 1, func(s results.Series) (float64, bool) {
			return s.Total().CPUPercent()
		}),
		figures(series, "CPU-s", "per GB", 10, 4, func(s results.Series) (float64, bool) {
			return s.Total().CPUSecondsPerGB()
		}),
	}
	inRounds := slices.ContainsFunc(series, tookRounds)
	withIntegrity := slices.ContainsFunc(series, func(s results.Series) bool { return s.Case.AAlg != "" })
	columns = slices.DeleteFunc(columns, func(c textgrid.Column) bool {
		return c.Heading == "integrity" && !withIntegrity || c.Heading == spreadHeading && !inRounds
	})
	for i, c := range columns {
		switch _, same := c.Common(); {
		case same && c.Keep < must:
			columns[i].Keep -= must // nothing is lost
		case c.Heading == "integrity":
			columns[i].Keep = must
		}
	}
	return columns
}

// tookRounds says that the samples of a series were taken in rounds.
func tookRounds(s results.Series) bool { return len(s.Samples) > 0 && s.Samples[0].Round > 0 }

// RateOf is the rate that stands for a series, in bytes a second, with its
// interval: the median of samples taken in rounds, otherwise all bytes over all
// time.
func RateOf(s results.Series) stats.Interval {
	if tookRounds(s) {
		return stats.Summarize(s).Rate
	}
	return stats.Interval{Value: s.BytesPerSecond(), Lo: math.Inf(-1), Hi: math.Inf(1)}
}

const spreadHeading = "± %"

// spread makes the column of how far the rates are known: the half-width of
// the interval in percent, "?" where there are too few samples for one.
func spread(series []results.Series) textgrid.Column {
	col := textgrid.Column{Heading: spreadHeading, Right: true, Keep: textgrid.MustKeep}
	for _, s := range series {
		cell := "-"
		if tookRounds(s) {
			cell = strings.TrimSuffix(strings.TrimPrefix(RateOf(s).PlusMinus(), "± "), " %")
		}
		col.Cells = append(col.Cells, cell)
	}
	return col
}

// figures makes a column of measured numbers. They share their digits behind
// the point: as many as give the smallest three significant ones, up to a limit.
func figures(series []results.Series, above, heading string, keep, maxDecimals int, field func(s results.Series) (float64, bool)) textgrid.Column {
	smallest := math.Inf(1)
	for _, s := range series {
		if v, ok := field(s); ok && v > 0 {
			smallest = min(smallest, v)
		}
	}
	decimals := min(units.Decimals(smallest, 3), maxDecimals)
	col := textgrid.Column{Above: above, Heading: heading, Right: true, Keep: keep}
	for _, s := range series {
		cell := "-"
		if v, ok := field(s); ok {
			cell = strconv.FormatFloat(v, 'f', decimals, 64)
		}
		col.Cells = append(col.Cells, cell)
	}
	return col
}

// Marks that stand behind a rate: nobody measured it here, or it is not to be
// relied on.
const (
	statedMark     = "*"
	unreliableMark = "!"
)

// isUnreliable says that a series is graded so.
func isUnreliable(s results.Series) bool { return s.Grade == results.Unreliable }

// isStated says that a series has a rate from somewhere else, and no samples.
func isStated(s results.Series) bool { return len(s.Samples) == 0 && s.Stated != nil }

// markRates puts the marks behind rates, and a blank behind the others if there
// are any, so that the numbers stay aligned.
func markRates(col *textgrid.Column, series []results.Series) {
	if !slices.ContainsFunc(series, func(s results.Series) bool { return isStated(s) || isUnreliable(s) }) {
		return
	}
	col.Heading += " "
	for i, s := range series {
		switch {
		case isStated(s):
			col.Cells[i] += statedMark
		case isUnreliable(s):
			col.Cells[i] += unreliableMark
		default:
			col.Cells[i] += " "
		}
	}
}

// pathNames names the path of a case, with the re-key policy where one name
// stands for more than one of them.
func pathNames(series []results.Series) func(results.Case) string {
	policies := map[string][]string{}
	for _, s := range series {
		policies[s.Case.Path] = distinct(append(policies[s.Case.Path], s.Case.Rekey))
	}
	return func(c results.Case) string {
		if len(policies[c.Path]) > 1 && c.Rekey != "" {
			return c.Path + "/" + c.Rekey
		}
		return c.Path
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
