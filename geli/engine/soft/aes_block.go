package soft

import (
	"math/bits"

	"gelibench/geli/internal/aeskey"
)

// pairs says how several blocks are in flight: two in registers where there
// are enough of them (aes_pair.go), otherwise four in memory (aes_quad.go).
// Where a sector has no more blocks to offer there is the one-block form below.
//
// Measured in ns a block of AES-128 on Zen 4, alone, in pairs, in fours:
// amd64 45, 41, 43; 386 58, 59, 47. Most processors without AES instructions
// load once a cycle and not four times, which speaks for registers.
const pairs = bits.UintSize == 64

// aesSchedule is the key schedule of one direction. There is room for 16 round
// keys so that a masked index needs no bounds check. The tables are reached
// through a pointer: as a global each of them would take a register of its
// own, which costs a fifth of the speed on 386.
type aesSchedule struct {
	keys   [16]aeskey.RoundKey
	rounds int
	tables *aesTables
}

// encrypt is AES on the four columns of one block.
func (s *aesSchedule) encrypt(a0, a1, a2, a3 uint32) (_, _, _, _ uint32) {
	t := s.tables
	k := &s.keys[0]
	a0 ^= k[0]
	a1 ^= k[1]
	a2 ^= k[2]
	a3 ^= k[3]
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		b0 := k[0] ^ t.t[0][uint8(a0)] ^ t.t[1][uint8(a1>>8)] ^ t.t[2][uint8(a2>>16)] ^ t.t[3][a3>>24]
		b1 := k[1] ^ t.t[0][uint8(a1)] ^ t.t[1][uint8(a2>>8)] ^ t.t[2][uint8(a3>>16)] ^ t.t[3][a0>>24]
		b2 := k[2] ^ t.t[0][uint8(a2)] ^ t.t[1][uint8(a3>>8)] ^ t.t[2][uint8(a0>>16)] ^ t.t[3][a1>>24]
		b3 := k[3] ^ t.t[0][uint8(a3)] ^ t.t[1][uint8(a0>>8)] ^ t.t[2][uint8(a1>>16)] ^ t.t[3][a2>>24]
		a0, a1, a2, a3 = b0, b1, b2, b3
	}
	k = &s.keys[s.rounds&15]
	return k[0] ^ t.last(a0, a1, a2, a3), k[1] ^ t.last(a1, a2, a3, a0), k[2] ^ t.last(a2, a3, a0, a1), k[3] ^ t.last(a3, a0, a1, a2)
}

// decrypt is the equivalent inverse cipher on the four columns of one block:
// encrypt with the rows shifted the other way.
func (s *aesSchedule) decrypt(a0, a1, a2, a3 uint32) (_, _, _, _ uint32) {
	t := s.tables
	k := &s.keys[0]
	a0 ^= k[0]
	a1 ^= k[1]
	a2 ^= k[2]
	a3 ^= k[3]
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		b0 := k[0] ^ t.t[0][uint8(a0)] ^ t.t[1][uint8(a3>>8)] ^ t.t[2][uint8(a2>>16)] ^ t.t[3][a1>>24]
		b1 := k[1] ^ t.t[0][uint8(a1)] ^ t.t[1][uint8(a0>>8)] ^ t.t[2][uint8(a3>>16)] ^ t.t[3][a2>>24]
		b2 := k[2] ^ t.t[0][uint8(a2)] ^ t.t[1][uint8(a1>>8)] ^ t.t[2][uint8(a0>>16)] ^ t.t[3][a3>>24]
		b3 := k[3] ^ t.t[0][uint8(a3)] ^ t.t[1][uint8(a2>>8)] ^ t.t[2][uint8(a1>>16)] ^ t.t[3][a0>>24]
		a0, a1, a2, a3 = b0, b1, b2, b3
	}
	k = &s.keys[s.rounds&15]
	return k[0] ^ t.last(a0, a3, a2, a1), k[1] ^ t.last(a1, a0, a3, a2), k[2] ^ t.last(a2, a1, a0, a3), k[3] ^ t.last(a3, a2, a1, a0)
}

// last is one column of the last round, which has no column mix: rows 0 to 3
// of the given columns through the S-box.
func (a *aesTables) last(c0, c1, c2, c3 uint32) uint32 {
	return uint32(a.box[uint8(c0)]) | uint32(a.box[uint8(c1>>8)])<<8 |
		uint32(a.box[uint8(c2>>16)])<<16 | uint32(a.box[c3>>24])<<24
}
