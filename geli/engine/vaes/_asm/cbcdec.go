package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// CBC decryption: P_i = D(C_i) ^ C_(i-1), with the IV as C_(-1). A sector is
// walked from its end to its start, so that in place every C_(i-1) is still
// there when it is needed. The xor is folded into the key of the last round.
//
// Rejected: the SHA-256 of the next sector's IV woven in by SHA-NI, with the data
// in registers 16 to 31: on Zen 4 a sector of 512 bytes takes 43.3 ns against
// 44.6 apart. The two share pipes; nothing but their instructions, mixed, takes
// 38.0.
//
// Registers: 0-7 data, 8-11 folded keys in turn, 12 round key, 14 and 15 the
// round keys first and last. K1: the quadwords of a sector's first register,
// which may be partial; K2: those of them that follow the IV.

// cbcDec is one CBC decryption kernel. dst and src point at the end of what is
// still to be done in the sector.
type cbcDec struct {
	w                   *width
	rounds              int
	keys, dst, src, ivs reg.GPVirtual
	ahead               reg.GPVirtual // what to prefetch, bytes from src
}

func cbcDecKernels(w *width) {
	for _, bits := range []int{128, 192, 256} {
		c := &cbcDec{w: w, rounds: roundsOf[bits]}
		c.kernel(fmt.Sprintf("cbcDec%d%s", bits, w.suffix))
		if w.wide() {
			c := &cbcDec{w: width512Compact, rounds: roundsOf[bits]}
			c.kernel(fmt.Sprintf("cbcDecOne%d%s", bits, w.suffix))
		}
	}
}

func (c *cbcDec) kernel(name string) {
	w := c.w
	TEXT(name, NOSPLIT, "func(keys, dst, src, ivs *byte, n, unit, dstStride, srcStride int)")
	Doc(name + " is CBC decryption of a run of n > 0 sectors. keys is aligned.")
	Pragma("noescape")
	c.keys, c.dst, c.src, c.ivs = param("keys"), param("dst"), param("src"), param("ivs")
	n, unit := param("n"), param("unit")
	dstStep, srcStep := param("dstStride"), param("srcStride") // from a sector's start to the next one's end
	ADDQ(unit, dstStep)
	ADDQ(unit, srcStep)
	ADDQ(unit, c.dst)
	ADDQ(unit, c.src)

	w.loadKey(c.keys, 0, w.regs[14])
	w.loadKey(c.keys, c.rounds, w.regs[15])
	if w.wide() {
		c.masks(unit)
	}

	// Against memory, a sector that is walked downwards needs help: prefetch the
	// next one. Short sectors look like one stream upwards to the processor, and
	// in long ones it sees the stream downwards.
	c.ahead = GP64()
	none := GP64()
	XORQ(none, none)
	MOVQ(unit, c.ahead)
	CMPQ(unit, U32(1024))
	CMOVQCS(none, c.ahead)
	CMPQ(unit, U32(8192))
	CMOVQHI(none, c.ahead)

	groupBytes := groupRegs * w.bytes
	left := GP64()
	JMP(LabelRef("sector"))
	Label("group")
	c.blocks(groupRegs, false)
	Label("sector_body")
	SUBQ(U32(groupBytes), left)
	JA(LabelRef("group"))
	JZ(LabelRef("last_group"))

	// Less than a group is left. Whole registers first, down to the one that
	// holds block 0.
	ADDQ(U32(groupBytes-16), left)
	for regs := groupRegs / 2; regs >= 1; regs /= 2 {
		skip := fmt.Sprintf("less_than_%d", regs)
		TESTQ(U32(regs*w.bytes), left)
		JZ(LabelRef(skip))
		c.blocks(regs, false)
		Label(skip)
	}
	c.partial(left)
	JMP(LabelRef("next"))
	Label("last_group")
	c.blocks(groupRegs, true)
	Label("next")
	ADDQ(Imm(16), c.ivs)
	ADDQ(dstStep, c.dst)
	ADDQ(srcStep, c.src)
	DECQ(n)
	JZ(LabelRef("done"))
	Label("sector")
	MOVQ(unit, left)
	JMP(LabelRef("sector_body"))
	Label("done")
	VZEROUPPER()
	RET()
}

