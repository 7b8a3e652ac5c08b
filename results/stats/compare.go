package stats

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"gelibench/results"
	"gelibench/results/units"
)

// Verdict says how the rate of A compares to that of B.
type Verdict int

// The verdicts. NoDifference means that none was shown, not that there is none.
const (
	NoDifference Verdict = iota
	Faster
	Slower
)

// String is "~", "faster" or "slower".
func (v Verdict) String() string {
	return [...]string{"~", "faster", "slower"}[v]
}

// Comparison is what is known about two cases, A and B.
type Comparison struct {
	Ratio    Interval // rate of A over rate of B; above 1, A is faster
	Paired   bool     // round by round, in one run
	NA, NB   int      // samples; pairs, if Paired
	P        float64  // of a difference at least as clear by chance, corrected if Family > 1
	Family   int      // comparisons that P was corrected for; 1 is none but this
	Verdict  Verdict  // at the level Confidence
	Notes    []results.Note
	smallest float64 // P that so many samples can reach
}

// Paired compares two series of one run, by the ratios of their rates in each
// round that holds both: their median, its interval, and the sign test that
// goes with it. Where a round holds several samples of a case, its last one
// that is not spoiled counts; rounds with none are left out, as long as six
// others are there.
func Paired(a, b results.Series) Comparison { return PairedAmong(a, b, 1) }

// PairedAmong is Paired of one of several comparisons that Holm will correct:
// spoiled samples count, too, where the others cannot show a difference but all
// of them together can.
func PairedAmong(a, b results.Series, comparisons int) Comparison {
	for _, try := range Tries(comparisons) {
		spoiled := try.Spoiled
		inA, inB := byRound(a, spoiled), byRound(b, spoiled)
		var ratios []float64
		for round, x := range inA {
			if y := inB[round]; x > 0 && y > 0 {
				ratios = append(ratios, x/y)
			}
		}
		if len(ratios) < try.Rounds {
			continue
		}
		c := PairedRatios(ratios)
		if spoiled && (len(byRound(a, false)) < len(inA) || len(byRound(b, false)) < len(inB)) {
			c.Notes = append(c.Notes, results.Note{
				Kind:   "spoiled-counted",
				Text:   "spoiled samples count in this comparison, as too few others are there",
				Advice: "the notes of the samples name the cause; gelibench doctor looks at the host",
			})
		}
		return c
	}
	panic("unreachable")
}

// Try is a way to choose the rounds of a comparison: with spoiled samples or
// without, if there are as many.
type Try struct {
	Spoiled bool
	Rounds  int
}

// Tries are the ways to choose rounds, best first; the last always does.
func Tries(comparisons int) []Try {
	n := RoundsFor(comparisons)
	return []Try{{false, n}, {true, n}, {false, FewestSamples}, {true, 0}}
}

// byRound is the rate in each round, of the last sample there.
func byRound(s results.Series, spoiled bool) map[int]float64 {
	rates := map[int]float64{}
	for _, x := range s.Samples {
		if x.Round > 0 && (spoiled || !x.Spoiled) {
			rates[x.Round] = x.BytesPerSecond()
		}
	}
	return rates
}

// PairedRatios is Paired of ratios that were taken already, A over B.
func PairedRatios(ratios []float64) Comparison {
	n, above, below := len(ratios), 0, 0
	for _, r := range ratios {
		switch {
		case r > 1:
			above++
		case r < 1:
			below++
		}
	}
	c := Comparison{
		Ratio: Median(ratios), Paired: true, NA: n, NB: n, Family: 1,
		P: signP(n, n-max(above, below)), smallest: signP(n, 0),
	}
	c.decide()
	return c
}

// Unpaired compares two series of runs made apart, by the Mann-Whitney test.
// The ratio is the median of those of every sample of A to every one of B
// (Hodges and Lehmann), with the interval that belongs to the test.
func Unpaired(a, b results.Series) Comparison {
	return UnpairedRates(counted(a), counted(b))
}

// counted are the rates of the samples that Summarize counts.
func counted(s results.Series) []float64 {
	var clean, all []float64
	for _, x := range s.Samples {
		all = append(all, x.BytesPerSecond())
		if !x.Spoiled {
			clean = append(clean, x.BytesPerSecond())
		}
	}
	if len(clean) >= FewestSamples {
		return clean
	}
	return all
}

