package host

import "gelibench/results"

// The sources of a number of core cycles.
const (
	CyclesCounted   = "perf_event"           // counted, in user mode
	CyclesEstimated = "estimated core clock" // CPU time times CoreClock
)

// CyclesPerByte is what a sample cost in core cycles. counted is the number
// that a Cycles counter moved by, or 0; coreClockHz a reading of CoreClock, or
// 0. The source is one of the two above; "" means that neither is known, and
// the number is 0 then.
//
// Counted cycles are those of user mode. The estimate takes user mode's CPU
// time as well, so that the two can stand side by side.
func CyclesPerByte(s results.Sample, counted uint64, coreClockHz float64) (cycles float64, source string) {
	switch {
	case s.Bytes <= 0:
		return 0, ""
	case counted > 0:
		return float64(counted) / float64(s.Bytes), CyclesCounted
	case coreClockHz > 0 && s.UserNS != nil:
		return coreClockHz * float64(*s.UserNS) / 1e9 / float64(s.Bytes), CyclesEstimated
	}
	return 0, ""
}

// cyclesError says why cycles cannot be counted; nil if they can.
func cyclesError() error {
	c, err := CountCycles()
	if err != nil {
		return err
	}
	return c.Close()
}
