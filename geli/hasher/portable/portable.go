// Package portable is the hasher in portable Go: SHA-256 of our own, without
// SHA instructions, one digest at a time. With engine "soft" it shows what a
// processor without acceleration does. It takes the same time for all data.
package portable

import (
	"encoding/binary"
	"math/bits"

	"gelibench/geli/engine"
)

// New returns the hasher "portable".
func New() engine.Hasher { return hasher{} }

type hasher struct{}

func (hasher) Name() string { return "portable" }

func (hasher) Info() engine.Info {
	return engine.Info{About: "SHA-256 in portable Go, no SHA instructions", ConstantTime: true}
}

// Probe returns nil: the hasher runs everywhere.
func (hasher) Probe() error { return nil }

// Lanes is 1.
func (hasher) Lanes() int { return 1 }

// tailBits is the length, in bits, of the 64-byte prefix with the 8-byte
// offset behind it; the padding of SHA-256 ends in it.
const tailBits = (64 + 8) * 8

// IVs implements engine.Hasher.
func (hasher) IVs(ivs []byte, state *[8]uint32, off, step uint64) {
	// The last block: le64(off), the bit that ends the message, its length.
	block := [16]uint32{2: 1 << 31, 15: tailBits}
	for len(ivs) >= engine.IVBytes {
		block[0] = bits.ReverseBytes32(uint32(off))
		block[1] = bits.ReverseBytes32(uint32(off >> 32))
		h := *state
		compress(&h, &block)
		binary.BigEndian.PutUint32(ivs, h[0])
		binary.BigEndian.PutUint32(ivs[4:], h[1])
		binary.BigEndian.PutUint32(ivs[8:], h[2])
		binary.BigEndian.PutUint32(ivs[12:], h[3])
		off += step
		ivs = ivs[engine.IVBytes:]
	}
}

// State returns the chaining value of SHA-256 after prefix, whose length must
// be a multiple of 64 bytes: what Hasher.IVs starts from. Another length is a
// programming error: it panics.
func State(prefix []byte) [8]uint32 {
	if len(prefix)%64 != 0 {
		panic("portable: the prefix of a SHA-256 state is not a multiple of 64 bytes")
	}
	h := initial
	var block [16]uint32
	for ; len(prefix) > 0; prefix = prefix[64:] {
		for i := range block {
			block[i] = binary.BigEndian.Uint32(prefix[4*i:])
		}
		compress(&h, &block)
	}
	clear(block[:])
	return h
}
