package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gelibench/results"
)

// rounds is a series whose samples have the given rates, in MB/s, in rounds
// from 1 on. A rate below 0 is that of a spoiled sample, 0 of none at all.
func rounds(rates ...float64) results.Series {
	var s results.Series
	for i, r := range rates {
		if r == 0 {
			continue
		}
		s.Samples = append(s.Samples, results.Sample{
			Round: i + 1, Bytes: int64(math.Abs(r) * 1e6), Requests: 1, ElapsedNS: 1e9, Spoiled: r < 0,
		})
	}
	return s
}

func kinds(notes []results.Note) []string {
	var k []string
	for _, n := range notes {
		k = append(k, n.Kind)
	}
	return k
}

func TestPaired(t *testing.T) {
	for _, test := range []struct {
		name    string
		a, b    results.Series
		verdict Verdict
		n       int
		ratio   float64
		kinds   []string
	}{
		{"the machine slows down, A keeps ahead",
			rounds(102, 92, 82, 71, 61, 51), rounds(100, 90, 80, 70, 60, 50), Faster, 6, 1.02, nil},
		{"the other way round",
			rounds(100, 90, 80, 70, 60, 50), rounds(102, 92, 82, 71, 61, 51), Slower, 6, 1 / 1.02, nil},
		{"one of six against it",
			rounds(102, 92, 82, 71, 61, 49), rounds(100, 90, 80, 70, 60, 50), NoDifference, 6, 0, nil},
		{"five rounds", rounds(102, 92, 82, 71, 61), rounds(100, 90, 80, 70, 60), NoDifference, 5, 0, []string{"few-rounds"}},
		{"less than buffers may make", rounds(1006, 1006, 1007, 1006, 1006, 1006), rounds(1000, 1000, 1000, 1000, 1000, 1000), Faster, 6, 1.006, []string{"placement"}},
		{"the same", rounds(1, 2, 3, 4, 5, 6), rounds(1, 2, 3, 4, 5, 6), NoDifference, 6, 1, nil},
		{"rounds that only one has do not count",
			rounds(0, 20, 20, 20, 20, 20, 20, 20), rounds(99, 10, 10, 10, 10, 10, 10, 0), Faster, 6, 2, nil},
		{"nor do spoiled ones", rounds(-1, 20, 20, 20, 20, 20, 20), rounds(10, 10, 10, 10, 10, 10, 10), Faster, 6, 2, nil},
		{"unless there are too many", rounds(-20, -20, 20, 20, 20, 20, 20), rounds(10, 10, 10, 10, 10, 10, 10), Faster, 7, 2, []string{"spoiled-counted"}},
		{"nothing", results.Series{}, rounds(1, 2), NoDifference, 0, 0, []string{"few-rounds"}},
	} {
		c := Paired(test.a, test.b)
		if c.Verdict != test.verdict || c.NA != test.n || c.NB != test.n || !c.Paired {
			t.Errorf("%s: %v of %d and %d, want %v of %d", test.name, c.Verdict, c.NA, c.NB, test.verdict, test.n)
		}
		if test.ratio != 0 && math.Abs(c.Ratio.Value-test.ratio) > 1e-3 {
			t.Errorf("%s: ratio %v, want %v", test.name, c.Ratio.Value, test.ratio)
		}
		if diff := cmp.Diff(test.kinds, kinds(c.Notes)); diff != "" {
			t.Errorf("%s: notes (-want +got):\n%s", test.name, diff)
		}
		// B against A is the mirror image.
		m := Paired(test.b, test.a)
		if want := [...]Verdict{NoDifference, Slower, Faster}[c.Verdict]; m.Verdict != want || m.P != c.P {
			t.Errorf("%s, mirrored: %v with P %v; want %v with %v", test.name, m.Verdict, m.P, want, c.P)
		}
	}

	// The sample taken again stands for the spoiled one of its round.
	a := rounds(-5, 20, 20, 20, 20, 20)
	again := results.Sample{Round: 1, Bytes: 20e6, Requests: 1, ElapsedNS: 1e9}
	a.Samples = slices.Insert(a.Samples, 1, again)
	if c := Paired(a, rounds(10, 10, 10, 10, 10, 10)); c.Verdict != Faster || c.NA != 6 || c.Ratio.Lo != 2 || c.Notes != nil {
		t.Errorf("with a sample taken again: %+v", c)
	}
}

