package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file is what CBC encryption does between two lines: it counts them,
// starts sectors, and keeps the tables. cbcenc.go explains.

// numbers fills in the constants and single numbers.
func (c *cbcEnc) numbers() {
	unit, lines, t := param("unit"), GP64(), GP64()
	LEAQ(at(unit, line-1), lines)
	SHRQ(U8(6), lines)
	MOVQ(lines, at(c.tables, c.lines()))
	fill := func(offset int, number reg.GPVirtual) {
		VMOVQ(number, xmm[8])
		VPBROADCASTQ(xmm[8], ymm[8])
		VMOVDQU(ymm[8], at(c.tables, offset))
	}
	MOVQ(I32(-1), t)
	fill(c.minusOne(), t)
	XORQ(t, t)
	fill(c.zero(), t)
	MOVL(U32(c.chains()), t.As32())
	fill(c.many(), t)
	// Events are due behind the line before the last and behind the first. A
	// partial line adds that before them.
	one, second, rest := GP64(), GP64(), GP64()
	MOVL(U32(1), one.As32())
	LEAQ(at(lines, -1), second)
	fill(c.due(0), one)
	fill(c.due(1), second)
	MOVQ(unit, rest)
	ANDQ(U32(line-1), rest)
	CMOVQEQ(second, lines)
	MOVL(U32(2), t.As32())
	TESTQ(rest, rest)
	CMOVQEQ(one, t)
	fill(c.due(2), t)
	fill(c.due(3), lines)

	// Prefetch the next batch if sectors are short, since their lines come in
	// an order that the processor's own prefetch does not see through. It does
	// well with long ones: there, point at what is in use anyway.
	XORQ(t, t)
	for i, stride := range []string{"srcStride", "dstStride"} {
		d := param(stride)
		IMUL3Q(I32(int32(c.chains())), d, d)
		CMPQ(unit, U32(longSector))
		CMOVQCC(t, d)
		MOVQ(d, at(c.tables, c.fetchAhead()+8*i))
	}
}

// longSector is the bytes from which on nothing is prefetched, and the lag may
// be worth its ramps.
const longSector = 1024

// allIdle sets the registers up to start, one after the other if there is a
// lag, and those that get no sector to stay idle.
func (c *cbcEnc) allIdle() {
	lag, t, zero := GP64(), GP64(), GP64()
	Comment("Lag: -1 for long sectors where a stride is a multiple of 1024, else 0")
	XORQ(lag, lag)
	XORQ(zero, zero)
	for _, stride := range []string{"srcStride", "dstStride"} {
		MOVQ(param(stride), t)
		SUBQ(Imm(1), t)
		NOTQ(t) // -stride
		ANDQ(U32(1023), t)
		CMPQ(t, Imm(1)) // carry if a multiple
		SBBQ(t, t)
		ORQ(t, lag)
	}
	CMPQ(param("unit"), U32(longSector))
	CMOVQLT(zero, lag)
	if !c.w.wide() {
		XORQ(lag, lag) // 16 chains do not need it: it cost more than it gave
	}

	whole := GP64()
	MOVQ(param("unit"), whole)
	ANDQ(U32(line-1), whole)
	SUBQ(lag, whole) // 0 if there is neither a partial line nor a lag
	two := GP64()
	MOVL(U32(2), two.As32())
	CMPQ(two, at(c.tables, c.lines()))
	CMOVQGE(two, whole) // and if lines are enough to keep the events apart
	MOVQ(whole, at(c.tables, c.together()))

	i, sector, n, left, active, none := GP64(), GP64(), param("n"), GP64(), GP64(), GP64()
	XORQ(sector, sector)
	flushFrom := GP64()
	Comment("Where sectors are one line, flush comes by once before the first is done")
	MOVQ(I32(int32(-c.chains())), flushFrom)
	CMPQ(at(c.tables, c.lines()), Imm(1))
	CMOVQNE(zero, flushFrom)
	XORQ(i, i)
	XORQ(active, active)
	advance := GP64()
	MOVQ(I32(-2), left)
	MOVQ(I32(never), none)
	Label("idle")
	MOVQ(left, t)
	MOVL(U32(line), advance.As32())
	CMPQ(sector, n)
	CMOVQGE(none, t)
	CMOVQGE(zero, advance)
	MOVQ(t, c.of(i, c.left()))
	MOVQ(advance, c.of(i, c.advance()))
	ADCQ(Imm(0), active) // carry if sector < n
	MOVQ(sector, c.of(i, c.gatherFrom()))
	MOVQ(flushFrom, c.of(i, c.flushFrom()))
	MOVQ(zero, c.of(i, c.gatherAt()))
	MOVQ(zero, c.of(i, c.flushAt()))
	ADDQ(lag, left)
	ADDQ(Imm(uint64(c.w.lanes())), sector)
	ADDQ(Imm(uint64(c.w.lanes())), flushFrom)
	INCQ(i)
	CMPQ(i, Imm(uint64(c.regs)))
	JNE(LabelRef("idle"))
	MOVQ(active, at(c.tables, c.active()))

	LEAQ(at(c.tables, c.unused()), t)
	XORQ(i, i)
	Label("nowhere")
	MOVQ(t, c.of(i, c.srcTable()))
	MOVQ(t, c.of(i, c.dstTable()))
	INCQ(i)
	CMPQ(i, Imm(uint64(c.chains())))
	JNE(LabelRef("nowhere"))
}

