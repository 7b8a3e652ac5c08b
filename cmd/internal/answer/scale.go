package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/pin"
	"gelibench/results/stats"
	"gelibench/results/units"
)

// Scale says how the rate of each cipher and direction grows with the workers,
// and how many of them are enough. cpus are those that the run could use; none
// if that is not known.
func Scale(run results.Run, cpus []pin.CPU, within float64) results.Answer {
	groups := groupBy(run, func(c results.Case) string {
		return fmt.Sprint(c.Alg, c.KeyBits, c.Op, c.SectorBytes, c.Engine)
	})
	out := ask("scale")
	var texts []string
	for _, g := range groups {
		if counts := g.counts(pathGELI); len(counts) > 0 {
			c := counts[0].Case
			name := cipherOp(c) + apart(c, groups, cipherOp, onEngine, inSectors)
			texts = append(texts, out.scale(name, g, counts, newSeats(cpus), within))
		}
	}
	if len(texts) == 0 {
		return nothing("scale", "no number of workers was measured on path geli")
	}
	out.seats(newSeats(cpus))
	return out.done(strings.Join(texts, "; ") + "; " + upperBound)
}

// counts are the series on a path, by growing number of workers.
func (g group) counts(path string) []results.Series {
	counts := g.on(path)
	slices.SortStableFunc(counts, func(a, b results.Series) int { return cmp.Compare(a.Case.Workers, b.Case.Workers) })
	return counts
}

// scale is the answer for one cipher in one direction.
func (a *answer) scale(name string, g group, counts []results.Series, seats seats, within float64) string {
	first := counts[0]
	batch := map[int]float64{}
	for _, s := range g.on(pathBatch) {
		batch[s.Case.Workers] = rate(s).Value
	}
	var rates []float64
	var law []stats.WorkerRates
	for _, s := range counts {
		rates = append(rates, rate(s).Value)
		law = append(law, stats.WorkerRatesOf(s))
	}
	best := slices.Max(rates)
	chosen := stats.SmallestWithin(rates, within)

	table := []cells{
		{"", "total", "", "each", "effi-", "of the", "batch", ""},
		{"workers", "MB/s", "", "MB/s", "ciency", "best", "MB/s", ""},
	}
	for i, s := range counts {
		n := s.Case.Workers
		// Round by round, which drift can't fool.
		speedup := stats.Paired(s, first).Ratio
		if i == 0 || math.IsNaN(speedup.Value) {
			speedup = exactly(rates[i] / rates[0])
		}
		efficiency := speedup.Value * float64(first.Case.Workers) / float64(n)
		b, mark := "", seats.remark(n)
		if len(batch) > 0 {
			b = mbps(batch[n])
		}
		if i == chosen {
			mark = strings.TrimSpace("<- " + mark)
		}
		table = append(table, cells{
			strconv.Itoa(n), mbps(rates[i]), sure(rate(s)), mbps(rates[i] / float64(n)),
			fmt.Sprintf("%.0f %%", 100*efficiency), fmt.Sprintf("%.0f %%", 100*rates[i]/best), b, mark,
		})
		about := fmt.Sprintf("%s %s", name, units.Count(n, "worker"))
		a.figure("bytes_per_second", about, "bytes_per_second", rate(s))
		a.figure("efficiency", about, "", exactly(efficiency))
	}
	if len(a.Lines) > 0 {
		a.add("")
	}
	a.add("%s", g.setting(cipher(first.Case), fmt.Sprintf("%d-byte sectors", first.Case.SectorBytes), first.Case.Op))
	a.Lines = append(a.Lines, grid(table, 7)...)

	a.serial(name, law)
	n := counts[chosen].Case.Workers
	a.figure("workers", name, "workers", exactly(float64(n)))
	a.add("smallest within %s of the best: %s", share(within), units.Count(n, "worker"))
	text := fmt.Sprintf("%s: %s (%s MB/s)", name, units.Count(n, "worker"), mbps(rates[chosen]))
	if most := counts[len(counts)-1]; chosen < len(counts)-1 {
		text += fmt.Sprintf(" are within %s of the best of %d", share(within), most.Case.Workers)
		if n == 1 {
			text = strings.Replace(text, " are within", " is within", 1)
		}
	}
	return text
}

// serial adds what Amdahl's law makes of it.
func (a *answer) serial(name string, law []stats.WorkerRates) {
	if len(law) < 2 {
		a.add("one number of workers tells nothing about how they scale")
		return
	}
	fit := stats.FitScaling(law)
	a.figure("serial_fraction", name, "", fit.SerialFraction)
	f := fit.SerialFraction
	if math.IsNaN(f.Value) {
		return
	}
	line := fmt.Sprintf("serial fraction %s", signedShare(f.Value))
	if f.Bounded() {
		line += fmt.Sprintf(" (%.1f to %s)", 100*f.Lo, signedShare(f.Hi))
	}
	switch {
	case f.Value < 0:
		line += ": below 0, more workers are faster each"
	case f.Value >= 1:
		line += ": more workers are slower together than one"
	case f.Value >= 0.001:
		line += fmt.Sprintf(": at most %s times one worker, ever", number(1/f.Value))
	}
	a.add("%s", line)
	for _, n := range fit.Notes {
		a.note(n)
	}
}

// signedShare is as in "1.9 %".
func signedShare(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }

// seats is where workers find a place.
type seats struct {
	threads, cores int
	fast           int // cores of the fastest kind
	kinds          int
}

func newSeats(cpus []pin.CPU) seats {
	cores, fast, kinds := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, c := range cpus {
		cores[c.Core], kinds[c.Kind] = true, true
		if c.Kind == 0 {
			fast[c.Core] = true
		}
	}
	return seats{len(cpus), len(cores), len(fast), len(kinds)}
}

// remark says what is special about so many workers.
func (s seats) remark(workers int) string {
	switch {
	case s.threads == 0:
		return ""
	case workers > s.threads:
		return "more than CPUs"
	case workers > s.cores:
		return "share cores"
	case s.kinds > 1 && workers > s.fast:
		return "on slower cores, too"
	}
	return ""
}

// seats says what the machine has.
func (a *answer) seats(s seats) {
	switch {
	case s.threads == 0:
		a.note(results.Note{Text: "which CPUs share a core is not known here"})
	case s.threads > s.cores:
		a.note(results.Note{Text: fmt.Sprintf("%s with %s (SMT): workers beyond %d share cores, which is not scaling as it looks", units.Count(s.cores, "core"), units.Count(s.threads, "thread"), s.cores), Advice: "--pin auto fills the cores first"})
	}
	if s.kinds > 1 {
		a.note(results.Note{Text: fmt.Sprintf("cores of %d unlike kinds, %d of them of the fastest: one law does not hold for all", s.kinds, s.fast), Advice: "--pin auto takes the fastest first"})
	}
}
