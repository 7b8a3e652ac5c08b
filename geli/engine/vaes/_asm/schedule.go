package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Key expansion (FIPS 197, section 5.2) without AESKEYGENASSIST, which is slow:
// where all four columns of a state are equal, the last round of AES is
// SubBytes and the xor of a key. So SubWord(RotWord(w)) ^ rcon is a byte
// shuffle and one AESENCLAST, and with the running xor of the key before in
// its key operand a step of AES-256 costs the latency of those two.
//
// Schedules are made compact, with one store a round; the two keys of XTS side
// by side, the data key in lane 0 and the tweak key in lane 1. The tweak of one
// sector can be encrypted on the way: round i needs round key i only.

const scheduleConsts = "scheduleConsts"

// Offsets in scheduleConsts, of two equal lanes each.
const (
	rotLastWord     = 0  // RotWord of word 3 in every column
	justLastWord    = 32 // word 3 in every column
	rotWord1        = 64 // RotWord of word 1 in every column
	roundConstAt    = 96
	roundConstBytes = 32
)

// scheduleKernels are those that both engines use.
func scheduleKernels() {
	for _, bits := range []int{128, 192, 256} {
		expandCBC(bits, false)
		expandCBC(bits, true)
		invert(bits)
	}
	for _, bits := range []int{128, 256} {
		expandXTS(bits)
	}
	scheduleTable()
}

func scheduleTable() {
	GLOBL(scheduleConsts, RODATA|NOPTR)
	offset := 0
	add := func(word uint32) {
		for range 8 {
			DATA(offset, U32(word))
			offset += 4
		}
	}
	add(0x0c0f0e0d)
	add(0x0f0e0d0c)
	add(0x04070605)
	for rcon, i := 1, 0; i < 10; i++ {
		add(uint32(rcon))
		rcon = rcon<<1 ^ rcon>>7*0x11b
	}
}

// expansion is one key expansion being written, on one lane or on two.
type expansion struct {
	reg  []reg.VecPhysical     // of the one or two lanes
	emit func(round int, k Op) // takes round key k
}

func scheduleConst(offset int) Mem {
	return NewDataAddr(Symbol{Name: scheduleConsts, Static: true}, offset)
}

// rcon addresses the constant of the i-th step, from 0.
func rcon(i int) Mem { return scheduleConst(roundConstAt + roundConstBytes*i) }

// runningXor sets word i of to to the xor of words 0..i of from.
func runningXor(from, to, scratch Op) {
	VPSLLDQ(U8(4), from, scratch)
	VPXOR(from, scratch, scratch)
	VPSLLDQ(U8(8), scratch, to)
	VPXOR(scratch, to, to)
}

// aes128 expands register 0. Registers 0 to 4 are used.
func (e *expansion) aes128() {
	k, sub, run, scratch, mask := e.reg[0], e.reg[1], e.reg[2], e.reg[3], e.reg[4]
	VMOVDQU(scheduleConst(rotLastWord), mask)
	e.emit(0, k)
	for i := range 10 {
		VPSHUFB(mask, k, sub)
		VAESENCLAST(rcon(i), sub, sub)
		runningXor(k, run, scratch)
		VPXOR(run, sub, k)
		e.emit(i+1, k)
	}
}

// aes256 expands registers 0 and 1. Registers 0 to 6 are used.
func (e *expansion) aes256() {
	k, sub, run, scratch, masks := e.reg[0:2], e.reg[2], e.reg[3], e.reg[4], e.reg[5:7]
	VMOVDQU(scheduleConst(rotLastWord), masks[0])
	VMOVDQU(scheduleConst(justLastWord), masks[1])
	e.emit(0, k[0])
	e.emit(1, k[1])
	for i := 2; i <= 14; i++ {
		this, last := k[i%2], k[(i+1)%2]
		runningXor(this, run, scratch)
		if i%2 == 0 {
			VPXOR(rcon(i/2-1), run, run)
		}
		VPSHUFB(masks[i%2], last, sub)
		VAESENCLAST(run, sub, this)
		e.emit(i, this)
	}
}

