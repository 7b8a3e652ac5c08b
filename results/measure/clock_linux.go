package measure

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadCPUTime is that of the calling thread.
func (processCPU) ThreadCPUTime() (user, system time.Duration, ok bool) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &r); err != nil {
		return 0, 0, false
	}
	return time.Duration(r.Utime.Nano()), time.Duration(r.Stime.Nano()), true
}
