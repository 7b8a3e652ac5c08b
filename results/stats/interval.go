package stats

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"golang.org/x/perf/benchmath"
)

// Confidence is the level of every interval and of every verdict here.
const Confidence = 0.95

// FewestSamples is the smallest number of samples that gives the median an
// interval with bounds: all of fewer lie on one side of it too often.
const FewestSamples = 6

// Interval is an estimate with the bounds between which the true value lies
// with the level Confidence, or a little above it. Lo is -Inf and Hi +Inf
// where the samples are too few to tell.
type Interval struct {
	Value, Lo, Hi float64
}

// Bounded says whether the interval has both its ends, which that of no samples
// has not.
func (i Interval) Bounded() bool {
	return !math.IsInf(i.Lo, 0) && !math.IsInf(i.Hi, 0) && !math.IsNaN(i.Lo) && !math.IsNaN(i.Hi)
}

// Contains says whether x is within the bounds.
func (i Interval) Contains(x float64) bool { return i.Lo <= x && x <= i.Hi }

// Relative is how far the farther end lies from the value, as a share of the
// value: 0.01 stands for "± 1 %". It is +Inf without bounds or around 0.
func (i Interval) Relative() float64 {
	if !i.Bounded() || i.Value == 0 {
		return math.Inf(1)
	}
	return max(i.Hi-i.Value, i.Value-i.Lo) / math.Abs(i.Value)
}

// Inverse is the interval of 1/x, for an x that is above 0: ns per byte become
// bytes per ns. A lower end at or below 0 leaves the inverse without an upper one.
func (i Interval) Inverse() Interval {
	inv := Interval{Value: 1 / i.Value, Lo: 1 / i.Hi, Hi: math.Inf(1)}
	if i.Lo > 0 {
		inv.Hi = 1 / i.Lo
	}
	return inv
}

// Times is the interval with its value and ends multiplied by k, which is
// above 0.
func (i Interval) Times(k float64) Interval {
	return Interval{i.Value * k, i.Lo * k, i.Hi * k}
}

// PlusMinus prints the relative half-width as in "± 0.8 %", or "± ?" where it
// has no bound.
func (i Interval) PlusMinus() string {
	r := i.Relative()
	switch {
	case math.IsInf(r, 0) || math.IsNaN(r):
		return "± ?"
	case r >= 0.0995:
		return fmt.Sprintf("± %.0f %%", 100*r)
	}
	return fmt.Sprintf("± %.1f %%", 100*r)
}

// Median is the median of values, in any order, with its interval. That is
// benchmath's order-statistic interval, except that it reaches as many samples
// down as up, so that times and rates, or A/B and B/A, lead to the same end.
// Of no values, everything is NaN.
func Median(values []float64) Interval {
	return MedianSorted(slices.Sorted(slices.Values(values)))
}

// MedianSorted is Median of values that are in ascending order already.
func MedianSorted(sorted []float64) Interval {
	n := len(sorted)
	if n == 0 {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	m := Interval{
		Value: (sorted[(n-1)/2] + sorted[n/2]) / 2,
		Lo:    math.Inf(-1), Hi: math.Inf(1),
	}
	if k := rank(n); k > 0 {
		m.Lo, m.Hi = sorted[k-1], sorted[n-k]
	}
	return m
}

// ranks keeps what rank found, for each number of samples.
var ranks sync.Map

// rank is k, where the interval of the median of n samples reaches from the
// k-th smallest to the k-th largest; 0 where there is none.
func rank(n int) int {
	if k, ok := ranks.Load(n); ok {
		return k.(int)
	}
	// benchmath picks sample values; those of 1..n are their own ranks.
	order := make([]float64, n)
	for i := range order {
		order[i] = float64(i + 1)
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(order, &benchmath.DefaultThresholds), Confidence)
	k := 0
	if !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		k = min(int(s.Lo), n+1-int(s.Hi)) // the wider of the two sides, for both
		for k > 0 && signP(n, k-1) > 1-Confidence {
			k-- // its normal approximation may be one sample short
		}
		for k > 0 && signP(n, k) <= 1-Confidence {
			k++ // or one too wide, where signP would already tell
		}
	}
	ranks.Store(n, k)
	return k
}

// signP is the two-sided P value of the sign test: how often n fair coins fall
// at most few times on one of their sides, whichever it is.
func signP(n, few int) float64 {
	if 2*few >= n {
		return 1
	}
	ln, _ := math.Lgamma(float64(n + 1))
	p := 0.0
	for i := 0; i <= few; i++ {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		p += math.Exp(ln - a - b - float64(n)*math.Ln2)
	}
	return min(1, 2*p)
}
