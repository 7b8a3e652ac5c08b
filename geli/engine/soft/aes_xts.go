package soft

import (
	"encoding/binary"

	"gelibench/geli/engine"
)

func (c *aesXTS) encrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	for i := range n {
		lo, hi := c.startTweak(ivs[i*engine.IVBytes:])
		xtsEncrypt(&c.key.enc, dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], lo, hi)
	}
}

func (c *aesXTS) decrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	key := c.key.decryption()
	for i := range n {
		lo, hi := c.startTweak(ivs[i*engine.IVBytes:])
		xtsDecrypt(key, dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], lo, hi)
	}
}

// startTweak encrypts a sector's IV under the tweak key.
func (c *aesXTS) startTweak(iv []byte) (lo, hi uint64) {
	lo, hi = load(iv)
	return join(c.tweak.encrypt(split(lo, hi)))
}

// xtsEncrypt encrypts one sector, starting at the tweak lo, hi.
func xtsEncrypt(key *aesSchedule, dst, src []byte, lo, hi uint64) {
	if !pairs {
		var t fourTweaks
		t[0][0], t[0][1], t[0][2], t[0][3] = split(lo, hi)
		for len(src) >= 64 && len(dst) >= 64 {
			block := (*[64]byte)(dst)
			t.fill()
			t.xor(block, (*[64]byte)(src))
			key.encrypt4(block)
			t.xor(block, block)
			t[0] = double(&t[3])
			src, dst = src[64:], dst[64:]
		}
		lo, hi = join(t[0][0], t[0][1], t[0][2], t[0][3])
	}
	for pairs && len(src) >= 32 && len(dst) >= 32 {
		x0, x1 := load(src)
		y0, y1 := load(src[16:])
		lo2, hi2 := nextTweak(lo, hi)
		a0, a1, a2, a3, b0, b1, b2, b3 := key.encrypt2(split2(x0^lo, x1^hi, y0^lo2, y1^hi2))
		x0, x1 = join(a0, a1, a2, a3)
		y0, y1 = join(b0, b1, b2, b3)
		store(dst, x0^lo, x1^hi)
		store(dst[16:], y0^lo2, y1^hi2)
		lo, hi = nextTweak(lo2, hi2)
		src, dst = src[32:], dst[32:]
	}
	for len(src) >= 16 && len(dst) >= 16 {
		d0, d1 := load(src)
		d0, d1 = join(key.encrypt(split(d0^lo, d1^hi)))
		store(dst, d0^lo, d1^hi)
		lo, hi = nextTweak(lo, hi)
		src, dst = src[16:], dst[16:]
	}
}

// xtsDecrypt decrypts one sector, starting at the tweak lo, hi.
func xtsDecrypt(key *aesSchedule, dst, src []byte, lo, hi uint64) {
	if !pairs {
		var t fourTweaks
		t[0][0], t[0][1], t[0][2], t[0][3] = split(lo, hi)
		for len(src) >= 64 && len(dst) >= 64 {
			block := (*[64]byte)(dst)
			t.fill()
			t.xor(block, (*[64]byte)(src))
			key.decrypt4(block)
			t.xor(block, block)
			t[0] = double(&t[3])
			src, dst = src[64:], dst[64:]
		}
		lo, hi = join(t[0][0], t[0][1], t[0][2], t[0][3])
	}
	for pairs && len(src) >= 32 && len(dst) >= 32 {
		x0, x1 := load(src)
		y0, y1 := load(src[16:])
		lo2, hi2 := nextTweak(lo, hi)
		a0, a1, a2, a3, b0, b1, b2, b3 := key.decrypt2(split2(x0^lo, x1^hi, y0^lo2, y1^hi2))
		x0, x1 = join(a0, a1, a2, a3)
		y0, y1 = join(b0, b1, b2, b3)
		store(dst, x0^lo, x1^hi)
		store(dst[16:], y0^lo2, y1^hi2)
		lo, hi = nextTweak(lo2, hi2)
		src, dst = src[32:], dst[32:]
	}
	for len(src) >= 16 && len(dst) >= 16 {
		d0, d1 := load(src)
		d0, d1 = join(key.decrypt(split(d0^lo, d1^hi)))
		store(dst, d0^lo, d1^hi)
		lo, hi = nextTweak(lo, hi)
		src, dst = src[16:], dst[16:]
	}
}

// nextTweak multiplies the tweak by x modulo x^128 + x^7 + x^2 + x + 1.
func nextTweak(lo, hi uint64) (uint64, uint64) {
	carry := uint64(int64(hi) >> 63)
	return lo<<1 ^ carry&0x87, hi<<1 | lo>>63
}

// load takes a block of 16 bytes as two little-endian words.
func load(b []byte) (lo, hi uint64) {
	_ = b[15]
	return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
}

func store(b []byte, lo, hi uint64) {
	_ = b[15]
	binary.LittleEndian.PutUint64(b, lo)
	binary.LittleEndian.PutUint64(b[8:], hi)
}

// split gives the four columns of a block, join puts them together.
func split(lo, hi uint64) (a0, a1, a2, a3 uint32) {
	return uint32(lo), uint32(lo >> 32), uint32(hi), uint32(hi >> 32)
}

func join(a0, a1, a2, a3 uint32) (lo, hi uint64) {
	return uint64(a0) | uint64(a1)<<32, uint64(a2) | uint64(a3)<<32
}

// split2 is split for two blocks.
func split2(x0, x1, y0, y1 uint64) (a0, a1, a2, a3, b0, b1, b2, b3 uint32) {
	return uint32(x0), uint32(x0 >> 32), uint32(x1), uint32(x1 >> 32), uint32(y0), uint32(y0 >> 32), uint32(y1), uint32(y1 >> 32)
}
