package soft

import "math/bits"

// camelliaRow is four words of key schedule: the keys of two rounds, the pair
// of an FL layer, or a whitening of both halves. Every 64-bit value is two
// words, the higher first.
type camelliaRow [4]uint32

// camelliaSchedule is the key schedule of one direction. The rows are: a
// whitening, three rows of rounds, then an FL layer and three rows of rounds
// twice (128-bit keys) or three times, and a whitening.
type camelliaSchedule struct {
	rows [17]camelliaRow
	n    int // rows in use: 13 or 17
	// tables are reached through a pointer for the same reason as AES's.
	tables *camelliaBoxes
}

// crypt is Camellia on the four words of one block, highest byte first. Which
// way it goes is in the schedule.
func (s *camelliaSchedule) crypt(a0, a1, b0, b1 uint32) (uint32, uint32, uint32, uint32) {
	t := s.tables
	k := &s.rows[0]
	a0 ^= k[0]
	a1 ^= k[1]
	b0 ^= k[2]
	b1 ^= k[3]
	for rest := s.rows[1:s.n]; ; rest = rest[4:] {
		group := (*[4]camelliaRow)(rest)
		for i := range 3 {
			k = &group[i]
			high, low := t.high(a0^k[0]), t.low(a1^k[1])
			b0 ^= high ^ low
			b1 ^= high ^ low ^ bits.RotateLeft32(high, -8)
			high, low = t.high(b0^k[2]), t.low(b1^k[3])
			a0 ^= high ^ low
			a1 ^= high ^ low ^ bits.RotateLeft32(high, -8)
		}
		k = &group[3]
		if len(rest) == 4 {
			return b0 ^ k[0], b1 ^ k[1], a0 ^ k[2], a1 ^ k[3]
		}
		// FL on the left half, its inverse on the right one.
		a1 ^= bits.RotateLeft32(a0&k[0], 1)
		a0 ^= a1 | k[1]
		b0 ^= b1 | k[3]
		b1 ^= bits.RotateLeft32(b0&k[2], 1)
	}
}
