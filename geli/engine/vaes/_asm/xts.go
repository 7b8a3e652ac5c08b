package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// XTS (IEEE 1619): block j of a sector is encrypted as E(P ^ T_j) ^ T_j with
// T_j = E2(tweak) * x^j in GF(2^128), little-endian bits, reduced by
// x^128 = x^7 + x^2 + x + 1. In these files "tweak" is the encrypted T_0, and
// the "start tweaks" of a sector are the first registers full of T_j.
//
// Both whitenings are folded: T_j ^ first into the load, T_j ^ last into the
// key of the last round.

// xts is one kernel: what those of both widths have in common, over a body.
type xts struct {
	xtsBody
	w       *width
	rounds  int
	bits    int
	decrypt bool

	keys, tweaks, dst, src, scratch reg.GPVirtual
	// fromLane1, where set, holds the tweak that start begins with in lane 1;
	// else it is at tweaks.
	fromLane1 reg.VecPhysical
}

// xtsBody is the data path of one width.
type xtsBody interface {
	// group is the number of registers in flight. lasts are the numbers that a
	// sector may end in with the next one's start tweaks made meanwhile. half is
	// half the registers of a sector of 512 bytes, where that has a way of its
	// own, or 0.
	group() int
	lasts() []int
	half() int
	// prepare loads constants; unit is the sector's bytes.
	prepare(unit reg.GPVirtual)
	// start makes so many start tweaks from the tweak at x.tweaks.
	start(regs int) []step
	// advance makes the tweaks of as many registers behind so many.
	advance(regs int) []step
	// flip puts the tweaks just made in place of the current ones.
	flip()
	// blocks encrypts so many registers, with the side steps among its rounds,
	// and moves dst and src on.
	blocks(regs int, side []step)
	// dropTweaks forgets the tweaks of so many registers.
	dropTweaks(regs int)
	// partial encrypts what is left behind the last whole register, left
	// modulo the register's bytes.
	partial(left reg.GPVirtual)
}

// xtsHalves is what a body has in addition whose runs of 512-byte sectors have a
// way of their own.
type xtsHalves interface {
	// onlyHalves says that from here on no more than half is in flight.
	onlyHalves()
	// otherHalf makes the second half's tweaks of what start is making.
	otherHalf() []step
}

func xtsKernels(w *width) {
	for _, bits := range []int{128, 256} {
		for _, decrypt := range []bool{false, true} {
			direction := "Enc"
			if decrypt {
				direction = "Dec"
			}
			run, one := &xts{w: w}, &xts{w: w}
			if w.wide() {
				one.w = width512Compact
				run.xtsBody, one.xtsBody = &xts512{run}, &xts512{one}
			} else {
				run.xtsBody, one.xtsBody = newXTS256Run(run), newXTS256One(one)
			}
			for _, x := range []*xts{run, one} {
				x.rounds, x.decrypt, x.bits = roundsOf[bits], decrypt, bits
			}
			run.run(fmt.Sprintf("xts%s%d%s", direction, bits, w.suffix))
			one.one(fmt.Sprintf("xtsOne%s%d%s", direction, bits, w.suffix))
		}
		tweakKernel(w, bits)
	}
	stepCounts(w)
	if !w.wide() {
		byteShuffleTable()
	}
	scheduleTable()
	if w.wide() {
		widen()
	}
}

// run writes the kernel for a run. A sector is whole groups of registers and
// what is left; its last piece carries the making of the next sector's start
// tweaks, so that the pipeline never runs dry.
func (x *xts) run(name string) {
	TEXT(name, NOSPLIT, "func(keys, tweaks, dst, src, scratch *byte, n, unit, dstStride, srcStride int)")
	Doc(name+" is XTS over a run of n > 0 sectors. tweaks are encrypted, 16 bytes a",
		"sector and 16 more that are read but not used. keys and scratch are aligned.")
	Pragma("noescape")
	x.keys, x.tweaks, x.dst, x.src, x.scratch = param("keys"), param("tweaks"), param("dst"), param("src"), param("scratch")
	var n Op = inMemory("n") // the tweaks of 256 bits take many registers
	if x.w.wide() {
		n = param("n")
	}
	unit := param("unit")
	dstSkip, srcSkip := param("dstStride"), param("srcStride") // from a sector's end to the next
	SUBQ(unit, dstSkip)
	SUBQ(unit, srcSkip)

	x.prepare(unit)
	halves, ok := x.xtsBody.(xtsHalves)
	if ok {
		CMPQ(unit, U32(512))
		JEQ(LabelRef("all_512"))
	}
	perform(x.start(x.group()))
	x.flip()
	next := func() {
		x.flip()
		ADDQ(dstSkip, x.dst)
		ADDQ(srcSkip, x.src)
		DECQ(n)
	}
	Label("sector")
	ADDQ(Imm(16), x.tweaks)
	left := GP64() // bytes of the sector
	MOVQ(unit, left)
	x.groups(left)
	for _, regs := range x.lasts() {
		Label(fmt.Sprintf("last_%d", regs))
		x.blocks(regs, x.start(x.group()))
		JMP(LabelRef("next"))
	}
	Label("tail")
	x.tail(left)
	perform(x.start(x.group()))
	Label("next")
	next()
	JNZ(LabelRef("sector"))
	VZEROUPPER()
	RET()

	if ok {
		Label("all_512")
		halves.onlyHalves()
		perform(x.start(x.half()))
		perform(halves.otherHalf())
		x.flip()
		Label("sector_512")
		ADDQ(Imm(16), x.tweaks)
		x.blocks(x.half(), x.start(x.half()))
		x.dropTweaks(x.half())
		x.blocks(x.half(), halves.otherHalf())
		next()
		JNZ(LabelRef("sector_512"))
		VZEROUPPER()
		RET()
	}
}