// of addresses number i of a table.
func (c *cbcEnc) of(i reg.GPVirtual, table int) Mem {
	return Mem{Base: c.tables, Index: i, Scale: 8, Disp: table}
}

// lineEnd counts a line of every register and starts the next sectors of those
// whose last it was. It leaves the flags of what is not zero if there are
// events.
func (c *cbcEnc) lineEnd() {
	w := c.w
	left, t := ymm[8], ymm[9]
	ended, events, half := GP64(), GP64(), GP64()
	XORQ(ended, ended)
	XORQ(events, events)
	for h := range c.regs / 4 {
		for _, offset := range []int{c.gatherAt(), c.flushAt()} {
			VMOVDQU(at(c.tables, offset+32*h), t)
			VPADDQ(at(c.tables, c.advance()+32*h), t, t)
			VMOVDQU(t, at(c.tables, offset+32*h))
		}
		VMOVDQU(at(c.tables, c.left()+32*h), left)
		VPADDQ(at(c.tables, c.minusOne()), left, left)
		VMOVDQU(left, at(c.tables, c.left()+32*h))
		VPCMPEQQ(at(c.tables, c.zero()), left, t)
		VMOVMSKPD(t, half.As32())
		SHLQ(U8(4*h), half)
		ORQ(half, ended)
		for i := range 3 {
			VPCMPEQQ(at(c.tables, c.due(i)), left, t)
			VPOR(t, left, left) // negative: idle, or due
		}
		VMOVMSKPD(left, half.As32())
		ORQ(half, events)
	}
	TESTQ(ended, ended)
	JZ(LabelRef("no_sector_ended"))
	lines, n := GP64(), param("n")
	MOVQ(at(c.tables, c.lines()), lines)
	Comment("The end of all?")
	CMPQ(at(c.tables, c.together()), Imm(0))
	JNE(LabelRef("not_all"))
	CMPQ(n, at(c.tables, c.flushFrom()))
	JLE(LabelRef("all_end"))
	Label("not_all")
	for r := range c.regs {
		same := fmt.Sprintf("same_sectors_%d", r)
		TESTQ(U32(1<<r), ended)
		JZ(LabelRef(same))
		w.move(at(c.tables, c.ivTable()+w.bytes*r), w.regs[r])
		w.xor(c.plain(c.now, r, 0), w.regs[r], w.regs[r])
		MOVQ(lines, at(c.tables, c.left()+8*r))
		Label(same)
	}
	Comment("With lines left, that may be one more event")
	for i := 0; i < 4; i += 3 {
		CMPQ(lines, at(c.tables, c.due(i)))
		SETEQ(half.As8())
		MOVBLZX(half.As8(), half.As32())
		ORQ(half, events)
	}
	Label("no_sector_ended")
	TESTQ(events, events)
}