// aes192 expands register 0 and the low half of register 1. Each step gives
// six words, so a round key is put together of two steps' words. Registers 0
// to 7 are used.
func (e *expansion) aes192() {
	lo, hi, sub, run := e.reg[0], e.reg[1], e.reg[2], e.reg[3]
	scratch, mask, mixed, oldHi := e.reg[4], e.reg[5], e.reg[6], e.reg[7]
	VMOVDQU(scheduleConst(rotWord1), mask)
	e.emit(0, lo)
	round := 1
	for i := range 8 {
		VPSHUFB(mask, hi, sub)
		VAESENCLAST(rcon(i), sub, sub)
		VMOVDQA(hi, oldHi)
		runningXor(lo, run, scratch)
		VPXOR(run, sub, lo)
		VPSLLDQ(U8(4), hi, scratch)
		VPXOR(scratch, hi, hi)
		VPSHUFD(U8(0xff), lo, scratch)
		VPXOR(scratch, hi, hi)
		if i%2 == 0 {
			VPUNPCKLQDQ(lo, oldHi, mixed)
			e.emit(round, mixed)
			VPALIGNR(U8(8), lo, hi, mixed)
			e.emit(round+1, mixed)
			round += 2
		} else {
			e.emit(round, lo)
			round++
		}
	}
}

// emitInverse stores round key k, of one block, where decryption uses it: in
// reverse order, those of the middle rounds under InvMixColumns (FIPS 197,
// section 5.3.5).
func emitInverse(inverse reg.Register, rounds, round int, k Op, scratch Op) {
	if round > 0 && round < rounds {
		VAESIMC(k, scratch)
		k = scratch
	}
	VMOVDQU(k, at(inverse, compactSlot*(rounds-round)))
}

func expandCBC(bits int, both bool) {
	name, signature, doc := fmt.Sprintf("expand%d", bits), "func(key, keys *byte)", " expands one key for encryption."
	if both {
		name, signature, doc = fmt.Sprintf("expandBoth%d", bits), "func(key, keys, inverse *byte)", " expands one key for both directions."
	}
	TEXT(name, NOSPLIT, signature)
	Doc(name + doc)
	Pragma("noescape")
	key, keys := param("key"), param("keys")
	inverse := keys
	if both {
		inverse = param("inverse")
	}
	e := &expansion{reg: xmm}
	e.emit = func(round int, k Op) {
		VMOVDQU(k, at(keys, compactSlot*round))
		if both {
			emitInverse(inverse, roundsOf[bits], round, k, xmm[8])
		}
	}
	VMOVDQU(at(key, 0), xmm[0])
	switch bits {
	case 128:
		e.aes128()
	case 192:
		VMOVQ(at(key, 16), xmm[1])
		e.aes192()
	case 256:
		VMOVDQU(at(key, 16), xmm[1])
		e.aes256()
	}
	VZEROUPPER()
	RET()
}

func expandXTS(bits int) {
	name := fmt.Sprintf("expandXTS%d", bits)
	TEXT(name, NOSPLIT, "func(key, keys *byte)")
	Doc(name + " expands both halves of an XTS key for encryption.")
	Pragma("noescape")
	key, keys := param("key"), param("keys")
	bothHalves(key, bits, func(round int, k Op) { VMOVDQU(k, at(keys, compactSlot*round)) })
	VZEROUPPER()
	RET()
}

// bothHalves expands the two halves of an XTS key at key.
func bothHalves(key reg.Register, bits int, emit func(round int, k Op)) {
	for i := range bits / 128 {
		VMOVDQU(at(key, 16*i), xmm[i])
		VINSERTI128(U8(1), at(key, bits/8+16*i), ymm[i], ymm[i])
	}
	e := &expansion{reg: ymm, emit: emit}
	if bits == 128 {
		e.aes128()
	} else {
		e.aes256()
	}
}

