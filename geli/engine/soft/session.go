package soft

import (
	"fmt"

	"gelibench/geli/engine"
)

// runCipher is a cipher in its mode. What it is given has passed the contract:
// the key has the right length, a run has n > 0 sectors that fit.
type runCipher interface {
	setKey(key []byte) error
	encrypt(dst, src, ivs []byte, n int, g engine.Geometry)
	decrypt(dst, src, ivs []byte, n int, g engine.Geometry)
	wipe()
}

// session holds the contract of engine.Session, once for all ciphers.
type session struct {
	params     engine.Params
	blockBytes int
	cipher     runCipher
	keyed      bool
	closed     bool
}

// SetKey expands the key. A key of the wrong length is refused and leaves the
// previous one in force.
func (s *session) SetKey(key []byte) error {
	if s.closed {
		return engine.ErrClosed
	}
	if len(key) != s.params.KeyBytes() {
		return fmt.Errorf("%v takes a key of %d bytes, not %d: %w", s.params, s.params.KeyBytes(), len(key), engine.ErrKey)
	}
	if err := s.cipher.setKey(key); err != nil {
		return fmt.Errorf("%v: %w", s.params, err)
	}
	s.keyed = true
	return nil
}

func (s *session) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	s.cipher.encrypt(dst, src, ivs, n, g)
	return nil
}

func (s *session) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	s.cipher.decrypt(dst, src, ivs, n, g)
	return nil
}

// check returns the number of sectors of a run, 0 where there is an error.
func (s *session) check(dst, src, ivs []byte, g engine.Geometry) (int, error) {
	if s.closed {
		return 0, engine.ErrClosed
	}
	n, err := g.CheckRun(s.blockBytes, dst, src, ivs)
	if err != nil {
		return 0, err
	}
	if !s.keyed {
		return 0, fmt.Errorf("%v: SetKey comes first: %w", s.params, engine.ErrKey)
	}
	return n, nil
}

// Close wipes the key schedules. Those of 3DES and Blowfish are inside their
// packages' objects and can only be dropped.
func (s *session) Close() error {
	if !s.closed {
		s.closed, s.keyed = true, false
		s.cipher.wipe()
	}
	return nil
}
