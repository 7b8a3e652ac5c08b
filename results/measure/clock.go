package measure

import "time"

// Clock tells wall time. It is safe for concurrent use.
type Clock interface {
	// Now is the time since a fixed moment; it never goes back.
	Now() time.Duration
	// AfterFunc calls f once, in a goroutine of the clock's choice, as soon
	// as d has passed. cancel drops the call if it has not begun.
	AfterFunc(d time.Duration, f func()) (cancel func())
}

// Sleeper is what a Clock may be, too: it makes the calling goroutine wait. A
// clock that is none waits by AfterFunc.
type Sleeper interface {
	// Sleep returns when d has passed, or wake is closed.
	Sleep(d time.Duration, wake <-chan struct{})
}

// sleep waits on any clock.
func sleep(c Clock, d time.Duration, wake <-chan struct{}) {
	if s, ok := c.(Sleeper); ok {
		s.Sleep(d, wake)
		return
	}
	done := make(chan struct{})
	cancel := c.AfterFunc(d, func() { close(done) })
	select {
	case <-done:
	case <-wake:
		cancel()
	}
}

// CPUClock tells the CPU time that the whole process has used so far. ok is
// false where the platform does not tell.
type CPUClock interface {
	CPUTime() (user, system time.Duration, ok bool)
}

// ThreadCPUClock is what a CPUClock may be, too: it tells the CPU time that the
// calling thread has used so far. The caller keeps to one thread meanwhile.
type ThreadCPUClock interface {
	ThreadCPUTime() (user, system time.Duration, ok bool)
}

// SystemClock is the monotonic clock of this machine.
func SystemClock() Clock { return systemClock{} }

type systemClock struct{}

func (systemClock) Now() time.Duration { return monotonic() }

func (systemClock) AfterFunc(d time.Duration, f func()) func() {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}

// Sleep waits by a timer of its own.
func (systemClock) Sleep(d time.Duration, wake <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-wake:
	}
}

// ProcessCPU is the CPU clock of this process: getrusage(RUSAGE_SELF) on Unix,
// GetProcessTimes on Windows, nothing known elsewhere. On Linux it is a
// ThreadCPUClock, too: getrusage(RUSAGE_THREAD).
func ProcessCPU() CPUClock { return processCPU{} }

type processCPU struct{}

func (processCPU) CPUTime() (user, system time.Duration, ok bool) { return cpuTime() }
