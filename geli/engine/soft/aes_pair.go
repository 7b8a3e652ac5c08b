package soft

// encrypt2 is encrypt on two independent blocks, a and b, a round of each in turn.
func (s *aesSchedule) encrypt2(a0, a1, a2, a3, b0, b1, b2, b3 uint32) (_, _, _, _, _, _, _, _ uint32) {
	t := s.tables
	k := &s.keys[0]
	a0 ^= k[0]
	a1 ^= k[1]
	a2 ^= k[2]
	a3 ^= k[3]
	b0 ^= k[0]
	b1 ^= k[1]
	b2 ^= k[2]
	b3 ^= k[3]
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		c0 := t.t[0][uint8(a0)] ^ t.t[1][uint8(a1>>8)] ^ t.t[2][uint8(a2>>16)] ^ t.t[3][a3>>24] ^ k[0]
		c1 := t.t[0][uint8(a1)] ^ t.t[1][uint8(a2>>8)] ^ t.t[2][uint8(a3>>16)] ^ t.t[3][a0>>24] ^ k[1]
		c2 := t.t[0][uint8(a2)] ^ t.t[1][uint8(a3>>8)] ^ t.t[2][uint8(a0>>16)] ^ t.t[3][a1>>24] ^ k[2]
		c3 := t.t[0][uint8(a3)] ^ t.t[1][uint8(a0>>8)] ^ t.t[2][uint8(a1>>16)] ^ t.t[3][a2>>24] ^ k[3]
		a0, a1, a2, a3 = c0, c1, c2, c3
		d0 := t.t[0][uint8(b0)] ^ t.t[1][uint8(b1>>8)] ^ t.t[2][uint8(b2>>16)] ^ t.t[3][b3>>24] ^ k[0]
		d1 := t.t[0][uint8(b1)] ^ t.t[1][uint8(b2>>8)] ^ t.t[2][uint8(b3>>16)] ^ t.t[3][b0>>24] ^ k[1]
		d2 := t.t[0][uint8(b2)] ^ t.t[1][uint8(b3>>8)] ^ t.t[2][uint8(b0>>16)] ^ t.t[3][b1>>24] ^ k[2]
		d3 := t.t[0][uint8(b3)] ^ t.t[1][uint8(b0>>8)] ^ t.t[2][uint8(b1>>16)] ^ t.t[3][b2>>24] ^ k[3]
		b0, b1, b2, b3 = d0, d1, d2, d3
	}
	k = &s.keys[s.rounds&15]
	return k[0] ^ t.last(a0, a1, a2, a3), k[1] ^ t.last(a1, a2, a3, a0), k[2] ^ t.last(a2, a3, a0, a1), k[3] ^ t.last(a3, a0, a1, a2),
		k[0] ^ t.last(b0, b1, b2, b3), k[1] ^ t.last(b1, b2, b3, b0), k[2] ^ t.last(b2, b3, b0, b1), k[3] ^ t.last(b3, b0, b1, b2)
}

// decrypt2 is decrypt on two independent blocks, a and b, a round of each in turn.
func (s *aesSchedule) decrypt2(a0, a1, a2, a3, b0, b1, b2, b3 uint32) (_, _, _, _, _, _, _, _ uint32) {
	t := s.tables
	k := &s.keys[0]
	a0 ^= k[0]
	a1 ^= k[1]
	a2 ^= k[2]
	a3 ^= k[3]
	b0 ^= k[0]
	b1 ^= k[1]
	b2 ^= k[2]
	b3 ^= k[3]
	for i := 1; i < s.rounds; i++ {
		k = &s.keys[i&15]
		c0 := t.t[0][uint8(a0)] ^ t.t[1][uint8(a3>>8)] ^ t.t[2][uint8(a2>>16)] ^ t.t[3][a1>>24] ^ k[0]
		c1 := t.t[0][uint8(a1)] ^ t.t[1][uint8(a0>>8)] ^ t.t[2][uint8(a3>>16)] ^ t.t[3][a2>>24] ^ k[1]
		c2 := t.t[0][uint8(a2)] ^ t.t[1][uint8(a1>>8)] ^ t.t[2][uint8(a0>>16)] ^ t.t[3][a3>>24] ^ k[2]
		c3 := t.t[0][uint8(a3)] ^ t.t[1][uint8(a2>>8)] ^ t.t[2][uint8(a1>>16)] ^ t.t[3][a0>>24] ^ k[3]
		a0, a1, a2, a3 = c0, c1, c2, c3
		d0 := t.t[0][uint8(b0)] ^ t.t[1][uint8(b3>>8)] ^ t.t[2][uint8(b2>>16)] ^ t.t[3][b1>>24] ^ k[0]
		d1 := t.t[0][uint8(b1)] ^ t.t[1][uint8(b0>>8)] ^ t.t[2][uint8(b3>>16)] ^ t.t[3][b2>>24] ^ k[1]
		d2 := t.t[0][uint8(b2)] ^ t.t[1][uint8(b1>>8)] ^ t.t[2][uint8(b0>>16)] ^ t.t[3][b3>>24] ^ k[2]
		d3 := t.t[0][uint8(b3)] ^ t.t[1][uint8(b2>>8)] ^ t.t[2][uint8(b1>>16)] ^ t.t[3][b0>>24] ^ k[3]
		b0, b1, b2, b3 = d0, d1, d2, d3
	}
	k = &s.keys[s.rounds&15]
	return k[0] ^ t.last(a0, a3, a2, a1), k[1] ^ t.last(a1, a0, a3, a2), k[2] ^ t.last(a2, a1, a0, a3), k[3] ^ t.last(a3, a2, a1, a0),
		k[0] ^ t.last(b0, b3, b2, b1), k[1] ^ t.last(b1, b0, b3, b2), k[2] ^ t.last(b2, b1, b0, b3), k[3] ^ t.last(b3, b2, b1, b0)
}
