package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/stats"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

// Level is an engine as a question about acceleration sees it.
type Level struct {
	Engine   string // as the record names it
	Hardware bool   // it uses instructions, or a device, made for ciphers
	Auto     bool   // --engine auto takes it
}

// The standard library in two levels, which differ in the instructions alone.
const (
	libraryWith    = "xcrypto"
	libraryWithout = "xcrypto-noaes"
)

// headlineBytes is the sector of which the answer speaks, if it was measured.
const headlineBytes = 4096

// AccelComparisons is how many comparisons Accel shows at once: every level
// with hardware against the best without, at each size, and the two of the
// standard library.
func AccelComparisons(levels []Level, sizes int) int {
	n, base, pair := 0, false, 0
	for _, l := range levels {
		if l.Hardware {
			n += sizes
		} else {
			base = true
		}
		if l.Engine == libraryWith || l.Engine == libraryWithout {
			pair++
		}
	}
	if !base {
		return 0
	}
	if pair == 2 {
		n++
	}
	return n
}

// Accel says what each level of hardware gives over the fastest engine that
// uses none, and up to which sector size it makes things slower.
func Accel(run results.Run, levels []Level) results.Answer {
	groups := groupBy(run, func(c results.Case) string {
		return fmt.Sprint(c.Alg, c.KeyBits, c.Op, c.Workers)
	})
	out := ask("accel")
	var all []*ladder
	var comparisons []stats.Comparison
	for _, g := range groups {
		if l := newLadder(g, levels); l != nil {
			all = append(all, l)
			comparisons = append(comparisons, l.compare()...)
		}
	}
	if len(all) == 0 {
		return nothing("accel", "no engine without hardware was measured on path geli")
	}
	corrected := stats.Holm(comparisons)
	var texts []string
	for _, l := range all {
		corrected = l.take(corrected)
		c := l.g.series[0].Case
		texts = append(texts, out.accel(cipherOp(c)+apart(c, groups, cipherOp, byWorkers), l))
	}
	out.add("")
	legend := "times is against the fastest engine without hardware, sectors of the same size"
	if n := len(comparisons); n > 0 {
		legend += fmt.Sprintf("; %s corrected together (Holm), intervals each by itself, 95 %%", units.Count(n, "comparison"))
	}
	out.Lines = append(out.Lines, textgrid.Wrap(legend, columns, "")...)
	return out.done(strings.Join(texts, "; ") + "; " + upperBound)
}

// ladder is the levels of one cipher in one direction.
type ladder struct {
	g        group
	levels   []Level // that were measured
	sizes    []int
	base     string // the engine without hardware that the others are held to
	headline int    // sector of the answer, bytes

	against map[string]map[int]stats.Comparison // hardware engine and size, against the base
	library *stats.Comparison                   // with against without instructions
}

// at is the series of an engine at a size on a path.
func (l *ladder) at(engine string, sectorBytes int, path string) (results.Series, bool) {
	for _, s := range l.g.series {
		if s.Case.Engine == engine && s.Case.SectorBytes == sectorBytes && s.Case.Path == path {
			return s, true
		}
	}
	return results.Series{}, false
}

func newLadder(g group, levels []Level) *ladder {
	l := &ladder{g: g, against: map[string]map[int]stats.Comparison{}}
	for _, s := range g.on(pathGELI) {
		l.sizes = append(l.sizes, s.Case.SectorBytes)
	}
	slices.Sort(l.sizes)
	if l.sizes = slices.Compact(l.sizes); len(l.sizes) == 0 {
		return nil
	}
	best := 0.0
	for _, level := range levels {
		speed, n := 1.0, 0
		for _, size := range l.sizes {
			if s, ok := l.at(level.Engine, size, pathGELI); ok {
				speed *= math.Pow(rate(s).Value, 1/float64(len(l.sizes)))
				n++
			}
		}
		if n == 0 {
			continue
		}
		l.levels = append(l.levels, level)
		if !level.Hardware && n == len(l.sizes) && speed > best {
			l.base, best = level.Engine, speed
		}
	}
	if l.base == "" {
		return nil
	}
	l.headline = l.sizes[len(l.sizes)/2]
	if slices.Contains(l.sizes, headlineBytes) {
		l.headline = headlineBytes
	}
	return l
}

