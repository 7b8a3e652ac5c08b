//go:build !purego

package enginebench

import (
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// Bound128 is the bound of AES-NI with registers of 128 bits.
var Bound128 = Bound{
	WidthBits:    128,
	BytesPerStep: 12 * 16,
	Probe:        func() error { return engine.NeedsCPU("bound of 128 bits", cpu.AES) },
	Run:          bound128,
}

// bound128 does, in each step, the AES of 12 blocks in 12 registers.
//
//go:noescape
func bound128(steps, rounds int)
