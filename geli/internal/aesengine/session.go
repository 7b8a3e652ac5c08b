package aesengine

import (
	"fmt"

	"gelibench/geli/engine"
	"gelibench/geli/internal/aeskey"
	"gelibench/geli/internal/racetouch"
	"gelibench/geli/mem"
)

// BlockBytes is the size of an AES block.
const BlockBytes = 16

// Session is an engine.Session without its cipher: whether there is a key, and
// the memory to be wiped. A session embeds it, calls Accept and CheckRun first
// and has Close from it.
type Session struct {
	_        mem.Pad
	state    state
	rounds   int
	keyBytes int
	secrets  []byte
	name     string
	_        mem.Pad
}

type state uint8

const (
	keyless state = iota
	ready
	closed
)

// NewSession makes one for an engine of that name. secrets is the memory of all
// that depends on the key.
func NewSession(name string, p engine.Params, secrets []byte) Session {
	return Session{name: name, rounds: aeskey.Rounds(p.KeyBits / 8), keyBytes: p.KeyBytes(), secrets: secrets}
}

// Rounds is the number of AES rounds: 10, 12 or 14.
func (s *Session) Rounds() int { return s.rounds }

// Secrets is the memory of all that depends on the key.
func (s *Session) Secrets() []byte { return s.secrets }

// Accept is the contract of SetKey. Where it returns nil, the session counts as
// keyed, and the caller takes the key.
func (s *Session) Accept(key []byte) error {
	if s.state == closed {
		return engine.ErrClosed
	}
	if len(key) != s.keyBytes {
		return fmt.Errorf("%s: key of %d bytes, want %d: %w", s.name, len(key), s.keyBytes, engine.ErrKey)
	}
	s.state = ready
	return nil
}

// CheckRun is the contract of Encrypt and Decrypt. It returns the number of
// sectors, 0 with an error, and tells the race detector what a kernel is going
// to touch.
func (s *Session) CheckRun(dst, src, ivs []byte, g engine.Geometry) (int, error) {
	if s.state != ready {
		return 0, s.notReady()
	}
	n, err := g.CheckRun(BlockBytes, dst, src, ivs)
	if racetouch.Enabled && err == nil {
		racetouch.Run(dst, src, ivs, n, g)
	}
	return n, err
}

func (s *Session) notReady() error {
	if s.state == closed {
		return engine.ErrClosed
	}
	return fmt.Errorf("%s: SetKey comes first: %w", s.name, engine.ErrKey)
}

// Close wipes the key and everything made with it.
func (s *Session) Close() error {
	if s.state != closed {
		mem.Wipe(s.secrets)
		s.state = closed
	}
	return nil
}