// The verdict and the interval of one comparison never contradict each other.
func TestVerdictIsInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		ratios := make([]float64, 1+r.IntN(60))
		for i := range ratios {
			ratios[i] = math.Exp(0.01 + 0.03*r.NormFloat64())
		}
		c := PairedRatios(ratios)
		if shown := c.Verdict != NoDifference; shown == c.Ratio.Contains(1) {
			t.Fatalf("%d rounds: %v, P %v, interval %v", len(ratios), c.Verdict, c.P, c.Ratio)
		}
	}
}

func TestUnpaired(t *testing.T) {
	a, b := []float64{104, 105, 103, 106, 102, 107}, []float64{100, 99, 101, 98, 97, 96}
	c := UnpairedRates(a, b)
	if c.Verdict != Faster || c.Paired || c.NA != 6 || c.NB != 6 || math.Abs(c.P-2./924) > 1e-9 {
		t.Errorf("%+v", c)
	}
	if !(c.Ratio.Lo > 1.02 && c.Ratio.Hi < 1.1 && c.Ratio.Contains(104.5/98.5)) {
		t.Errorf("ratio %v", c.Ratio)
	}
	if m := UnpairedRates(b, a); m.Verdict != Slower || m.P != c.P || math.Abs(m.Ratio.Lo*c.Ratio.Hi-1) > 1e-9 {
		t.Errorf("mirrored: %+v", m)
	}
	if c := UnpairedRates(a[:3], b[:3]); c.Verdict != NoDifference || c.Ratio.Bounded() || !slices.Equal(kinds(c.Notes), []string{"few-rounds"}) {
		t.Errorf("three against three: %+v", c)
	}
	if c := UnpairedRates(nil, b); c.Verdict != NoDifference || c.P != 1 || !math.IsNaN(c.Ratio.Value) {
		t.Errorf("nothing against six: %+v", c)
	}
	if c := Unpaired(rounds(-1, 104, 105, 103, 106, 102, 107), rounds(100, 99, 101, 98, 97, 96)); c.NA != 6 || c.Verdict != Faster {
		t.Errorf("series with a spoiled sample: %+v", c)
	}
}

// Runs made apart that do not differ are called different in 5 %, and the
// interval of the ratio holds the truth in 95 %, for the counted and for the
// normal distribution of U.
func TestUnpairedCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range [][2]int{{4, 4}, {6, 8}, {10, 10}, {30, 25}} {
		trials := 3000
		wrong, hits := 0, 0
		for range trials {
			draw := func(n int, median float64) []float64 {
				v := make([]float64, n)
				for i := range v {
					v[i] = median * math.Exp(0.05*r.NormFloat64())
				}
				return v
			}
			if UnpairedRates(draw(n[0], 7), draw(n[1], 7)).Verdict != NoDifference {
				wrong++
			}
			if UnpairedRates(draw(n[0], 9), draw(n[1], 6)).Ratio.Contains(1.5) {
				hits++
			}
		}
		off := 3 * math.Sqrt(0.95*0.05/float64(trials))
		if share := float64(wrong) / float64(trials); share > 0.05+off {
			t.Errorf("%d against %d: a difference claimed in %.2f %%", n[0], n[1], 100*share)
		}
		if share := float64(hits) / float64(trials); share < 0.95-off {
			t.Errorf("%d against %d: the interval is right in %.2f %%", n[0], n[1], 100*share)
		}
	}
}

// All arrangements of small samples, counted out.
func TestMannWhitney(t *testing.T) {
	for _, n := range [][2]int{{1, 1}, {2, 3}, {4, 4}, {3, 6}, {5, 2}} {
		counts := make([]float64, n[0]*n[1]+1)
		total := 0.0
		for set := range 1 << (n[0] + n[1]) {
			u, ones, zeros := 0, 0, 0
			for bit := range n[0] + n[1] {
				if set>>bit&1 == 1 {
					ones++
					u += zeros
				} else {
					zeros++
				}
			}
			if ones == n[0] {
				counts[u]++
				total++
			}
		}
		d, sum := mannWhitney(n[0], n[1]), 0.0
		for u, c := range counts {
			sum += c / total
			if got := d.atMost(u); math.Abs(got-sum) > 1e-12 {
				t.Errorf("%v: U at most %d with %v, want %v", n, u, got, sum)
			}
		}
	}
	// Where counting ends, the normal one is near.
	exact, normal := mannWhitney(20, 20), uDistribution{n1: 20, n2: 20}
	if exact.exact == nil {
		t.Fatal("20 against 20 is not counted out")
	}
	for u := range 400 {
		if a, b := exact.atMost(u), normal.atMost(u); math.Abs(a-b) > 2.5e-3 || a < 0.05 && math.Abs(a-b) > 1e-3 {
			t.Errorf("U at most %d: %v counted, %v by the normal distribution", u, a, b)
		}
	}
}