// eventsTogether does the same as events, if all registers are at the same line
// and there is a sector for each chain, in a tenth of the time: with short
// sectors this comes often.
func (c *cbcEnc) eventsTogether() {
	CMPQ(at(c.tables, c.together()), Imm(0))
	JNE(LabelRef("one_by_one"))
	left, sector, behind := GP64(), GP64(), GP64()
	MOVQ(at(c.tables, c.left()), left)
	restart := func(from, at0 int, base, stride string, table int) {
		MOVQ(at(c.tables, from), sector)
		LEAQ(at(sector, c.chains()), behind)
		CMPQ(behind, param("n"))
		JGT(LabelRef("one_by_one"))
		for h := range c.regs / 4 {
			VMOVDQU(at(c.tables, from+32*h), ymm[8])
			VPADDQ(at(c.tables, c.many()), ymm[8], ymm[8])
			VMOVDQU(ymm[8], at(c.tables, from+32*h))
			VPXOR(ymm[8], ymm[8], ymm[8])
			VMOVDQU(ymm[8], at(c.tables, at0+32*h))
		}
		p, step, q := param(base), param(stride), GP64()
		MOVQ(sector, q)
		IMULQ(step, q)
		ADDQ(q, p)
		for l := range c.chains() {
			MOVQ(p, at(c.tables, table+8*l))
			ADDQ(step, p)
		}
	}
	CMPQ(left, Imm(1))
	JNE(LabelRef("not_gather"))
	restart(c.gatherFrom(), c.gatherAt(), "src", "srcStride", c.srcTable())
	iv := param("ivs")
	SHLQ(U8(4), sector)
	ADDQ(sector, iv)
	for r := range c.regs {
		c.w.move(at(iv, c.w.bytes*r), c.w.regs[8])
		c.w.move(c.w.regs[8], at(c.tables, c.ivTable()+c.w.bytes*r))
	}
	JMP(LabelRef("line"))
	Label("not_gather")
	INCQ(left)
	CMPQ(left, at(c.tables, c.lines()))
	JNE(LabelRef("one_by_one"))
	restart(c.flushFrom(), c.flushAt(), "dst", "dstStride", c.dstTable())
	JMP(LabelRef("line"))
	Label("one_by_one")
}

