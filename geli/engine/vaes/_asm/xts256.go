package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// xts256 keeps the tweaks in scratch memory, in two parts: the current ones and
// the ones being made. AES starts two rounds a cycle and takes four cycles for
// each, so 8 registers in flight leave no slack for the side work, and 12 do.
//
//	Y0-11  data
//	Y12    round key
//	Y13-15 scratch
//
// Where 8 are enough, Y8 and Y9 are the round keys first and last.
type xts256 struct {
	*xts
	made, making reg.GPVirtual // parts of scratch
	now          reg.GPVirtual // in made: the tweaks of the next block
	halves       bool          // 8 are enough
	// among puts the side work among the rounds.
	among func(rounds []func(), side []step)
}

const x2Group = 12

var (
	x2Data    = ymm[0:x2Group]
	x2Key     = ymm[12]
	x2Scratch = ymm[13:16]
)

func (x *xts256) group() int   { return x2Group }
func (x *xts256) lasts() []int { return []int{12, 8} }
func (x *xts256) half() int    { return 8 }

// parts divides scratch memory from so many bytes on.
func (x *xts256) parts(from int) {
	x.made, x.making, x.now = GP64(), GP64(), GP64()
	LEAQ(at(x.scratch, from), x.made)
	LEAQ(at(x.scratch, from+32*16), x.making)
}

func (x *xts256) flip() {
	XCHGQ(x.made, x.making)
	MOVQ(x.made, x.now)
}

func (x *xts256) blocks(regs int, side []step) {
	data := x2Data[:regs]
	first, last := x2Key, x2Key
	if x.halves {
		first, last = ymm[8], ymm[9]
	} else {
		x.w.loadKey(x.keys, 0, first)
	}
	for j, d := range data {
		VPXOR(at(x.src, 32*j), first, d)
		VPXOR(at(x.now, 32*j), d, d)
	}
	x.among(middleRounds(x.w, x.decrypt, x.rounds, x.keys, data, x2Key), side)
	if !x.halves {
		x.w.loadKey(x.keys, x.rounds, last)
	}
	inPairs(regs,
		func(j int) { VPXOR(at(x.now, 32*j), last, x2Scratch[j%2]) },
		func(j int) { lastRound(x.decrypt, x2Scratch[j%2], data[j]) })
	for j, d := range data {
		x.w.move(d, at(x.dst, 32*j))
	}
	ADDQ(U32(32*regs), x.src)
	ADDQ(U32(32*regs), x.dst)
}

func (x *xts256) dropTweaks(regs int) { ADDQ(U32(32*regs), x.now) }

// partial is one block.
func (x *xts256) partial(reg.GPVirtual) {
	d, key, whiten := xmm[0], xmm[12], xmm[13]
	width128.loadKey(x.keys, 0, key)
	VPXOR(at(x.src, 0), key, d)
	VPXOR(at(x.now, 0), d, d)
	weave(middleRounds(width128, x.decrypt, x.rounds, x.keys, xmm[:1], key), nil)
	width128.loadKey(x.keys, x.rounds, key)
	VPXOR(at(x.now, 0), key, whiten)
	lastRound(x.decrypt, whiten, d)
	VMOVDQU(d, at(x.dst, 0))
	ADDQ(Imm(16), x.src)
	ADDQ(Imm(16), x.dst)
}
