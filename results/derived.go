package results

// BytesPerSecond is the sample's rate, or 0 if no time passed.
func (s Sample) BytesPerSecond() float64 {
	if s.ElapsedNS <= 0 {
		return 0
	}
	return float64(s.Bytes) / (float64(s.ElapsedNS) / 1e9)
}

// BytesPerSecond is the series' rate: all bytes over all time, or the stated
// rate. It is 0 if the series holds neither.
func (s Series) BytesPerSecond() float64 {
	if len(s.Samples) == 0 && s.Stated != nil {
		return s.Stated.BytesPerSecond
	}
	return s.Total().BytesPerSecond()
}

// CPU is the CPU time of the sample, user and system together, in
// nanoseconds; ok is false where it is not known.
func (s Sample) CPU() (ns int64, ok bool) {
	if s.UserNS == nil || s.SystemNS == nil {
		return 0, false
	}
	return *s.UserNS + *s.SystemNS, true
}

// CPUPercent is CPU time over elapsed time, in percent of one CPU: two busy
// workers show 200. ok is false where it is not known.
func (s Sample) CPUPercent() (percent float64, ok bool) {
	cpu, ok := s.CPU()
	if !ok || s.ElapsedNS <= 0 {
		return 0, false
	}
	return 100 * float64(cpu) / float64(s.ElapsedNS), true
}

// CPUSecondsPerGB is the CPU time, user and system together, that 10^9 bytes
// cost. ok is false where it is not known.
func (s Sample) CPUSecondsPerGB() (seconds float64, ok bool) {
	cpu, ok := s.CPU()
	if !ok || s.Bytes <= 0 {
		return 0, false
	}
	return float64(cpu) / float64(s.Bytes), true // ns per byte is seconds per 10^9 bytes
}

// NSPerRequest is how long one request waits, in nanoseconds:
// workers * elapsed / requests, as each worker has one request in flight.
// ok is false where it is not known.
func (s Sample) NSPerRequest(workers int) (ns float64, ok bool) {
	if workers <= 0 || s.Requests <= 0 || s.ElapsedNS <= 0 {
		return 0, false
	}
	return float64(workers) * float64(s.ElapsedNS) / float64(s.Requests), true
}

// CyclesPerByte is how many cycles of the workers' cores a byte took, all
// workers together. ok is false where the cycles are not known.
func (s Sample) CyclesPerByte() (cycles float64, ok bool) {
	if s.Cycles == nil || s.Bytes <= 0 {
		return 0, false
	}
	return float64(*s.Cycles) / float64(s.Bytes), true
}

// WorkersBytesPerSecond is the sum of the workers' own rates: what they did
// together while all of them ran. It is above BytesPerSecond, which counts the
// time until the last one's last request, by what the others waited then. Of
// one worker, both are the same.
func (s Sample) WorkersBytesPerSecond() float64 {
	if len(s.Workers) == 0 {
		return s.BytesPerSecond()
	}
	sum := 0.0
	for _, w := range s.Workers {
		if w.ElapsedNS > 0 {
			sum += float64(w.Bytes) / (float64(w.ElapsedNS) / 1e9)
		}
	}
	return sum
}