// compare is every comparison, in the order that take wants them.
func (l *ladder) compare() []stats.Comparison {
	var out []stats.Comparison
	l.each(func(a, b results.Series, _ func(stats.Comparison)) { out = append(out, stats.Paired(a, b)) })
	return out
}

// take puts the comparisons in their places, and returns those of others.
func (l *ladder) take(c []stats.Comparison) []stats.Comparison {
	l.each(func(_, _ results.Series, put func(stats.Comparison)) {
		put(c[0])
		c = c[1:]
	})
	return c
}

func (l *ladder) each(f func(a, b results.Series, put func(stats.Comparison))) {
	for _, level := range l.levels {
		for _, size := range l.sizes {
			a, ok1 := l.at(level.Engine, size, pathGELI)
			b, ok2 := l.at(l.base, size, pathGELI)
			if !level.Hardware || !ok1 || !ok2 {
				continue
			}
			f(a, b, func(c stats.Comparison) {
				if l.against[level.Engine] == nil {
					l.against[level.Engine] = map[int]stats.Comparison{}
				}
				l.against[level.Engine][size] = c
			})
		}
	}
	a, ok1 := l.at(libraryWith, l.headline, pathGELI)
	b, ok2 := l.at(libraryWithout, l.headline, pathGELI)
	if ok1 && ok2 {
		f(a, b, func(c stats.Comparison) { l.library = &c })
	}
}

// accel adds the figures of a ladder, and says in a few words what they mean.
func (a *answer) accel(name string, l *ladder) string {
	c := l.g.series[0].Case
	hasBatch := slices.ContainsFunc(l.levels, func(level Level) bool {
		_, ok := l.at(level.Engine, l.headline, pathBatch)
		return ok
	})
	if len(a.Lines) > 0 {
		a.add("")
	}
	a.add("%s, %s, %s, path geli", cipher(c), c.Op, units.Count(c.Workers, "worker"))
	const wide = 3 // sizes that a screen has room for
	for sizes := range slices.Chunk(l.sizes, wide) {
		a.Lines = append(a.Lines, grid(a.rungs(name, l, sizes, hasBatch && slices.Contains(sizes, l.headline)), 0)...)
	}
	return name + ": " + a.gain(l, name)
}

// rungs is the table of a ladder at some sizes, with path batch at the size of
// the answer.
func (a *answer) rungs(name string, l *ladder, sizes []int, batch bool) []cells {
	head, second := cells{"sectors of"}, cells{"engine"}
	for _, size := range sizes {
		head = append(head, strconv.Itoa(size), "bytes")
		second = append(second, "MB/s", "times")
	}
	if batch {
		head, second = append(head, "batch"), append(second, strconv.Itoa(l.headline))
	}
	table := []cells{head, second}
	for _, level := range l.levels {
		label := level.Engine
		if level.Auto {
			label += " (auto)"
		}
		row := cells{label}
		for _, size := range sizes {
			s, ok := l.at(level.Engine, size, pathGELI)
			if !ok {
				row = append(row, "-", "-")
				continue
			}
			base, _ := l.at(l.base, size, pathGELI)
			ratio := rate(s).Value / rate(base).Value
			if cmp, ok := l.against[level.Engine][size]; ok && !math.IsNaN(cmp.Ratio.Value) {
				ratio = cmp.Ratio.Value
				a.figure("times", fmt.Sprintf("%s %s %d bytes", name, level.Engine, size), "", cmp.Ratio)
			}
			row = append(row, mbps(rate(s).Value), ratioText(ratio))
		}
		if batch {
			b := "-"
			if s, ok := l.at(level.Engine, l.headline, pathBatch); ok {
				b = mbps(rate(s).Value)
			}
			row = append(row, b)
		}
		table = append(table, row)
	}
	return table
}

