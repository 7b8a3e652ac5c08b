package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// encryptBlocks generates what the tweaks T[0] of several sectors are made
// with: AES of each sector's IV under the second half of the key.
func encryptBlocks() {
	TEXT("encryptBlocks", NOSPLIT, "func(dst, src *byte, blocks int, enc *[240]byte, rounds int)")
	Doc("encryptBlocks encrypts each block for itself, 8 in flight. dst is 16-byte aligned.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	left := Load(Param("blocks"), GP64())
	s := loadSchedule("enc")
	kr := s.lastKey()

	widths(left, func(width int) {
		x := xmms(width)
		k := XMM()
		MOVOA(s.key(0), k)
		for i := range x {
			MOVOU(Mem{Base: src, Disp: i * block}, x[i])
			PXOR(k, x[i])
		}
		forward.middleRounds(s, x, nil)
		for i := range x {
			forward.last(kr, x[i])
			MOVOA(x[i], Mem{Base: dst, Disp: i * block})
		}
		ADDQ(U32(uint32(width*block)), src)
		ADDQ(U32(uint32(width*block)), dst)
		SUBQ(U8(uint8(width)), left)
	})
	RET()
}

// xts generates one direction of XTS (IEEE 1619, without ciphertext stealing):
//
//	C = k[r] ^ T ^ rounds(P ^ T ^ k[0])
//
// The masks U = T ^ k[r] of a group are kept in memory, where AESENCLAST finds
// its key operand, so that the xor with T on the way out costs nothing; on the
// way in, P ^ T ^ k[0] = P ^ U ^ (k[0] ^ k[r]).
func xts(name string, c cipher) {
	TEXT(name, NOSPLIT, "func(dst, src, tweaks *byte, sectors, unit, dstStride, srcStride int, keys *[240]byte, rounds int, masks *[128]byte)")
	Doc(name+" works on a run of sectors of unit bytes, a multiple of 16, 8 blocks in flight.",
		"tweaks holds the encrypted tweak T[0] of each sector; masks is scratch. Both are 16-byte aligned.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	tweaks := Load(Param("tweaks"), GP64())
	sectors := Load(Param("sectors"), GP64())
	unit := Load(Param("unit"), GP64())
	dstGap := Load(Param("dstStride"), GP64())
	srcGap := Load(Param("srcStride"), GP64())
	s := loadSchedule("keys")
	masks := Mem{Base: Load(Param("masks"), GP64())}

	Comment("From the end of a sector to the next one's start")
	SUBQ(unit, dstGap)
	SUBQ(unit, srcGap)
	SHRQ(U8(4), unit)

	t := tweak{T: XMM(), carry: XMM(), poly: XMM()}
	MOVOA(gf128Poly(), t.poly)
	kr, k0r := XMM(), XMM()
	MOVOA(s.lastKey(), kr)
	MOVOA(s.key(0), k0r)
	PXOR(kr, k0r)

	Label("sector")
	MOVOA(Mem{Base: tweaks}, t.T)
	ADDQ(U8(block), tweaks)
	left := GP64()
	MOVQ(unit, left)
	widths(left, func(width int) {
		x := xmms(width)
		for i := range x {
			U := XMM()
			MOVOA(t.T, U)
			PXOR(kr, U)
			MOVOA(U, masks.Offset(i*block))
			MOVOU(Mem{Base: src, Disp: i * block}, x[i])
			PXOR(U, x[i])
			PXOR(k0r, x[i])
			t.double()
		}
		c.middleRounds(s, x, nil)
		for i := range x {
			c.last(masks.Offset(i*block), x[i])
			MOVOU(x[i], Mem{Base: dst, Disp: i * block})
		}
		ADDQ(U32(uint32(width*block)), src)
		ADDQ(U32(uint32(width*block)), dst)
		SUBQ(U8(uint8(width)), left)
	})
	ADDQ(srcGap, src)
	ADDQ(dstGap, dst)
	DECQ(sectors)
	JNZ(LabelRef("sector"))
	RET()
}

// tweak is T, an element of GF(2^128) as IEEE 1619 writes it, and what doubling
// it needs.
type tweak struct {
	T, carry, poly VecVirtual
}

// double multiplies T by x: both halves are shifted, the bit out of the low
// half goes to the high one, the bit out of the high one comes back as
// x^7 + x^2 + x + 1.
func (t tweak) double() {
	PSHUFD(U8(0x13), t.T, t.carry) // word 3 to word 0, word 1 to word 2
	PADDQ(t.T, t.T)
	PSRAL(U8(31), t.carry)
	PAND(t.poly, t.carry)
	PXOR(t.carry, t.T)
}

// gf128Poly is what a carry out of the high and out of the low half adds.
func gf128Poly() Mem {
	if m, ok := constants["gf128Poly"]; ok {
		return m
	}
	m := GLOBL("gf128Poly", RODATA|NOPTR)
	DATA(0, U64(0x87))
	DATA(8, U64(0x01))
	constants["gf128Poly"] = m
	return m
}
