package soft

import "encoding/binary"

// Four blocks that live in memory, a round of each in turn, for processors with
// few registers: bytes come out of memory instead of being shifted out of
// words, and four blocks hide the way through memory. The same text as a loop
// over the four costs a fifth more.

// encrypt4 is encrypt on four blocks in place.
func (s *aesSchedule) encrypt4(m *[64]byte) {
	t := s.tables
	k := &s.keys[0]
	for j := 0; j < 64; j += 16 {
		b := (*[16]byte)(m[j:])
		putColumn(b, 0, column(b, 0)^k[0])
		putColumn(b, 1, column(b, 1)^k[1])
		putColumn(b, 2, column(b, 2)^k[2])
		putColumn(b, 3, column(b, 3)^k[3])
	}
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		a0 := k[0] ^ t.t[0][m[0]] ^ t.t[1][m[5]] ^ t.t[2][m[10]] ^ t.t[3][m[15]]
		a1 := k[1] ^ t.t[0][m[4]] ^ t.t[1][m[9]] ^ t.t[2][m[14]] ^ t.t[3][m[3]]
		a2 := k[2] ^ t.t[0][m[8]] ^ t.t[1][m[13]] ^ t.t[2][m[2]] ^ t.t[3][m[7]]
		a3 := k[3] ^ t.t[0][m[12]] ^ t.t[1][m[1]] ^ t.t[2][m[6]] ^ t.t[3][m[11]]
		putBlock(m[0:16], a0, a1, a2, a3)

		b0 := k[0] ^ t.t[0][m[16]] ^ t.t[1][m[21]] ^ t.t[2][m[26]] ^ t.t[3][m[31]]
		b1 := k[1] ^ t.t[0][m[20]] ^ t.t[1][m[25]] ^ t.t[2][m[30]] ^ t.t[3][m[19]]
		b2 := k[2] ^ t.t[0][m[24]] ^ t.t[1][m[29]] ^ t.t[2][m[18]] ^ t.t[3][m[23]]
		b3 := k[3] ^ t.t[0][m[28]] ^ t.t[1][m[17]] ^ t.t[2][m[22]] ^ t.t[3][m[27]]
		putBlock(m[16:32], b0, b1, b2, b3)

		c0 := k[0] ^ t.t[0][m[32]] ^ t.t[1][m[37]] ^ t.t[2][m[42]] ^ t.t[3][m[47]]
		c1 := k[1] ^ t.t[0][m[36]] ^ t.t[1][m[41]] ^ t.t[2][m[46]] ^ t.t[3][m[35]]
		c2 := k[2] ^ t.t[0][m[40]] ^ t.t[1][m[45]] ^ t.t[2][m[34]] ^ t.t[3][m[39]]
		c3 := k[3] ^ t.t[0][m[44]] ^ t.t[1][m[33]] ^ t.t[2][m[38]] ^ t.t[3][m[43]]
		putBlock(m[32:48], c0, c1, c2, c3)

		d0 := k[0] ^ t.t[0][m[48]] ^ t.t[1][m[53]] ^ t.t[2][m[58]] ^ t.t[3][m[63]]
		d1 := k[1] ^ t.t[0][m[52]] ^ t.t[1][m[57]] ^ t.t[2][m[62]] ^ t.t[3][m[51]]
		d2 := k[2] ^ t.t[0][m[56]] ^ t.t[1][m[61]] ^ t.t[2][m[50]] ^ t.t[3][m[55]]
		d3 := k[3] ^ t.t[0][m[60]] ^ t.t[1][m[49]] ^ t.t[2][m[54]] ^ t.t[3][m[59]]
		putBlock(m[48:64], d0, d1, d2, d3)
	}
	k = &s.keys[s.rounds&15]
	for j := 0; j < 64; j += 16 {
		b := (*[16]byte)(m[j:])
		a0 := k[0] ^ t.lastBytes(b[0], b[5], b[10], b[15])
		a1 := k[1] ^ t.lastBytes(b[4], b[9], b[14], b[3])
		a2 := k[2] ^ t.lastBytes(b[8], b[13], b[2], b[7])
		a3 := k[3] ^ t.lastBytes(b[12], b[1], b[6], b[11])
		putBlock(b[:], a0, a1, a2, a3)
	}
}