// UnpairedRates is Unpaired of rates in bytes a second.
func UnpairedRates(a, b []float64) Comparison {
	c := Comparison{NA: len(a), NB: len(b), Family: 1, P: 1, smallest: 1}
	c.Ratio = Interval{math.NaN(), math.Inf(-1), math.Inf(1)}
	if len(a) == 0 || len(b) == 0 {
		c.decide()
		return c
	}
	t := &benchmath.DefaultThresholds
	c.P = benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(slices.Clone(b), t)).P
	u := mannWhitney(len(a), len(b))
	c.smallest = min(1, 2*u.atMost(0))
	ratios := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			ratios = append(ratios, x/y)
		}
	}
	slices.Sort(ratios)
	n := len(ratios)
	c.Ratio.Value = (ratios[(n-1)/2] + ratios[n/2]) / 2
	if k := u.rank(1 - Confidence); k > 0 {
		c.Ratio.Lo, c.Ratio.Hi = ratios[k-1], ratios[n-k]
	}
	c.decide()
	return c
}

// placement is up to what size a difference that is there may come from where
// the buffers of A and B happen to lie in memory, and so not be one of the
// cases: two copies of one loop were seen to be 1.5 % apart for as long as they lived.
const placement = 0.02

// decide sets the verdict, and says so where no other was possible, or where
// it is about less than can be told apart.
func (c *Comparison) decide() {
	c.Verdict = NoDifference
	if c.P <= 1-Confidence {
		switch {
		case c.Ratio.Value > 1:
			c.Verdict = Faster
		case c.Ratio.Value < 1:
			c.Verdict = Slower
		}
	}
	c.Notes = slices.DeleteFunc(slices.Clone(c.Notes), func(n results.Note) bool { return n.Kind == "few-rounds" || n.Kind == "placement" })
	if c.Verdict != NoDifference && max(c.Ratio.Value, 1/c.Ratio.Value) < 1+placement {
		c.Notes = append(c.Notes, results.Note{
			Kind:   "placement",
			Text:   "a difference below 2 % may come from where the buffers lie in memory",
			Advice: "run it again, and see whether the difference comes again",
		})
	}
	if !c.hopeless() {
		return
	}
	n := results.Note{
		Kind:   "few-rounds",
		Text:   fmt.Sprintf("%s against %d can show no difference, however large", units.Count(c.NA, "sample"), c.NB),
		Advice: "give it more time, or fewer cases",
	}
	if c.Paired {
		n.Text = fmt.Sprintf("%s can show no difference, however large; it takes %d", units.Count(c.NA, "round"), RoundsFor(c.Family))
		if c.Family > 1 {
			n.Text += fmt.Sprintf(" for %d comparisons", c.Family)
		}
	}
	c.Notes = append(c.Notes, n)
}

// hopeless says whether so few samples can show no difference, however large.
func (c Comparison) hopeless() bool { return c.smallest*float64(c.Family) > 1-Confidence }

// TooFew says whether no verdict was possible for want of samples: either they
// can show no difference, however large, or the interval lies to one side of 1,
// and only the correction for the other comparisons keeps that from counting.
func (c Comparison) TooFew() bool {
	return c.Verdict == NoDifference && (c.hopeless() || c.Ratio.Bounded() && !c.Ratio.Contains(1))
}

// RoundsFor is the smallest number of rounds with which Paired can show a
// difference, if it is one of that many comparisons that Holm corrects.
func RoundsFor(comparisons int) int {
	n := FewestSamples
	for signP(n, 0)*float64(max(1, comparisons)) > 1-Confidence {
		n++
	}
	return n
}

// Holm corrects comparisons that are shown together, so that with the level
// Confidence not one verdict among them is wrong (Holm's step-down method,
// 1979). It returns them in the same order. Each interval stays that of its
// own comparison alone.
func Holm(comparisons []Comparison) []Comparison {
	out := slices.Clone(comparisons)
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case out[i].P < out[j].P:
			return -1
		case out[i].P > out[j].P:
			return 1
		}
		return 0
	})
	least := 0.0
	for k, i := range order {
		c := &out[i]
		least = max(least, min(1, c.P*float64(len(out)-k)))
		c.P, c.Family = least, len(out)
		c.decide()
	}
	return out
}
