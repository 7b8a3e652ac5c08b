package stats

import (
	"fmt"
	"math"
	"slices"

	"gelibench/results"
	"gelibench/results/units"
)

// Summary is what the samples of one case say about its rate.
type Summary struct {
	Rate     Interval // bytes a second
	Samples  int      // that the rate was taken from
	Spoiled  int      // samples marked as spoiled; they do not count, if six others do
	Outliers []int    // indexes in Series.Samples; they do count
	Notes    []results.Note
}

// Summarize sums a series up. A rate that somebody stated has no bounds.
func Summarize(s results.Series) Summary {
	var sum Summary
	if len(s.Samples) == 0 {
		sum.Rate = Interval{math.NaN(), math.NaN(), math.NaN()}
		if s.Stated != nil {
			sum.Rate = Interval{s.Stated.BytesPerSecond, math.Inf(-1), math.Inf(1)}
		}
		return sum
	}
	var rates []float64
	var indexes []int
	for _, spoiled := range []bool{false, true} {
		for i, x := range s.Samples {
			if x.Spoiled == spoiled {
				rates = append(rates, x.BytesPerSecond())
				indexes = append(indexes, i)
			}
		}
		if !spoiled {
			sum.Spoiled = len(s.Samples) - len(rates)
			if len(rates) >= FewestSamples {
				break
			}
		}
	}
	sum.Samples = len(rates)
	sum.Rate = Median(rates)
	for _, i := range Outliers(rates) {
		sum.Outliers = append(sum.Outliers, indexes[i])
	}
	slices.Sort(sum.Outliers)

	if sum.Samples < FewestSamples {
		sum.Notes = append(sum.Notes, results.Note{
			Kind:   "few-samples",
			Text:   fmt.Sprintf("%s cannot tell the spread; it takes %d", units.Count(sum.Samples, "sample"), FewestSamples),
			Advice: "give it more time, or fewer cases",
		})
	}
	if sum.Spoiled > 0 && sum.Samples == len(s.Samples) {
		sum.Notes = append(sum.Notes, results.Note{
			Kind:   "spoiled-counted",
			Text:   fmt.Sprintf("%d of %d samples are spoiled, too many to do without them", sum.Spoiled, len(s.Samples)),
			Advice: "the notes of the samples name the cause; gelibench doctor looks at the host",
		})
	}
	if n := len(sum.Outliers); n > 0 {
		sum.Notes = append(sum.Notes, results.Note{
			Kind:   "outliers",
			Text:   fmt.Sprintf("%d of %d samples are outliers; they count, and the median bears them", n, sum.Samples),
			Advice: "end other programs, or give it more time",
		})
	}
	return sum
}

// Outliers are the indexes of the values that stand apart: farther from the
// median than 3.5 times what the median absolute deviation makes of a standard
// deviation (Iglewicz and Hoaglin, 1993). Fewer than six values have none.
func Outliers(values []float64) []int {
	if len(values) < FewestSamples {
		return nil
	}
	center := Median(values).Value
	deviations := make([]float64, len(values))
	for i, v := range values {
		deviations[i] = math.Abs(v - center)
	}
	limit := 3.5 * 1.4826 * Median(deviations).Value
	var out []int
	for i, d := range deviations {
		if limit > 0 && d > limit {
			out = append(out, i)
		}
	}
	return out
}
