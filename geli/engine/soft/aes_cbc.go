package soft

import "gelibench/geli/engine"

func (c *aesCBC) encrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	for i := range n {
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

func cbcDecrypt(key *aesSchedule, dst, src, iv []byte) {
	lo, hi := load(iv)
	for len(src) >= 16 && len(dst) >= 16 {
		c0, c1 := load(src)
		d0, d1 := join(key.decrypt(split(c0, c1)))
		store(dst, d0^lo, d1^hi)
		lo, hi = c0, c1
		src, dst = src[16:], dst[16:]
	}
}