func invert(bits int) {
	name := fmt.Sprintf("invert%d", bits)
	TEXT(name, NOSPLIT, "func(keys, inverse *byte)")
	Doc(name + " turns a schedule for encryption into one for decryption.")
	Pragma("noescape")
	keys, inverse := param("keys"), param("inverse")
	for r := 0; r <= roundsOf[bits]; r++ {
		k := xmm[r%8]
		VMOVDQU(at(keys, compactSlot*r), k)
		emitInverse(inverse, roundsOf[bits], r, k, k)
	}
	VZEROUPPER()
	RET()
}

// widen makes a schedule with a key in every lane of 512 bits.
func widen() {
	TEXT("widenAVX512", NOSPLIT, "func(compact, keys *byte, rounds int)")
	Doc("widenAVX512 spreads the round keys of a compact schedule over whole registers.")
	Pragma("noescape")
	from, to, left := param("compact"), param("keys"), param("rounds")
	Label("round")
	VBROADCASTI32X4(at(from, 0), zmm[0])
	VMOVDQU64(zmm[0], at(to, 0))
	ADDQ(Imm(compactSlot), from)
	ADDQ(Imm(64), to)
	DECQ(left)
	JNS(LabelRef("round")) // rounds+1 keys
	VZEROUPPER()
	RET()
}

// tweakKernel is AES in ECB mode, for the tweaks of many sectors at once.
func tweakKernel(w *width, bits int) {
	name := fmt.Sprintf("xtsTweaks%d%s", bits, w.suffix)
	TEXT(name, NOSPLIT, "func(tweakKeys, tweaks, ivs *byte, n int)")
	Doc(name + " encrypts n tweaks of 16 bytes from ivs to tweaks.")
	Pragma("noescape")
	keys := Load(Param("tweakKeys"), GP64())
	out := Load(Param("tweaks"), GP64())
	in := Load(Param("ivs"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(U8(4), n) // bytes from here on
	rounds := roundsOf[bits]

	blocks := func(v *width, regs int) {
		key := v.regs[8]
		v.loadKey(keys, 0, key)
		for j := range regs {
			v.xor(at(in, v.bytes*j), key, v.regs[j])
		}
		weave(middleRounds(v, false, rounds, keys, v.regs[:regs], key), nil)
		v.loadKey(keys, rounds, key)
		for j := range regs {
			lastRound(false, key, v.regs[j])
			v.move(v.regs[j], at(out, v.bytes*j))
		}
		ADDQ(U32(v.bytes*regs), in)
		ADDQ(U32(v.bytes*regs), out)
	}
	group := groupRegs * w.bytes
	JMP(LabelRef("more"))
	Label("group")
	blocks(w, groupRegs)
	SUBQ(U32(group), n)
	Label("more")
	CMPQ(n, U32(group))
	JAE(LabelRef("group"))
	for regs := groupRegs / 2; regs >= 1; regs /= 2 {
		skip := fmt.Sprintf("less_than_%d", regs)
		TESTQ(U32(regs*w.bytes), n)
		JZ(LabelRef(skip))
		blocks(w, regs)
		Label(skip)
	}
	if w.wide() {
		// Up to three blocks: the lanes that are left, under a mask.
		ANDQ(U32(48), n)
		JZ(LabelRef("done"))
		MOVQ(n, reg.RCX)
		SHRQ(U8(3), reg.RCX)
		mask := GP32()
		MOVL(U32(1), mask)
		SHLL(reg.CL, mask)
		DECL(mask)
		KMOVW(mask, reg.K1)
		VMOVDQU64_Z(at(in, 0), reg.K1, zmm[0])
		VPXORQ(at(keys, 0), zmm[0], zmm[0])
		weave(middleRounds(w, false, rounds, keys, zmm[:1], zmm[8]), nil)
		lastRound(false, at(keys, w.slot()*rounds), zmm[0])
		VMOVDQU64(zmm[0], reg.K1, at(out, 0))
	} else {
		TESTQ(U32(16), n)
		JZ(LabelRef("done"))
		blocks(width128, 1)
	}
	Label("done")
	VZEROUPPER()
	RET()
}
