// Package lanes makes the IVs of GELI's CBC mode, many SHA-256 side by side,
// one in each 32-bit lane of a vector register. A call takes as long for one IV
// as for a register full of them, so runs of a few are better left to SHA
// instructions or to crypto/sha256.
//
// The kernels are written by the generator in _asm:
//
//	go generate ./geli/hasher/lanes
package lanes

import (
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/geli/internal/racetouch"
)

// NewAVX512 returns the hasher sha256-avx512: 16 lanes in each of two groups.
func NewAVX512() engine.Hasher { return avx512 }

// NewAVX2 returns the hasher sha256-avx2: 8 lanes.
func NewAVX2() engine.Hasher { return avx2 }

// hasher is one of the two.
type hasher struct {
	name  string
	info  engine.Info
	lanes int
	// ivs hashes for len(ivs)/16 > 0 offsets; nil where the build has none.
	ivs func(ivs []byte, state *[8]uint32, off, step uint64)
}

var (
	avx512 = hasher{
		name: "sha256-avx512",
		info: engine.Info{
			About:        "SHA-256 in two groups of 16 lanes of AVX-512",
			WidthBits:    512,
			Needs:        []cpu.Feature{cpu.AVX512F},
			ConstantTime: true,
		},
		lanes: 32,
		ivs:   ivsAVX512,
	}
	avx2 = hasher{
		name: "sha256-avx2",
		info: engine.Info{
			About:        "SHA-256 in 8 lanes of AVX2",
			WidthBits:    256,
			Needs:        []cpu.Feature{cpu.AVX2},
			ConstantTime: true,
		},
		lanes: 8,
		ivs:   ivsAVX2,
	}
)

func (h hasher) Name() string      { return h.name }
func (h hasher) Info() engine.Info { return h.info }
func (h hasher) Lanes() int        { return h.lanes }

func (h hasher) Probe() error {
	if h.ivs == nil {
		return engine.NeedsBuild(h.name, "amd64")
	}
	return engine.NeedsCPU(h.name, h.info.Needs...)
}

func (h hasher) IVs(ivs []byte, state *[8]uint32, off, step uint64) {
	if len(ivs) < engine.IVBytes {
		return
	}
	if racetouch.Enabled {
		racetouch.IVs(ivs[:len(ivs)/engine.IVBytes*engine.IVBytes], state)
	}
	h.ivs(ivs, state, off, step)
}
