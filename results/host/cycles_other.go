//go:build !linux

package host

import (
	"errors"
	"fmt"
)

var errNoCounter = fmt.Errorf("core cycles can be counted on Linux only: %w", errors.ErrUnsupported)

// Cycles counts the core cycles of this process in user mode.
type Cycles struct{}

// CountCycles begins to count; its error wraps errors.ErrUnsupported here.
func CountCycles() (*Cycles, error) { return nil, errNoCounter }

// Read gives the cycles so far.
func (*Cycles) Read() (uint64, error) { return 0, errNoCounter }

// Close ends the counting.
func (*Cycles) Close() error { return nil }
