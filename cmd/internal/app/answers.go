package app

import (
	"fmt"

	"gelibench/cmd/internal/answer"
	"gelibench/results"
)

// question is what cases are measured for.
type question struct {
	comparisons int                       // shown at once, see stats.RoundsFor
	group       func(results.Case) string // of cases that are compared, and so end together; nil: rivals
	answer      func(results.Run) []results.Answer
	screen      bool // the answer goes to the screen, and not a row for each case
}

// askVerdict makes the verdict between the modes what the cases are measured
// for, if they hold both.
func (b *bench) askVerdict(mix answer.Mix) {
	cases := make([]results.Case, len(b.jobs))
	for i, j := range b.jobs {
		cases[i] = b.record(j)
	}
	n := answer.VerdictComparisons(cases)
	if n == 0 {
		return
	}
	b.question = question{
		comparisons: n,
		group: func(c results.Case) string {
			return fmt.Sprint(c.KeyBits, c.SectorBytes, c.RequestBytes, c.Workers, c.Path)
		},
		answer: func(run results.Run) []results.Answer {
			if a, ok := answer.Verdict(run, mix); ok {
				return []results.Answer{a}
			}
			return nil
		},
		screen: b.screen,
	}
}
