package answer

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gelibench/results"
	"gelibench/results/stats"
	"gelibench/results/units"
)

// Mix is what a load reads and writes, as shares of its bytes that add up to 1.
type Mix struct{ Read, Write float64 }

// DefaultMix is that of a disk of which four bytes are read for each written.
var DefaultMix = Mix{0.8, 0.2}

// String is as in "80:20".
func (m Mix) String() string {
	percent := func(share float64) string { return strconv.FormatFloat(100*share, 'g', 4, 64) }
	return percent(m.Read) + ":" + percent(m.Write)
}

// rate is that of a load that reads at one rate and writes at the other: the
// times per byte add up.
func (m Mix) rate(read, write float64) float64 { return 1 / (m.Read/read + m.Write/write) }

// The two modes that a verdict is about, AES in both.
const (
	xts = "aes-xts"
	cbc = "aes-cbc"
)

// rivalry is two cases that differ in their mode alone; of a mix, two pairs of
// them. The numbers are indexes of cases.
type rivalry struct {
	xts, cbc           int
	xtsWrite, cbcWrite int // of a mix
	mix                bool
	batch              int // its twin on path batch, as an index of rivalries; -1: none
}

// rivalries finds the pairs. Where there are several engines, each is compared
// with itself; where auto took one for each mode, these two are.
func rivalries(cases []results.Case) []rivalry {
	var out []rivalry
	for i, c := range cases {
		if c.Alg != xts {
			continue
		}
		same := func(engine bool) []int {
			var found []int
			for k, d := range cases {
				if d.Alg == cbc && sameBut(c, d) && (!engine || c.Engine == d.Engine) {
					found = append(found, k)
				}
			}
			return found
		}
		partners := same(true)
		if len(partners) == 0 {
			partners = same(false)
			others := slices.ContainsFunc(cases, func(d results.Case) bool {
				return d.Alg == xts && d.Engine != c.Engine && sameBut(c, d)
			})
			if others {
				continue
			}
		}
		if len(partners) == 1 {
			out = append(out, rivalry{xts: i, cbc: partners[0], batch: -1})
		}
	}

	// A MIX for each reading pair that has a writing one.
	for i := 0; i < len(out); i++ {
		r := out[i]
		if r.mix || cases[r.xts].Op != "read" {
			continue
		}
		for k, w := range out {
			if c := cases[w.xts]; !w.mix && c.Op == "write" {
				c.Op = "read"
				if sameBut(c, cases[r.xts]) && c.Engine == cases[r.xts].Engine {
					m := rivalry{xts: r.xts, cbc: r.cbc, xtsWrite: w.xts, cbcWrite: w.cbc, mix: true, batch: -1}
					out = slices.Insert(out, max(i, k)+1, m)
					break
				}
			}
		}
	}

	// The TWIN on path batch.
	for i, r := range out {
		for k, b := range out {
			c, d := cases[r.xts], cases[b.xts]
			if c.Path == pathGELI && d.Path == pathBatch && r.mix == b.mix {
				c.Path, c.Rekey = d.Path, d.Rekey
				if sameBut(c, d) && c.Engine == d.Engine {
					out[i].batch = k
				}
			}
		}
	}
	return out
}

// sameBut says whether two cases are the same but for mode and engine, and what
// depends on these.
func sameBut(a, b results.Case) bool {
	for _, c := range []*results.Case{&a, &b} {
		c.Alg, c.Engine, c.RunSectors, c.IVHash, c.MACHash = "", "", 0, "", ""
		c.GOMAXPROCS, c.Clear, c.Byte = 0, nil, nil
	}
	return a == b
}

// judged are the rivalries that a verdict shows: those on path geli, or all if
// there are none.
func judged(cases []results.Case, all []rivalry) []rivalry {
	isGELI := func(r rivalry) bool { return cases[r.xts].Path == pathGELI }
	if slices.ContainsFunc(all, isGELI) {
		return slices.DeleteFunc(slices.Clone(all), func(r rivalry) bool { return !isGELI(r) })
	}
	return all
}

