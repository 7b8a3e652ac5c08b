// Package answer turns a run into the answer to the question that it was made
// for: a verdict between two modes, a sector size, a number of workers. Every
// question is a function from a results.Run to a results.Answer; none measures,
// prints, or reads anything else.
//
// Answers judge path geli, since that is what a disk will see. What path batch
// reached stands beside it, as what the processor could do.
package answer

import (
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

// The paths, as the record names them.
const (
	pathGELI  = "geli"
	pathBatch = "batch"
)

// upperBound ends every answer as long as no kernel was measured on the
// machine: gelibench calls the engine as GELI does, but without the rest of a
// kernel around it.
const upperBound = "upper bound: no kernel measured"

// cells is a row of a grid. The first line of a grid's headings may be empty.
type cells []string

// grid sets rows side by side with two blanks between the columns. The columns
// in left are aligned there, all others at the right; an empty column is left
// out.
func grid(rows []cells, left ...int) []string { return gridWith("  ", rows, left...) }

// gridWith is grid with something else between the columns.
func gridWith(gap string, rows []cells, left ...int) []string {
	widths := []int{}
	for _, r := range rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	var lines []string
	for _, r := range rows {
		var b strings.Builder
		for i, c := range r {
			if widths[i] == 0 {
				continue
			}
			if b.Len() > 0 {
				b.WriteString(gap)
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if slices.Contains(left, i) {
				b.WriteString(c + pad)
			} else {
				b.WriteString(pad + c)
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// measured says whether a series has a rate of its own.
func measured(s results.Series) bool { return len(s.Samples) > 0 && rate(s).Value > 0 }

// rate is the median of a series with its interval, in bytes a second.
func rate(s results.Series) stats.Interval { return stats.Summarize(s).Rate }

// mbps prints bytes a second as MB/s, with three digits or more.
func mbps(bytesPerSecond float64) string {
	v := bytesPerSecond / 1e6
	if !(v > 0) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', min(2, units.Decimals(v, 3)), 64)
}

// sure prints how sure a figure is, as in "± 0.8 %", or nothing where nobody
// knows.
func sure(i stats.Interval) string {
	if text := i.PlusMinus(); text != "± ?" {
		return text
	}
	return ""
}

// cipher is as in "aes-xts-256".
func cipher(c results.Case) string {
	if c.KeyBits == 0 || c.Alg == "null" {
		return c.Alg
	}
	return fmt.Sprintf("%s-%d", c.Alg, c.KeyBits)
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
}

// distinct keeps the first of each, in order, and drops what is empty.
func distinct(words []string) []string {
	var out []string
	for _, w := range words {
		if w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// answer is a results.Answer in the making.
type answer struct {
	results.Answer
	notes, kinds []string
}

func ask(question string) *answer { return &answer{Answer: results.Answer{Question: question}} }

func (a *answer) add(format string, args ...any) {
	a.Lines = append(a.Lines, fmt.Sprintf(format, args...))
}

// columns is as wide as an answer gets.
const columns = 80

// prose adds a sentence, folded.
func (a *answer) prose(format string, args ...any) {
	a.Lines = append(a.Lines, textgrid.Wrap(fmt.Sprintf(format, args...), columns, "  ")...)
}

// note adds a note. Of those of one kind, the first stands for all.
func (a *answer) note(n results.Note) {
	if n.Kind != "" && slices.Contains(a.kinds, n.Kind) {
		return
	}
	a.kinds = append(a.kinds, n.Kind)
	line := "note: " + n.Text
	if n.Advice != "" {
		line += " (" + n.Advice + ")"
	}
	a.notes = append(a.notes, line)
}

// done is the answer, its notes below its lines.
func (a *answer) done(text string) results.Answer {
	a.Lines = append(a.Lines, a.notes...)
	a.Text = text
	return a.Answer
}

// figure keeps a number for the record; one that is not known is left out.
func (a *answer) figure(name, about, unit string, i stats.Interval) {
	if math.IsNaN(i.Value) || math.IsInf(i.Value, 0) {
		return
	}
	end := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	a.Figures = append(a.Figures, results.Figure{Name: name, About: about, Value: i.Value, Lo: end(i.Lo), Hi: end(i.Hi), Unit: unit})
}

// exactly is a figure without an interval.
func exactly(v float64) stats.Interval {
	return stats.Interval{Value: v, Lo: math.NaN(), Hi: math.NaN()}
}

// nothing is the answer to a run in which too little was measured.
func nothing(question, why string) results.Answer {
	return results.Answer{Question: question, Text: "no answer: " + why}
}

// group is series that a question looks at together, in the order of the run.
type group struct {
	key    string
	series []results.Series
}

// groupBy gathers the measured series for which key is not empty.
func groupBy(run results.Run, key func(results.Case) string) []group {
	var groups []group
	for _, s := range run.Series {
		k := key(s.Case)
		if k == "" || !measured(s) {
			continue
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.key == k })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{key: k})
		}
		groups[at].series = append(groups[at].series, s)
	}
	return groups
}

// apart is what tells a group from others of the same name, as in " on soft":
// the fields of which these have several values. What the question goes over is
// not among its fields.
func apart(c results.Case, groups []group, name func(results.Case) string, fields ...field) string {
	text := ""
	for _, f := range fields {
		for _, g := range groups {
			if other := g.series[0].Case; name(other) == name(c) && f(other) != f(c) {
				text += " " + f(c)
				break
			}
		}
	}
	return text
}

// field is something that cases may differ in, in words.
type field func(results.Case) string

func byWorkers(c results.Case) string { return "by " + units.Count(c.Workers, "worker") }
func onEngine(c results.Case) string  { return "on " + c.Engine }
func inSectors(c results.Case) string { return fmt.Sprintf("in %d-byte sectors", c.SectorBytes) }

// cipherOp is as in "aes-xts-256 read".
func cipherOp(c results.Case) string { return cipher(c) + " " + c.Op }

// on is the series of a group on a path.
func (g group) on(path string) []results.Series {
	return slices.DeleteFunc(slices.Clone(g.series), func(s results.Series) bool { return s.Case.Path != path })
}

// setting says what the series of a group have in common, for its heading.
func (g group) setting(parts ...string) string {
	var engines, workers []string
	for _, s := range g.series {
		engines = append(engines, s.Case.Engine)
		if s.Case.Workers > 0 {
			workers = append(workers, units.Count(s.Case.Workers, "worker"))
		}
	}
	if w := distinct(workers); len(w) == 1 {
		parts = append(parts, w[0])
	}
	return strings.Join(append(parts, "engine "+list(distinct(engines))), ", ")
}
