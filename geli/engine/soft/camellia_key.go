package soft

import (
	"encoding/binary"
	"math/bits"
)

// camelliaSigma are the constants of the key schedule, RFC 3713 section 2.2.
var camelliaSigma = [6]uint64{
	0xa09e667f3bcc908b, 0xb67ae8584caa73b2, 0xc6ef372fe94f82be,
	0x54ff53a5f1d36f1c, 0x10e527fade682d1d, 0xb05688c2b3e6c1fd,
}

// uint128 is a 128-bit value of the key schedule.
type uint128 struct{ high, low uint64 }

func (x uint128) xor(y uint128) uint128 { return uint128{x.high ^ y.high, x.low ^ y.low} }

// turn rotates left by n bits, 0 to 127, and gives a row of schedule.
func (x uint128) turn(n uint) camelliaRow {
	if n >= 64 {
		x.high, x.low = x.low, x.high
		n -= 64
	}
	return row(x.high<<n|x.low>>(64-n), x.low<<n|x.high>>(64-n))
}

func row(first, second uint64) camelliaRow {
	return camelliaRow{uint32(first >> 32), uint32(first), uint32(second >> 32), uint32(second)}
}

// camelliaF is the F-function of RFC 3713 section 2.4.1.
func camelliaF(x, key uint64) uint64 {
	x ^= key
	high, low := camelliaTables.high(uint32(x>>32)), camelliaTables.low(uint32(x))
	return uint64(high^low)<<32 | uint64(high^low^bits.RotateLeft32(high, -8))
}

// mix is a pair of Feistel rounds under two constants.
func (x uint128) mix(sigma0, sigma1 uint64) uint128 {
	x.low ^= camelliaF(x.high, sigma0)
	x.high ^= camelliaF(x.low, sigma1)
	return x
}

// encryption expands a key of 16, 24 or 32 bytes.
func (s *camelliaSchedule) encryption(key []byte) {
	s.tables = &camelliaTables
	word := func(i int) uint64 { return binary.BigEndian.Uint64(key[8*i:]) }
	kl := uint128{word(0), word(1)}
	var kr uint128
	switch len(key) {
	case 24:
		kr = uint128{word(2), ^word(2)}
	case 32:
		kr = uint128{word(2), word(3)}
	}
	ka := kl.xor(kr).mix(camelliaSigma[0], camelliaSigma[1]).xor(kl).mix(camelliaSigma[2], camelliaSigma[3])
	if len(key) == 16 {
		// The two keys of row 7 come from different rotations.
		a, l := ka.turn(45), kl.turn(60)
		s.n = copy(s.rows[:], []camelliaRow{
			kl.turn(0),
			ka.turn(0), kl.turn(15), ka.turn(15),
			ka.turn(30),
			kl.turn(45), {a[0], a[1], l[2], l[3]}, ka.turn(60),
			kl.turn(77),
			kl.turn(94), ka.turn(94), kl.turn(111),
			ka.turn(111),
		})
		return
	}
	kb := ka.xor(kr).mix(camelliaSigma[4], camelliaSigma[5])
	s.n = copy(s.rows[:], []camelliaRow{
		kl.turn(0),
		kb.turn(0), kr.turn(15), ka.turn(15),
		kr.turn(30),
		kb.turn(30), kl.turn(45), ka.turn(45),
		kl.turn(60),
		kr.turn(60), kb.turn(60), kl.turn(77),
		ka.turn(77),
		kr.turn(94), ka.turn(94), kl.turn(111),
		kb.turn(111),
	})
}

// decryption makes the schedule of the other direction: all keys in reverse,
// except that each whitening keeps its order.
func (s *camelliaSchedule) decryption(enc *camelliaSchedule) {
	s.n, s.tables = enc.n, enc.tables
	last := s.n - 1
	s.rows[0], s.rows[last] = enc.rows[last], enc.rows[0]
	for i := 1; i < last; i++ {
		k := &enc.rows[last-i]
		s.rows[i] = camelliaRow{k[2], k[3], k[0], k[1]}
	}
}
