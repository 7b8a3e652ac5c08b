//go:build unix

package host

import (
	"time"

	"golang.org/x/sys/unix"
)

// involuntarySwitches counts how often a thread of this process lost its CPU
// to another task.
func involuntarySwitches() (int64, bool) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0, false
	}
	return int64(r.Nivcsw), true
}

// cpuTime is what this process has used, in user mode and in the kernel.
func cpuTime() (time.Duration, bool) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
