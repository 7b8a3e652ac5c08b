package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"
)

func seq(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i + 1)
	}
	return v
}

// The ranks are those of the tables for the median at 95 %.
func TestMedianRanks(t *testing.T) {
	for n, k := range map[int]int{1: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 12: 3, 15: 4, 20: 6, 25: 8, 30: 10, 40: 14, 50: 18, 100: 40} {
		m := Median(seq(n))
		if m.Value != float64(n+1)/2 {
			t.Errorf("%d samples: median %v", n, m.Value)
		}
		if m.Bounded() != (k > 0) || k > 0 && (m.Lo != float64(k) || m.Hi != float64(n+1-k)) {
			t.Errorf("%d samples: %v to %v, want from sample %d to sample %d", n, m.Lo, m.Hi, k, n+1-k)
		}
	}
	if m := Median(nil); !math.IsNaN(m.Value) {
		t.Errorf("median of nothing: %v", m)
	}
}

// Never less sure than 95 %, and never wider than need be, at any number of
// samples; where benchmath's interval is symmetric, it is the same.
func TestMedianConfidence(t *testing.T) {
	for n := 6; n <= 1000; n++ {
		k := rank(n)
		if signP(n, k-1) > 0.05 || signP(n, k) <= 0.05 {
			t.Errorf("%d samples: from sample %d: wrong in %v, one narrower in %v", n, k, signP(n, k-1), signP(n, k))
		}
		s := benchmath.AssumeNothing.Summary(benchmath.NewSample(seq(n), &benchmath.DefaultThresholds), 0.95)
		if lo, hi := int(s.Lo), int(s.Hi); n <= 30 && lo == n+1-hi && lo != k {
			t.Errorf("%d samples: benchmath says from %d to %d, here from %d", n, lo, hi, k)
		}
	}
}

func TestMedianCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{6, 9, 20, 50} {
		hits, trials := 0, 4000
		for range trials {
			v := make([]float64, n)
			for i := range v {
				v[i] = math.Exp(r.NormFloat64()) // far from symmetric
			}
			if Median(v).Contains(1) {
				hits++
			}
		}
		if share := float64(hits) / float64(trials); share < 0.95-3*math.Sqrt(0.95*0.05/float64(trials)) {
			t.Errorf("%d samples: right in %.2f %%", n, 100*share)
		}
	}
}

func TestMedianLeavesItsArgument(t *testing.T) {
	v := []float64{3, 1, 2}
	if m := Median(v); m.Value != 2 || v[0] != 3 {
		t.Errorf("median %v of %v", m, v)
	}
}

func TestSignP(t *testing.T) {
	for _, test := range []struct {
		n, few int
		want   float64
	}{
		{6, 0, 2.0 / 64}, {5, 0, 2.0 / 32}, {8, 1, 2.0 * 9 / 256}, {10, 5, 1}, {7, 3, 1}, {0, 0, 1}, {10, -1, 0},
		{20, 5, 0.041389}, {1000, 468, 0.046276},
	} {
		if got := signP(test.n, test.few); math.Abs(got-test.want) > 2e-5 {
			t.Errorf("%d of %d: %v, want %v", test.few, test.n, got, test.want)
		}
	}
}

func TestInterval(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		i         Interval
		relative  float64
		plusMinus string
	}{
		{Interval{100, 99, 100.5}, 0.01, "± 1.0 %"},
		{Interval{100, 99.9, 100.23}, 0.0023, "± 0.2 %"},
		{Interval{100, 80, 110}, 0.2, "± 20 %"},
		{Interval{-4, -5, -3}, 0.25, "± 25 %"},
		{Interval{100, -inf, inf}, inf, "± ?"},
		{Interval{0, -1, 1}, inf, "± ?"},
	} {
		if got := test.i.Relative(); math.Abs(got-test.relative) > 1e-9 {
			t.Errorf("%v: %v", test.i, got)
		}
		if got := test.i.PlusMinus(); got != test.plusMinus {
			t.Errorf("%v: %s, want %s", test.i, got, test.plusMinus)
		}
	}
	if got := (Interval{4, 2, 8}).Inverse().Times(8); got != (Interval{2, 1, 4}) {
		t.Errorf("inverse: %v", got)
	}
	if got := (Interval{4, -1, 8}).Inverse(); got.Value != 0.25 || got.Lo != 0.125 || got.Hi != inf {
		t.Errorf("inverse of what may be 0: %v", got)
	}
}
