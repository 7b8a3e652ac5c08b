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

// groupRegs is the number of registers of data in flight in one group.
const groupRegs = 8

// xts is one kernel: what those of both widths have in common, over a body.
type xts struct {
	xtsBody
	w       *width
	rounds  int
	bits    int
	decrypt bool

	keys, tweaks, dst, src, scratch reg.GPVirtual
}

// xtsBody is the data path of one width.
type xtsBody interface {
	// prepare loads constants; unit is the sector's bytes.
	prepare(unit reg.GPVirtual)
	// start makes the start tweaks from the tweak at x.tweaks.
	start() []step
	// advance makes the tweaks of the group after this one.
	advance() []step
	// flip puts the tweaks just made in place of the current ones.
	flip()
	// blocks encrypts so many registers, with the side steps among its rounds,
	// and moves dst and src on.
	blocks(regs int, side []step)
	// dropTweaks forgets the tweaks of so many registers.
	dropTweaks(regs int)
	// partial encrypts what is left behind the last whole register, unit modulo
	// the register's bytes.
	partial(unit reg.GPVirtual)
}

func xtsKernels(w *width) {
	for _, bits := range []int{128, 256} {
		for _, decrypt := range []bool{false, true} {
			direction := "Enc"
			if decrypt {
				direction = "Dec"
			}
			xtsKernel(w, decrypt, bits).run(fmt.Sprintf("xts%s%d%s", direction, bits, w.suffix))
			one := width256
			if w.wide() {
				one = width512Compact
			}
			xtsKernel(one, decrypt, bits).one(fmt.Sprintf("xtsOne%s%d%s", direction, bits, w.suffix))
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

func xtsKernel(w *width, decrypt bool, bits int) *xts {
	x := &xts{w: w, rounds: roundsOf[bits], decrypt: decrypt, bits: bits}
	if w.wide() {
		x.xtsBody = &xts512{xts: x}
	} else {
		x.xtsBody = &xts256{xts: x}
	}
	return x
}

// run writes the kernel for a run. A sector is whole groups of 8 registers; its
// last group carries the making of the next sector's start tweaks, so that the
// pipeline never runs dry. Units that are no multiple of a group end in 4, 2,
// 1 and a partial register.
func (x *xts) run(name string) {
	TEXT(name, NOSPLIT, "func(keys, tweaks, dst, src, scratch *byte, n, unit, dstStride, srcStride int)")
	Doc(name+" is XTS over a run of n > 0 sectors. tweaks are encrypted, 16 bytes a",
		"sector and 16 more that are read but not used. keys and scratch are aligned.")
	Pragma("noescape")
	x.keys, x.tweaks, x.dst, x.src, x.scratch = param("keys"), param("tweaks"), param("dst"), param("src"), param("scratch")
	n, unit := param("n"), param("unit")
	dstSkip, srcSkip := param("dstStride"), param("srcStride") // from a sector's end to the next
	SUBQ(unit, dstSkip)
	SUBQ(unit, srcSkip)

	x.prepare(unit)
	perform(x.start())
	x.flip()
	ADDQ(Imm(16), x.tweaks)

	groups, left := GP64(), GP64() // whole groups of a sector; those still to do
	x.split(unit, groups)
	JNZ(LabelRef("ragged"))

	JMP(LabelRef("sector"))
	Label("group")
	x.blocks(groupRegs, x.advance())
	x.flip()
	DECQ(left)
	JNZ(LabelRef("group"))
	Label("last_group")
	x.blocks(groupRegs, x.start())
	x.flip()
	ADDQ(Imm(16), x.tweaks)
	ADDQ(dstSkip, x.dst)
	ADDQ(srcSkip, x.src)
	DECQ(n)
	JZ(LabelRef("done"))
	Label("sector")
	MOVQ(groups, left)
	DECQ(left)
	JNZ(LabelRef("group"))
	JMP(LabelRef("last_group"))

	Label("ragged")
	MOVQ(groups, left)
	TESTQ(left, left)
	JZ(LabelRef("tail"))
	Label("ragged_group")
	x.blocks(groupRegs, x.advance())
	x.flip()
	DECQ(left)
	JNZ(LabelRef("ragged_group"))
	Label("tail")
	x.tail(unit)
	perform(x.start())
	x.flip()
	ADDQ(Imm(16), x.tweaks)
	ADDQ(dstSkip, x.dst)
	ADDQ(srcSkip, x.src)
	DECQ(n)
	JNZ(LabelRef("ragged"))

	Label("done")
	VZEROUPPER()
	RET()
}

// split sets groups to the whole groups of a unit and leaves the rest in unit,
// with the flags for it.
func (x *xts) split(unit, groups reg.GPVirtual) {
	groupBytes := groupRegs * x.w.bytes
	MOVQ(unit, groups)
	SHRQ(U8(log2(groupBytes)), groups)
	ANDQ(U32(groupBytes-1), unit)
}

// tail writes what is left of a unit behind its whole groups.
func (x *xts) tail(unit reg.GPVirtual) {
	for regs := groupRegs / 2; regs >= 1; regs /= 2 {
		skip := fmt.Sprintf("less_than_%d", regs)
		TESTQ(U32(regs*x.w.bytes), unit)
		JZ(LabelRef(skip))
		x.blocks(regs, nil)
		x.dropTweaks(regs)
		Label(skip)
	}
	TESTQ(U32(x.w.bytes-1), unit)
	JZ(LabelRef("whole"))
	x.partial(unit)
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
	VEXTRACTI128(U8(1), tweak, at(x.scratch, 0))
	x.tweaks = x.scratch
	x.prepare(unit)
	perform(x.start())
	x.flip()

	groups := GP64()
	x.split(unit, groups)
	TESTQ(groups, groups)
	JZ(LabelRef("tail"))
	DECQ(groups)
	JZ(LabelRef("last_group"))
	Label("group")
	x.blocks(groupRegs, x.advance())
	x.flip()
	DECQ(groups)
	JNZ(LabelRef("group"))
	Label("last_group")
	TESTQ(unit, unit)
	JNZ(LabelRef("advance"))
	x.blocks(groupRegs, nil)
	JMP(LabelRef("done"))
	Label("advance")
	x.blocks(groupRegs, x.advance())
	x.flip()
	Label("tail")
	x.tail(unit)
	Label("done")
	VZEROUPPER()
	RET()
}

// stepCounts is the table of per-lane shift counts that turn a tweak into the
// start tweaks: for register j the left shifts e and the right shifts 64-e of
// both halves, e being the number of the block.
func stepCounts(w *width) {
	table := GLOBL(stepCountsName(w), RODATA|NOPTR)
	_ = table
	offset := 0
	add := func(low, high int) {
		DATA(offset, U64(uint64(low)))
		DATA(offset+8, U64(uint64(high)))
		offset += 16
	}
	for j := 0; j < groupRegs; j++ {
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
	return NewDataAddr(Symbol{Name: stepCountsName(w), Static: true}, 2*w.bytes*groupRegs+w.bytes*i)
}

func log2(n int) int {
	k := 0
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}
