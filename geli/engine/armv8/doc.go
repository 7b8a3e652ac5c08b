// Package armv8 is the engine for arm64 processors with the AES instructions of
// ARMv8: nearly all server, phone and Apple processors, and the Raspberry Pi
// from its fifth version on, but not the Pi 3 and 4.
//
// Eight blocks are kept in flight: neighbours of one sector for XTS and CBC
// decryption, eight sectors for CBC encryption, whose blocks wait for each
// other. The tweaks of a run's sectors are encrypted in passes of many.
//
// The kernels are written by hand for Go's assembler, a file for each job, on
// what rounds_arm64.h has for all of them.
package armv8

import (
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

const name = "armv8"

var info = engine.Info{
	About:        "ARMv8 AES instructions, 8 blocks in flight, CBC encryption of 8 sectors at once",
	WidthBits:    128,
	Needs:        []cpu.Feature{cpu.AES}, // besides those that every arm64 has
	ConstantTime: true,
}
