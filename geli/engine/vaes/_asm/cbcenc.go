package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// CBC encryption: C_i = E(P_i ^ C_(i-1)), a chain along each sector. So many
// sectors are encrypted in lockstep, a sector in each lane of 8 or 4
// registers. With N = P_(i+1) ^ first, the last round of block i gets the key
// last ^ N: it then ends in the state that block i+1 starts from, and C_i is
// that state ^ N.
//
// The unit of work is a line: 64 bytes, 4 blocks, of every sector. While the
// rounds of one line run,
//
//	gather reads the next line of each sector once and stores it as N, block by
//	       block with the sectors side by side;
//	flush  writes the line before to each sector, out of a buffer in which
//	       its blocks were collected.
//
// So memory sees whole lines only, each read once and written once: sectors
// whose stride is a multiple of 4096 fall into one set of the first-level
// cache, and 16-byte accesses spread over the time of a line missed it again
// and again.
//
// The batches of a run follow each other without a break: gather moves on to
// the next batch one line early, flush one line late. Where sectors run out,
// the lanes left over repeat the last sector, byte for byte, at its address.
//
// A unit's last line may be partial. It is copied to a padded buffer before
// gather, and its blocks are copied out instead of flushed.
//
// Registers: 0 to regs-1 states, 8-11 and 16-27 scratch, 12 round key, 14 and
// 15 the round keys first and last.
type cbcEnc struct {
	w      *width
	rounds int
	regs   int

	keys       reg.GPVirtual
	now, other reg.GPVirtual // buffers of this line, and of its neighbours
	tables     reg.GPVirtual
	gatherAt   reg.GPVirtual // offset of the next line in its sectors, bytes
	flushAt    reg.GPVirtual // offset of the line before
	batch      reg.GPVirtual // number of the batch's first sector
	aheadSrc   reg.GPVirtual // offset of what to prefetch for gather
	aheadDst   reg.GPVirtual // and for flush
}

const line = 64 // bytes

// upperHalf masks lanes 2 and 3.
var upperHalf = reg.K1

func (c *cbcEnc) chains() int { return c.regs * c.w.lanes() }

// The memory that Go hands in: N of two lines, the ciphertext of two lines, and
// the tables. The Go side knows the total only. Where plain and cipher of a
// line have the same offset modulo 4096 the load comes before the store; the
// other way round the processor would take them for the same for a while.
func (c *cbcEnc) buffer() int { return line * c.chains() }

// plain is N of block j of a line for register r.
func (c *cbcEnc) plain(buffers reg.GPVirtual, r, j int) Mem {
	return at(buffers, (4*r+j)*c.w.bytes)
}

// cipher is the ciphertext of block j of a line for register r.
func (c *cbcEnc) cipher(buffers reg.GPVirtual, r, j int) Mem {
	return at(buffers, 2*c.buffer()+(4*r+j)*c.w.bytes)
}

// Tables, by chain; offsets from tables.
func (c *cbcEnc) srcTable() int  { return 0 }
func (c *cbcEnc) dstTable() int  { return 8 * c.chains() }
func (c *cbcEnc) ivTable() int   { return 16 * c.chains() }
func (c *cbcEnc) padded() int    { return 32 * c.chains() }
func (c *cbcEnc) unused() int    { return c.padded() + line*c.chains() }
func (c *cbcEnc) distances() int { return c.unused() + line }

func cbcEncKernels(w *width) {
	for _, bits := range []int{128, 192, 256} {
		for _, regs := range []int{8, 4} {
			c := &cbcEnc{w: w, rounds: roundsOf[bits], regs: regs}
			c.kernel(fmt.Sprintf("cbcEnc%dx%d%s", bits, c.chains(), w.suffix))
		}
	}
}