// masks sets K1 and K2 for a first register of p = (unit-16)%64 + 16 bytes.
func (c *cbcDec) masks(unit reg.GPVirtual) {
	mask := GP32()
	LEAQ(at(unit, -16), reg.RCX)
	ANDL(U32(48), reg.ECX)
	SHRL(U8(3), reg.ECX)
	MOVL(U32(4), mask)
	SHLL(reg.CL, mask)
	DECL(mask)
	KMOVW(mask, reg.K1)
	ANDL(U32(0xfc), mask)
	KMOVW(mask, reg.K2)
	MOVL(U32(0xfc), mask)
	KMOVW(mask, reg.K3)
}

// blocks decrypts the last so many whole registers of what is left; first says
// that block 0 is among them.
func (c *cbcDec) blocks(regs int, first bool) {
	w := c.w
	data := w.regs[:regs]
	SUBQ(U32(regs*w.bytes), c.src)
	SUBQ(U32(regs*w.bytes), c.dst)
	for j, d := range data {
		w.xor(at(c.src, w.bytes*j), w.regs[14], d)
		if w.bytes*j%64 == 0 {
			PREFETCHT0(Mem{Base: c.src, Index: c.ahead, Scale: 1, Disp: w.bytes * j})
		}
	}
	weave(middleRounds(w, true, c.rounds, c.keys, data, w.regs[12]), nil)
	// From the top: what is stored here is not loaded below.
	top := func(j int) int { return regs - 1 - j }
	folded := func(j int) reg.VecPhysical { return w.regs[8+top(j)%4] }
	inPairs(regs,
		func(j int) {
			if first && top(j) == 0 {
				c.behindIV(folded(j), reg.K3)
				w.xor(w.regs[15], folded(j), folded(j))
			} else {
				w.xor(at(c.src, w.bytes*top(j)-16), w.regs[15], folded(j))
			}
		},
		func(j int) { lastRound(true, folded(j), data[top(j)]) },
		func(j int) { w.move(data[top(j)], at(c.dst, w.bytes*top(j))) })
}

// behindIV loads the IV and, behind it, the ciphertext from src on.
func (c *cbcDec) behindIV(to reg.VecPhysical, rest reg.OpmaskPhysical) {
	VMOVDQU(at(c.ivs, 0), to.AsX())
	if c.w.wide() {
		VMOVDQU64(at(c.src, -16), rest, to)
	} else {
		VINSERTI128(U8(1), at(c.src, 0), to, to)
	}
}

// partial decrypts the register that block 0 is in, of left%bytes + 16 bytes.
func (c *cbcDec) partial(left reg.GPVirtual) {
	w := c.w
	if !w.wide() {
		// Two blocks or one.
		TESTQ(U32(16), left)
		JZ(LabelRef("one"))
		c.blocks(1, true)
		JMP(LabelRef("next"))
		Label("one")
		SUBQ(Imm(16), c.src)
		SUBQ(Imm(16), c.dst)
		VPXOR(at(c.src, 0), xmm[14], xmm[0])
		weave(middleRounds(width128, true, c.rounds, c.keys, xmm[:1], xmm[12]), nil)
		VPXOR(at(c.ivs, 0), xmm[15], xmm[8])
		lastRound(true, xmm[8], xmm[0])
		VMOVDQU(xmm[0], at(c.dst, 0))
		return
	}
	ANDQ(U32(48), left)
	ADDQ(Imm(16), left)
	SUBQ(left, c.src)
	SUBQ(left, c.dst)
	VMOVDQU64_Z(at(c.src, 0), reg.K1, zmm[0])
	VPXORQ(zmm[14], zmm[0], zmm[0])
	weave(middleRounds(w, true, c.rounds, c.keys, zmm[:1], zmm[12]), nil)
	c.behindIV(zmm[8], reg.K2)
	VPXORQ(zmm[15], zmm[8], zmm[8])
	lastRound(true, zmm[8], zmm[0])
	VMOVDQU64(zmm[0], reg.K1, at(c.dst, 0))
}
