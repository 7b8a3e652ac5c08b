package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var constants512 = &constants{name: "constantsAVX512", copies: 1}

// ops512 has rotations, any function of three bits, and broadcasting operands.
var ops512 = &ops{
	bytes: 64,
	regs: []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	},
	numbers:  "digestNumbersAVX512",
	load:     func(from, to Op) { VMOVDQU32(from, to) },
	addConst: func(c uint32, to reg.VecPhysical) { VPADDD_BCST(constants512.address(c), to, to) },
	bigSigma: func(r [3]int, x, to reg.VecPhysical, scratch [2]reg.VecPhysical) {
		VPRORD(U8(r[0]), x, to)
		VPRORD(U8(r[1]), x, scratch[0])
		VPRORD(U8(r[2]), x, scratch[1])
		VPTERNLOGD(U8(0x96), scratch[0], scratch[1], to)
	},
	smallSigma: func(r [3]int, x, to reg.VecPhysical, scratch [2]reg.VecPhysical) {
		VPRORD(U8(r[0]), x, to)
		VPRORD(U8(r[1]), x, scratch[0])
		VPSRLD(U8(r[2]), x, scratch[1])
		VPTERNLOGD(U8(0x96), scratch[0], scratch[1], to)
	},
	choose: func(x, y, z, to, scratch reg.VecPhysical) {
		VMOVDQA32(x, to)
		VPTERNLOGD(U8(0xca), z, y, to)
	},
	majority: func(x, y, z, to, scratch reg.VecPhysical) {
		VMOVDQA32(x, to)
		VPTERNLOGD(U8(0xe8), z, y, to)
	},
	broadcast: func(from Mem, to reg.VecPhysical) { VPBROADCASTD(from, to) },
	swapBytes: func(x, scratch reg.VecPhysical) {
		// The odd bytes from a rotation one way, the even ones from the other.
		VPRORD(U8(8), x, scratch)
		VPROLD(U8(8), x, x)
		VPTERNLOGD_BCST(U8(0xe4), constants512.address(0x00ff00ff), scratch, x)
	},
}