func TestHolm(t *testing.T) {
	// By hand: 0.01*4, max(0.04, 0.02*3), 0.03*2, 0.04*1 -> not below 0.06.
	in := []Comparison{{P: 0.04}, {P: 0.01}, {P: 0.03}, {P: 0.02}}
	for i := range in {
		in[i].Ratio, in[i].Family = Interval{1.1, 1.05, 1.2}, 1
		in[i].decide()
		if in[i].Verdict != Faster {
			t.Errorf("P %v alone: %v", in[i].P, in[i].Verdict)
		}
	}
	out := Holm(in)
	var p []float64
	var v []Verdict
	for _, c := range out {
		p, v = append(p, math.Round(c.P*1e9)/1e9), append(v, c.Verdict)
		if c.Family != 4 {
			t.Errorf("family of %d", c.Family)
		}
	}
	if diff := cmp.Diff([]float64{0.06, 0.04, 0.06, 0.06}, p); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Verdict{NoDifference, Faster, NoDifference, NoDifference}, v); diff != "" {
		t.Error(diff)
	}
	if in[0].P != 0.04 || in[0].Verdict != Faster {
		t.Error("the argument was changed")
	}
	if len(Holm(nil)) != 0 {
		t.Error("something out of nothing")
	}
}

// Too few rounds for the number of comparisons: the note says how many it takes.
func TestHolmFewRounds(t *testing.T) {
	for comparisons, want := range map[int]int{0: 6, 1: 6, 2: 7, 8: 9, 16: 10, 100: 12} {
		if got := RoundsFor(comparisons); got != want {
			t.Errorf("%d comparisons: %d rounds, want %d", comparisons, got, want)
		}
	}
	family := func(n int) []Comparison {
		ratios := make([]float64, n)
		for i := range ratios {
			ratios[i] = 2
		}
		var out []Comparison
		for range 8 {
			out = append(out, PairedRatios(ratios))
		}
		return Holm(out)
	}
	for _, c := range family(8) {
		if c.Verdict != NoDifference || len(c.Notes) != 1 || c.Notes[0].Kind != "few-rounds" {
			t.Errorf("8 comparisons of 8 rounds: %+v", c)
		}
		if got := c.Words(); got != "too few rounds to tell (+100.0 %)" {
			t.Errorf("8 comparisons of 8 rounds: %s", got)
		}
	}
	for _, c := range family(9) {
		if c.Verdict != Faster || len(c.Notes) != 0 {
			t.Errorf("8 comparisons of 9 rounds: %+v", c)
		}
	}
}

// Of eight comparisons without a difference, one verdict or more in 5 % of the
// trials; without the correction it would be a third.
func TestHolmFamily(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	trials, corrected, plain := 2000, 0, 0
	for range trials {
		var cs []Comparison
		for range 8 {
			ratios := make([]float64, 15)
			for i := range ratios {
				ratios[i] = math.Exp(0.01 * r.NormFloat64())
			}
			cs = append(cs, PairedRatios(ratios))
		}
		some := func(cs []Comparison) bool {
			return slices.ContainsFunc(cs, func(c Comparison) bool { return c.Verdict != NoDifference })
		}
		if some(Holm(cs)) {
			corrected++
		}
		if some(cs) {
			plain++
		}
	}
	if share := float64(corrected) / float64(trials); share > 0.05+3*math.Sqrt(0.05*0.95/float64(trials)) {
		t.Errorf("a wrong verdict in %.2f %% of the families", 100*share)
	}
	if plain < trials/6 {
		t.Errorf("without the correction, only %d of %d families have a wrong verdict: this test shows nothing", plain, trials)
	}
}

