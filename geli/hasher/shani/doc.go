// Package shani is the hasher for x86 processors with the SHA extensions. It
// makes IVs, and the HMAC/SHA256 MACs of GELI's integrity mode.
//
// A round instruction waits four cycles for the one before it, so four messages
// are worked on in turn. Of the message behind an IV or a MAC's key only 8 bytes
// vary; the schedule and the round constants of the others are folded where that
// saves work. A MAC stays in its kernel from the key to the outer digest.
//
// The kernels are generated: see _asm.
package shani

//go:generate go run -C _asm . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg shani

import (
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

const name = "sha-ni"

// lanes is how many messages the kernel has in flight.
const lanes = 4

var info = engine.Info{
	About:        "SHA extensions, 4 messages in flight",
	WidthBits:    128,
	Needs:        []cpu.Feature{cpu.SHA, cpu.SSSE3},
	ConstantTime: true,
}
