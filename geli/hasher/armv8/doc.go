// Package armv8 is the hasher "sha2-armv8" for arm64 processors with the
// SHA-256 instructions of ARMv8, which nearly all with the AES ones have. Two
// digests are in flight, since each instruction waits for the one before it.
package armv8

import (
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

const name = "sha2-armv8"

const lanes = 2

var info = engine.Info{
	About:        "ARMv8 SHA-256 instructions, 2 digests in flight",
	WidthBits:    128,
	Needs:        []cpu.Feature{cpu.SHA},
	ConstantTime: true,
}
