package answer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gelibench/results"
	"gelibench/results/stats"
)

// modes adds both modes in both directions, on both paths.
func (m *madeUp) modes(sector, workers int, xtsRead, xtsWrite, cbcRead, cbcWrite float64) {
	for _, path := range []string{pathGELI, pathBatch} {
		k := 1e6
		if path == pathBatch {
			k = 2e6
		}
		c := results.Case{SectorBytes: sector, Workers: workers, Path: path}
		for _, s := range []struct {
			alg, op string
			rate    float64
		}{{xts, "read", xtsRead}, {xts, "write", xtsWrite}, {cbc, "read", cbcRead}, {cbc, "write", cbcWrite}} {
			c.Alg, c.Op = s.alg, s.op
			m.add(c, s.rate*k)
		}
	}
}

func TestVerdict(t *testing.T) {
	m := newMadeUp(1, 0.01, 12)
	m.modes(512, 1, 1500, 1500, 1200, 500)
	m.modes(4096, 1, 3000, 3000, 3000, 600)
	m.modes(4096, 4, 9000, 9000, 12000, 2400)
	a, ok := Verdict(m.run, DefaultMix)
	if !ok || VerdictComparisons(cases(m.run)) != 9 {
		t.Fatalf("%v, %d comparisons", ok, VerdictComparisons(cases(m.run)))
	}
	golden(t, "verdict", m.run, a)
	for about, want := range map[string]float64{
		"read 512 bytes 1 worker":    1500.0 / 1200,
		"write 512 bytes 1 worker":   3,
		"80:20 512 bytes 1 worker":   (0.8/1200 + 0.2/500) * 1500,
		"read 4096 bytes 4 workers":  0.75,
		"80:20 4096 bytes 4 workers": (0.8/12000 + 0.2/2400) * 9000,
	} {
		if f := figure(t, a, "xts_over_cbc", about); !holds(f, want) || math.Abs(f.Value/want-1) > 0.02 {
			t.Errorf("%s: %v (%v to %v), want %v", about, f.Value, *f.Lo, *f.Hi, want)
		}
	}
}

func cases(run results.Run) (all []results.Case) {
	for _, s := range run.Series {
		all = append(all, s.Case)
	}
	return all
}

// The words of a verdict, by what is known.
func TestVerdictText(t *testing.T) {
	for _, test := range []struct {
		rounds  int
		cbc     float64 // read; xts is 1000
		write   float64 // cbc; 0: not measured
		verdict string
	}{
		{10, 400, 0, "aes-xts is faster, 2.5"},
		{10, 2500, 0, "aes-cbc is faster, 2.5"},
		{10, 1000, 0, "no difference between aes-xts and aes-cbc is shown; upper bound: no kernel measured"},
		{10, 500, 500, "aes-xts is faster in all 3 comparisons, "},
		{12, 1500, 400, "it depends: aes-xts is faster in 2 of 3, 3."},
		{5, 500, 0, "no verdict: too few rounds to show a difference"},
	} {
		m := newMadeUp(3, 0.003, test.rounds)
		c := results.Case{Alg: xts, SectorBytes: 4096}
		m.add(c, 1e9)
		m.add(results.Case{Alg: cbc, SectorBytes: 4096}, test.cbc*1e6)
		if test.write > 0 {
			c.Op = "write"
			m.add(c, 1e9)
			m.add(results.Case{Alg: cbc, SectorBytes: 4096, Op: "write"}, test.write*1e6)
		}
		a, ok := Verdict(m.run, DefaultMix)
		if !ok || !strings.HasPrefix(a.Text, test.verdict) || !strings.Contains(a.Text, upperBound) {
			t.Errorf("%+v: %q", test, a.Text)
		}
		if text := strings.Join(a.Lines, "\n"); (test.rounds < 6) != strings.Contains(text, "too few rounds") {
			t.Errorf("%+v:\n%s", test, text)
		}
	}
}

