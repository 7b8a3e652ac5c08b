//go:build arm64 && !purego

package armv8

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

// IVs implements engine.Hasher.
func (hasher) IVs(ivs []byte, state *[8]uint32, off, step uint64) {
	if n := len(ivs) / engine.IVBytes; n > 0 {
		ivs = ivs[:n*engine.IVBytes]
		racetouch.IVs(ivs, state)
		makeIVs(&ivs[0], n, state, off, step)
	}
}

// makeIVs makes n > 0 IVs.
//
//go:noescape
func makeIVs(ivs *byte, n int, state *[8]uint32, off, step uint64)
