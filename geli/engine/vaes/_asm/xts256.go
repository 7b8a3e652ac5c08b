package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// xts256 keeps the tweaks in scratch memory, in two halves of 8 registers: the
// current ones and the ones being made. Registers:
//
//	Y0-7    data
//	Y8      round key
//	Y9-11   scratch of the tweak arithmetic
//	Y12,13  the tweak of the next sector, as it is and with its halves swapped
//	Y14,15  round keys first and last
type xts256 struct {
	*xts
	made, making reg.GPVirtual // halves of scratch
	now          reg.GPVirtual // in made: the tweaks of the next block
}

var (
	x2Data  = ymm[0:8]
	x2Key   = ymm[8]
	x2First = ymm[14]
	x2Last  = ymm[15]
)

func (x *xts256) prepare(unit reg.GPVirtual) {
	x.made, x.making, x.now = x.scratch, GP64(), GP64()
	LEAQ(at(x.scratch, groupRegs*32), x.making)
	x.w.loadKey(x.keys, 0, x2First)
	x.w.loadKey(x.keys, x.rounds, x2Last)
}

// start is explained at xts512.
func (x *xts256) start() []step {
	tweak, swapped := ymm[12], ymm[13]
	steps := []step{
		func() { VBROADCASTI128(at(x.tweaks, 0), tweak) },
		func() { VPSHUFD(U8(0x4e), tweak, swapped) },
	}
	for j := range groupRegs {
		t, over, a := ymm[9], ymm[10], ymm[11]
		steps = append(steps,
			func() { VPSLLVQ(stepCount(x.w, j, false), tweak, t) },
			func() { VPSRLVQ(stepCount(x.w, j, true), swapped, over) },
			func() { VPXOR(over, t, t) })
		for i := range 3 {
			steps = append(steps,
				func() { VPSLLVQ(reduceCount(x.w, i), over, a) },
				func() { VPXOR(a, t, t) })
		}
		steps = append(steps, func() { x.w.move(t, at(x.making, 32*j)) })
	}
	return steps
}

// advance multiplies by x^16: two bytes fall off each lane and come back
// multiplied by x^7+x^2+x+1.
func (x *xts256) advance() []step {
	var steps []step
	for j := range groupRegs {
		t, over, a := ymm[9], ymm[10], ymm[11]
		steps = append(steps,
			func() { x.w.move(at(x.made, 32*j), a) },
			func() { VPSLLDQ(U8(2), a, t) },
			func() { VPSRLDQ(U8(14), a, over) },
			func() { VPXOR(over, t, t) })
		for _, shift := range []uint8{1, 2, 7} {
			steps = append(steps,
				func() { VPSLLQ(U8(shift), over, a) },
				func() { VPXOR(a, t, t) })
		}
		steps = append(steps, func() { x.w.move(t, at(x.making, 32*j)) })
	}
	return steps
}

func (x *xts256) flip() {
	XCHGQ(x.made, x.making)
	MOVQ(x.made, x.now)
}

func (x *xts256) blocks(regs int, side []step) {
	for j, d := range x2Data[:regs] {
		VPXOR(at(x.src, 32*j), x2First, d)
		VPXOR(at(x.now, 32*j), d, d)
	}
	weave(middleRounds(x.w, x.decrypt, x.rounds, x.keys, x2Data[:regs], x2Key), side)
	for j, d := range x2Data[:regs] {
		whiten := ymm[8+j%4]
		VPXOR(at(x.now, 32*j), x2Last, whiten)
		lastRound(x.decrypt, whiten, d)
	}
	for j, d := range x2Data[:regs] {
		x.w.move(d, at(x.dst, 32*j))
	}
	ADDQ(U32(32*regs), x.src)
	ADDQ(U32(32*regs), x.dst)
}

func (x *xts256) dropTweaks(regs int) { ADDQ(U32(32*regs), x.now) }

// partial is one block.
func (x *xts256) partial(unit reg.GPVirtual) {
	d, whiten := xmm[0], xmm[9]
	VPXOR(at(x.src, 0), xmm[14], d)
	VPXOR(at(x.now, 0), d, d)
	weave(middleRounds(width128, x.decrypt, x.rounds, x.keys, xmm[:1], xmm[8]), nil)
	VPXOR(at(x.now, 0), xmm[15], whiten)
	lastRound(x.decrypt, whiten, d)
	VMOVDQU(d, at(x.dst, 0))
	ADDQ(Imm(16), x.src)
	ADDQ(Imm(16), x.dst)
}
