package measure

import (
	"fmt"
	"time"

	"gelibench/results"
	"gelibench/results/stats"
	"gelibench/results/units"
)

// report puts together what a run has to say.
func (r *run) report() Report {
	rep := Report{
		Interrupted: r.cut,
		Measuring: results.Measuring{
			Seed: r.Seed, Samples: r.Samples, BudgetNS: int64(r.Budget),
			SampleNS: int64(r.SampleTime), LeadInNS: int64(r.LeadIn), ClockResolutionNS: int64(r.Resolution),
			Rounds: []results.Round{},
		},
	}
	if r.Samples == 0 {
		rep.Measuring.Precision = r.Precision
	}
	place := make([]int, len(r.courses)) // of each entry's series
	for i, c := range r.courses {
		rep.MovedBytes = append(rep.MovedBytes, c.moved)
		if len(c.samples) == 0 && r.cut {
			c.samples = c.warm // all that was moved
		}
		if len(c.samples) == 0 {
			continue
		}
		place[i] = len(rep.Series)
		s := r.series(c)
		rep.Series = append(rep.Series, s)
		rep.Entries = append(rep.Entries, i)
		rep.Grade = results.Worst(rep.Grade, s.Grade)
	}
	for _, round := range r.rounds {
		if len(round.Order) == 0 {
			continue // ended before its first sample
		}
		for k, i := range round.Order {
			round.Order[k] = place[i]
		}
		rep.Measuring.Rounds = append(rep.Measuring.Rounds, round)
	}
	return rep
}

// Limits of the grades of a series.
const (
	fairSpoiled = 0.1 // share of the samples that may be spoiled before the grade is fair
	poorSpoiled = 0.5 // before it is unreliable
	poorWidth   = 0.05
)

// series is a course with its grade, and the reasons for it.
func (r *run) series(c *course) results.Series {
	s := results.Series{Case: c.Case, Samples: c.samples, Grade: results.Good}
	because := func(g results.Grade, kind, advice, text string, args ...any) {
		s.Grade = results.Worst(s.Grade, g)
		s.Notes = append(s.Notes, results.Note{Kind: kind, Text: fmt.Sprintf(text, args...), Advice: advice})
	}
	sum := stats.Summarize(s)
	total := s.Total()
	mean := time.Duration(total.ElapsedNS) / time.Duration(len(s.Samples))

	if sum.Samples < stats.FewestSamples {
		because(results.Unreliable, "few-samples", "give it more time, or fewer cases",
			"%s cannot tell the spread; it takes %d", units.Count(sum.Samples, "sample"), stats.FewestSamples)
	} else if wide := sum.Rate.Relative(); wide > poorWidth {
		because(results.Unreliable, "wide", "make the machine quiet; gelibench doctor looks at it",
			"the median is known to %s only", sum.Rate.PlusMinus())
	} else if r.Samples == 0 && wide > r.Precision {
		because(results.Fair, "not-precise", "give it more time, or fewer cases",
			"the median is known to %s, not to the %.2g %% asked for", sum.Rate.PlusMinus(), 100*r.Precision)
	}
	switch share := float64(sum.Spoiled) / float64(len(s.Samples)); {
	case share >= poorSpoiled:
		because(results.Unreliable, "spoiled", "the notes of the samples name the cause; gelibench doctor looks at the host",
			"%d of %s spoiled", sum.Spoiled, units.Count(len(s.Samples), "sample"))
	case share > fairSpoiled:
		because(results.Fair, "spoiled", "the notes of the samples name the cause; gelibench doctor looks at the host",
			"%d of %s spoiled", sum.Spoiled, units.Count(len(s.Samples), "sample"))
	}
	switch {
	case r.Resolution == 0:
		because(results.Unreliable, "clock-unknown", "use another clock source", "the clock was not seen to move, so its step is not known")
	case mean < stepsInSample*r.Resolution:
		because(results.Unreliable, "clock-coarse", "use longer samples, or another clock source",
			"samples of %v are too short for a clock that moves in steps of %v", mean, r.Resolution)
	}
	if s.Samples[0].Round == 0 {
		because(results.Unreliable, "warm-up", "", "the run ended in the warm-up, whose samples these are")
	}
	if c.unsettled {
		because(results.Fair, "unsettled", "make the machine quiet, or give it more time",
			"the warm-up ended before two samples agreed within %.2g %%", 100*warmAgree)
	}
	if ns, ok := total.NSPerRequest(max(1, c.Case.Workers)); ok && time.Duration(ns) > r.SampleTime/2 {
		because(results.Fair, "long-requests", "use smaller requests",
			"a request takes %v, most of a sample", time.Duration(ns).Round(time.Microsecond))
	}
	return s
}
