// Package null is the engine "null": data passes unchanged. What is left when
// it runs is the cost of everything around the cipher.
package null

import (
	"fmt"

	"gelibench/geli/engine"
)

// New returns the engine "null". It takes only the null cipher, GELI's
// -e null, and runs everywhere.
func New() engine.Engine { return nullEngine{} }

type nullEngine struct{}

func (nullEngine) Name() string { return "null" }

func (nullEngine) Info() engine.Info {
	return engine.Info{About: "no cipher: copies, and in place does nothing", ConstantTime: true}
}

func (nullEngine) Probe() error { return nil }

func (nullEngine) Supports(p engine.Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	if p.Alg != engine.Null {
		return fmt.Errorf("engine null takes only -e null, not %v: %w", p, engine.ErrUnavailable)
	}
	return nil
}

func (n nullEngine) NewSession(p engine.Params) (engine.Session, error) {
	if err := n.Supports(p); err != nil {
		return nil, err
	}
	return new(session), nil
}

// session has no key to miss: runs work without SetKey, too.
type session struct{ closed bool }

// SetKey takes the key that Params.KeyBytes asks for: none.
func (s *session) SetKey(key []byte) error {
	if s.closed {
		return engine.ErrClosed
	}
	if len(key) != 0 {
		return fmt.Errorf("the null cipher takes no key, not one of %d bytes: %w", len(key), engine.ErrKey)
	}
	return nil
}

// Encrypt copies each sector to its place in dst, or does nothing in place.
func (s *session) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	if s.closed {
		return engine.ErrClosed
	}
	n, err := g.CheckRun(engine.Null.BlockBytes(), dst, src, ivs)
	if err != nil || n == 0 || &dst[0] == &src[0] {
		return err
	}
	if g.DstStride == g.Unit && g.SrcStride == g.Unit {
		copy(dst[:n*g.Unit], src)
		return nil
	}
	for i := range n {
		copy(dst[i*g.DstStride:i*g.DstStride+g.Unit], src[i*g.SrcStride:])
	}
	return nil
}

// Decrypt is Encrypt: the data is the same both ways.
func (s *session) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	return s.Encrypt(dst, src, ivs, g)
}

func (s *session) Close() error {
	s.closed = true
	return nil
}