// VerdictComparisons is how many comparisons the verdict of a run with these
// cases shows at once, for stats.RoundsFor; 0 if they do not hold both modes.
func VerdictComparisons(cases []results.Case) int {
	return len(judged(cases, rivalries(cases)))
}

// Verdict says for each direction, size and number of workers which of AES-XTS
// and AES-CBC is faster on path geli, and by how much. Where both directions
// were measured, it says so of their mix, too. ok is false if the run does not
// hold both modes.
func Verdict(run results.Run, mix Mix) (a results.Answer, ok bool) {
	cases := make([]results.Case, len(run.Series))
	for i, s := range run.Series {
		cases[i] = s.Case
	}
	all := rivalries(cases)
	shown := judged(cases, all)
	if len(shown) == 0 {
		return a, false
	}

	// COMPARE, all of them at once.
	var rows []contest
	var comparisons []stats.Comparison
	for _, r := range shown {
		if c, known := hold(run, r, mix, len(shown)); known {
			if r.batch >= 0 {
				b, known := hold(run, all[r.batch], mix, len(shown))
				c.batchXTS, c.batchCBC, c.hasBatch = b.xts, b.cbc, known
			}
			rows = append(rows, c)
			comparisons = append(comparisons, c.comparison)
		}
	}
	if len(rows) == 0 {
		return nothing("verdict", "aes-xts and aes-cbc were not both measured"), true
	}
	for i, c := range stats.Holm(comparisons) {
		rows[i].comparison = c
	}

	out := ask("verdict")
	out.verdictLines(rows, mix)
	return out.done(verdictText(rows)), true
}

// contest is a rivalry with its figures.
type contest struct {
	c          results.Case // of XTS
	other      string       // engine of CBC
	mix        bool
	xts, cbc   float64 // bytes a second
	comparison stats.Comparison
	paired     bool
	single     bool // one sample each

	batchXTS, batchCBC float64
	hasBatch           bool
}

// hold compares two series, or four of a mix, which is one of so many
// comparisons.
func hold(run results.Run, r rivalry, mix Mix, comparisons int) (contest, bool) {
	x, y := run.Series[r.xts], run.Series[r.cbc]
	c := contest{c: x.Case, other: y.Case.Engine, mix: r.mix}
	if !measured(x) || !measured(y) {
		return c, false
	}
	c.xts, c.cbc = rate(x).Value, rate(y).Value
	if !r.mix {
		c.comparison = stats.PairedAmong(x, y, comparisons)
	} else {
		xw, yw := run.Series[r.xtsWrite], run.Series[r.cbcWrite]
		if !measured(xw) || !measured(yw) {
			return c, false
		}
		c.xts, c.cbc = mix.rate(c.xts, rate(xw).Value), mix.rate(c.cbc, rate(yw).Value)
		c.comparison = stats.PairedRatios(mixRatios(mix, comparisons, x, xw, y, yw))
	}
	if c.paired = c.comparison.NA > 0; !c.paired {
		c.comparison.Ratio = stats.Interval{Value: c.xts / c.cbc, Lo: math.Inf(-1), Hi: math.Inf(1)}
		c.single = len(x.Samples) == 1 && len(y.Samples) == 1
	}
	return c, true
}

// mixRatios are those of two loads, in each round that holds all four series.
// Spoiled samples count only if too few others are there.
func mixRatios(mix Mix, comparisons int, xr, xw, yr, yw results.Series) []float64 {
	for _, try := range stats.Tries(comparisons) {
		var rounds [4]map[int]float64
		for i, s := range []results.Series{xr, xw, yr, yw} {
			rounds[i] = map[int]float64{}
			for _, x := range s.Samples {
				if v := x.BytesPerSecond(); x.Round > 0 && v > 0 && (try.Spoiled || !x.Spoiled) {
					rounds[i][x.Round] = v
				}
			}
		}
		var ratios []float64
		for n, a := range rounds[0] {
			b, c, d := rounds[1][n], rounds[2][n], rounds[3][n]
			if b > 0 && c > 0 && d > 0 {
				ratios = append(ratios, mix.rate(a, b)/mix.rate(c, d))
			}
		}
		if len(ratios) >= try.Rounds {
			return ratios
		}
	}
	panic("unreachable")
}

