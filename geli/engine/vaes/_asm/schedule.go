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
// The two keys of XTS are expanded side by side, the data key in lane 0 and
// the tweak key in lane 1. The tweak of the first sector is encrypted on the
// way: round i needs round key i only.

const scheduleConsts = "scheduleConsts"

// Offsets in scheduleConsts, of two equal lanes each.
const (
	rotLastWord     = 0  // RotWord of word 3 in every column
	justLastWord    = 32 // word 3 in every column
	rotWord1        = 64 // RotWord of word 1 in every column
	roundConstants  = 96
	roundConstBytes = 32
)

func schedules(w *width) {
	for _, bits := range []int{128, 192, 256} {
		expandCBC(w, bits)
		invert(w, bits)
	}
	for _, bits := range []int{128, 256} {
		expandXTS(w, bits)
		tweakKernel(w, bits)
	}
	constants(w)
}

func constants(w *width) {
	GLOBL(scheduleConsts+w.suffix, RODATA|NOPTR)
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
	w     *width
	reg   func(i int) reg.VecPhysical // registers of the one or two lanes
	emit  func(round int, key int)    // takes round key in register key
	steps int
}

func (e *expansion) constant(offset int) Mem {
	return NewDataAddr(Symbol{Name: scheduleConsts + e.w.suffix, Static: true}, offset)
}

// runningXor sets word i of register to to the xor of words 0..i of from.
func (e *expansion) runningXor(from, to, scratch int) {
	VPSLLDQ(U8(4), e.reg(from), e.reg(scratch))
	VPXOR(e.reg(from), e.reg(scratch), e.reg(scratch))
	VPSLLDQ(U8(8), e.reg(scratch), e.reg(to))
	VPXOR(e.reg(scratch), e.reg(to), e.reg(to))
}

// rcon addresses the constant of the i-th step, from 0.
func (e *expansion) rcon(i int) Mem { return e.constant(roundConstants + roundConstBytes*i) }

// aes128 expands register 0. Registers 0 to 5 are used.
func (e *expansion) aes128() {
	k, sub, run, scratch, mask := 0, 1, 2, 3, 4
	e.w256(e.constant(rotLastWord), mask)
	e.emit(0, k)
	for i := range 10 {
		VPSHUFB(e.reg(mask), e.reg(k), e.reg(sub))
		VAESENCLAST(e.rcon(i), e.reg(sub), e.reg(sub))
		e.runningXor(k, run, scratch)
		VPXOR(e.reg(run), e.reg(sub), e.reg(k))
		e.emit(i+1, k)
	}
}

// aes256 expands registers 0 and 1.
func (e *expansion) aes256() {
	k := [2]int{0, 1}
	sub, run, scratch := 2, 3, 4
	masks := [2]int{5, 6}
	e.w256(e.constant(rotLastWord), masks[0])
	e.w256(e.constant(justLastWord), masks[1])
	e.emit(0, k[0])
	e.emit(1, k[1])
	for i := 2; i <= 14; i++ {
		this, last := k[i%2], k[(i+1)%2]
		e.runningXor(this, run, scratch)
		if i%2 == 0 {
			VPXOR(e.rcon(i/2-1), e.reg(run), e.reg(run))
		}
		VPSHUFB(e.reg(masks[i%2]), e.reg(last), e.reg(sub))
		VAESENCLAST(e.reg(run), e.reg(sub), e.reg(this))
		e.emit(i, this)
	}
}

// aes192 expands register 0 and the low half of register 1. Each step gives
// six words, so a round key is put together of two steps' words.
func (e *expansion) aes192() {
	lo, hi, sub, run, scratch, mask, mixed, oldHi := 0, 1, 2, 3, 4, 5, 6, 7
	e.w256(e.constant(rotWord1), mask)
	e.emit(0, lo)
	round := 1
	for i := range 8 {
		VPSHUFB(e.reg(mask), e.reg(hi), e.reg(sub))
		VAESENCLAST(e.rcon(i), e.reg(sub), e.reg(sub))
		VMOVDQA(e.reg(hi), e.reg(oldHi))
		e.runningXor(lo, run, scratch)
		VPXOR(e.reg(run), e.reg(sub), e.reg(lo))
		VPSLLDQ(U8(4), e.reg(hi), e.reg(scratch))
		VPXOR(e.reg(scratch), e.reg(hi), e.reg(hi))
		VPSHUFD(U8(0xff), e.reg(lo), e.reg(scratch))
		VPXOR(e.reg(scratch), e.reg(hi), e.reg(hi))
		if i%2 == 0 {
			VPUNPCKLQDQ(e.reg(lo), e.reg(oldHi), e.reg(mixed))
			e.emit(round, mixed)
			VPALIGNR(U8(8), e.reg(lo), e.reg(hi), e.reg(mixed))
			e.emit(round+1, mixed)
			round += 2
		} else {
			e.emit(round, lo)
			round++
		}
	}
}

