//go:build arm64 && !purego

package armv8

import (
	"fmt"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// New returns the hasher.
func New() engine.Hasher { return hasher{} }

type hasher struct{}

func (hasher) Name() string      { return name }
func (hasher) Info() engine.Info { return info }
func (hasher) Lanes() int        { return lanes }

func (hasher) Probe() error {
	if missing := cpu.Missing(needs...); len(missing) != 0 {
		return fmt.Errorf("%s: this CPU lacks %s: %w", name, cpu.Join(missing), engine.ErrUnavailable)
	}
	return nil
}

// IVs implements engine.Hasher.
func (hasher) IVs(ivs []byte, state *[8]uint32, off, step uint64) {
	if n := len(ivs) / engine.IVBytes; n > 0 {
		makeIVs(&ivs[:n*engine.IVBytes][0], n, state, off, step)
	}
}

// makeIVs makes n > 0 IVs.
//
//go:noescape
func makeIVs(ivs *byte, n int, state *[8]uint32, off, step uint64)
