//go:build amd64 && !purego

package shani

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

func (hasher) IVs(dst []byte, state *[8]uint32, off, step uint64) {
	n := len(dst) / engine.IVBytes
	if n == 0 {
		return
	}
	raceRun(dst[:n*engine.IVBytes], state)
	ivs(&dst[0], n, state, off, step)
}
