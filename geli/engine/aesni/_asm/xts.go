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

	widths(left, 8, func(width int) {
		x := xmms(width)
		k := XMM()
		MOVOA(s.key(0), k)
		for i := range x {
			MOVOU(Mem{Base: src, Disp: i * block}, x[i])
			PXOR(k, x[i])
		}
		forward.middleRounds(s, x)
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

// xtsWidest keeps the pipes full; the masks of wider groups come in longer
// stretches without AES, and 10 or 12 blocks are slower by a tenth.
const xtsWidest = 8

// xts generates one direction of XTS (IEEE 1619, without ciphertext stealing):
//
//	C = k[r] ^ T ^ rounds(P ^ T ^ k[0])
//
// What is made for each block is not T but the mask U = T ^ k[r]: on the way
// out it is the key operand of AESENCLAST, so that the xor with T costs nothing;
// on the way in, P ^ T ^ k[0] = P ^ U ^ (k[0] ^ k[r]).
func xts(name string, c cipher) {
	TEXT(name, NOSPLIT, "func(dst, src, tweaks *byte, sectors, unit, dstStride, srcStride int, keys *[240]byte, rounds int, masks *[128]byte)")
	Doc(name+" works on a run of sectors of unit bytes, a multiple of 16, 8 blocks in flight.",
		"tweaks holds the encrypted tweak T[0] of each sector; masks is scratch. Both are 16-byte aligned.")
	Pragma("noescape")
	s := loadSchedule("keys")
	kr := s.lastKey()
	k0r := XMM()
	MOVOA(kr, k0r)
	PXOR(s.key(0), k0r)
	U := newMask(kr)
	run := loadRun()
	tweaks := Load(Param("tweaks"), GP64())
	masks := Mem{Base: Load(Param("masks"), GP64())}
	run.sectors(func() {
		U.start(Mem{Base: tweaks})
		ADDQ(U8(block), tweaks)
		run.groups(xtsWidest, func(width int) {
			x := xmms(width)
			for i := range x {
				u := U.store(masks.Offset(i * block))
				MOVOU(run.from(i), x[i])
				PXOR(u, x[i])
				PXOR(k0r, x[i])
				U.next()
			}
			c.middleRounds(s, x)
			for i := range x {
				c.last(masks.Offset(i*block), x[i])
				MOVOU(x[i], run.to(i))
			}
		})
	})
	RET()
}

// mask is U = T ^ k[r] in two general registers. The vector pipes that do AES
// also do a good part of all other vector work, so every vector instruction
// beside AES costs throughput (on Zen 4 a fifth of a cycle); the integer pipes
// stand idle.
//
// Doubling in GF(2^128) (IEEE 1619: shift left, x^128 = x^7 + x^2 + x + 1) is
// linear, so T need not be kept:
//
//	2T ^ k[r] = 2U ^ 3k[r]
type mask struct {
	kr     Mem
	lo, hi Register
	// 3k[r]; its low half also with the carry out of x^127 added.
	lo3, lo3carried, hi3 Register
	t                    Register
}

const xtsPoly = 0x87

func newMask(kr Mem) mask {
	U := mask{kr, GP64(), GP64(), GP64(), GP64(), GP64(), GP64()}
	Comment("3k[r] = 2k[r] ^ k[r]")
	carry := GP64()
	MOVQ(kr, U.lo3)
	MOVQ(kr.Offset(8), U.hi3)
	XORQ(U.t, U.t)
	MOVQ(U32(xtsPoly), carry)
	ADDQ(U.lo3, U.lo3)
	ADCQ(U.hi3, U.hi3)
	CMOVQCS(carry, U.t)
	XORQ(U.t, U.lo3)
	XORQ(kr, U.lo3)
	XORQ(kr.Offset(8), U.hi3)
	MOVQ(U.lo3, U.lo3carried)
	XORQ(U32(xtsPoly), U.lo3carried)
	return U
}

// start makes the mask of a sector's first block from T[0].
func (U mask) start(T0 Mem) {
	MOVQ(T0, U.lo)
	MOVQ(T0.Offset(8), U.hi)
	XORQ(U.kr, U.lo)
	XORQ(U.kr.Offset(8), U.hi)
}

// store puts the mask into 16 bytes of memory and returns it in a vector
// register. The way through memory, half by half (a store is forwarded only to
// loads that it covers), takes one vector instruction; PINSRQ takes three.
func (U mask) store(m Mem) VecVirtual {
	u := XMM()
	MOVQ(U.lo, m)
	MOVQ(U.hi, m.Offset(8))
	MOVQ(m, u)
	MOVHPS(m.Offset(8), u)
	MOVOA(u, m) // in one piece, for the last round
	return u
}

// next makes the mask of the next block.
func (U mask) next() {
	MOVQ(U.lo3, U.t)
	ADDQ(U.lo, U.lo)
	ADCQ(U.hi, U.hi)
	CMOVQCS(U.lo3carried, U.t)
	XORQ(U.hi3, U.hi)
	XORQ(U.t, U.lo)
}
