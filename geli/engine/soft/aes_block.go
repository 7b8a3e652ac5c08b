package soft

import "gelibench/geli/internal/aeskey"

// aesSchedule is the key schedule of one direction. There is room for 16 round
// keys so that a masked index needs no bounds check.
type aesSchedule struct {
	keys   [16]aeskey.RoundKey
	rounds int
}

// encrypt is AES on the four columns of one block.
func (s *aesSchedule) encrypt(a0, a1, a2, a3 uint32) (uint32, uint32, uint32, uint32) {
	t := &encTables
	k := &s.keys[0]
	a0 ^= k[0]
	a1 ^= k[1]
	a2 ^= k[2]
	a3 ^= k[3]
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		b0 := t.t[0][uint8(a0)] ^ t.t[1][uint8(a1>>8)] ^ t.t[2][uint8(a2>>16)] ^ t.t[3][a3>>24] ^ k[0]
		b1 := t.t[0][uint8(a1)] ^ t.t[1][uint8(a2>>8)] ^ t.t[2][uint8(a3>>16)] ^ t.t[3][a0>>24] ^ k[1]
		b2 := t.t[0][uint8(a2)] ^ t.t[1][uint8(a3>>8)] ^ t.t[2][uint8(a0>>16)] ^ t.t[3][a1>>24] ^ k[2]
		b3 := t.t[0][uint8(a3)] ^ t.t[1][uint8(a0>>8)] ^ t.t[2][uint8(a1>>16)] ^ t.t[3][a2>>24] ^ k[3]
		a0, a1, a2, a3 = b0, b1, b2, b3
	}
	k = &s.keys[s.rounds&15]
	return t.last(a0, a1, a2, a3) ^ k[0], t.last(a1, a2, a3, a0) ^ k[1], t.last(a2, a3, a0, a1) ^ k[2], t.last(a3, a0, a1, a2) ^ k[3]
}

// decrypt is the equivalent inverse cipher on the four columns of one block.
func (s *aesSchedule) decrypt(a0, a1, a2, a3 uint32) (uint32, uint32, uint32, uint32) {
	t := &decTables
	k := &s.keys[0]
	a0 ^= k[0]
	a1 ^= k[1]
	a2 ^= k[2]
	a3 ^= k[3]
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		b0 := t.t[0][uint8(a0)] ^ t.t[1][uint8(a3>>8)] ^ t.t[2][uint8(a2>>16)] ^ t.t[3][a1>>24] ^ k[0]
		b1 := t.t[0][uint8(a1)] ^ t.t[1][uint8(a0>>8)] ^ t.t[2][uint8(a3>>16)] ^ t.t[3][a2>>24] ^ k[1]
		b2 := t.t[0][uint8(a2)] ^ t.t[1][uint8(a1>>8)] ^ t.t[2][uint8(a0>>16)] ^ t.t[3][a3>>24] ^ k[2]
		b3 := t.t[0][uint8(a3)] ^ t.t[1][uint8(a2>>8)] ^ t.t[2][uint8(a1>>16)] ^ t.t[3][a0>>24] ^ k[3]
		a0, a1, a2, a3 = b0, b1, b2, b3
	}
	k = &s.keys[s.rounds&15]
	return t.last(a0, a3, a2, a1) ^ k[0], t.last(a1, a0, a3, a2) ^ k[1], t.last(a2, a1, a0, a3) ^ k[2], t.last(a3, a2, a1, a0) ^ k[3]
}

// last is a column of the last round, which has no column mix: row 0 of a,
// row 1 of b, row 2 of c and row 3 of d through the S-box.
func (a *aesTables) last(c0, c1, c2, c3 uint32) uint32 {
	return uint32(a.box[uint8(c0)]) | uint32(a.box[uint8(c1>>8)])<<8 |
		uint32(a.box[uint8(c2>>16)])<<16 | uint32(a.box[c3>>24])<<24
}
