package format

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/stats"
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
func Table(w io.Writer, run results.Run) error {
	lines := tableHeading(run)
	lines = append(lines, "")
	lines = append(lines, grid(tableColumns(run.Series))...)
	if footer := tableFooter(run); len(footer) > 0 {
		lines = append(lines, "")
		lines = append(lines, footer...)
	}
	return writeLines(w, lines)
}

// tableColumns makes the cells of all series.
func tableColumns(series []results.Series) []column {
	text := func(first, second string, field func(c results.Case) string) column {
		col := column{heading: [2]string{first, second}}
		for _, s := range series {
			col.cells = append(col.cells, orDash(field(s.Case)))
		}
		return col
	}
	count := func(first, second string, field func(c results.Case) int64) column {
		col := text(first, second, func(c results.Case) string {
			if n := field(c); n != 0 {
				return strconv.FormatInt(n, 10)
			}
			return ""
		})
		col.right = true
		return col
	}
	rates := figures(series, "", "MB/s", 3, func(s results.Series) (float64, bool) {
		v := RateOf(s).Value / 1e6
		return v, v > 0
	})
	markRates(&rates, series)
	columns := []column{
		text("", "provider", func(c results.Case) string { return c.Provider }),
		text("", "cipher", func(c results.Case) string { return c.Alg }),
		count("key", "bits", func(c results.Case) int64 { return int64(c.KeyBits) }),
		text("", "integrity", func(c results.Case) string { return c.AAlg }),
		count("sector", "bytes", func(c results.Case) int64 { return int64(c.SectorBytes) }),
		count("request", "bytes", func(c results.Case) int64 { return c.RequestBytes }),
		text("", "op", func(c results.Case) string { return c.Op }),
		count("", "workers", func(c results.Case) int64 { return int64(c.Workers) }),
		text("", "path", pathNames(series)),
		text("", "engine", func(c results.Case) string { return c.Engine }),
		rates,
		spread(series),
		figures(series, "ns per", "request", 2, func(s results.Series) (float64, bool) {
			return s.Total().NSPerRequest(s.Case.Workers)
		}),
		figures(series, "", "CPU %", 1, func(s results.Series) (float64, bool) {
			return s.Total().CPUPercent()
		}),
		figures(series, "CPU-s", "per GB", 4, func(s results.Series) (float64, bool) {
			return s.Total().CPUSecondsPerGB()
		}),
	}
	inRounds := slices.ContainsFunc(series, tookRounds)
	withIntegrity := slices.ContainsFunc(series, func(s results.Series) bool { return s.Case.AAlg != "" })
	return slices.DeleteFunc(columns, func(c column) bool {
		return c.heading[1] == "integrity" && !withIntegrity || c.heading[1] == spreadHeading && !inRounds
	})
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
func spread(series []results.Series) column {
	col := column{heading: [2]string{"", spreadHeading}, right: true}
	for _, s := range series {
		cell := "-"
		if tookRounds(s) {
			cell = strings.TrimSuffix(strings.TrimPrefix(RateOf(s).PlusMinus(), "± "), " %")
		}
		col.cells = append(col.cells, cell)
	}
	return col
}

// figures makes a column of measured numbers. They share their digits behind
// the point: as many as give the smallest three significant ones, up to a limit.
func figures(series []results.Series, first, second string, maxDecimals int, field func(s results.Series) (float64, bool)) column {
	smallest := math.Inf(1)
	for _, s := range series {
		if v, ok := field(s); ok && v > 0 {
			smallest = min(smallest, v)
		}
	}
	decimals := min(units.Decimals(smallest, 3), maxDecimals)
	col := column{heading: [2]string{first, second}, right: true}
	for _, s := range series {
		cell := "-"
		if v, ok := field(s); ok {
			cell = strconv.FormatFloat(v, 'f', decimals, 64)
		}
		col.cells = append(col.cells, cell)
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
func markRates(col *column, series []results.Series) {
	if !slices.ContainsFunc(series, func(s results.Series) bool { return isStated(s) || isUnreliable(s) }) {
		return
	}
	col.heading[1] += " "
	for i, s := range series {
		switch {
		case isStated(s):
			col.cells[i] += statedMark
		case isUnreliable(s):
			col.cells[i] += unreliableMark
		default:
			col.cells[i] += " "
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
