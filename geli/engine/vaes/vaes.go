// Package vaes is the engines vaes-avx512 and vaes-avx2: AES on vectors of
// four or two blocks, and as many sectors at once as that takes.
//
// XTS has 8 (12) registers of data in flight and makes the tweaks of the next
// sector meanwhile. CBC decryption has 8 registers in flight and walks a
// sector from its end. CBC encryption, where a sector is one long chain, takes
// 32 (16) sectors side by side.
//
// The kernels are written by the generator in _asm:
//
//	go generate ./geli/engine/vaes
package vaes

import (
	"fmt"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// block is the bytes of an AES block.
const block = 16

// NewAVX512 returns the engine vaes-avx512, for registers of 512 bits.
func NewAVX512() engine.Engine { return avx512 }

// NewAVX2 returns the engine vaes-avx2, for registers of 256 bits. It uses no
// AVX-512 instruction.
func NewAVX2() engine.Engine { return avx2 }

// vaes is one of the two engines.
type vaes struct {
	name    string
	info    engine.Info
	kernels *kernels // nil where the build has none
}

var (
	avx512 = vaes{
		name: "vaes-avx512",
		info: engine.Info{
			About:        "VAES on 512-bit registers, up to 32 sectors at once",
			WidthBits:    512,
			Needs:        []cpu.Feature{cpu.AES, cpu.AVX2, cpu.VAES, cpu.AVX512F},
			ConstantTime: true,
		},
		kernels: kernelsAVX512,
	}
	avx2 = vaes{
		name: "vaes-avx2",
		info: engine.Info{
			About:        "VAES on 256-bit registers, up to 16 sectors at once",
			WidthBits:    256,
			Needs:        []cpu.Feature{cpu.AES, cpu.AVX2, cpu.VAES, cpu.BMI2},
			ConstantTime: true,
		},
		kernels: kernelsAVX2,
	}
)

func (v vaes) Name() string      { return v.name }
func (v vaes) Info() engine.Info { return v.info }

func (v vaes) Probe() error {
	if v.kernels == nil {
		return engine.NeedsBuild(v.name, "amd64")
	}
	return engine.NeedsCPU(v.name, v.info.Needs...)
}

func (v vaes) Supports(p engine.Params) error {
	if p.Alg != engine.AESXTS && p.Alg != engine.AESCBC {
		return fmt.Errorf("%s has no %v, only AES: %w", v.name, p.Alg, engine.ErrUnavailable)
	}
	return p.Check()
}

func (v vaes) NewSession(p engine.Params) (engine.Session, error) {
	if err := v.Probe(); err != nil {
		return nil, err
	}
	if err := v.Supports(p); err != nil {
		return nil, err
	}
	if p.Alg == engine.AESXTS {
		return newXTS(v, p), nil
	}
	return newCBC(v, p), nil
}
