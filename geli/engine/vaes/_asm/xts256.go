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

// start makes the first half of the start tweaks as it is explained at xts512,
// and the other half from them.
func (x *xts256) start() []step {
	tweak, swapped := ymm[12], ymm[13]
	steps := []step{
		op(func() { VBROADCASTI128(at(x.tweaks, 0), tweak) }),
		op(func() { VPSHUFD(U8(0x4e), tweak, swapped) }),
	}
	for j := range groupRegs / 2 {
		t, over, a := ymm[9], ymm[10], ymm[11]
		steps = append(steps,
			op(func() { VPSLLVQ(stepCount(x.w, j, false), tweak, t) }),
			op(func() { VPSRLVQ(stepCount(x.w, j, true), swapped, over) }),
			op(func() { VPXOR(over, t, t) }))
		for i := range 3 {
			steps = append(steps,
				op(func() { VPSLLVQ(reduceCount(x.w, i), over, a) }),
				op(func() { VPXOR(a, t, t) }))
		}
		steps = append(steps, op(func() { x.w.move(t, at(x.making, 32*j)) }))
	}
	return append(steps, multiply(1, x.making, 0, x.making, 4)...)
}

// advance multiplies by x^16.
func (x *xts256) advance() []step {
	return append(multiply(2, x.made, 0, x.making, 0), multiply(2, x.made, 4, x.making, 4)...)
}

// multiply multiplies four registers of tweaks in memory, from number i on, by
// x^8 or x^16, and stores them from number j on. They rotate by one or two
// bytes; what comes around is right as the constant term of the reduction by
// x^7+x^2+x+1, and for the other terms those bytes of all four are taken
// together in one register: an operation here costs more than its latency
// tells, since AES leaves half of the vector ports free and no more.
func multiply(bytes int, from reg.GPVirtual, i int, to reg.GPVirtual, j int) []step {
	over, terms, t := ymm[9], ymm[10], ymm[11]
	in := func(k int) Mem { return at(from, 32*(i+k)) }
	steps := []step{
		// Dword 3 of the four, side by side.
		load(func() { VMOVDQU(in(0), over) }),
		op(func() { VPUNPCKHDQ(in(1), over, over) }),
		load(func() { VMOVDQU(in(2), t) }),
		op(func() { VPUNPCKHDQ(in(3), t, t) }),
		op(func() { VPUNPCKHQDQ(t, over, over) }),
		op(func() { VPSRLD(U8(32-8*bytes), over, over) }),
		// Times x, x^2 and x^7; additions since they have more ports.
		op(func() { VPADDD(over, over, terms) }),
		op(func() { VPADDD(terms, terms, t) }),
		op(func() { VPXOR(t, terms, terms) }),
		op(func() { VPSLLD(U8(7), over, over) }),
		op(func() { VPXOR(over, terms, terms) }),
	}
	for k := range 4 {
		steps = append(steps,
			load(func() { VMOVDQU(in(k), t) }),
			op(func() { VPSHUFB(byteShuffle(bytes-1), t, t) }),
			op(func() { VPSHUFB(byteShuffle(2+k), terms, over) }),
			op(func() { VPXOR(over, t, t) }),
			op(func() { VMOVDQU(t, at(to, 32*(j+k))) }))
	}
	return steps
}

const byteShuffles = "xtsByteShuffles"

// byteShuffle addresses a mask of VPSHUFB: rotation of a lane to the left by 1
// or 2 bytes, then dword 0, 1, 2 or 3 moved to the low end of zeros.
func byteShuffle(n int) Mem {
	return NewDataAddr(Symbol{Name: byteShuffles, Static: true}, 32*n)
}

func byteShuffleTable() {
	GLOBL(byteShuffles, RODATA|NOPTR)
	offset := 0
	add := func(index func(i int) int) {
		for i := range 32 {
			DATA(offset, U8(index(i%16)))
			offset++
		}
	}
	add(func(i int) int { return (i + 15) % 16 })
	add(func(i int) int { return (i + 14) % 16 })
	for k := range 4 {
		add(func(i int) int {
			if i < 4 {
				return 4*k + i
			}
			return 0x80
		})
	}
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
	inPairs(regs,
		func(j int) { VPXOR(at(x.now, 32*j), x2Last, ymm[8+j%4]) },
		func(j int) { lastRound(x.decrypt, ymm[8+j%4], x2Data[j]) })
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
