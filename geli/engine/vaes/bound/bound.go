// Package bound measures what the processor's vector AES could do if there was
// nothing around it. It serves the benchmarks of package vaes.
package bound

import (
	"fmt"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/geli/engine/enginebench"
)

//go:generate go run -C ../_asm . -kernel bound -width 512 -pkg bound -out ../bound/bound_avx512_amd64.s -stubs ../bound/bound_avx512_amd64.go
//go:generate go run -C ../_asm . -kernel bound -width 256 -pkg bound -out ../bound/bound_avx2_amd64.s -stubs ../bound/bound_avx2_amd64.go

// regs is the number of registers that a step encrypts.
const regs = 12

// AVX512 and AVX2 are the bounds of 512 and of 256 bits.
var (
	AVX512 = bound(512, run512, cpu.VAES, cpu.AVX512F)
	AVX2   = bound(256, run256, cpu.VAES)
)

func bound(bits int, run func(steps, rounds int), needs ...cpu.Feature) enginebench.Bound {
	return enginebench.Bound{
		WidthBits:    bits,
		BytesPerStep: regs * bits / 8,
		Run:          run,
		Probe: func() error {
			if run == nil {
				return fmt.Errorf("bound of %d bits needs amd64, and a build without the tag purego: %w", bits, engine.ErrUnavailable)
			}
			if missing := cpu.Missing(needs...); len(missing) != 0 {
				return fmt.Errorf("bound of %d bits: this CPU lacks %s: %w", bits, cpu.Join(missing), engine.ErrUnavailable)
			}
			return nil
		},
	}
}
