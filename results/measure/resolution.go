package measure

import (
	"slices"
	"time"
)

// How long Resolution looks.
const (
	stepsWanted   = 101
	stepsEnough   = 3 // of a coarse clock
	lookAtMost    = 50 * time.Millisecond
	readsAtMost   = 5_000_000 // of a clock that stands still
	stepsInSample = 1000      // the clock's step is less than 0.1 % of a sample
)

// Resolution is the step in which a clock moves on, as seen by reading it over
// and over: the median of the steps. Where reading takes longer than a step,
// it is the time that reading takes, as that is what the clock can tell apart.
// ok is false for a clock that stands still.
func Resolution(c Clock) (step time.Duration, ok bool) {
	var steps []time.Duration
	begin := c.Now()
	last := begin
	for reads := 0; reads < readsAtMost && len(steps) < stepsWanted; reads++ {
		now := c.Now()
		if now == last {
			continue
		}
		steps = append(steps, now-last)
		last = now
		if now-begin > lookAtMost && len(steps) >= stepsEnough {
			break
		}
	}
	if len(steps) == 0 {
		return 0, false
	}
	slices.Sort(steps)
	return steps[len(steps)/2], true
}
