package soft

import "gelibench/geli/engine"

func (c *aesCBC) encrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	i := 0
	for ; !pairs && i+4 <= n; i += 4 {
		cbcEncrypt4(&c.key.enc, dst[i*g.DstStride:], src[i*g.SrcStride:], ivs[i*engine.IVBytes:], g)
	}
	for ; pairs && i+2 <= n; i += 2 {
		cbcEncrypt2(&c.key.enc,
			dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], ivs[i*engine.IVBytes:],
			dst[(i+1)*g.DstStride:][:g.Unit], src[(i+1)*g.SrcStride:][:g.Unit], ivs[(i+1)*engine.IVBytes:])
	}
	for ; i < n; i++ {
		cbcEncrypt(&c.key.enc, dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], ivs[i*engine.IVBytes:])
	}
}

func (c *aesCBC) decrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	key := c.key.decryption()
	for i := range n {
		cbcDecrypt(key, dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], ivs[i*engine.IVBytes:])
	}
}

func cbcEncrypt(key *aesSchedule, dst, src, iv []byte) {
	lo, hi := load(iv)
	for len(src) >= 16 && len(dst) >= 16 {
		d0, d1 := load(src)
		lo, hi = join(key.encrypt(split(lo^d0, hi^d1)))
		store(dst, lo, hi)
		src, dst = src[16:], dst[16:]
	}
}

// cbcEncrypt2 encrypts two sectors of one length, p and q, whose chains do not
// wait for each other.
func cbcEncrypt2(key *aesSchedule, pDst, pSrc, pIV, qDst, qSrc, qIV []byte) {
	x0, x1 := load(pIV)
	y0, y1 := load(qIV)
	for i := 0; i+16 <= len(pSrc); i += 16 {
		p0, p1 := load(pSrc[i:])
		q0, q1 := load(qSrc[i:])
		a0, a1, a2, a3, b0, b1, b2, b3 := key.encrypt2(split2(x0^p0, x1^p1, y0^q0, y1^q1))
		x0, x1 = join(a0, a1, a2, a3)
		y0, y1 = join(b0, b1, b2, b3)
		store(pDst[i:], x0, x1)
		store(qDst[i:], y0, y1)
	}
}

// cbcEncrypt4 encrypts four sectors side by side.
func cbcEncrypt4(key *aesSchedule, dst, src, ivs []byte, g engine.Geometry) {
	m := [64]byte(ivs) // the four IVs, then a block of ciphertext of each
	for i := 0; i < g.Unit; i += 16 {
		for j := range 4 {
			x0, x1 := load(m[16*j:])
			d0, d1 := load(src[j*g.SrcStride+i:])
			store(m[16*j:], x0^d0, x1^d1)
		}
		key.encrypt4(&m)
		for j := range 4 {
			copy(dst[j*g.DstStride+i:][:16], m[16*j:])
		}
	}
}

func cbcDecrypt(key *aesSchedule, dst, src, iv []byte) {
	lo, hi := load(iv)
	for !pairs && len(src) >= 64 && len(dst) >= 64 {
		m := [64]byte(src)
		key.decrypt4(&m)
		for i := 0; i < 64; i += 16 {
			c0, c1 := load(src[i:]) // before dst, which may be src
			d0, d1 := load(m[i:])
			store(dst[i:], d0^lo, d1^hi)
			lo, hi = c0, c1
		}
		src, dst = src[64:], dst[64:]
	}
	for pairs && len(src) >= 32 && len(dst) >= 32 {
		c0, c1 := load(src)
		e0, e1 := load(src[16:])
		a0, a1, a2, a3, b0, b1, b2, b3 := key.decrypt2(split2(c0, c1, e0, e1))
		x0, x1 := join(a0, a1, a2, a3)
		y0, y1 := join(b0, b1, b2, b3)
		store(dst, x0^lo, x1^hi)
		store(dst[16:], y0^c0, y1^c1)
		lo, hi = e0, e1
		src, dst = src[32:], dst[32:]
	}
	for len(src) >= 16 && len(dst) >= 16 {
		c0, c1 := load(src)
		d0, d1 := join(key.decrypt(split(c0, c1)))
		store(dst, d0^lo, d1^hi)
		lo, hi = c0, c1
		src, dst = src[16:], dst[16:]
	}
}
