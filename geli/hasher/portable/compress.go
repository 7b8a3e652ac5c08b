package portable

import "math/bits"

// initial is H(0) of FIPS 180-4 section 5.3.3.
var initial = [8]uint32{
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
}

// constants is K of FIPS 180-4 section 4.2.2.
var constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// compress is the SHA-256 compression of one block of big-endian words, FIPS
// 180-4 section 6.2.2. The schedule is kept in 16 words that are renewed in
// place, eight at a time, and the eight variables change names instead of
// places.
func compress(state *[8]uint32, block *[16]uint32) {
	w := *block
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	for i := 0; i < 64; i += 8 {
		k := (*[8]uint32)(constants[i:])
		j := i & 8
		x := (*[8]uint32)(w[j:])
		d, h = round(a, b, c, d, e, f, g, h, k[0]+x[0])
		c, g = round(h, a, b, c, d, e, f, g, k[1]+x[1])
		b, f = round(g, h, a, b, c, d, e, f, k[2]+x[2])
		a, e = round(f, g, h, a, b, c, d, e, k[3]+x[3])
		h, d = round(e, f, g, h, a, b, c, d, k[4]+x[4])
		g, c = round(d, e, f, g, h, a, b, c, k[5]+x[5])
		f, b = round(c, d, e, f, g, h, a, b, k[6]+x[6])
		e, a = round(b, c, d, e, f, g, h, a, k[7]+x[7])
		// Word n is made of words n-16, n-15, n-7 and n-2.
		y := (*[8]uint32)(w[j^8:])
		x[0] += sigma0(x[1]) + y[1] + sigma1(y[6])
		x[1] += sigma0(x[2]) + y[2] + sigma1(y[7])
		x[2] += sigma0(x[3]) + y[3] + sigma1(x[0])
		x[3] += sigma0(x[4]) + y[4] + sigma1(x[1])
		x[4] += sigma0(x[5]) + y[5] + sigma1(x[2])
		x[5] += sigma0(x[6]) + y[6] + sigma1(x[3])
		x[6] += sigma0(x[7]) + y[7] + sigma1(x[4])
		x[7] += sigma0(y[0]) + x[0] + sigma1(x[5])
	}
	state[0] += a
	state[1] += b
	state[2] += c
	state[3] += d
	state[4] += e
	state[5] += f
	state[6] += g
	state[7] += h
}

// round returns the new e and the new a, which take the places of d and h.
func round(a, b, c, d, e, f, g, h, kw uint32) (newE, newA uint32) {
	t := h + kw + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (g ^ e&(f^g))
	return d + t, t + (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ c&(a^b))
}

func sigma0(x uint32) uint32 {
	return bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3
}

func sigma1(x uint32) uint32 {
	return bits.RotateLeft32(x, -17) ^ bits.RotateLeft32(x, -19) ^ x>>10
}
