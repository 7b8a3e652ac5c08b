//go:build !linux

package pin

import (
	"errors"
	"fmt"
	"runtime"
)

// Thread binds the calling thread to one CPU; not available on this system.
// The error wraps errors.ErrUnsupported.
func Thread(cpu int) error {
	return fmt.Errorf("binding a thread to CPU %d: not available on %s: %w", cpu, runtime.GOOS, errors.ErrUnsupported)
}