// decrypt4 is decrypt on four blocks in place.
func (s *aesSchedule) decrypt4(m *[64]byte) {
	t := s.tables
	k := &s.keys[0]
	for j := 0; j < 64; j += 16 {
		b := (*[16]byte)(m[j:])
		putColumn(b, 0, column(b, 0)^k[0])
		putColumn(b, 1, column(b, 1)^k[1])
		putColumn(b, 2, column(b, 2)^k[2])
		putColumn(b, 3, column(b, 3)^k[3])
	}
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		a0 := k[0] ^ t.t[0][m[0]] ^ t.t[1][m[13]] ^ t.t[2][m[10]] ^ t.t[3][m[7]]
		a1 := k[1] ^ t.t[0][m[4]] ^ t.t[1][m[1]] ^ t.t[2][m[14]] ^ t.t[3][m[11]]
		a2 := k[2] ^ t.t[0][m[8]] ^ t.t[1][m[5]] ^ t.t[2][m[2]] ^ t.t[3][m[15]]
		a3 := k[3] ^ t.t[0][m[12]] ^ t.t[1][m[9]] ^ t.t[2][m[6]] ^ t.t[3][m[3]]
		putBlock(m[0:16], a0, a1, a2, a3)

		b0 := k[0] ^ t.t[0][m[16]] ^ t.t[1][m[29]] ^ t.t[2][m[26]] ^ t.t[3][m[23]]
		b1 := k[1] ^ t.t[0][m[20]] ^ t.t[1][m[17]] ^ t.t[2][m[30]] ^ t.t[3][m[27]]
		b2 := k[2] ^ t.t[0][m[24]] ^ t.t[1][m[21]] ^ t.t[2][m[18]] ^ t.t[3][m[31]]
		b3 := k[3] ^ t.t[0][m[28]] ^ t.t[1][m[25]] ^ t.t[2][m[22]] ^ t.t[3][m[19]]
		putBlock(m[16:32], b0, b1, b2, b3)

		c0 := k[0] ^ t.t[0][m[32]] ^ t.t[1][m[45]] ^ t.t[2][m[42]] ^ t.t[3][m[39]]
		c1 := k[1] ^ t.t[0][m[36]] ^ t.t[1][m[33]] ^ t.t[2][m[46]] ^ t.t[3][m[43]]
		c2 := k[2] ^ t.t[0][m[40]] ^ t.t[1][m[37]] ^ t.t[2][m[34]] ^ t.t[3][m[47]]
		c3 := k[3] ^ t.t[0][m[44]] ^ t.t[1][m[41]] ^ t.t[2][m[38]] ^ t.t[3][m[35]]
		putBlock(m[32:48], c0, c1, c2, c3)

		d0 := k[0] ^ t.t[0][m[48]] ^ t.t[1][m[61]] ^ t.t[2][m[58]] ^ t.t[3][m[55]]
		d1 := k[1] ^ t.t[0][m[52]] ^ t.t[1][m[49]] ^ t.t[2][m[62]] ^ t.t[3][m[59]]
		d2 := k[2] ^ t.t[0][m[56]] ^ t.t[1][m[53]] ^ t.t[2][m[50]] ^ t.t[3][m[63]]
		d3 := k[3] ^ t.t[0][m[60]] ^ t.t[1][m[57]] ^ t.t[2][m[54]] ^ t.t[3][m[51]]
		putBlock(m[48:64], d0, d1, d2, d3)
	}
	k = &s.keys[s.rounds&15]
	for j := 0; j < 64; j += 16 {
		b := (*[16]byte)(m[j:])
		a0 := k[0] ^ t.lastBytes(b[0], b[13], b[10], b[7])
		a1 := k[1] ^ t.lastBytes(b[4], b[1], b[14], b[11])
		a2 := k[2] ^ t.lastBytes(b[8], b[5], b[2], b[15])
		a3 := k[3] ^ t.lastBytes(b[12], b[9], b[6], b[3])
		putBlock(b[:], a0, a1, a2, a3)
	}
}

// column is column c of a block.
func column(b *[16]byte, c int) uint32 { return binary.LittleEndian.Uint32(b[4*c:]) }

func putColumn(b *[16]byte, c int, v uint32) { binary.LittleEndian.PutUint32(b[4*c:], v) }

func putBlock(b []byte, c0, c1, c2, c3 uint32) {
	_ = b[15]
	binary.LittleEndian.PutUint32(b, c0)
	binary.LittleEndian.PutUint32(b[4:], c1)
	binary.LittleEndian.PutUint32(b[8:], c2)
	binary.LittleEndian.PutUint32(b[12:], c3)
}

// lastBytes is last with the bytes taken out already.
func (a *aesTables) lastBytes(b0, b1, b2, b3 uint8) uint32 {
	return uint32(a.box[b0]) | uint32(a.box[b1])<<8 | uint32(a.box[b2])<<16 | uint32(a.box[b3])<<24
}