func (e *expansion) w256(from Op, to int) { VMOVDQU(from, e.reg(to)) }

// spread stores lane number lane of register k in every lane of a slot.
// scratch is left with it.
func spread(w *width, k, lane, scratch int, to Mem) {
	switch {
	case w.wide():
		VSHUFI64X2(U8(0x55*lane), zmm[k], zmm[k], zmm[scratch])
		VMOVDQU64(zmm[scratch], to)
	default:
		VPERM2I128(U8(0x11*lane), ymm[k], ymm[k], ymm[scratch])
		VMOVDQU(ymm[scratch], to)
	}
}

func expandCBC(w *width, bits int) {
	name := fmt.Sprintf("expand%d%s", bits, w.suffix)
	TEXT(name, NOSPLIT, "func(key, keys *byte)")
	Doc(name + " expands one key for encryption.")
	Pragma("noescape")
	key := Load(Param("key"), GP64())
	keys := Load(Param("keys"), GP64())
	e := &expansion{w: w, reg: func(i int) reg.VecPhysical { return xmm[i] }}
	e.emit = func(round, k int) { spread(w, k, 0, 8, at(keys, w.slot*round)) }
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

func expandXTS(w *width, bits int) {
	name := fmt.Sprintf("expandXTS%d%s", bits, w.suffix)
	TEXT(name, NOSPLIT, "func(key, iv, keys, tweakKeys, tweak *byte)")
	Doc(name+" expands both halves of an XTS key for encryption and encrypts the",
		"tweak of one sector, 16 bytes at iv, to tweak.")
	Pragma("noescape")
	key := Load(Param("key"), GP64())
	iv := Load(Param("iv"), GP64())
	keys := Load(Param("keys"), GP64())
	tweakKeys := Load(Param("tweakKeys"), GP64())
	out := Load(Param("tweak"), GP64())

	tweak := xmm[10]
	e := &expansion{w: w, reg: func(i int) reg.VecPhysical { return ymm[i] }}
	e.emit = func(round, k int) {
		spread(w, k, 0, 8, at(keys, w.slot*round))
		spread(w, k, 1, 9, at(tweakKeys, w.slot*round))
		switch round {
		case 0:
			VPXOR(at(iv, 0), xmm[9], tweak)
		case roundsOf[bits]:
			VAESENCLAST(xmm[9], tweak, tweak)
		default:
			VAESENC(xmm[9], tweak, tweak)
		}
	}
	for i := range bits / 128 {
		VMOVDQU(at(key, 16*i), xmm[i])
		VINSERTI128(U8(1), at(key, bits/8+16*i), ymm[i], ymm[i])
	}
	if bits == 128 {
		e.aes128()
	} else {
		e.aes256()
	}
	VMOVDQU(tweak, at(out, 0))
	VZEROUPPER()
	RET()
}

// invert makes the schedule of the equivalent inverse cipher (FIPS 197,
// section 5.3.5).
func invert(w *width, bits int) {
	name := fmt.Sprintf("invert%d%s", bits, w.suffix)
	TEXT(name, NOSPLIT, "func(keys, inverse *byte)")
	Doc(name + " turns a schedule for encryption into one for decryption.")
	Pragma("noescape")
	keys := Load(Param("keys"), GP64())
	inverse := Load(Param("inverse"), GP64())
	rounds := roundsOf[bits]
	for r := 0; r <= rounds; r++ {
		k := r % 6
		VMOVDQU(at(keys, w.slot*(rounds-r)), xmm[k])
		if r > 0 && r < rounds {
			VAESIMC(xmm[k], xmm[k])
		}
		spread(w, k, 0, 8+k, at(inverse, w.slot*r))
	}
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
		v.move(at(keys, 0), key)
		for j := range regs {
			v.xor(at(in, v.bytes*j), key, v.regs[j])
		}
		perform(middleRounds(v, false, rounds, keys, v.regs[:regs], key))
		v.move(at(keys, w.slot*rounds), key)
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
		perform(middleRounds(w, false, rounds, keys, zmm[:1], zmm[8]))
		lastRound(false, at(keys, w.slot*rounds), zmm[0])
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
