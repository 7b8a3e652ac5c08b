package soft

import (
	"encoding/binary"

	"gelibench/geli/engine"
)

// camelliaCBC is Camellia in CBC mode. The decryption schedule is made when it
// is first used.
type camelliaCBC struct {
	enc, dec camelliaSchedule
	hasDec   bool
}

func (c *camelliaCBC) setKey(key []byte) error {
	c.enc.encryption(key)
	c.hasDec = false
	return nil
}

func (c *camelliaCBC) wipe() { wipe(c) }

func (c *camelliaCBC) encrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	i := 0
	for ; i+2 <= n; i += 2 {
		camelliaCBCEncrypt2(&c.enc, dst[i*g.DstStride:], src[i*g.SrcStride:], ivs[i*engine.IVBytes:], g)
	}
	if i < n {
		camelliaCBCEncrypt(&c.enc, dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], ivs[i*engine.IVBytes:])
	}
}

func (c *camelliaCBC) decrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	if !c.hasDec {
		c.dec.decryption(&c.enc)
		c.hasDec = true
	}
	for i := range n {
		camelliaCBCDecrypt(&c.dec, dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], ivs[i*engine.IVBytes:])
	}
}

func camelliaCBCEncrypt(key *camelliaSchedule, dst, src, iv []byte) {
	l0, l1, l2, l3 := loadBE(iv)
	for len(src) >= 16 && len(dst) >= 16 {
		d0, d1, d2, d3 := loadBE(src)
		l0, l1, l2, l3 = key.crypt(l0^d0, l1^d1, l2^d2, l3^d3)
		storeBE(dst, l0, l1, l2, l3)
		src, dst = src[16:], dst[16:]
	}
}

// camelliaCBCEncrypt2 encrypts two sectors, whose chains do not wait for each
// other.
func camelliaCBCEncrypt2(key *camelliaSchedule, dst, src, ivs []byte, g engine.Geometry) {
	a0, a1, a2, a3 := loadBE(ivs)
	b0, b1, b2, b3 := loadBE(ivs[engine.IVBytes:])
	for i := 0; i < g.Unit; i += 16 {
		p0, p1, p2, p3 := loadBE(src[i:])
		q0, q1, q2, q3 := loadBE(src[g.SrcStride+i:])
		a0, a1, a2, a3, b0, b1, b2, b3 = key.crypt2(a0^p0, a1^p1, a2^p2, a3^p3, b0^q0, b1^q1, b2^q2, b3^q3)
		storeBE(dst[i:], a0, a1, a2, a3)
		storeBE(dst[g.DstStride+i:], b0, b1, b2, b3)
	}
}

func camelliaCBCDecrypt(key *camelliaSchedule, dst, src, iv []byte) {
	l0, l1, l2, l3 := loadBE(iv)
	for len(src) >= 32 && len(dst) >= 32 {
		c0, c1, c2, c3 := loadBE(src)
		e0, e1, e2, e3 := loadBE(src[16:])
		a0, a1, a2, a3, b0, b1, b2, b3 := key.crypt2(c0, c1, c2, c3, e0, e1, e2, e3)
		storeBE(dst, a0^l0, a1^l1, a2^l2, a3^l3)
		storeBE(dst[16:], b0^c0, b1^c1, b2^c2, b3^c3)
		l0, l1, l2, l3 = e0, e1, e2, e3
		src, dst = src[32:], dst[32:]
	}
	if len(src) >= 16 && len(dst) >= 16 {
		d0, d1, d2, d3 := key.crypt(loadBE(src))
		storeBE(dst, d0^l0, d1^l1, d2^l2, d3^l3)
	}
}

// loadBE takes a block of 16 bytes as four big-endian words.
func loadBE(b []byte) (w0, w1, w2, w3 uint32) {
	_ = b[15]
	return binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:]), binary.BigEndian.Uint32(b[12:])
}

func storeBE(b []byte, w0, w1, w2, w3 uint32) {
	_ = b[15]
	binary.BigEndian.PutUint32(b, w0)
	binary.BigEndian.PutUint32(b[4:], w1)
	binary.BigEndian.PutUint32(b[8:], w2)
	binary.BigEndian.PutUint32(b[12:], w3)
}
