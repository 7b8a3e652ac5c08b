package stats

import (
	"fmt"
	"math"
)

// Words says what a comparison shows, of A against B, in words and figures:
//
//	12.3 % faster (11.8 to 12.9 %)
//	2.41 times as fast (2.39 to 2.44)
//	no difference shown (-0.4 to +0.7 %)
//	too few rounds to tell (+82.1 %)
func (c Comparison) Words() string {
	r := c.Ratio
	if c.TooFew() {
		few := "too few samples to tell"
		if c.Paired {
			few = "too few rounds to tell"
		}
		if !math.IsNaN(r.Value) && !math.IsInf(r.Value, 0) {
			few += fmt.Sprintf(" (%s %%)", signed(r.Value))
		}
		return few
	}
	if c.Verdict == NoDifference {
		if !r.Bounded() || math.IsNaN(r.Value) {
			return "no difference shown"
		}
		return fmt.Sprintf("no difference shown (%s to %s %%)", signed(r.Lo), signed(r.Hi))
	}
	word := c.Verdict.String()
	switch {
	case r.Value >= 2:
		return fmt.Sprintf("%s times as fast%s", times(r.Value), span(r, times, ""))
	case r.Value <= 0.5:
		return fmt.Sprintf("%s times slower%s", times(1/r.Value), span(r.Inverse(), times, ""))
	case r.Value >= 1:
		return fmt.Sprintf("%s %% %s%s", percent(r.Value), word, span(r, percent, " %"))
	}
	// A slower A reaches a share of B's rate: 20 % slower is a ratio of 0.8.
	return fmt.Sprintf("%s %% %s%s", percent(r.Value), word, span(Interval{r.Value, r.Hi, r.Lo}, percent, " %"))
}

func span(r Interval, show func(float64) string, unit string) string {
	if !r.Bounded() {
		return ""
	}
	return fmt.Sprintf(" (%s to %s%s)", show(r.Lo), show(r.Hi), unit)
}

// percent is how far a ratio is from 1, without its sign.
func percent(ratio float64) string {
	p := 100 * math.Abs(ratio-1)
	if p >= 9.95 {
		return fmt.Sprintf("%.0f", p)
	}
	return fmt.Sprintf("%.1f", p)
}

func signed(ratio float64) string { return fmt.Sprintf("%+.1f", 100*(ratio-1)) }

func times(ratio float64) string {
	if ratio >= 9.95 {
		return fmt.Sprintf("%.0f", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}