// events does, for each register, what is due between two lines.
func (c *cbcEnc) events() {
	i, left, lines := GP64(), GP64(), GP64()
	chain := GP64() // the register's first
	zero := func(table int) {
		z := GP64()
		XORQ(z, z)
		MOVQ(z, c.of(i, table))
	}
	XORQ(i, i)
	XORQ(chain, chain)
	MOVQ(at(c.tables, c.lines()), lines)
	Label("register")
	MOVQ(c.of(i, c.left()), left)
	TESTQ(left, left)
	JNS(LabelRef("working"))

	Comment("Idle: count up to the line before the first, the only one of a sector that is none")
	ADDQ(Imm(2), left)
	MOVQ(left, c.of(i, c.left()))
	c.pointNowhere("idle_dst", c.dstTable(), chain)
	zero(c.gatherAt())
	zero(c.flushAt())
	TESTQ(left, left)
	JNZ(LabelRef("next_register"))
	INCQ(left)
	MOVQ(left, c.of(i, c.left()))
	JMP(LabelRef("gather_next"))

	Label("working")
	CMPQ(left, lines)
	JGT(LabelRef("next_register")) // never
	sector := GP64()
	Comment("Has flush finished the sectors before?")
	CMPQ(lines, Imm(1))
	JEQ(LabelRef("flush_next"))
	next := GP64()
	LEAQ(at(left, 1), next)
	CMPQ(next, lines)
	JNE(LabelRef("flush_on"))
	Label("flush_next")
	zero(c.flushAt())
	MOVQ(c.of(i, c.flushFrom()), sector)
	ADDQ(U32(c.chains()), c.of(i, c.flushFrom()))
	TESTQ(sector, sector)
	JS(LabelRef("flush_on"))
	CMPQ(sector, param("n"))
	JL(LabelRef("flush_sectors"))
	none := GP64()
	MOVQ(I32(never), none)
	MOVQ(none, c.of(i, c.left()))
	DECQ(at(c.tables, c.active()))
	c.pointNowhere("done_dst", c.dstTable(), chain)
	zero(c.gatherAt()) // the src table points nowhere already
	zero(c.advance())
	JMP(LabelRef("next_register"))
	Label("flush_sectors")
	c.fillPointers("dst", c.dstTable(), "dst", "dstStride", sector, chain)
	Label("flush_on")

	Comment("Is their last line partial?")
	CMPQ(left, lines)
	JNE(LabelRef("copied"))
	c.copyOut("copied", i, chain)
	c.pointNowhere("copied_dst", c.dstTable(), chain)
	zero(c.flushAt())
	Label("copied")

	Comment("Is the next line the last?")
	CMPQ(left, Imm(1))
	JNE(LabelRef("gather_on"))
	Label("gather_next")
	zero(c.gatherAt())
	MOVQ(c.of(i, c.gatherFrom()), sector)
	ADDQ(U32(c.chains()), c.of(i, c.gatherFrom()))
	CMPQ(sector, param("n"))
	JL(LabelRef("gather_sectors"))
	c.pointNowhere("src_nowhere", c.srcTable(), chain)
	JMP(LabelRef("next_register"))
	Label("gather_sectors")
	c.fillPointers("src", c.srcTable(), "src", "srcStride", sector, chain)
	c.fillIVs("iv", sector, chain)
	CMPQ(lines, Imm(1))
	JEQ(LabelRef("pad"))
	JMP(LabelRef("next_register"))
	Label("gather_on")
	CMPQ(left, Imm(2))
	JNE(LabelRef("next_register"))
	Label("pad")
	c.pad("next_register", i, chain)

	Label("next_register")
	ADDQ(Imm(uint64(c.w.lanes())), chain)
	INCQ(i)
	CMPQ(i, Imm(uint64(c.regs)))
	JNE(LabelRef("register"))
}

// fillPointers writes the addresses of sectors from number sector on to the
// part of a table that begins with chain.
func (c *cbcEnc) fillPointers(label string, table int, base, stride string, sector, chain reg.GPVirtual) {
	p, step := param(base), param(stride)
	c.wholeOr(label+"_few", sector, func() {
		q := GP64()
		MOVQ(sector, q)
		IMULQ(step, q)
		ADDQ(q, p)
		for l := range c.w.lanes() {
			MOVQ(p, c.of(chain, table+8*l))
			ADDQ(step, p)
		}
	})
	c.clampedLoop(label, p, step, sector, func(lane reg.GPVirtual) {
		to := GP64()
		LEAQ(Mem{Base: chain, Index: lane, Scale: 1}, to)
		MOVQ(p, c.of(to, table))
	})
	Label(label + "_few_done")
}

// fillIVs copies the IVs of these sectors to their table.
func (c *cbcEnc) fillIVs(label string, sector, chain reg.GPVirtual) {
	p, step := param("ivs"), GP64()
	MOVL(U32(16), step.As32())
	c.wholeOr(label+"_few", sector, func() {
		q := GP64()
		MOVQ(sector, q)
		SHLQ(U8(4), q)
		c.w.move(Mem{Base: p, Index: q, Scale: 1}, c.w.regs[8])
		LEAQ(Mem{Base: chain, Index: chain, Scale: 1}, q)
		c.w.move(c.w.regs[8], c.of(q, c.ivTable()))
	})
	c.clampedLoop(label, p, step, sector, func(lane reg.GPVirtual) {
		to := GP64()
		LEAQ(Mem{Base: chain, Index: lane, Scale: 1}, to)
		ADDQ(to, to)
		VMOVDQU(at(p, 0), xmm[8])
		VMOVDQU(xmm[8], c.of(to, c.ivTable()))
	})
	Label(label + "_few_done")
}

