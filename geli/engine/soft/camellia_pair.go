package soft

import "math/bits"

// crypt2 is crypt on two independent blocks, a round pair of each in turn. The
// halves of one are a and b, those of the other c and d. In ns a block of
// Camellia-128, alone and so: amd64 83 and 54, 386 86 and 62.
func (s *camelliaSchedule) crypt2(a0, a1, b0, b1, c0, c1, d0, d1 uint32) (_, _, _, _, _, _, _, _ uint32) {
	t := s.tables
	k := &s.rows[0]
	a0 ^= k[0]
	a1 ^= k[1]
	b0 ^= k[2]
	b1 ^= k[3]
	c0 ^= k[0]
	c1 ^= k[1]
	d0 ^= k[2]
	d1 ^= k[3]
	for rest := s.rows[1:s.n]; ; rest = rest[4:] {
		group := (*[4]camelliaRow)(rest)
		for i := range 3 {
			k = &group[i]
			high, low := t.high(a0^k[0]), t.low(a1^k[1])
			b0 ^= high ^ low
			b1 ^= high ^ low ^ bits.RotateLeft32(high, -8)
			high, low = t.high(c0^k[0]), t.low(c1^k[1])
			d0 ^= high ^ low
			d1 ^= high ^ low ^ bits.RotateLeft32(high, -8)
			high, low = t.high(b0^k[2]), t.low(b1^k[3])
			a0 ^= high ^ low
			a1 ^= high ^ low ^ bits.RotateLeft32(high, -8)
			high, low = t.high(d0^k[2]), t.low(d1^k[3])
			c0 ^= high ^ low
			c1 ^= high ^ low ^ bits.RotateLeft32(high, -8)
		}
		k = &group[3]
		if len(rest) == 4 {
			return b0 ^ k[0], b1 ^ k[1], a0 ^ k[2], a1 ^ k[3],
				d0 ^ k[0], d1 ^ k[1], c0 ^ k[2], c1 ^ k[3]
		}
		a1 ^= bits.RotateLeft32(a0&k[0], 1)
		a0 ^= a1 | k[1]
		b0 ^= b1 | k[3]
		b1 ^= bits.RotateLeft32(b0&k[2], 1)
		c1 ^= bits.RotateLeft32(c0&k[0], 1)
		c0 ^= c1 | k[1]
		d0 ^= d1 | k[3]
		d1 ^= bits.RotateLeft32(d0&k[2], 1)
	}
}
