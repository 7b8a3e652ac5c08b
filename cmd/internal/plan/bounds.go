package plan

import (
	"fmt"
	"time"

	"gelibench/results/units"
)

// CheckBounds refuses a plan whose bounds leave a case nothing to measure: fewer
// requests than workers, or a rate at which its few first requests alone take
// longer than the case may.
func (p Plan) CheckBounds(cases []Case) error {
	bound, first := p.Bound(len(cases)), 2 // a warm-up, a sample
	if p.InRounds() {
		bound, first = p.RunBudget(len(cases))/time.Duration(max(1, len(cases))), 3 // and a lead-in
		if bound == 0 {
			bound = longestPaced
		}
	}
	for _, c := range cases {
		if p.Requests > 0 && p.Requests < int64(c.Workers) {
			return invalid("a request for each worker at least, or fewer workers",
				"--count %d with --workers %d: some workers would have nothing to do", p.Requests, c.Workers)
		}
		bytes := c.RequestBytes
		if p.FitRequests && p.InRounds() {
			bytes = int64(c.SectorBytes) // they may become as small
		}
		c.RequestBytes = bytes
		if bound == 0 || c.PacedSeconds()*float64(first) <= bound.Seconds() {
			continue
		}
		return invalid("a higher rate, smaller requests (--bs), fewer workers, or more time",
			"at %s, a request of %d bytes takes %s, and a case of at most %v has to hold %d of them",
			units.Rate(c.BytesPerSecond), bytes, inWords(c.PacedSeconds()), bound.Round(time.Millisecond), first)
	}
	return nil
}

// PacedSeconds is how long a request of each worker takes by the rate that they
// are held to; 0 without one.
func (c Case) PacedSeconds() float64 {
	if c.BytesPerSecond == 0 {
		return 0
	}
	return float64(c.Workers) * float64(c.RequestBytes) / c.BytesPerSecond
}

// longestPaced is what the first requests may take where samples are counted and
// no time is given.
const longestPaced = time.Minute

// inWords is a time that may be too long for a time.Duration.
func inWords(seconds float64) string {
	if days := seconds / (24 * 3600); days > 2 {
		return fmt.Sprintf("%.0f days", days)
	}
	return time.Duration(seconds * 1e9).Round(time.Millisecond).String()
}
