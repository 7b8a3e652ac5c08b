package host

import (
	"slices"
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

// A reading of the core clock times the chain a few times and takes the
// shortest: an interrupt or a preemption can only make it longer. Each time is
// long beside the steps of the clock (0.1 % of it with steps of 0.2 µs) and
// short beside a scheduler's slice.
const (
	chainTime  = 200 * time.Microsecond
	chainTimes = 5
)

// CoreClock estimates the clock of the core that it runs on, in Hz, in about a
// millisecond: by the time of a chain of dependent additions of one cycle
// each. 0 means that the timer is too coarse to tell.
func (h *Host) CoreClock() float64 {
	additions := 1 << 12
	took := h.timeChain(additions)
	for took < chainTime/2 && additions < 1<<24 {
		additions *= 2
		took = h.timeChain(additions)
	}
	best := took
	for range chainTimes {
		best = min(best, h.timeChain(additions))
	}
	if best <= 0 {
		return 0
	}
	return float64(additions) / best.Seconds()
}

func (h *Host) timeChain(additions int) time.Duration {
	from := h.Now()
	h.self.chain(additions)
	return h.Now() - from
}

func medianOf[T time.Duration | float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
