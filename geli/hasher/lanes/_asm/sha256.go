package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// SHA-256 (FIPS 180-4) of one block in each lane. The block is W_0, W_1 (the
// offset), the bit that ends the message, zeros, and the length; so 14 of the
// 16 words are constants. The schedule below carries constants along: what it
// adds to a round is one constant, and most of the first 16 words of the
// expanded message lose two or three of their four terms.

// tailBits is the length, in bits, of the 64-byte prefix with the 8-byte
// offset behind it.
const tailBits = (64 + 8) * 8

// roundConstants are the first 32 bits of the fractional parts of the cube
// roots of the first 64 primes.
var roundConstants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// ops are the instructions of one width.
type ops struct {
	bytes int // of a register
	regs  []reg.VecPhysical
	load  func(from, to Op)
	// addConst adds a constant to all lanes.
	addConst func(c uint32, to reg.VecPhysical)
	// bigSigma and smallSigma set to to the xor of x rotated right by r[0] and
	// r[1] and rotated (shifted) by r[2]. to is not x.
	bigSigma, smallSigma func(r [3]int, x, to reg.VecPhysical, scratch [2]reg.VecPhysical)
	// choose and majority set to to Ch(x, y, z) and Maj(x, y, z). to is none of
	// them.
	choose, majority func(x, y, z, to, scratch reg.VecPhysical)
	broadcast        func(from Mem, to reg.VecPhysical)
	numbers          string                           // table of digestNumbers
	swapBytes        func(x, scratch reg.VecPhysical) // in each 32-bit lane
}

// word is a word of the expanded message: a constant, or one in memory.
type word struct {
	vector bool
	value  uint32 // if not vector
}

func sigma(r [3]int, x uint32) uint32 {
	return bits.RotateLeft32(x, -r[0]) ^ bits.RotateLeft32(x, -r[1]) ^ x>>r[2]
}

var (
	bigSigma0   = [3]int{2, 13, 22}
	bigSigma1   = [3]int{6, 11, 25}
	smallSigma0 = [3]int{7, 18, 3}
	smallSigma1 = [3]int{17, 19, 10}
)

// group is one register's worth of lanes: 8 registers of state, and scratch.
type group struct {
	*ops
	number  int
	state   []reg.VecPhysical // a to h, by the round's own names
	scratch []reg.VecPhysical // 4
	words   reg.GPVirtual     // memory of W_t, at slot t modulo 16
}

func (g *group) slot(t int) Mem {
	return at(g.words, g.bytes*(16*g.number+t%16))
}

func at(base reg.Register, disp int) Mem { return Mem{Base: base, Disp: disp} }

// round writes round t. w is W_t.
func (g *group) round(t int, w word) []func() {
	v := func(i int) reg.VecPhysical { return g.state[(i+64-t)%8] } // a is 0
	s, u := g.scratch[0], g.scratch[1]
	tmp := [2]reg.VecPhysical{g.scratch[2], g.scratch[3]}
	a, b, c, d, e, f, gg, h := v(0), v(1), v(2), v(3), v(4), v(5), v(6), v(7)
	constant := roundConstants[t] + w.value
	steps := []func(){}
	if w.vector {
		steps = append(steps, func() { VPADDD(g.slot(t), h, h) })
	}
	steps = append(steps,
		func() { g.addConst(constant, h) },
		func() { g.bigSigma(bigSigma1, e, s, tmp) },
		func() { g.choose(e, f, gg, u, tmp[0]) },
		func() { VPADDD(s, h, h) },
		func() { VPADDD(u, h, h) })
	if t < 63 { // the last round's e is part of no IV
		steps = append(steps, func() { VPADDD(h, d, d) })
	}
	return append(steps,
		func() { g.bigSigma(bigSigma0, a, s, tmp) },
		func() { g.majority(a, b, c, u, tmp[0]) },
		func() { VPADDD(s, h, h) },
		func() { VPADDD(u, h, h) })
}

// expand writes W_t, t >= 16, to its slot and returns what it is.
func (g *group) expand(t int, w []word) ([]func(), word) {
	sum, x, s := g.scratch[0], g.scratch[1], g.scratch[2]
	var steps []func()
	value, started := uint32(0), false
	add := func(v reg.VecPhysical) {
		if started {
			steps = append(steps, func() { VPADDD(v, sum, sum) })
		}
		started = true
	}
	term := func(i int, r *[3]int) {
		switch {
		case !w[i].vector && r == nil:
			value += w[i].value
		case !w[i].vector:
			value += sigma(*r, w[i].value)
		case r == nil && !started:
			steps = append(steps, func() { g.load(g.slot(i), sum) })
			started = true
		case r == nil:
			steps = append(steps, func() { VPADDD(g.slot(i), sum, sum) })
		default:
			to := sum
			if started {
				to = s
			}
			steps = append(steps,
				func() { g.load(g.slot(i), x) },
				func() { g.smallSigma(*r, x, to, [2]reg.VecPhysical{g.scratch[3], x}) })
			add(to)
		}
	}
	term(t-15, &smallSigma0)
	term(t-2, &smallSigma1)
	term(t-7, nil)
	term(t-16, nil)
	if !started {
		return steps, word{value: value}
	}
	if value != 0 {
		steps = append(steps, func() { g.addConst(value, sum) })
	}
	return append(steps, func() { g.load(sum, g.slot(t)) }), word{vector: true}
}

