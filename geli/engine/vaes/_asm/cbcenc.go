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
// So memory sees whole lines only, each read once and written once. Sectors
// whose stride is a multiple of 1024 crowd into few sets of the first-level
// cache; there, at 512 bits, each register runs a line behind the one before it (the lag),
// and a set holds the lines of one register's sectors at a time.
//
// Each register goes from batch to batch by itself and without a break: gather
// moves on to the next batch one line early, flush one line late. Where sectors
// run out, the lanes left over repeat the last sector, byte for byte, at its
// address; registers left over are idle: they read and write where nobody else
// does.
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

// Offsets from tables. By chain: addresses of sectors, IVs, padded lines.
func (c *cbcEnc) srcTable() int { return 0 }
func (c *cbcEnc) dstTable() int { return 8 * c.chains() }
func (c *cbcEnc) ivTable() int  { return 16 * c.chains() }
func (c *cbcEnc) padded() int   { return 32 * c.chains() }

// unused is two lines to read and write for who is idle.
func (c *cbcEnc) unused() int { return c.padded() + line*c.chains() }

// By register, 8 bytes each. left is the lines of its sectors that are not
// finished, or negative while it waits to start; gatherAt and flushAt are the
// offsets of the next line and of the line before in their sectors, and advance
// is what a line adds to them; gatherFrom and flushFrom are the numbers of the
// first of the sectors that either comes to next.
func (c *cbcEnc) left() int       { return c.unused() + 2*line }
func (c *cbcEnc) gatherAt() int   { return c.left() + 8*groupRegs }
func (c *cbcEnc) flushAt() int    { return c.gatherAt() + 8*groupRegs }
func (c *cbcEnc) advance() int    { return c.flushAt() + 8*groupRegs }
func (c *cbcEnc) gatherFrom() int { return c.advance() + 8*groupRegs }
func (c *cbcEnc) flushFrom() int  { return c.gatherFrom() + 8*groupRegs }

// Constants of four equal numbers each: -1, 0, the number of chains, and the
// values of left at which there are events.
func (c *cbcEnc) minusOne() int { return c.flushFrom() + 8*groupRegs }
func (c *cbcEnc) zero() int     { return c.minusOne() + 32 }
func (c *cbcEnc) many() int     { return c.minusOne() + 64 }
func (c *cbcEnc) due(i int) int { return c.minusOne() + 96 + 32*i }

// Single numbers: lines of a unit; registers that are not idle for good; how
// far ahead to prefetch at the source and at the destination; 0 if all registers
// are at the same line, with one event at a time.
func (c *cbcEnc) lines() int      { return c.due(4) }
func (c *cbcEnc) active() int     { return c.lines() + 8 }
func (c *cbcEnc) fetchAhead() int { return c.lines() + 16 }
func (c *cbcEnc) together() int   { return c.lines() + 32 }

// never is the left of a register that is idle for good: no event is due before
// 2^30 lines.
const never = 1 << 30

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
	if w.wide() {
		mask := GP32()
		MOVL(U32(0xf0), mask)
		KMOVW(mask, upperHalf)
	}
	w.loadKey(c.keys, 0, w.regs[14])
	w.loadKey(c.keys, c.rounds, w.regs[15])
	c.numbers()
	c.allIdle()
	warm := GP64() // not the very first line
	XORQ(warm, warm)
	JMP(LabelRef("events"))

	Label("first_line")
	INCQ(warm)
	for r := range c.regs {
		perform(c.gather(r))
	}
	JMP(LabelRef("line_end"))

	// The side work goes among the rounds of the first three blocks. It shares
	// scratch registers with the last rounds, so no piece of it is torn.
	Label("line")
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
	Label("line_end")
	XCHGQ(c.now, c.other)
	c.lineEnd()
	JZ(LabelRef("line"))

	Label("events")
	c.eventsTogether()
	c.events()
	TESTQ(warm, warm)
	JZ(LabelRef("first_line"))
	CMPQ(at(c.tables, c.active()), Imm(0))
	JNE(LabelRef("line"))
	JMP(LabelRef("done"))

	Label("all_end")
	for r := range c.regs {
		perform(c.flush(r))
	}
	Label("done")
	VZEROUPPER()
	RET()
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

// gather reads the next line of the sectors in register r.
func (c *cbcEnc) gather(r int) []step {
	w := c.w
	from, steps := c.sectors(r, c.srcTable(), c.gatherAt(), c.fetchAhead())
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

// flush writes the line before to the sectors in register r.
func (c *cbcEnc) flush(r int) []step {
	w := c.w
	to, steps := c.sectors(r, c.dstTable(), c.flushAt(), c.fetchAhead()+8)
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

// sectors loads what addresses the line at an offset in the sectors of register
// r, and prefetches so far ahead of it.
func (c *cbcEnc) sectors(r, table, offset, ahead int) (line func(l, disp int) Mem, steps []step) {
	at0, fetch := GP64(), GP64()
	p := make([]reg.GPVirtual, c.w.lanes())
	steps = append(steps,
		load(func() { MOVQ(at(c.tables, offset+8*r), at0) }),
		load(func() { MOVQ(at(c.tables, ahead), fetch) }),
		load(func() { ADDQ(at0, fetch) }))
	for l := range p {
		p[l] = GP64()
		steps = append(steps,
			load(func() { MOVQ(at(c.tables, table+8*(c.w.lanes()*r+l)), p[l]) }),
			load(func() { PREFETCHT0(Mem{Base: p[l], Index: fetch, Scale: 1}) }))
	}
	return func(l, disp int) Mem { return Mem{Base: p[l], Index: at0, Scale: 1, Disp: disp} }, steps
}