// groups writes the groups of a sector while there is more than one left, and
// then goes to the last piece or to the tail.
func (x *xts) groups(left reg.GPVirtual) {
	bytes := func(regs int) Op { return U32(regs * x.w.bytes) }
	JMP(LabelRef("more"))
	Label("group")
	x.blocks(x.group(), x.advance(x.group()))
	x.flip()
	SUBQ(bytes(x.group()), left)
	Label("more")
	CMPQ(left, bytes(x.group()))
	JA(LabelRef("group"))
	for _, regs := range x.lasts() {
		CMPQ(left, bytes(regs))
		JEQ(LabelRef(fmt.Sprintf("last_%d", regs)))
	}
	JMP(LabelRef("tail"))
}

// tail writes what is left of a unit behind its whole groups, in pieces of 8,
// 4, 2, 1 registers and a partial one.
func (x *xts) tail(left reg.GPVirtual) {
	for regs := 8; regs >= 1; regs /= 2 {
		if regs >= x.group() {
			continue
		}
		skip := fmt.Sprintf("less_than_%d", regs)
		TESTQ(U32(regs*x.w.bytes), left)
		JZ(LabelRef(skip))
		x.blocks(regs, nil)
		x.dropTweaks(regs)
		Label(skip)
	}
	TESTQ(U32(x.w.bytes-1), left)
	JZ(LabelRef("whole"))
	x.partial(left)
	Label("whole")
}

// one writes the kernel for one sector under a new key, as GELI works: the
// expansion with the tweak encrypted on the way, round by round, and then the
// data.
func (x *xts) one(name string) {
	signature := "func(key, iv, keys, dst, src, scratch *byte, unit int)"
	doc := []string{name + " expands an XTS key to keys and encrypts one sector."}
	if x.decrypt {
		signature = "func(key, iv, keys, inverse, dst, src, scratch *byte, unit int)"
		doc = []string{name + " expands an XTS key to keys, and the data half to inverse, and decrypts",
			"one sector."}
	}
	TEXT(name, NOSPLIT, signature)
	Doc(append(doc, "keys and scratch are aligned.")...)
	Pragma("noescape")
	key, iv := param("key"), param("iv")
	x.keys, x.dst, x.src, x.scratch = param("keys"), param("dst"), param("src"), param("scratch")
	unit := param("unit")
	encKeys := x.keys
	if x.decrypt {
		x.keys = param("inverse")
	}

	tweak := ymm[8] // in lane 1
	VBROADCASTI128(at(iv, 0), tweak)
	bothHalves(key, x.bits, func(round int, k Op) {
		VMOVDQU(k, at(encKeys, compactSlot*round))
		switch round {
		case 0:
			VPXOR(k, tweak, tweak)
		case x.rounds:
			VAESENCLAST(k, tweak, tweak)
		default:
			VAESENC(k, tweak, tweak)
		}
		if x.decrypt {
			emitInverse(x.keys, x.rounds, round, k.(reg.VecPhysical).AsX(), xmm[9])
		}
	})
	x.fromLane1 = tweak
	x.prepare(unit)
	if x.half() != 0 {
		CMPQ(unit, U32(512))
		JNE(LabelRef("not_512"))
		perform(x.start(x.half()))
		x.flip()
		x.blocks(x.half(), x.advance(x.half()))
		x.flip()
		x.blocks(x.half(), nil)
		JMP(LabelRef("done"))
		Label("not_512")
	}
	perform(x.start(x.group()))
	x.flip()
	x.groups(unit)
	for _, regs := range x.lasts() {
		Label(fmt.Sprintf("last_%d", regs))
		x.blocks(regs, nil)
		JMP(LabelRef("done"))
	}
	Label("tail")
	x.tail(unit)
	Label("done")
	VZEROUPPER()
	RET()
}

// countedRegs is the number of registers in the table of shift counts.
const countedRegs = 8

// stepCounts is the table of per-lane shift counts that turn a tweak into the
// start tweaks: for register j the left shifts e and the right shifts 64-e of
// both halves, e being the number of the block.
func stepCounts(w *width) {
	GLOBL(stepCountsName(w), RODATA|NOPTR)
	offset := 0
	add := func(low, high int) {
		DATA(offset, U64(uint64(low)))
		DATA(offset+8, U64(uint64(high)))
		offset += 16
	}
	for j := 0; j < countedRegs; j++ {
		for l := 0; l < w.lanes(); l++ {
			add(j*w.lanes()+l, j*w.lanes()+l)
		}
		for l := 0; l < w.lanes(); l++ {
			add(64-j*w.lanes()-l, 64-j*w.lanes()-l)
		}
	}
	// Reduction: the low half holds what fell off the high one, the high half
	// what moves up from the low one; only the former is multiplied.
	for _, shift := range []int{1, 2, 7} {
		for l := 0; l < w.lanes(); l++ {
			add(shift, 64)
		}
	}
}

func stepCountsName(w *width) string { return "xtsStepCounts" + w.suffix }

// stepCount addresses the table: the left or right shift counts of register j.
func stepCount(w *width, j int, right bool) Mem {
	m := NewDataAddr(Symbol{Name: stepCountsName(w), Static: true}, 2*w.bytes*j)
	if right {
		m.Disp += w.bytes
	}
	return m
}

// reduceCount addresses the counts of the i-th reduction shift.
func reduceCount(w *width, i int) Mem {
	return NewDataAddr(Symbol{Name: stepCountsName(w), Static: true}, 2*w.bytes*countedRegs+w.bytes*i)
}
