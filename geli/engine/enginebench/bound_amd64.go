//go:build !purego

package enginebench

import (
	"fmt"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// Bound128 is the bound of AES-NI with registers of 128 bits.
var Bound128 = Bound{
	WidthBits:    128,
	BytesPerStep: 12 * 16,
	Probe: func() error {
		if missing := cpu.Missing(cpu.AES); len(missing) != 0 {
			return fmt.Errorf("bound of 128 bits: this CPU lacks %s: %w", cpu.Join(missing), engine.ErrUnavailable)
		}
		return nil
	},
	Run: bound128,
}

// bound128 does, in each step, the AES of 12 blocks in 12 registers.
//
//go:noescape
func bound128(steps, rounds int)
