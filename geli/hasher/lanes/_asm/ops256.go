package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var constants256 = &constants{name: "constantsAVX2", copies: 8}

// ops256 puts rotations together of shifts.
var ops256 = &ops{
	bytes: 32,
	regs: []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
		reg.Y8, reg.Y9, reg.Y10, reg.Y11,
	},
	numbers:  "digestNumbersAVX2",
	load:     func(from, to Op) { VMOVDQU(from, to) },
	addConst: func(c uint32, to reg.VecPhysical) { VPADDD(constants256.address(c), to, to) },
	bigSigma: func(r [3]int, x, to reg.VecPhysical, scratch [2]reg.VecPhysical) {
		VPSRLD(U8(r[0]), x, to)
		for _, right := range r[1:] {
			VPSRLD(U8(right), x, scratch[0])
			VPXOR(scratch[0], to, to)
		}
		for _, right := range r {
			VPSLLD(U8(32-right), x, scratch[1])
			VPXOR(scratch[1], to, to)
		}
	},
	smallSigma: func(r [3]int, x, to reg.VecPhysical, scratch [2]reg.VecPhysical) {
		VPSRLD(U8(r[0]), x, to)
		for _, right := range r[1:] {
			VPSRLD(U8(right), x, scratch[0])
			VPXOR(scratch[0], to, to)
		}
		for _, right := range r[:2] {
			VPSLLD(U8(32-right), x, scratch[0])
			VPXOR(scratch[0], to, to)
		}
	},
	choose: func(x, y, z, to, scratch reg.VecPhysical) {
		VPXOR(y, z, to)
		VPAND(x, to, to)
		VPXOR(z, to, to)
	},
	majority: func(x, y, z, to, scratch reg.VecPhysical) {
		VPXOR(x, y, to)
		VPXOR(y, z, scratch)
		VPAND(scratch, to, to)
		VPXOR(y, to, to)
	},
	broadcast: func(from Mem, to reg.VecPhysical) { VPBROADCASTD(from, to) },
	swapBytes: func(x, scratch reg.VecPhysical) {
		// The odd bytes from a rotation one way, the even ones from the other.
		VPSRLD(U8(8), x, scratch)
		VPSLLD(U8(24), x, ymmSwap)
		VPOR(ymmSwap, scratch, scratch)
		VPAND(constants256.address(0xff00ff00), scratch, scratch)
		VPSRLD(U8(24), x, ymmSwap)
		VPSLLD(U8(8), x, x)
		VPOR(ymmSwap, x, x)
		VPAND(constants256.address(0x00ff00ff), x, x)
		VPOR(scratch, x, x)
	},
}

var ymmSwap = reg.Y8
