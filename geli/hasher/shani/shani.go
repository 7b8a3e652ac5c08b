//go:build amd64 && !purego

package shani

import (
	"gelibench/geli/engine"
	"gelibench/geli/internal/racetouch"
)

// New returns the hasher.
func New() engine.Hasher { return hasher{} }

type hasher struct{}

func (hasher) Name() string      { return name }
func (hasher) Info() engine.Info { return info }
func (hasher) Lanes() int        { return lanes }
func (hasher) Probe() error      { return engine.NeedsCPU(name, info.Needs...) }

func (hasher) IVs(dst []byte, state *[8]uint32, off, step uint64) {
	n := len(dst) / engine.IVBytes
	if n == 0 {
		return
	}
	racetouch.IVs(dst[:n*engine.IVBytes], state)
	ivs(&dst[0], n, state, off, step)
}
