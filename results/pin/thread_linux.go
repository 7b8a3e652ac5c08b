package pin

import (
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// Thread binds the calling thread to one CPU.
//
// The goroutine must have called runtime.LockOSThread, and must end while
// still locked, so that the thread ends with it: after an unlock, other
// goroutines would inherit a bound thread.
//
// Where threads cannot be bound, the error wraps errors.ErrUnsupported.
func Thread(cpu int) error {
	var set unix.CPUSet
	if cpu >= 0 {
		set.Set(cpu)
	}
	if set.Count() == 0 { // a CPUSet has room for 1024
		return fmt.Errorf("binding to CPU %d: %w", cpu, fs.ErrInvalid)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("binding to CPU %d: %w", cpu, err)
	}
	return nil
}
