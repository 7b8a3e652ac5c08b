package host

import "gelibench/results"

// The sources of a number of core cycles, as records name them.
const (
	CyclesCounted   = "perf_event" // counted by the processor, in user mode
	CyclesEstimated = "add-chain"  // user mode's CPU time times the estimated core clock
)

// counter is a Cycles, or what a test has for one.
type counter interface {
	Read() (uint64, error)
	Close() error
}

// EstimateCycles is what a sample cost in core cycles of user mode, at a core
// clock in Hz (Watch.CoreClock). ok is false if the clock is 0 or the CPU time
// is not known.
func EstimateCycles(s results.Sample, coreClockHz float64) (cycles int64, ok bool) {
	if coreClockHz <= 0 || s.UserNS == nil {
		return 0, false
	}
	return int64(coreClockHz * float64(*s.UserNS) / 1e9), true
}

// countCycles is CountCycles without a typed nil.
func countCycles() (counter, error) {
	c, err := CountCycles()
	if err != nil {
		return nil, err
	}
	return c, nil
}
