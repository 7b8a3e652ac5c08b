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
	for i := range n {
		to, from := dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit]
		l0, l1, l2, l3 := loadBE(ivs[i*engine.IVBytes:])
		for len(from) >= 16 && len(to) >= 16 {
			d0, d1, d2, d3 := loadBE(from)
			l0, l1, l2, l3 = c.enc.crypt(l0^d0, l1^d1, l2^d2, l3^d3)
			storeBE(to, l0, l1, l2, l3)
			from, to = from[16:], to[16:]
		}
	}
}

func (c *camelliaCBC) decrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	if !c.hasDec {
		c.dec.decryption(&c.enc)
		c.hasDec = true
	}
	for i := range n {
		to, from := dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit]
		l0, l1, l2, l3 := loadBE(ivs[i*engine.IVBytes:])
		for len(from) >= 16 && len(to) >= 16 {
			c0, c1, c2, c3 := loadBE(from)
			d0, d1, d2, d3 := c.dec.crypt(c0, c1, c2, c3)
			storeBE(to, d0^l0, d1^l1, d2^l2, d3^l3)
			l0, l1, l2, l3 = c0, c1, c2, c3
			from, to = from[16:], to[16:]
		}
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