func (c *cbcEnc) kernel(name string) {
	w := c.w
	TEXT(name, NOSPLIT, "func(keys, chains, dst, src, ivs *byte, n, unit, dstStride, srcStride int)")
	Doc(fmt.Sprintf("%s is CBC encryption of a run of n > 0 sectors, %d at once.", name, c.chains()),
		"keys and chains are aligned, chains has chainBytes bytes.")
	Pragma("noescape")
	c.keys = param("keys")
	c.now = param("chains")
	c.other, c.tables = GP64(), GP64()
	LEAQ(at(c.now, c.buffer()), c.other)
	LEAQ(at(c.now, 4*c.buffer()), c.tables)
	c.gatherAt, c.flushAt, c.batch = GP64(), GP64(), GP64()
	c.aheadSrc, c.aheadDst = GP64(), GP64()
	lines, left := GP64(), GP64() // of a unit; those not finished
	Load(Param("unit"), lines)
	ADDQ(Imm(line-1), lines)
	SHRQ(U8(6), lines)
	if w.wide() {
		mask := GP32()
		MOVL(U32(0xf0), mask)
		KMOVW(mask, upperHalf)
	}
	w.loadKey(c.keys, 0, w.regs[14])
	w.loadKey(c.keys, c.rounds, w.regs[15])

	c.prefetchDistances()
	Comment("First line of the first batch")
	XORQ(c.batch, c.batch)
	XORQ(c.gatherAt, c.gatherAt)
	XORQ(c.flushAt, c.flushAt)
	c.fillPointers("src0", c.srcTable(), "src", "srcStride")
	c.fillIVs("iv0")
	c.pointNowhere("unused0", c.dstTable())
	CMPQ(lines, Imm(1))
	JNE(LabelRef("gather0"))
	c.pad("pad0", "gather0")
	Label("gather0")
	c.prefetchOffsets()
	for r := range c.regs {
		perform(c.gather(r))
	}
	XCHGQ(c.now, c.other)
	ADDQ(Imm(line), c.gatherAt)
	JMP(LabelRef("sectors"))

	Label("line")
	next := GP64() // lines from the gathered one to the end of its sector
	MOVQ(left, next)
	DECQ(next)
	JNZ(LabelRef("same_batch"))
	Comment("Gather goes on to the next batch; behind the last one, to nothing")
	XORQ(c.gatherAt, c.gatherAt)
	MOVQ(lines, next)
	n := param("n")
	ADDQ(U32(c.chains()), c.batch)
	CMPQ(c.batch, n)
	JAE(LabelRef("no_batch"))
	c.fillPointers("src", c.srcTable(), "src", "srcStride")
	c.fillIVs("iv")
	JMP(LabelRef("gather_ready"))
	Label("no_batch")
	c.pointNowhere("nothing", c.srcTable())
	Label("gather_ready")
	SUBQ(U32(c.chains()), c.batch)
	Label("same_batch")
	CMPQ(next, Imm(1))
	JNE(LabelRef("not_padded"))
	c.pad("pad", "not_padded")
	Label("not_padded")
	CMPQ(left, lines)
	JNE(LabelRef("steps"))
	c.copyOut("copy", "steps")
	c.pointNowhere("unused", c.dstTable())
	XORQ(c.flushAt, c.flushAt)
	Label("steps")
	c.prefetchOffsets()

	// The side work goes among the rounds of the first three blocks. It shares
	// scratch registers with the last rounds, so no piece of it is torn.
	var pieces [][]step
	for r := range c.regs {
		pieces = append(pieces, c.flush(r), c.gather(r))
	}
	for j := range 4 {
		var side []step
		if j < 3 {
			side = slices.Concat(pieces[len(pieces)*j/3 : len(pieces)*(j+1)/3]...)
		}
		weave(middleRounds(w, false, c.rounds, c.keys, w.regs[:c.regs], w.regs[12]), side)
		c.lastRounds(j)
	}

	XCHGQ(c.now, c.other)
	ADDQ(Imm(line), c.gatherAt)
	ADDQ(Imm(line), c.flushAt)
	CMPQ(left, lines)
	JNE(LabelRef("flushing"))
	Comment("Flush has finished the batch before")
	XORQ(c.flushAt, c.flushAt)
	c.fillPointers("dst", c.dstTable(), "dst", "dstStride")
	Label("flushing")
	DECQ(left)
	JNZ(LabelRef("line"))
	ADDQ(U32(c.chains()), c.batch)
	CMPQ(c.batch, param("n"))
	JAE(LabelRef("end"))
	Label("sectors")
	MOVQ(lines, left)
	for r, s := range w.regs[:c.regs] {
		w.move(at(c.tables, c.ivTable()+w.bytes*r), s)
		w.xor(c.plain(c.now, r, 0), s, s)
	}
	JMP(LabelRef("line"))

	Label("end")
	c.copyOut("copy_last", "flush_last")
	JMP(LabelRef("done"))
	Label("flush_last")
	MOVQ(c.flushAt, c.aheadDst)
	for r := range c.regs {
		perform(c.flush(r))
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// longSector is the bytes from which on nothing is prefetched.
const longSector = 1024

// prefetchDistances notes how far ahead of gatherAt to prefetch: the next batch
// if sectors are short, since their lines come in an order that the processor's
// own prefetch does not see through. It does well with long ones.
func (c *cbcEnc) prefetchDistances() {
	unit, none := param("unit"), GP64()
	XORQ(none, none)
	for i, stride := range []string{"srcStride", "dstStride"} {
		d := param(stride)
		IMUL3Q(I32(int32(c.chains())), d, d)
		CMPQ(unit, U32(longSector))
		CMOVQCC(none, d)
		MOVQ(d, at(c.tables, c.distances()+8*i))
	}
}

// prefetchOffsets sets the offsets for a line. Those that are not wanted point
// at what is in use anyway.
func (c *cbcEnc) prefetchOffsets() {
	MOVQ(at(c.tables, c.distances()), c.aheadSrc)
	MOVQ(at(c.tables, c.distances()+8), c.aheadDst)
	ADDQ(c.gatherAt, c.aheadSrc)
	ADDQ(c.gatherAt, c.aheadDst)
	CMPQ(c.aheadDst, c.gatherAt)
	CMOVQEQ(c.flushAt, c.aheadDst)
}

// lastRounds ends block j of the line.
func (c *cbcEnc) lastRounds(j int) {
	w := c.w
	buffers, next := c.now, j+1
	if j == 3 {
		buffers, next = c.other, 0
	}
	block := func(r int) reg.VecPhysical { return w.regs[8+r%2*2] }
	key := func(r int) reg.VecPhysical { return w.regs[9+r%2*2] }
	inPairs(c.regs,
		func(r int) {
			w.move(c.plain(buffers, r, next), block(r))
			w.xor(block(r), w.regs[15], key(r))
		},
		func(r int) { lastRound(false, key(r), w.regs[r]) },
		func(r int) { w.xor(w.regs[r], block(r), block(r)) },
		func(r int) { w.move(block(r), c.cipher(c.now, r, j)) })
}

// gather reads the line at gatherAt of the sectors in register r.
func (c *cbcEnc) gather(r int) []step {
	w := c.w
	chain := w.lanes() * r
	p := make([]reg.GPVirtual, w.lanes())
	var steps []step
	for l := range p {
		p[l] = GP64()
		steps = append(steps,
			load(func() { MOVQ(at(c.tables, c.srcTable()+8*(chain+l)), p[l]) }),
			load(func() { PREFETCHT0(Mem{Base: p[l], Index: c.aheadSrc, Scale: 1}) }))
	}
	from := func(l, disp int) Mem {
		return Mem{Base: p[l], Index: c.gatherAt, Scale: 1, Disp: disp}
	}
	store := func(j int, v reg.VecPhysical) []step {
		return []step{
			op(func() { w.xor(w.regs[14], v, v) }),
			op(func() { w.move(v, c.plain(c.other, r, j)) }),
		}
	}
	if !w.wide() {
		for j := range 4 {
			v := w.regs[8+j%2]
			steps = append(steps,
				load(func() { VMOVDQU(from(0, 16*j), v.AsX()) }),
				op(func() { VINSERTI128(U8(1), from(1, 16*j), v, v) }))
			steps = append(steps, store(j, v)...)
		}
		return steps
	}
	// Half lines of sectors 0, 1 and 2, 3, then a transposition.
	for h := range 2 {
		a, b, t, u := zmm[8], zmm[9], zmm[16+2*h], zmm[17+2*h]
		steps = append(steps,
			load(func() { VMOVDQU(from(0, 32*h), a.AsY()) }),
			op(func() { VMOVDQU64(from(1, 32*h-32), upperHalf, a) }),
			load(func() { VMOVDQU(from(2, 32*h), b.AsY()) }),
			op(func() { VMOVDQU64(from(3, 32*h-32), upperHalf, b) }),
			op(func() { VSHUFI64X2(U8(0x88), b, a, t) }),
			op(func() { VSHUFI64X2(U8(0xdd), b, a, u) }))
		steps = append(steps, store(2*h, t)...)
		steps = append(steps, store(2*h+1, u)...)
	}
	return steps
}

// flush writes the line at flushAt of the sectors in register r.
func (c *cbcEnc) flush(r int) []step {
	w := c.w
	p := make([]reg.GPVirtual, w.lanes())
	var steps []step
	for l := range p {
		p[l] = GP64()
		steps = append(steps,
			load(func() { MOVQ(at(c.tables, c.dstTable()+8*(w.lanes()*r+l)), p[l]) }),
			load(func() { PREFETCHT0(Mem{Base: p[l], Index: c.aheadDst, Scale: 1}) }))
	}
	to := func(l, disp int) Mem {
		return Mem{Base: p[l], Index: c.flushAt, Scale: 1, Disp: disp}
	}
	block := func(j int) Mem { return c.cipher(c.other, r, j) }
	if !w.wide() {
		for h := range 2 {
			a, b := ymm[10], ymm[11]
			steps = append(steps,
				load(func() { VMOVDQU(block(2*h), a) }),
				op(func() { VINSERTI128(U8(1), block(2*h+1), a, b) }),
				op(func() { VMOVDQU(b, to(0, 32*h)) }),
				op(func() { VPERM2I128(U8(0x31), block(2*h+1), a, b) }),
				op(func() { VMOVDQU(b, to(1, 32*h)) }))
		}
		return steps
	}
	// Blocks 0 and 1, 2 and 3 of two sectors each, then whole lines.
	var pair [2][2]reg.VecPhysical // by sectors, by blocks
	for h := range 2 {
		a, b := zmm[20], zmm[21]
		pair[0][h], pair[1][h] = zmm[22+2*h], zmm[23+2*h]
		steps = append(steps,
			load(func() { VMOVDQU64(block(2*h), a) }),
			load(func() { VMOVDQU64(block(2*h+1), b) }),
			op(func() { VSHUFI64X2(U8(0x44), b, a, pair[0][h]) }),
			op(func() { VSHUFI64X2(U8(0xee), b, a, pair[1][h]) }))
	}
	for l := range 4 {
		odd, v := uint8(0x88), zmm[26+l%2]
		if l%2 == 1 {
			odd = 0xdd
		}
		steps = append(steps,
			op(func() { VSHUFI64X2(U8(odd), pair[l/2][1], pair[l/2][0], v) }),
			op(func() { VMOVDQU64(v, to(l, 0)) }))
	}
	return steps
}

// fillPointers writes the addresses of the batch's sectors to a table.
func (c *cbcEnc) fillPointers(label string, table int, base, stride string) {
	p, end, step := param(base), param("n"), param(stride)
	c.clampedLoop(label, p, end, step, func(chain reg.GPVirtual) {
		MOVQ(p, Mem{Base: c.tables, Index: chain, Scale: 8, Disp: table})
	})
}

// fillIVs copies the IVs of the batch to their table.
func (c *cbcEnc) fillIVs(label string) {
	p, end, step := param("ivs"), param("n"), GP64()
	MOVL(U32(16), step.As32())
	to := GP64()
	LEAQ(at(c.tables, c.ivTable()), to)
	c.clampedLoop(label, p, end, step, func(chain reg.GPVirtual) {
		VMOVDQU(at(p, 0), xmm[8])
		VMOVDQU(xmm[8], at(to, 0))
		ADDQ(Imm(16), to)
	})
}

// clampedLoop goes through the chains with p at the batch's sectors, repeating
// the last of the n.
func (c *cbcEnc) clampedLoop(label string, p, n, stride reg.GPVirtual, body func(chain reg.GPVirtual)) {
	skip, last, chain := GP64(), GP64(), GP64()
	LEAQ(at(n, -1), last)
	IMULQ(stride, last)
	ADDQ(p, last)
	MOVQ(c.batch, skip)
	IMULQ(stride, skip)
	ADDQ(skip, p)
	XORQ(chain, chain)
	Label(label)
	body(chain)
	ADDQ(stride, p)
	CMPQ(p, last)
	CMOVQHI(last, p)
	INCQ(chain)
	CMPQ(chain, U32(c.chains()))
	JNE(LabelRef(label))
}

// pointNowhere points a table at memory that nobody else uses, at offset 0.
func (c *cbcEnc) pointNowhere(label string, table int) {
	p, chain := GP64(), GP64()
	LEAQ(at(c.tables, c.unused()), p)
	XORQ(chain, chain)
	Label(label)
	MOVQ(p, Mem{Base: c.tables, Index: chain, Scale: 8, Disp: table})
	INCQ(chain)
	CMPQ(chain, U32(c.chains()))
	JNE(LabelRef(label))
}

// partialBytes is the length of a partial last line; it jumps to whole if
// there is none.
func (c *cbcEnc) partialBytes(whole string) reg.GPVirtual {
	bytes := param("unit")
	ANDQ(Imm(line-1), bytes)
	JZ(LabelRef(whole))
	return bytes
}

// pad copies a partial line to where gather can read all of it, and points the
// src table there.
func (c *cbcEnc) pad(label, whole string) {
	bytes := c.partialBytes(whole)
	to, from, chain, i := GP64(), GP64(), GP64(), GP64()
	LEAQ(at(c.tables, c.padded()), to)
	XORQ(chain, chain)
	Label(label)
	MOVQ(Mem{Base: c.tables, Index: chain, Scale: 8, Disp: c.srcTable()}, from)
	ADDQ(c.gatherAt, from)
	XORQ(i, i)
	Label(label + "_block")
	VMOVDQU(Mem{Base: from, Index: i, Scale: 1}, xmm[8])
	VMOVDQU(xmm[8], Mem{Base: to, Index: i, Scale: 1})
	ADDQ(Imm(16), i)
	CMPQ(i, bytes)
	JNE(LabelRef(label + "_block"))
	MOVQ(to, from)
	SUBQ(c.gatherAt, from)
	MOVQ(from, Mem{Base: c.tables, Index: chain, Scale: 8, Disp: c.srcTable()})
	ADDQ(Imm(line), to)
	INCQ(chain)
	CMPQ(chain, U32(c.chains()))
	JNE(LabelRef(label))
}

// copyOut writes the blocks of a partial line to their sectors.
func (c *cbcEnc) copyOut(label, whole string) {
	bytes := c.partialBytes(whole)
	from, to, chain, i, j := GP64(), GP64(), GP64(), GP64(), GP64()
	LEAQ(c.cipher(c.other, 0, 0), from)
	XORQ(chain, chain)
	Label(label)
	MOVQ(Mem{Base: c.tables, Index: chain, Scale: 8, Disp: c.dstTable()}, to)
	ADDQ(c.flushAt, to)
	XORQ(i, i)
	XORQ(j, j)
	Label(label + "_block")
	VMOVDQU(Mem{Base: from, Index: j, Scale: 1}, xmm[8])
	VMOVDQU(xmm[8], Mem{Base: to, Index: i, Scale: 1})
	ADDQ(U32(c.w.bytes), j)
	ADDQ(Imm(16), i)
	CMPQ(i, bytes)
	JNE(LabelRef(label + "_block"))
	ADDQ(Imm(16), from)
	INCQ(chain)
	TESTQ(U32(c.w.lanes()-1), chain)
	JNZ(LabelRef(label + "_lane"))
	ADDQ(U32(3*c.w.bytes), from) // to the next register's blocks
	Label(label + "_lane")
	CMPQ(chain, U32(c.chains()))
	JNE(LabelRef(label))
}
