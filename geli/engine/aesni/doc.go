// Package aesni is the engine for x86 processors with AES-NI and registers of
// 128 bits: Westmere, Atom C2000 and C3000, Zen 1, and everything later.
//
// The round instructions have a latency of several cycles, so eight and more
// blocks are kept in flight: neighbours of one sector for XTS and CBC
// decryption, different sectors for CBC encryption, whose blocks wait for each
// other. The tweaks of a run's sectors are encrypted in passes of many.
//
// What counts beside the 14 AES instructions of an AES-256 block is how much
// other vector work there is, since it shares their pipes: XTS has two xors and
// half a load, CBC decryption two xors, CBC encryption two or, up to ten
// chains, three. On a Zen 4, in place, of the bound of 128-bit registers: XTS
// 0.93 at 512 bytes (0.97 is possible: a 33rd block for each tweak) and 0.98 at
// 4096, CBC decryption 0.96 and 0.97, CBC encryption in runs 0.95.
//
// The kernels are generated: see _asm.
package aesni

//go:generate go run -C _asm . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg aesni

import (
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

const name = "aesni"

var info = engine.Info{
	About:        "AES-NI, 8 to 12 blocks in flight, CBC encryption of 12 sectors at once",
	WidthBits:    128,
	Needs:        []cpu.Feature{cpu.AES, cpu.SSSE3},
	ConstantTime: true,
}
