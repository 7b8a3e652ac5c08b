package aeskey

import "math/bits"

// sbox is made from its definition, FIPS 197 section 5.1.1: the inverse in
// GF(2^8), then an affine map over GF(2).
var sbox = makeSBox()

// SBox returns a copy of the S-box.
func SBox() [256]byte { return sbox }

func makeSBox() (s [256]byte) {
	// p runs through the powers of 3, a generator, and q through those of its
	// inverse 0xf6, so q is always the inverse of p.
	p, q := uint8(1), uint8(1)
	for {
		s[p] = q ^ bits.RotateLeft8(q, 1) ^ bits.RotateLeft8(q, 2) ^ bits.RotateLeft8(q, 3) ^ bits.RotateLeft8(q, 4) ^ 0x63
		p = Mul(p, 3)
		q = Mul(q, 0xf6)
		if p == 1 {
			break
		}
	}
	s[0] = 0x63 // 0 has no inverse and stands for its own
	return s
}

// Mul multiplies in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. It is for making
// tables and is slow.
func Mul(a, b uint8) uint8 {
	product := uint8(0)
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		a = uint8(double(uint32(a)))
	}
	return product
}

// double multiplies each byte of w by x in GF(2^8).
func double(w uint32) uint32 {
	high := w & 0x80808080
	return (w^high)<<1 ^ (high>>7)*0x1b
}

// invMixColumn is InvMixColumns on one column, as MixColumns after a first
// factor: {0b}x^3+{0d}x^2+{09}x+{0e} = ({03}x^3+{01}x^2+{01}x+{02}) * ({04}x^2+{05}).
func invMixColumn(w uint32) uint32 {
	w ^= double(double(w ^ bits.RotateLeft32(w, 16)))
	// MixColumns: each byte becomes 2a + 3b + c + d, b being the next one.
	next := bits.RotateLeft32(w, -8)
	return double(w^next) ^ next ^ bits.RotateLeft32(w^next, 16)
}