// wholeOr does what it is given if there is a sector for every lane, and jumps
// behind the way for fewer, which the caller writes and ends with a label.
func (c *cbcEnc) wholeOr(few string, sector reg.GPVirtual, whole func()) {
	behind := GP64()
	LEAQ(at(sector, c.w.lanes()), behind)
	CMPQ(behind, param("n"))
	JGT(LabelRef(few))
	whole()
	JMP(LabelRef(few + "_done"))
	Label(few)
}

// clampedLoop goes through the lanes with p at the sectors from number sector
// on, repeating the last of the run.
func (c *cbcEnc) clampedLoop(label string, p, stride, sector reg.GPVirtual, body func(lane reg.GPVirtual)) {
	last, t, lane := GP64(), GP64(), GP64()
	MOVQ(param("n"), last)
	DECQ(last)
	IMULQ(stride, last)
	ADDQ(p, last)
	MOVQ(sector, t)
	IMULQ(stride, t)
	ADDQ(t, p)
	XORQ(lane, lane)
	Label(label)
	body(lane)
	ADDQ(stride, p)
	CMPQ(p, last)
	CMOVQHI(last, p)
	INCQ(lane)
	CMPQ(lane, Imm(uint64(c.w.lanes())))
	JNE(LabelRef(label))
}

// pointNowhere points a register's part of a table at memory that nobody else
// uses, at offset 0.
func (c *cbcEnc) pointNowhere(label string, table int, chain reg.GPVirtual) {
	p := GP64()
	LEAQ(at(c.tables, c.unused()), p)
	for l := range c.w.lanes() {
		MOVQ(p, c.of(chain, table+8*l))
	}
}

// partialBytes is the length of a partial last line; it jumps to whole if
// there is none.
func (c *cbcEnc) partialBytes(whole string) reg.GPVirtual {
	bytes := param("unit")
	ANDQ(Imm(line-1), bytes)
	JZ(LabelRef(whole))
	return bytes
}

// pad copies the partial lines of register i to where gather can read all of
// them, and points the src table there.
func (c *cbcEnc) pad(whole string, i, chain reg.GPVirtual) {
	bytes := c.partialBytes(whole)
	to, offset := GP64(), GP64()
	MOVQ(chain, to)
	SHLQ(U8(6), to)
	LEAQ(Mem{Base: c.tables, Index: to, Scale: 1, Disp: c.padded()}, to)
	MOVQ(c.of(i, c.gatherAt()), offset)
	for l := range c.w.lanes() {
		from := GP64()
		MOVQ(c.of(chain, c.srcTable()+8*l), from)
		ADDQ(offset, from)
		c.copyBlocks(fmt.Sprintf("pad_%d", l), from, 16, at(to, line*l), bytes)
		LEAQ(at(to, line*l), from)
		SUBQ(offset, from)
		MOVQ(from, c.of(chain, c.srcTable()+8*l))
	}
}

// copyOut writes the blocks of the partial lines of register i to their
// sectors.
func (c *cbcEnc) copyOut(whole string, i, chain reg.GPVirtual) {
	bytes := c.partialBytes(whole)
	lines, offset := GP64(), GP64()
	MOVQ(chain, lines)
	SHLQ(U8(6), lines)
	ADDQ(c.other, lines)
	MOVQ(c.of(i, c.flushAt()), offset)
	for l := range c.w.lanes() {
		from, to := GP64(), GP64()
		LEAQ(at(lines, 2*c.buffer()+16*l), from)
		MOVQ(c.of(chain, c.dstTable()+8*l), to)
		ADDQ(offset, to)
		c.copyBlocks(fmt.Sprintf("copy_%d", l), from, c.w.bytes, at(to, 0), bytes)
	}
}

// copyBlocks copies so many bytes, less than a line, of blocks that are step
// apart to where they belong together.
func (c *cbcEnc) copyBlocks(label string, from reg.GPVirtual, step int, to Mem, bytes reg.GPVirtual) {
	done := GP64()
	XORQ(done, done)
	Label(label)
	VMOVDQU(at(from, 0), xmm[8])
	to.Index, to.Scale = done, 1
	VMOVDQU(xmm[8], to)
	ADDQ(U32(step), from)
	ADDQ(Imm(16), done)
	CMPQ(done, bytes)
	JNE(LabelRef(label))
}
