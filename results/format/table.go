package format

import (
	"io"
	"math"
	"slices"
	"strconv"

	"gelibench/results"
	"gelibench/results/units"
)

// Table writes a run as an aligned table, one row a case, under a heading that
// says where it was measured and what the words in it mean; notes and the
// command that repeats the run stand below. What is not known is a "-".
//
// Rates are decimal (MB = 10^6 bytes). The nanoseconds are what one request
// waits (results.Sample.NSPerRequest); CPU time is that of the whole process.
// All samples of a case count together.
func Table(w io.Writer, run results.Run) error {
	lines := tableHeading(run)
	lines = append(lines, "")
	lines = append(lines, grid(tableColumns(run.Series), len(run.Series))...)
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
		v := s.BytesPerSecond() / 1e6
		return v, v > 0
	})
	markStated(&rates, series)
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
	if !slices.ContainsFunc(series, func(s results.Series) bool { return s.Case.AAlg != "" }) {
		return slices.Delete(columns, integrityColumn, integrityColumn+1)
	}
	return columns
}

// integrityColumn is the one that is left out where no case has that mode.
const integrityColumn = 3

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

// statedMark stands behind a rate that a report stated and nobody measured here.
const statedMark = "*"

// isStated says that a series has a rate from somewhere else, and no samples.
func isStated(s results.Series) bool { return len(s.Samples) == 0 && s.Stated != nil }

// markStated puts the mark behind stated rates, and a blank behind the others
// if there are any, so that the numbers stay aligned.
func markStated(col *column, series []results.Series) {
	if !slices.ContainsFunc(series, isStated) {
		return
	}
	col.heading[1] += " "
	for i, s := range series {
		mark := " "
		if isStated(s) {
			mark = statedMark
		}
		col.cells[i] += mark
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