// faster names the winner, and how it compares to the other.
func (c contest) faster() (mode string, won stats.Comparison) {
	won = c.comparison
	switch won.Verdict {
	case stats.Faster:
		return xts, won
	case stats.Slower:
		won.Ratio, won.Verdict = won.Ratio.Inverse(), stats.Faster
		return cbc, won
	}
	return "", won
}

// words are as in "xts 2.41 times as fast (2.39 to 2.44)".
func (c contest) words() string {
	if !c.paired {
		mode, by := "xts", c.comparison
		if by.Verdict = stats.Faster; by.Ratio.Value < 1 {
			mode, by.Ratio = "cbc", stats.Interval{Value: 1 / by.Ratio.Value, Lo: math.Inf(-1), Hi: math.Inf(1)}
		}
		return mode + " " + by.Words() + ", not known how sure"
	}
	mode, won := c.faster()
	if mode == "" {
		return won.Words()
	}
	return mode[len("aes-"):] + " " + won.Words()
}

func (a *answer) verdictLines(rows []contest, mix Mix) {
	varies := func(field func(results.Case) string) func(results.Case) string {
		first := field(rows[0].c)
		for _, r := range rows {
			if field(r.c) != first {
				return field
			}
		}
		return func(results.Case) string { return "" }
	}
	bits := varies(func(c results.Case) string { return strconv.Itoa(c.KeyBits) })
	request := varies(func(c results.Case) string { return strconv.FormatInt(c.RequestBytes, 10) })
	engine := varies(func(c results.Case) string { return c.Engine })
	path := varies(func(c results.Case) string { return c.Path })

	head := cells{"sector", "wor-", "op", "", "", "", "", "xts", "cbc", "path " + rows[0].c.Path, "", ""}
	second := cells{"bytes", "kers", "", "", "", "", "", "MB/s", "MB/s", "", "", ""}
	for i, f := range []func(results.Case) string{bits, request, engine, path} {
		if slices.ContainsFunc(rows, func(r contest) bool { return f(r.c) != "" }) {
			head[3+i], second[3+i] = []string{"key", "request", "engine", "path"}[i], []string{"bits", "bytes", "", ""}[i]
			if i == 3 {
				head[9] = ""
			}
		}
	}
	if slices.ContainsFunc(rows, func(r contest) bool { return r.hasBatch }) {
		head[10], head[11], second[10], second[11] = "batch", "batch", "xts", "cbc"
	}
	table := []cells{head, second}
	for _, r := range rows {
		op := r.c.Op
		if r.mix {
			op = mix.String()
		}
		row := cells{strconv.Itoa(r.c.SectorBytes), strconv.Itoa(r.c.Workers), op, bits(r.c), request(r.c), engine(r.c), path(r.c), mbps(r.xts), mbps(r.cbc), r.words(), "", ""}
		if r.hasBatch {
			row[10], row[11] = mbps(r.batchXTS), mbps(r.batchCBC)
		} else if head[10] != "" {
			row[10], row[11] = "-", "-"
		}
		table = append(table, row)

		about := fmt.Sprintf("%s %d bytes %s", op, r.c.SectorBytes, units.Count(r.c.Workers, "worker"))
		for _, f := range []func(results.Case) string{bits, request, engine, path} {
			if text := f(r.c); text != "" {
				about += " " + text
			}
		}
		a.figure("xts_over_cbc", about, "", r.comparison.Ratio)
	}
	a.Lines = append(a.Lines, fmt.Sprintf("aes-xts against aes-cbc%s: %s", keyOf(rows), engines(rows)))
	a.Lines = append(a.Lines, gridWith(" ", table, 2, 5, 6, 9)...)
	a.add("")
	if rows[0].c.Path == pathGELI {
		a.add("path geli is what a disk will see; batch what the processor could do")
	} else {
		a.prose("path batch is what the processor could do, not what a disk will see (--path geli)")
	}
	switch n := len(rows); {
	case !slices.ContainsFunc(rows, func(r contest) bool { return r.paired }):
	case n > 1:
		a.add("intervals hold with 95 %%, each by itself; %d comparisons corrected (Holm)", n)
	default:
		a.add("the interval holds with 95 %%")
	}
	for _, r := range rows {
		if r.mix {
			a.add("%s: time per byte, %s %% of it read", mix, strconv.FormatFloat(100*mix.Read, 'g', 4, 64))
			break
		}
	}
	for _, r := range rows {
		if !r.paired {
			text := "cases measured one after the other do not tell how sure a difference is"
			if r.single {
				text = "one sample each says nothing about how sure a difference is"
			}
			a.note(results.Note{Kind: "one-sample", Text: text, Advice: "without --count cases are measured in rounds"})
			continue
		}
		for _, n := range r.comparison.Notes {
			a.note(n)
		}
	}
}