func TestSummarize(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name     string
		s        results.Series
		rate     Interval
		samples  int
		spoiled  int
		outliers []int
		kinds    []string
	}{
		{"seven", rounds(10, 12, 11, 13, 9, 14, 8), Interval{11e6, 8e6, 14e6}, 7, 0, nil, nil},
		{"one spoiled", rounds(10, 12, -1, 11, 13, 9, 14, 8), Interval{11e6, 8e6, 14e6}, 7, 1, nil, nil},
		{"too many spoiled", rounds(10, 12, -11, 13, 9, -14, 8), Interval{11e6, 8e6, 14e6}, 7, 2, nil, []string{"spoiled-counted"}},
		{"an outlier", rounds(10, 12, -1, 11, 13, 9, 14, 80), Interval{12e6, 9e6, 80e6}, 7, 1, []int{7}, []string{"outliers"}},
		{"three", rounds(1, 2, 3), Interval{2e6, -inf, inf}, 3, 0, nil, []string{"few-samples"}},
		{"stated", results.Series{Stated: &results.StatedRate{BytesPerSecond: 5}}, Interval{5, -inf, inf}, 0, 0, nil, nil},
	} {
		got := Summarize(test.s)
		if got.Rate != test.rate || got.Samples != test.samples || got.Spoiled != test.spoiled || !slices.Equal(got.Outliers, test.outliers) {
			t.Errorf("%s: %+v", test.name, got)
		}
		if diff := cmp.Diff(test.kinds, kinds(got.Notes)); diff != "" {
			t.Errorf("%s: notes (-want +got):\n%s", test.name, diff)
		}
	}
	if got := Summarize(results.Series{}); !math.IsNaN(got.Rate.Value) {
		t.Errorf("nothing: %+v", got)
	}
	if got := Outliers([]float64{5, 5, 5, 5, 5, 9}); got != nil {
		t.Errorf("outliers without any spread: %v", got)
	}
}

func TestWords(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		ratio   Interval
		verdict Verdict
		words   string
	}{
		{Interval{1.123, 1.118, 1.129}, Faster, "12 % faster (12 to 13 %)"},
		{Interval{1.021, 1.018, 1.025}, Faster, "2.1 % faster (1.8 to 2.5 %)"},
		{Interval{1.004, 1.001, 1.006}, Faster, "0.4 % faster (0.1 to 0.6 %)"},
		{Interval{0.8, 0.78, 0.85}, Slower, "20 % slower (15 to 22 %)"},
		{Interval{2.41, 2.39, 2.44}, Faster, "2.41 times as fast (2.39 to 2.44)"},
		{Interval{0.1, 0.08, 0.125}, Slower, "10 times slower (8.00 to 12)"},
		{Interval{1.001, 0.996, 1.007}, NoDifference, "no difference shown (-0.4 to +0.7 %)"},
		{Interval{1.5, -inf, inf}, NoDifference, "no difference shown"},
		{Interval{1.5, math.NaN(), math.NaN()}, Faster, "50 % faster"},
		{Interval{2.2, 1.8, 2.9}, NoDifference, "too few samples to tell (+120.0 %)"}, // Holm refused it
	} {
		c := Comparison{Ratio: test.ratio, Verdict: test.verdict}
		if got := c.Words(); got != test.words {
			t.Errorf("%v: %q, want %q", test.ratio, got, test.words)
		}
	}
	if got := NoDifference.String() + Faster.String() + Slower.String(); got != "~fasterslower" {
		t.Error(got)
	}
}

func TestComparable(t *testing.T) {
	a := results.Case{Op: "read", Engine: "soft", Alg: "aes-xts", Path: "geli", Rekey: "per-sector", SectorBytes: 512}
	b := a
	b.Alg, b.SectorBytes, b.Op, b.Workers = "aes-cbc", 4096, "write", 4
	if got := Comparable(a, b, 2, 2); got != nil {
		t.Errorf("what comparisons are about: %v", got)
	}
	if got := Comparable(results.Case{}, results.Case{}, 0, 0); got != nil {
		t.Errorf("nothing known of either: %v", got)
	}
	b.Engine, b.Path, b.Rekey = "vaes", "batch", ""
	var got []string
	for _, d := range Comparable(a, b, 1, 2) {
		got = append(got, d.String())
	}
	want := []string{"method: 1 against 2", "engine: soft against vaes", "path: geli against batch", "rekey: per-sector against not known"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