// ratioText is as in "12.4" or "0.70".
func ratioText(v float64) string {
	if v >= 99.5 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	if v >= 9.95 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// gain says whether acceleration is used, what it gives, and where it does harm.
func (a *answer) gain(l *ladder, name string) string {
	if l.library != nil {
		for _, n := range l.library.Notes {
			a.note(n)
		}
	}
	for _, level := range l.levels {
		for _, size := range l.sizes {
			for _, n := range l.against[level.Engine][size].Notes {
				a.note(n)
			}
		}
	}

	// HARM: every level that is slower than none, at some size.
	var harm []string
	harmful := map[string]string{}
	for _, level := range l.levels {
		if words := l.slower(level.Engine); words != "" {
			harmful[level.Engine] = words
			a.prose("%s makes sectors %s slower than %s does", level.Engine, words, l.base)
			harm = append(harm, fmt.Sprintf("%s makes sectors %s slower", level.Engine, words))
		}
	}

	// THE INSTRUCTIONS by themselves.
	var parts []string
	if c := l.library; c != nil {
		a.figure("aes_instructions", fmt.Sprintf("%s %d bytes", name, l.headline), "", c.Ratio)
		line := "what AES instructions give here: " + c.Words()
		if c.Verdict != stats.NoDifference {
			line = fmt.Sprintf("AES instructions give ×%s here", ratioText(c.Ratio.Value))
			if c.Ratio.Bounded() {
				line += fmt.Sprintf(" (%s to %s)", ratioText(c.Ratio.Lo), ratioText(c.Ratio.Hi))
			}
		}
		a.prose("%s: %s, %d-byte sectors", line, libraryWith, l.headline)
		parts = append(parts, strings.SplitN(line, " (", 2)[0])
	}

	// WHAT IS USED.
	used := slices.IndexFunc(l.levels, func(v Level) bool { return v.Auto })
	switch {
	case used < 0:
		hardware := slices.ContainsFunc(l.levels, func(v Level) bool { return v.Hardware })
		if !hardware {
			parts = append(parts, "there is no acceleration here to use")
		}
	case !l.levels[used].Hardware:
		parts = append(parts, fmt.Sprintf("no acceleration is used: auto takes %s", l.levels[used].Engine))
	default:
		engine := l.levels[used].Engine
		c := l.against[engine][l.headline]
		said := fmt.Sprintf("acceleration is used: auto takes %s, ", engine)
		switch c.Verdict {
		case stats.NoDifference:
			said += fmt.Sprintf("against %s at %d bytes: %s", l.base, l.headline, c.Words())
		default:
			said += fmt.Sprintf("×%s over %s at %d bytes", ratioText(c.Ratio.Value), l.base, l.headline)
		}
		parts = append(parts, said)
	}
	return strings.Join(append(parts, harm...), "; ")
}

// slower says of which sizes an engine is slower than the base: as in "of up to
// 755 bytes". It is empty where no such difference is shown.
func (l *ladder) slower(engine string) string {
	perSize := l.against[engine]
	var slow, fast []int
	for _, size := range l.sizes {
		switch c, ok := perSize[size]; {
		case !ok:
		case c.Verdict == stats.Slower:
			slow = append(slow, size)
		case c.Verdict == stats.Faster:
			fast = append(fast, size)
		}
	}
	switch {
	case len(slow) == 0:
		return ""
	case len(fast) == 0 && len(slow) == len(l.sizes):
		return fmt.Sprintf("of all sizes measured (%d to %d bytes)", slow[0], slow[len(slow)-1])
	case len(slow) == 1 && len(l.sizes) == 1, len(fast) == 0, slices.Min(fast) < slices.Max(slow):
		var words []string
		for _, size := range slow {
			words = append(words, strconv.Itoa(size))
		}
		return fmt.Sprintf("of %s bytes", list(words))
	}
	// Between the largest that it slows down and the smallest that it speeds
	// up, the lines through their times cross.
	above, below := slices.Max(slow), slices.Min(fast)
	if bytes, ok := stats.Crossover(l.fit(l.base), l.fit(engine)); ok && bytes >= float64(above) && bytes <= float64(below) {
		return fmt.Sprintf("of up to about %s bytes", whole(bytes))
	}
	return fmt.Sprintf("of up to %d bytes, but not of %d,", above, below)
}

// fit is the line through the times of an engine.
func (l *ladder) fit(engine string) stats.SectorFit {
	var times []stats.SectorTimes
	for _, s := range l.g.series {
		if s.Case.Engine == engine && s.Case.Path == pathGELI {
			times = append(times, stats.SectorTimesOf(s))
		}
	}
	slices.SortFunc(times, func(a, b stats.SectorTimes) int { return cmp.Compare(a.SectorBytes, b.SectorBytes) })
	return stats.FitSectorTime(times)
}