// keyOf is as in "-128", where all have the same length.
func keyOf(rows []contest) string {
	for _, r := range rows {
		if r.c.KeyBits != rows[0].c.KeyBits {
			return ""
		}
	}
	if rows[0].c.KeyBits == 0 {
		return ""
	}
	return fmt.Sprintf(", %d-bit keys", rows[0].c.KeyBits)
}

func engines(rows []contest) string {
	var names []string
	for _, r := range rows {
		name := "engine " + r.c.Engine
		if r.other != r.c.Engine {
			name = fmt.Sprintf("engine %s for xts, %s for cbc", r.c.Engine, r.other)
		}
		names = append(names, name)
	}
	return list(distinct(names))
}

// verdictText is the verdict in one line.
func verdictText(rows []contest) string {
	wins := map[string][]float64{}
	open, few, sure := 0, 0, true
	for _, r := range rows {
		mode, won := r.faster()
		if sure = sure && r.paired; mode == "" {
			open++
			if won.TooFew() {
				few++
			}
			continue
		}
		wins[mode] = append(wins[mode], won.Ratio.Value)
	}
	n := len(rows)
	bound := "; " + upperBound
	if rows[0].c.Path != pathGELI {
		bound = "; path batch alone says nothing about a disk"
	}
	of := fmt.Sprintf("%d", n)
	how := func(mode string) string {
		least, most := slices.Min(wins[mode]), slices.Max(wins[mode])
		from, to := factor(least), factor(most)
		if from == to {
			return from
		}
		return from + " to " + to
	}
	switch {
	case !sure:
		return "no verdict: how sure the differences are is not known" + bound
	case few == n:
		return "no verdict: too few rounds to show a difference" + bound
	case open == n && n == 1:
		return "no difference between aes-xts and aes-cbc is shown" + bound
	case open == n:
		return "no difference between aes-xts and aes-cbc is shown in any of " + of + " comparisons" + bound
	case len(wins[xts]) == n || len(wins[cbc]) == n:
		mode := xts
		if len(wins[cbc]) == n {
			mode = cbc
		}
		if n == 1 {
			return fmt.Sprintf("%s is faster, %s%s", mode, how(mode), bound)
		}
		return fmt.Sprintf("%s is faster in all %s comparisons, %s%s", mode, of, how(mode), bound)
	}
	text := "it depends: "
	if len(wins[xts]) == 0 || len(wins[cbc]) == 0 {
		text = ""
	}
	for _, mode := range []string{xts, cbc} {
		if k := len(wins[mode]); k > 0 {
			text += fmt.Sprintf("%s is faster in %d of %s, %s; ", mode, k, of, how(mode))
		}
	}
	if open > few {
		text += fmt.Sprintf("no difference shown in %d; ", open-few)
	}
	if few > 0 {
		text += fmt.Sprintf("too few rounds for %d; ", few)
	}
	return text + bound[2:]
}

// factor is a ratio above 1 as in "12 %" or "2.41 times".
func factor(ratio float64) string {
	switch {
	case ratio >= 9.95:
		return fmt.Sprintf("%.0f times", ratio)
	case ratio >= 2:
		return fmt.Sprintf("%.2f times", ratio)
	case ratio >= 1.0995:
		return fmt.Sprintf("%.0f %%", 100*(ratio-1))
	}
	return fmt.Sprintf("%.1f %%", 100*(ratio-1))
}
