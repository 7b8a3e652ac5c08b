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
// 180-4 section 6.2.2. The schedule is 16 words that are renewed in turn, and
// the eight variables change names instead of places.
func compress(state *[8]uint32, block *[16]uint32) {
	w0, w1, w2, w3, w4, w5, w6, w7 := block[0], block[1], block[2], block[3], block[4], block[5], block[6], block[7]
	w8, w9, w10, w11, w12, w13, w14, w15 := block[8], block[9], block[10], block[11], block[12], block[13], block[14], block[15]
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	k := (*[16]uint32)(constants[:])
	d, h = round(a, b, c, d, e, f, g, h, k[0]+w0)
	c, g = round(h, a, b, c, d, e, f, g, k[1]+w1)
	b, f = round(g, h, a, b, c, d, e, f, k[2]+w2)
	a, e = round(f, g, h, a, b, c, d, e, k[3]+w3)
	h, d = round(e, f, g, h, a, b, c, d, k[4]+w4)
	g, c = round(d, e, f, g, h, a, b, c, k[5]+w5)
	f, b = round(c, d, e, f, g, h, a, b, k[6]+w6)
	e, a = round(b, c, d, e, f, g, h, a, k[7]+w7)
	d, h = round(a, b, c, d, e, f, g, h, k[8]+w8)
	c, g = round(h, a, b, c, d, e, f, g, k[9]+w9)
	b, f = round(g, h, a, b, c, d, e, f, k[10]+w10)
	a, e = round(f, g, h, a, b, c, d, e, k[11]+w11)
	h, d = round(e, f, g, h, a, b, c, d, k[12]+w12)
	g, c = round(d, e, f, g, h, a, b, c, k[13]+w13)
	f, b = round(c, d, e, f, g, h, a, b, k[14]+w14)
	e, a = round(b, c, d, e, f, g, h, a, k[15]+w15)
	for i := 16; i < 64; i += 16 {
		k = (*[16]uint32)(constants[i:])
		w0 += sigma0(w1) + w9 + sigma1(w14)
		d, h = round(a, b, c, d, e, f, g, h, k[0]+w0)
		w1 += sigma0(w2) + w10 + sigma1(w15)
		c, g = round(h, a, b, c, d, e, f, g, k[1]+w1)
		w2 += sigma0(w3) + w11 + sigma1(w0)
		b, f = round(g, h, a, b, c, d, e, f, k[2]+w2)
		w3 += sigma0(w4) + w12 + sigma1(w1)
		a, e = round(f, g, h, a, b, c, d, e, k[3]+w3)
		w4 += sigma0(w5) + w13 + sigma1(w2)
		h, d = round(e, f, g, h, a, b, c, d, k[4]+w4)
		w5 += sigma0(w6) + w14 + sigma1(w3)
		g, c = round(d, e, f, g, h, a, b, c, k[5]+w5)
		w6 += sigma0(w7) + w15 + sigma1(w4)
		f, b = round(c, d, e, f, g, h, a, b, k[6]+w6)
		w7 += sigma0(w8) + w0 + sigma1(w5)
		e, a = round(b, c, d, e, f, g, h, a, k[7]+w7)
		w8 += sigma0(w9) + w1 + sigma1(w6)
		d, h = round(a, b, c, d, e, f, g, h, k[8]+w8)
		w9 += sigma0(w10) + w2 + sigma1(w7)
		c, g = round(h, a, b, c, d, e, f, g, k[9]+w9)
		w10 += sigma0(w11) + w3 + sigma1(w8)
		b, f = round(g, h, a, b, c, d, e, f, k[10]+w10)
		w11 += sigma0(w12) + w4 + sigma1(w9)
		a, e = round(f, g, h, a, b, c, d, e, k[11]+w11)
		w12 += sigma0(w13) + w5 + sigma1(w10)
		h, d = round(e, f, g, h, a, b, c, d, k[12]+w12)
		w13 += sigma0(w14) + w6 + sigma1(w11)
		g, c = round(d, e, f, g, h, a, b, c, k[13]+w13)
		w14 += sigma0(w15) + w7 + sigma1(w12)
		f, b = round(c, d, e, f, g, h, a, b, k[14]+w14)
		w15 += sigma0(w0) + w8 + sigma1(w13)
		e, a = round(b, c, d, e, f, g, h, a, k[15]+w15)
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

// round returns the new e and the new a, which take the places of d and h. The
// three rotations of each sum are nested, e.g. 6, 11 = 6+5 and 25 = 6+5+14,
// which saves copies (3 % on amd64). The schedule in 16 variables instead of
// an array saves 18 %.
func round(a, b, c, d, e, f, g, h, kw uint32) (newE, newA uint32) {
	t := h + kw + (g ^ e&(f^g)) + bits.RotateLeft32(e^bits.RotateLeft32(e^bits.RotateLeft32(e, -14), -5), -6)
	return d + t, t + (a&b ^ c&(a^b)) + bits.RotateLeft32(a^bits.RotateLeft32(a^bits.RotateLeft32(a, -9), -11), -2)
}

func sigma0(x uint32) uint32 {
	return bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3
}

func sigma1(x uint32) uint32 {
	return bits.RotateLeft32(x, -17) ^ bits.RotateLeft32(x, -19) ^ x>>10
}