// A counted run has no rounds: there are figures, and no verdict.
func TestVerdictCounted(t *testing.T) {
	m := newMadeUp(1, 0, 1)
	m.add(results.Case{Alg: xts, SectorBytes: 512}, 1e9)
	m.add(results.Case{Alg: cbc, SectorBytes: 512}, 2e9)
	m.add(results.Case{Alg: xts, SectorBytes: 4096}, 3e9)
	m.add(results.Case{Alg: cbc, SectorBytes: 4096}, 2e9)
	for i := range m.run.Series {
		m.run.Series[i].Samples[0].Round = 0
	}
	a, ok := Verdict(m.run, DefaultMix)
	if !ok || !strings.HasPrefix(a.Text, "no verdict") || !strings.Contains(strings.Join(a.Lines, "\n"), "cbc 2.00 times as fast, not known how sure") {
		t.Errorf("%+v", a)
	}
	text := strings.Join(a.Lines, "\n")
	if !strings.Contains(text, "xts 50 % faster, not known how sure") || strings.Contains(text, "NaN") || strings.Contains(text, "95 %") {
		t.Errorf("figures that are not known: %s", text)
	}
}

// What is compared with what.
func TestRivalries(t *testing.T) {
	one := func(alg, engine, path string) results.Case {
		return results.Case{Alg: alg, Engine: engine, Path: path, Op: "read", SectorBytes: 512, Workers: 1}
	}
	for _, test := range []struct {
		cases []results.Case
		n     int
	}{
		{nil, 0},
		{[]results.Case{one(xts, "a", pathGELI)}, 0},
		{[]results.Case{one(xts, "a", pathGELI), one(cbc, "a", pathGELI)}, 1},
		{[]results.Case{one(xts, "a", pathGELI), one(cbc, "b", pathGELI)}, 1},                                                        // auto took two
		{[]results.Case{one(xts, "a", pathGELI), one(xts, "b", pathGELI), one(cbc, "a", pathGELI), one(cbc, "b", pathGELI)}, 2},      // each with itself
		{[]results.Case{one(xts, "a", pathGELI), one(xts, "b", pathGELI), one(cbc, "a", pathGELI)}, 1},                               // b has no partner
		{[]results.Case{one(xts, "a", pathGELI), one(cbc, "a", pathBatch)}, 0},                                                       // never across paths
		{[]results.Case{one(xts, "a", pathGELI), one(cbc, "a", pathGELI), one(xts, "a", pathBatch), one(cbc, "a", pathBatch)}, 1},    // batch beside it
		{[]results.Case{one(xts, "a", pathBatch), one(cbc, "a", pathBatch)}, 1},                                                      // alone, with a remark
		{[]results.Case{one(xts, "a", pathGELI), one("camellia-cbc", "a", pathGELI), {Alg: cbc, Engine: "a", SectorBytes: 4096}}, 0}, // another size
	} {
		if got := VerdictComparisons(test.cases); got != test.n {
			t.Errorf("%v: %d comparisons, want %d", test.cases, got, test.n)
		}
	}
}

// The same machine under both names: of 400 runs with nine comparisons each, no
// more than 5 % may name a winner anywhere.
func TestVerdictFalse(t *testing.T) {
	const trials = 400
	wrong := 0
	for seed := range uint64(trials) {
		m := newMadeUp(seed, 0.01, stats.RoundsFor(9)+3)
		for _, size := range []int{512, 1024, 4096} {
			m.modes(size, 1, 1000, 1000, 1000, 1000)
		}
		a, _ := Verdict(m.run, DefaultMix)
		if !strings.Contains(a.Text, "is shown in any of 9") {
			wrong++
		}
	}
	if limit := 0.05*trials + 3*math.Sqrt(trials*0.05*0.95); float64(wrong) > limit {
		t.Errorf("%d of %d runs name a winner", wrong, trials)
	}
}

func TestMix(t *testing.T) {
	if got := fmt.Sprint(DefaultMix, Mix{2. / 3, 1. / 3}); got != "80:20 66.67:33.33" {
		t.Error(got)
	}
	// 0.8 bytes at 4 a second and 0.2 at 1 take 0.4 s.
	if got := DefaultMix.rate(4, 1); math.Abs(got-2.5) > 1e-12 {
		t.Error(got)
	}
}