// digestOf is the number of the digest in lane 4*l+k: whole registers of them
// come out of the transposition at the end in order.
func digestOf(o *ops, l, k int) int { return o.bytes/16*k + l }

// digestNumbers is a table of these numbers, 8 bytes each: for each register of
// 32-bit lanes those of two registers of 64-bit lanes, which offsets puts
// together.
func digestNumbers(o *ops, name string) {
	GLOBL(name, RODATA|NOPTR)
	offset := 0
	for half := range 2 {
		for l := range o.bytes / 16 {
			for k := range 2 {
				DATA(offset, U64(uint64(digestOf(o, l, 2*half+k))))
				offset += 8
			}
		}
	}
}

// offsets fills in W_0 and W_1, the bytes of the offsets in the order of a
// big-endian machine.
func offsets(o *ops, groups int, words reg.Register) {
	off, step, stepHigh, t := o.regs[0], o.regs[1], o.regs[2], o.regs[3]
	number := GP64()
	for i, name := range []string{"off", "step"} {
		Load(Param(name), number)
		VMOVQ(number, o.regs[i].AsX())
		VPBROADCASTQ(o.regs[i].AsX(), o.regs[i])
	}
	VPSRLQ(U8(32), step, stepHigh)
	for g := range groups {
		half := o.regs[4:6]
		for h, v := range half {
			// off + number*step, modulo 2^64
			numbers := NewDataAddr(Symbol{Name: o.numbers, Static: true}, o.bytes*h)
			o.load(numbers, v)
			VPMULUDQ(stepHigh, v, t)
			VPSLLQ(U8(32), t, t)
			VPMULUDQ(step, v, v)
			VPADDQ(t, v, v)
			VPADDQ(off, v, v)
		}
		for w, selection := range []uint8{0x88, 0xdd} { // low halves, high halves
			VSHUFPS(U8(selection), half[1], half[0], t)
			o.swapBytes(t, o.regs[6])
			o.load(t, at(words, o.bytes*(16*g+w)))
		}
		if g+1 < groups {
			// The next group is o.bytes/4 digests on.
			VPSLLQ(U8(log2(o.bytes/4)), step, t)
			VPADDQ(t, off, off)
		}
	}
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }

// kernel hashes groups registers' worth of lanes.
func kernel(name string, o *ops, groups int) {
	lanes := groups * o.bytes / 4
	TEXT(name, NOSPLIT, "func(ivs *byte, state *uint32, words *uint32, off, step uint64)")
	Doc(fmt.Sprintf("%s writes the first 16 bytes of %d digests to ivs, for the offsets off,", name, lanes),
		fmt.Sprintf("off+step and so on. words is scratch memory of %d bytes, aligned.", 16*4*lanes))
	Pragma("noescape")
	ivs := Load(Param("ivs"), GP64())
	state := Load(Param("state"), GP64())
	words := Load(Param("words"), GP64()).(reg.GPVirtual)

	offsets(o, groups, words)
	g := make([]*group, groups)
	for i := range g {
		r := o.regs[12*i:]
		g[i] = &group{ops: o, number: i, state: r[:8], scratch: r[8:12], words: words}
		for j, v := range g[i].state {
			if i == 0 {
				o.broadcast(at(state, 4*j), v)
			} else {
				o.load(g[0].state[j], v)
			}
		}
	}
	w := []word{{vector: true}, {vector: true}, {value: 1 << 31}}
	for len(w) < 15 {
		w = append(w, word{})
	}
	w = append(w, word{value: tailBits})
	for t := range 64 {
		side := make([][]func(), groups)
		for i := range g {
			if t >= 16 {
				var steps []func()
				var x word
				steps, x = g[i].expand(t, w)
				side[i] = steps
				if i == groups-1 {
					w = append(w, x)
				}
			}
		}
		for i := range g {
			side[i] = append(side[i], g[i].round(t, w[t])...)
		}
		// The groups in turn, step by step.
		for k := range side[0] {
			for i := range side {
				side[i][k]()
			}
		}
	}

	// 64 rounds leave the names where they were: a to d are registers 0 to 3.
	for i := range g {
		h := g[i].state[:4]
		t := g[i].state[4:8]
		for j := range h {
			o.broadcast(at(state, 4*j), t[j])
			VPADDD(t[j], h[j], h[j])
			o.swapBytes(h[j], t[j])
		}
		VPUNPCKLDQ(h[1], h[0], t[0])
		VPUNPCKHDQ(h[1], h[0], t[1])
		VPUNPCKLDQ(h[3], h[2], t[2])
		VPUNPCKHDQ(h[3], h[2], t[3])
		for k := range 4 {
			out := h[k]
			if k%2 == 0 {
				VPUNPCKLQDQ(t[2+k/2], t[k/2], out)
			} else {
				VPUNPCKHQDQ(t[2+k/2], t[k/2], out)
			}
			o.load(out, at(ivs, o.bytes*(4*i+k)))
		}
	}
	VZEROUPPER()
	RET()
}
