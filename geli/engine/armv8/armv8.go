//go:build arm64 && !purego

package armv8

import (
	"gelibench/geli/engine"
	"gelibench/geli/internal/aesengine"
)

// New returns the engine.
func New() engine.Engine { return aesengine.New(name, info, newXTS, newCBC) }

const block = aesengine.BlockBytes

// decryption returns the schedule for decryption, made at its first use. It is
// here and not in aesengine since a call through a variable costs a nanosecond.
func decryption(s *aesengine.Schedules) *aesengine.Schedule {
	if !s.Inverted {
		invert(s.Dec, s.Enc, s.Rounds())
		s.Inverted = true
	}
	return s.Dec
}
