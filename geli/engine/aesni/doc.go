// Package aesni is the engine for x86 processors with AES-NI and registers of
// 128 bits: Westmere, Atom C2000 and C3000, Zen 1, and everything later.
//
// The round instructions have a latency of several cycles, so eight and more
// blocks are kept in flight: neighbours of one sector for XTS and CBC
// decryption, different sectors for CBC encryption, whose blocks wait for each
// other. The tweaks of a run's sectors are encrypted in passes of many.
//
// The kernels are generated: see _asm.
package aesni

//go:generate go run -C _asm . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg aesni

import (
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

const name = "aesni"

// needs are the features whose instructions the kernels use.
var needs = []cpu.Feature{cpu.AES, cpu.SSSE3}

var info = engine.Info{
	About:        "AES-NI, 8 blocks in flight, CBC encryption of 12 sectors at once",
	WidthBits:    128,
	Needs:        needs,
	ConstantTime: true,
}
