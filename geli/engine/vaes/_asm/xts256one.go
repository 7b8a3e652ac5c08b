package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// xts256One makes the tweaks of one sector in vector registers, where the first
// ones are ready soonest.
type xts256One struct {
	xts256
	saved        Mem // the tweak in both lanes
	savedSwapped Mem // and with its halves swapped
}

func newXTS256One(x *xts) *xts256One { return &xts256One{xts256: xts256{xts: x, among: weave}} }

func (x *xts256One) prepare(reg.GPVirtual) {
	x.saved = at(x.scratch, 0)
	x.savedSwapped = at(x.scratch, 32)
	x.parts(64)
}

// start makes the first four registers of start tweaks as it is explained at
// xts512, and the others from those before them.
func (x *xts256One) start(regs int) []step {
	t, over, a := x2Scratch[0], x2Scratch[1], x2Scratch[2]
	steps := []step{
		op(func() { VPERM2I128(U8(0x11), x.fromLane1, x.fromLane1, t) }),
		op(func() { VPSHUFD(U8(0x4e), t, over) }),
		op(func() { x.w.move(t, x.saved) }),
		op(func() { x.w.move(over, x.savedSwapped) }),
	}
	for j := range 4 {
		steps = append(steps,
			load(func() { x.w.move(x.saved, t) }),
			load(func() { x.w.move(x.savedSwapped, over) }),
			op(func() { VPSLLVQ(stepCount(x.w, j, false), t, t) }),
			op(func() { VPSRLVQ(stepCount(x.w, j, true), over, over) }),
			op(func() { VPXOR(over, t, t) }))
		for i := range 3 {
			steps = append(steps,
				op(func() { VPSLLVQ(reduceCount(x.w, i), over, a) }),
				op(func() { VPXOR(a, t, t) }))
		}
		steps = append(steps, op(func() { x.w.move(t, at(x.making, 32*j)) }))
	}
	for j := 4; j < regs; j += 4 {
		steps = append(steps, multiply(1, x.making, j-4, x.making, j)...)
	}
	return steps
}

// advance multiplies by x^24 or x^16.
func (x *xts256One) advance(regs int) []step {
	var steps []step
	for j := 0; j < regs; j += 4 {
		steps = append(steps, multiply(regs/4, x.made, j, x.making, j)...)
	}
	return steps
}

// multiply multiplies four registers of tweaks in memory, from number i on, by
// x^8, x^16 or x^24, and stores them from number j on. They rotate by one to
// three bytes; what comes around is right as the constant term of the reduction by
// x^7+x^2+x+1, and for the other terms those bytes of all four are taken
// together in one register: an operation here costs more than its latency
// tells, since AES leaves half of the vector ports free and no more.
func multiply(bytes int, from reg.GPVirtual, i int, to reg.GPVirtual, j int) []step {
	over, terms, t := x2Scratch[0], x2Scratch[1], x2Scratch[2]
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
			op(func() { VPSHUFB(byteShuffle(3+k), terms, over) }),
			op(func() { VPXOR(over, t, t) }),
			op(func() { VMOVDQU(t, at(to, 32*(j+k))) }))
	}
	return steps
}

const byteShuffles = "xtsByteShuffles"

// byteShuffle addresses a mask of VPSHUFB: rotation of a lane to the left by 1,
// 2 or 3 bytes, then dword 0, 1, 2 or 3 moved to the low end of zeros.
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
	add(func(i int) int { return (i + 13) % 16 })
	for k := range 4 {
		add(func(i int) int {
			if i < 4 {
				return 4*k + i
			}
			return 0x80
		})
	}
}
