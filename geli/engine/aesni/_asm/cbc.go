package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// cbcDecrypt generates P[i] = D(C[i]) ^ C[i-1], C[-1] = IV. A sector is walked
// from its end to its start: in place, the ciphertext that a block still needs
// is then always unwritten, and none has to be saved.
func cbcDecrypt() {
	TEXT("cbcDecrypt", NOSPLIT, "func(dst, src, ivs *byte, sectors, unit, dstStride, srcStride int, dec *[240]byte, rounds int)")
	Doc("cbcDecrypt works on a run of sectors of unit bytes, a multiple of 16, 8 blocks in flight.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	iv := Load(Param("ivs"), GP64())
	sectors := Load(Param("sectors"), GP64())
	unit := Load(Param("unit"), GP64())
	dstStride := Load(Param("dstStride"), GP64())
	srcStride := Load(Param("srcStride"), GP64())
	s := loadSchedule("dec")
	k0, kr := XMM(), XMM()
	MOVOA(s.key(0), k0)
	MOVOA(s.lastKey(), kr)

	Comment("A sector's end, from where it is walked to its start")
	ADDQ(unit, dst)
	ADDQ(unit, src)
	ADDQ(unit, dstStride)
	ADDQ(unit, srcStride)
	SHRQ(U8(4), unit)

	Label("sector")
	left := GP64()
	MOVQ(unit, left)
	widths(left, func(width int) {
		SUBQ(U32(uint32(width*block)), src)
		SUBQ(U32(uint32(width*block)), dst)
		Comment("The block before the group: the IV at the sector's start")
		before := GP64()
		LEAQ(Mem{Base: src, Disp: -block}, before)
		SUBQ(U8(uint8(width)), left)
		CMOVQEQ(iv, before)
		x := xmms(width)
		for i := range x {
			MOVOU(Mem{Base: src, Disp: i * block}, x[i])
			PXOR(k0, x[i])
		}
		inverse.middleRounds(s, x, nil)
		for i := width - 1; i >= 0; i-- {
			mask := XMM()
			if i > 0 {
				MOVOU(Mem{Base: src, Disp: (i - 1) * block}, mask)
			} else {
				MOVOU(Mem{Base: before}, mask)
			}
			PXOR(kr, mask)
			inverse.last(mask, x[i])
			MOVOU(x[i], Mem{Base: dst, Disp: i * block})
		}
	})
	ADDQ(srcStride, src)
	ADDQ(dstStride, dst)
	ADDQ(U8(block), iv)
	DECQ(sectors)
	JNZ(LabelRef("sector"))
	RET()
}

// maxChains is how many sectors cbcEncrypt takes at once: each needs a
// register, and four more are needed.
const maxChains = 12

// cbcEncrypt generates C[i] = E(P[i] ^ C[i-1]), C[-1] = IV, for as many sectors
// side by side as there are: a block waits for the one before it, so only other
// sectors can fill the time.
func cbcEncrypt() {
	TEXT("cbcEncrypt", NOSPLIT, "func(dst, src, ivs *byte, sectors, unit, dstStride, srcStride int, enc *[240]byte, rounds int)")
	Doc("cbcEncrypt works on 1 to 12 sectors of unit bytes, a multiple of 16, all of them in flight.")
	Pragma("noescape")
	s := loadSchedule("enc")
	kr, k0 := XMM(), XMM()
	MOVOA(s.key(0), k0)
	MOVOA(s.lastKey(), kr)
	dst := newColumn("dst")
	src := newColumn("src")
	ivs := Load(Param("ivs"), GP64())
	sectors := Load(Param("sectors"), GP64())
	left := Load(Param("unit"), GP64())
	SHRQ(U8(4), left)

	for chains := maxChains; chains >= 1; chains-- {
		Commentf("%d sectors", chains)
		fewer, again := label("fewer"), label("blocks")
		if chains > 1 {
			CMPQ(sectors, U8(uint8(chains)))
			JNE(LabelRef(fewer))
		}
		x := xmms(chains) // C[i-1]
		for i := range x {
			MOVOU(Mem{Base: ivs, Disp: i * block}, x[i])
		}
		Label(again)
		for i := range x {
			P := XMM()
			MOVOU(src.sector(i), P)
			PXOR(k0, P)
			PXOR(P, x[i])
		}
		forward.middleRounds(s, x, nil)
		for i := range x {
			forward.last(kr, x[i])
			MOVOU(x[i], dst.sector(i))
		}
		src.advance()
		dst.advance()
		DECQ(left)
		JNZ(LabelRef(again))
		RET()
		Label(fewer)
	}
}

// column addresses the same block of up to 12 sectors: six around each of two
// bases, at 0, 1, 2, 3, 4 and 5 strides.
type column struct {
	base                [2]Register
	stride, three, five Register
}

// newColumn reads the parameters side and sideStride.
func newColumn(side string) column {
	c := column{
		base:   [2]Register{Load(Param(side), GP64()), GP64()},
		stride: Load(Param(side+"Stride"), GP64()),
		three:  GP64(), five: GP64(),
	}
	LEAQ(Mem{Base: c.stride, Index: c.stride, Scale: 2}, c.three)
	LEAQ(Mem{Base: c.stride, Index: c.stride, Scale: 4}, c.five)
	LEAQ(Mem{Base: c.base[0], Index: c.three, Scale: 2}, c.base[1])
	return c
}

// sector is the current block of sector i.
func (c column) sector(i int) Mem {
	m := Mem{Base: c.base[i/6]}
	switch i % 6 {
	case 1, 2, 4:
		m.Index, m.Scale = c.stride, uint8(i%6)
	case 3:
		m.Index, m.Scale = c.three, 1
	case 5:
		m.Index, m.Scale = c.five, 1
	}
	return m
}

// advance goes to the next block.
func (c column) advance() {
	for _, b := range c.base {
		ADDQ(U8(block), b)
	}
}
