package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// xts512 keeps everything in registers:
//
//	Z0-7   tweaks: register j, lane l holds T_(4j+l) of the group
//	Z8-15  data
//	Z16-23 tweaks ^ last round key
//	Z24-27, Z29 scratch of the tweak arithmetic
//	Z28    round key
//	Z30,31 round keys first and last
//	K1     dword 0 of every lane
//	K2     the quadwords of a last, partial register
type xts512 struct{ *xts }

var (
	x5Tweak  = zmm[0:8]
	x5Data   = zmm[8:16]
	x5Whiten = zmm[16:24]
	x5Key    = zmm[28]
	x5First  = zmm[30]
	x5Last   = zmm[31]
	x5Dword0 = reg.K1
	x5Part   = reg.K2
)

func (x *xts512) group() int   { return 8 }
func (x *xts512) lasts() []int { return []int{8} }
func (x *xts512) half() int    { return 0 }

func (x *xts512) prepare(unit reg.GPVirtual) {
	mask := GP32()
	MOVL(U32(0x1111), mask)
	KMOVW(mask, x5Dword0)
	// K2 = 2^(quadwords of the partial register) - 1
	MOVL(unit.As32(), reg.ECX)
	ANDL(U32(63), reg.ECX)
	SHRL(U8(3), reg.ECX)
	MOVL(U32(1), mask)
	SHLL(reg.CL, mask)
	DECL(mask)
	KMOVW(mask, x5Part)
	x.w.loadKey(x.keys, 0, x5First)
	x.w.loadKey(x.keys, x.rounds, x5Last)
}

// start shifts the tweak left by the number of each block: T<<e, with the bits
// that leave the low half going to the high one and those that leave the high
// one coming back multiplied by x^7+x^2+x+1.
func (x *xts512) start(regs int) []step {
	tweak, swapped := zmm[24], zmm[25]
	steps := []step{
		op(func() {
			if x.fromLane1 != nil {
				VSHUFI64X2(U8(0x55), x.fromLane1.AsZ(), x.fromLane1.AsZ(), tweak)
			} else {
				VBROADCASTI32X4(at(x.tweaks, 0), tweak)
			}
		}),
		op(func() { VPSHUFD(U8(0x4e), tweak, swapped) }),
	}
	for j, t := range x5Tweak[:regs] {
		over, a := zmm[26], zmm[27]
		steps = append(steps,
			op(func() { VPSLLVQ(stepCount(x.w, j, false), tweak, t) }),
			op(func() { VPSRLVQ(stepCount(x.w, j, true), swapped, over) }),
			op(func() { VPSLLVQ(reduceCount(x.w, 0), over, a) }),
			op(func() { x.w.xor3(over, a, t) }),
			op(func() { VPSLLVQ(reduceCount(x.w, 1), over, a) }),
			op(func() { VPSLLVQ(reduceCount(x.w, 2), over, over) }),
			op(func() { x.w.xor3(over, a, t) }),
		)
	}
	return steps
}

// advance multiplies by x^32: the dwords move up by one, and the one that
// falls off comes back multiplied by x^7+x^2+x+1. Shifts, not a carry-less
// multiply: that one runs in the ports of AES and cost 7 % on Zen 4.
func (x *xts512) advance(regs int) []step {
	var steps []step
	for j, t := range x5Tweak[:regs] {
		over, a := zmm[24+j%2*2], zmm[25+j%2*2]
		b := zmm[29]
		steps = append(steps,
			op(func() { VPSHUFD_Z(U8(3), t, x5Dword0, over) }),
			op(func() { VPSHUFD(U8(0x93), t, t) }),
			op(func() { VPSLLQ(U8(1), over, a) }),
			op(func() { VPSLLQ(U8(2), over, b) }),
			op(func() { x.w.xor3(a, b, t) }),
			op(func() { VPSLLQ(U8(7), over, over) }),
			op(func() { x.w.xor(over, t, t) }),
		)
	}
	return steps
}

func (x *xts512) flip() {} // start and advance work in place

func (x *xts512) blocks(regs int, side []step) {
	for j, d := range x5Data[:regs] {
		x.w.move(at(x.src, 64*j), d)
		x.w.xor3(x5First, x5Tweak[j], d)
		x.w.xor(x5Tweak[j], x5Last, x5Whiten[j])
	}
	weave(middleRounds(x.w, x.decrypt, x.rounds, x.keys, x5Data[:regs], x5Key), side)
	for j, d := range x5Data[:regs] {
		lastRound(x.decrypt, x5Whiten[j], d)
	}
	for j, d := range x5Data[:regs] {
		x.w.move(d, at(x.dst, 64*j))
	}
	ADDQ(U32(64*regs), x.src)
	ADDQ(U32(64*regs), x.dst)
}

func (x *xts512) dropTweaks(regs int) {
	for j := range regs {
		VMOVDQA64(x5Tweak[regs+j], x5Tweak[j])
	}
}

func (x *xts512) partial(left reg.GPVirtual) {
	d := x5Data[0]
	VMOVDQU64_Z(at(x.src, 0), x5Part, d)
	x.w.xor3(x5First, x5Tweak[0], d)
	x.w.xor(x5Tweak[0], x5Last, x5Whiten[0])
	weave(middleRounds(x.w, x.decrypt, x.rounds, x.keys, x5Data[:1], x5Key), nil)
	lastRound(x.decrypt, x5Whiten[0], d)
	VMOVDQU64(d, x5Part, at(x.dst, 0))
	rest := GP64()
	MOVQ(left, rest)
	ANDQ(Imm(63), rest)
	ADDQ(rest, x.src)
	ADDQ(rest, x.dst)
}
