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
// Where 8 are enough, Y8 and Y9 are the round keys first and last, Y10 and Y11
// the tweak of the next sector as it is and with its halves swapped.
type xts256 struct {
	*xts
	made, making reg.GPVirtual // parts of scratch
	now          reg.GPVirtual // in made: the tweaks of the next block
	saved        Mem           // the tweak of the next sector in both lanes
	savedSwapped Mem           // and with its halves swapped
	halves       bool          // 8 are enough
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

func (x *xts256) prepare(unit reg.GPVirtual) {
	x.saved = at(x.scratch, 0)
	x.savedSwapped = at(x.scratch, 32)
	x.made, x.making, x.now = GP64(), GP64(), GP64()
	LEAQ(at(x.scratch, 64), x.made)
	LEAQ(at(x.scratch, 64+32*16), x.making)
}

// start makes the first four registers of start tweaks as it is explained at
// xts512, and the others from those before them.
func (x *xts256) start(regs int) []step {
	t, over, a := x2Scratch[0], x2Scratch[1], x2Scratch[2]
	steps := []step{
		op(func() {
			if x.fromLane1 != nil {
				VPERM2I128(U8(0x11), x.fromLane1, x.fromLane1, t)
			} else {
				VBROADCASTI128(at(x.tweaks, 0), t)
			}
		}),
		op(func() { VPSHUFD(U8(0x4e), t, over) }),
	}
	tweak, swapped := ymm[10], ymm[11]
	if x.halves {
		steps = append(steps, load(func() { VMOVDQA(t, tweak) }), load(func() { VMOVDQA(over, swapped) }))
	} else {
		steps = append(steps, op(func() { x.w.move(t, x.saved) }), op(func() { x.w.move(over, x.savedSwapped) }))
	}
	for j := range 4 {
		left, right := tweak, swapped
		if !x.halves {
			left, right = t, over
			steps = append(steps, load(func() { x.w.move(x.saved, t) }), load(func() { x.w.move(x.savedSwapped, over) }))
		}
		steps = append(steps,
			op(func() { VPSLLVQ(stepCount(x.w, j, false), left, t) }),
			op(func() { VPSRLVQ(stepCount(x.w, j, true), right, over) }),
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
func (x *xts256) advance(regs int) []step {
	var steps []step
	for j := 0; j < regs; j += 4 {
		steps = append(steps, multiply(regs/4, x.made, j, x.making, j)...)
	}
	return steps
}

func (x *xts256) onlyHalves() {
	x.halves = true
	x.w.loadKey(x.keys, 0, ymm[8])
	x.w.loadKey(x.keys, x.rounds, ymm[9])
}

// otherHalf is for sectors of 16 registers, whose tweaks are all made while the
// sector before is encrypted: at 10 rounds a half is shorter than the latency
// of start.
func (x *xts256) otherHalf() []step {
	return append(multiply(2, x.making, 0, x.making, 8), multiply(2, x.making, 4, x.making, 12)...)
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
	weave(middleRounds(x.w, x.decrypt, x.rounds, x.keys, data, x2Key), side)
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
