package stats

import (
	"fmt"
	"math"

	"gelibench/results"
)

// SectorTimes is how long sectors of one size took: a value for each sample,
// in nanoseconds.
type SectorTimes struct {
	SectorBytes int
	NS          []float64
}

// SectorTimesOf reads the times off a series: what one worker needs for one
// sector. Of the samples those count that Summarize counts.
func SectorTimesOf(s results.Series) SectorTimes {
	t := SectorTimes{SectorBytes: s.Case.SectorBytes}
	for _, rate := range counted(s) {
		if rate > 0 {
			t.NS = append(t.NS, float64(max(1, s.Case.Workers))*float64(t.SectorBytes)/rate*1e9)
		}
	}
	return t
}

// SectorFit is the time per sector as a line: FixedNS + NSPerByte * bytes. The
// bounds of all four figures hold with the level Confidence, each by itself.
type SectorFit struct {
	FixedNS        Interval // what every sector costs, however small, in ns
	NSPerByte      Interval
	BytesPerSecond Interval // that ever larger sectors come near to
	HalfSpeedBytes Interval // the size that reaches half of it: FixedNS / NSPerByte
	// Misfit is by how much the median of a size lies off the line, at most,
	// as a share of the line's value. Above 0.1 the line tells little.
	Misfit float64
	Notes  []results.Note
}

// FitSectorTime lays the line through the medians of the sizes, by least
// squares of the relative distances. The medians bear outliers; the bounds are
// Student's, from what the medians lie off the line. It takes two different
// sizes for a line, and three for bounds.
func FitSectorTime(sizes []SectorTimes) SectorFit {
	var points []point
	for _, s := range sizes {
		if len(s.NS) > 0 {
			points = append(points, point{float64(s.SectorBytes), Median(s.NS).Value, len(s.NS)})
		}
	}
	l := fitLine(points)
	f := SectorFit{
		FixedNS: l.intercept(), NSPerByte: l.slope(),
		HalfSpeedBytes: ratio(l.a, l.b, l.vaa, l.vab, l.vbb, l.t),
	}
	f.BytesPerSecond = f.NSPerByte.Inverse().Times(1e9)
	f.Misfit = misfit(points, l)
	f.Notes = notes(len(points), "sector sizes", f.Misfit)
	return f
}

// Crossover is the sector size, in bytes, from which on b is faster than a, by
// their lines: b has the higher fixed cost and the lower one per byte. ok is
// false where there is no such size: one of them is faster at all sizes, or it
// is a that overtakes b.
func Crossover(a, b SectorFit) (bytes float64, ok bool) {
	fixed, perByte := b.FixedNS.Value-a.FixedNS.Value, a.NSPerByte.Value-b.NSPerByte.Value
	if !(fixed > 0 && perByte > 0) {
		return 0, false
	}
	return fixed / perByte, true
}

// WorkerRates is the rate that a number of workers reached together, in bytes
// a second: a value for each sample.
type WorkerRates struct {
	Workers        int
	BytesPerSecond []float64
}

// WorkerRatesOf reads the rates off a series.
func WorkerRatesOf(s results.Series) WorkerRates {
	return WorkerRates{s.Case.Workers, counted(s)}
}

// ScalingFit is how the rate grows with the workers, by Amdahl's law: n
// workers reach OneWorker * n / (1 + SerialFraction*(n-1)). The bounds hold
// with the level Confidence, each by itself.
type ScalingFit struct {
	OneWorker Interval // bytes a second
	// SerialFraction is the share of the work that workers wait for each other
	// in: 0 for none. Below 0, more workers are faster each.
	SerialFraction Interval
	Misfit         float64 // as in SectorFit
	Notes          []results.Note
}

// FitScaling fits the law to the medians of the worker counts: n/rate, what a
// byte costs in the time of all workers, is a line in n-1. It takes two
// different counts, and three for bounds.
func FitScaling(counts []WorkerRates) ScalingFit {
	var points []point
	for _, c := range counts {
		if len(c.BytesPerSecond) == 0 {
			continue
		}
		if rate := Median(c.BytesPerSecond).Value; rate > 0 {
			points = append(points, point{float64(c.Workers - 1), float64(c.Workers) / rate, len(c.BytesPerSecond)})
		}
	}
	l := fitLine(points)
	f := ScalingFit{
		OneWorker:      l.intercept().Inverse(),
		SerialFraction: ratio(l.b, l.a, l.vbb, l.vab, l.vaa, l.t),
		Misfit:         misfit(points, l),
	}
	f.Notes = notes(len(points), "worker counts", f.Misfit)
	return f
}

func misfit(points []point, l line) float64 {
	worst := 0.0
	for _, p := range points {
		worst = max(worst, math.Abs(p.y/(l.a+l.b*p.x)-1))
	}
	return worst
}

// mostMisfit is up to where a fit goes without a remark.
const mostMisfit = 0.1

func notes(points int, what string, misfit float64) []results.Note {
	var notes []results.Note
	if points < 3 {
		notes = append(notes, results.Note{
			Kind:   "few-points",
			Text:   fmt.Sprintf("%d %s say nothing about how sure the line is; it takes 3", points, what),
			Advice: "measure more " + what,
		})
	}
	if misfit > mostMisfit {
		notes = append(notes, results.Note{
			Kind: "not-a-line",
			Text: fmt.Sprintf("a point lies %.0f %% off the line, which tells little then", 100*misfit),
		})
	}
	return notes
}

// SmallestWithin is the index of the first rate that is within the share
// within of the best one (0.05 is 5 %); -1 of no rates. In the order of
// growing sector sizes or worker counts, that is the smallest that will do.
func SmallestWithin(rates []float64, within float64) int {
	best := 0.0
	for _, r := range rates {
		best = max(best, r)
	}
	for i, r := range rates {
		if r >= best*(1-within) {
			return i
		}
	}
	return -1
}
