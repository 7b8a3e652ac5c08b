package aesengine

import (
	"gelibench/geli/engine"
	"gelibench/geli/internal/aeskey"
	"gelibench/geli/mem"
)

// Schedule is a key schedule in the order of FIPS 197, with room for any key.
type Schedule = [aeskey.MaxScheduleBytes]byte

// ScheduleBytes is what a Schedule takes in a session's memory: a multiple of
// the cache line.
const ScheduleBytes = (aeskey.MaxScheduleBytes + mem.CacheLine - 1) / mem.CacheLine * mem.CacheLine

// Schedules is a Session with a Schedule for either direction. The engine makes
// them: that for encryption after each Accept, that for decryption when it is
// first used.
type Schedules struct {
	Session
	Enc, Dec *Schedule
	Inverted bool // Dec belongs to Enc; Accept makes it false
}

// NewSchedules makes one for an engine of that name. more is zeroed memory of
// moreBytes, aligned to a cache line, which is wiped together with the
// schedules.
func NewSchedules(name string, p engine.Params, moreBytes int) (s Schedules, more []byte) {
	secrets := mem.Aligned(2*ScheduleBytes+moreBytes, mem.CacheLine)
	return Schedules{
		Session: NewSession(name, p, secrets),
		Enc:     (*Schedule)(secrets),
		Dec:     (*Schedule)(secrets[ScheduleBytes:]),
	}, secrets[2*ScheduleBytes:]
}

// Accept is Session.Accept.
func (s *Schedules) Accept(key []byte) error {
	s.Inverted = false
	return s.Session.Accept(key)
}
