package host

import (
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// chain runs a chain of dependent operations, two of which (an addition and an
// exclusive or) count as two additions: each takes one cycle, and must wait
// for the one before. The operands are variables, so that no compiler can fold
// the chain; the loop's own count runs beside it.
//
//go:noinline
func chain(additions int, x, a, b uint) uint {
	for n := additions / 32; n > 0; n-- {
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
		x = (x + a) ^ b
	}
	return x
}

// runChain runs the chain and keeps its result in chainSink, once a call.
func runChain(additions int) {
	chainSink.Store(uint64(chain(additions, 3, 5, 7)))
}

// chainSink is where the result goes, so that the chain has a use.
var chainSink atomic.Uint64

// A reading of the core clock times the chain a few times and takes the
// shortest: an interrupt or a preemption can only make it longer. Each time is
// long beside the steps of the clock and short beside a scheduler's slice.
const (
	chainTime    = 100 * time.Microsecond
	chainTimes   = 5
	stepsInChain = 500 // of the timer: half of a step is 0.2 % of the shorter chains
)

// CoreClock estimates the clock of the core that it runs on, in Hz, in about
// half a millisecond: by the time of a chain of dependent additions of one
// cycle each. 0 means that the timer is too coarse to tell.
func (h *Host) CoreClock() float64 {
	step := h.timerStep()
	if step > TimerFair {
		return 0
	}
	atLeast := max(chainTime, stepsInChain*step) / 2
	additions := max(1<<12, int(h.additions.Load()))
	took := h.timeChain(additions)
	for took < atLeast && additions < 1<<24 {
		additions *= 2
		took = h.timeChain(additions)
	}
	h.additions.Store(int64(additions))
	best := took
	for range chainTimes {
		best = min(best, h.timeChain(additions))
	}
	if best <= 0 {
		return 0
	}
	return float64(additions) / best.Seconds()
}

// settledClock reads the core clock until it stands still, or for settleBound.
// A core that was idle, or that just ran wide instructions, needs a moment to
// come to its usual clock; a governor may need some milliseconds to notice
// (and until then the clock stands still, too: atLeast).
func (h *Host) settledClock(atLeast time.Duration) float64 {
	from := h.Now()
	last := h.CoreClock()
	best := last
	for {
		now := h.CoreClock()
		best = max(best, now)
		still := math.Abs(now-last) <= settled*max(now, last)
		switch took := h.Now() - from; {
		case still && took >= atLeast:
			return max(now, last)
		case took > settleBound:
			return best // disturbances only make it seem slower
		}
		last = now
	}
}

const (
	settled     = 0.005 // readings differ by a tenth of that
	settleBound = 20 * time.Millisecond
	// governorDelay is longer than a scheduler's tick at 250 Hz, at which
	// Linux's governors look at a core.
	governorDelay = 5 * time.Millisecond
)

func (h *Host) timeChain(additions int) time.Duration {
	from := h.Now()
	h.self.chain(additions)
	return h.Now() - from
}

func medianOf[T time.Duration | float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
