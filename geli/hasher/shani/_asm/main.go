// Command _asm generates the SHA-NI kernel of package shani: run "go generate"
// in the folder above. Names follow FIPS 180-4: a to h are the state, W[t] the
// message schedule, K[t] the constants; M[g] stands for W[4g] to W[4g+3].
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego") // the output's name says amd64
	ivs()
	hmacs(4)
	hmacs(1)
	Generate()
}

const ivBytes = 16

// many is how many messages the main loop has in flight. sha256rnds2 takes one
// cycle of throughput and four of latency, so more gain nothing. Zen 4 takes 50
// cycles a message, of which the round instructions alone would be 32.
//
// Rejected there, in cycles a message: all in registers, two messages: 60; three
// messages: 53; the schedules a batch ahead: 71, each is a chain of its own;
// upper halves through memory instead of PSHUFD: 53; three-operand AVX: 50.
const many = 4

// ivs generates the whole of Hasher.IVs: a loop for many messages, which keeps
// schedules and chaining value in memory, and loops for two and for one with
// everything in registers.
func ivs() {
	TEXT("ivs", NOSPLIT, "func(dst *byte, n int, state *[8]uint32, off, step uint64)")
	Doc("ivs writes the first 16 bytes of SHA-256(prefix || le64(off+i*step)) to dst[16*i:] for",
		"i = 0..n-1; state is the chaining value after the 64-byte prefix.")
	Pragma("noescape")
	k := kernel{
		dst:  Load(Param("dst"), GP64()),
		left: Load(Param("n"), GP64()),
		off:  Load(Param("off"), GP64()),
		step: Load(Param("step"), GP64()),
	}
	abef, cdgh := loadState(Mem{Base: Load(Param("state"), GP64())})
	inRegisters := chaining{abef, cdgh}
	inMemory := chaining{AllocLocal(16), AllocLocal(16)}

	CMPQ(k.left, U8(many))
	JB(LabelRef("few"))
	inMemory.set(inRegisters)
	k.schedules = GP64()
	const align = 16
	room := AllocLocal(many*scheduleBytes + align)
	LEAQ(room.Offset(align), k.schedules)
	ANDQ(I8(-align), k.schedules)
	k.loop(many, inMemory)
	inRegisters.set(inMemory)
	Comment("The chaining value belongs to the IV-Key; the schedules are no secret")
	zero := XMM()
	PXOR(zero, zero)
	inMemory.set(chaining{zero, zero})

	Label("few")
	k.schedules = nil
	k.loop(2, inRegisters)
	k.loop(1, inRegisters)
	RET()
}

type kernel struct {
	dst, left, off, step Register
	schedules            Register // address of the lanes' schedules; nil: they are in registers
}

// loop hashes messages as long as width of them are left.
func (k *kernel) loop(width int, h chaining) {
	again, fewer := fmt.Sprintf("messages%d", width), fmt.Sprintf("fewer%d", width)
	Label(again)
	CMPQ(k.left, U8(uint8(width)))
	JB(LabelRef(fewer))
	k.messages(width, h)
	ADDQ(U8(uint8(width*ivBytes)), k.dst)
	SUBQ(U8(uint8(width)), k.left)
	JMP(LabelRef(again))
	Label(fewer)
}

// chaining is the chaining value, as sha256rnds2 takes it.
type chaining struct{ abef, cdgh Op }

func (h chaining) set(from chaining) {
	MOVOU(from.abef, h.abef)
	MOVOU(from.cdgh, h.cdgh)
}

// loadState brings the words a to h into the order of sha256rnds2, once for
// all messages.
func loadState(state Mem) (abef, cdgh VecVirtual) {
	abcd := XMM()
	abef, cdgh = XMM(), XMM()
	MOVOU(state, abcd)
	MOVOU(state.Offset(16), cdgh)
	PSHUFD(U8(0x1b), abcd, abcd) // d is now lowest
	PSHUFD(U8(0x1b), cdgh, cdgh) // h is now lowest
	MOVOA(cdgh, abef)
	PUNPCKHQDQ(abcd, abef) // f, e, b, a from the lowest up
	PUNPCKLQDQ(abcd, cdgh) // h, g, d, c
	return abef, cdgh
}

// lane is one message and its state. The registers of the state change names,
// not contents: sha256rnds2 writes the new a, b, e, f over the old c, d, g, h.
type lane struct {
	number     int
	abef, cdgh VecVirtual
	M          Op    // the newest M[g]
	schedule   [4]Op // M[g] is at place g%4
	home       []Mem // where the schedule goes; nil: it stays in registers
}

const scheduleBytes = 4 * 16

// older is an older M[g], in memory or in a register.
func (l *lane) older(g int) Op { return l.schedule[g%4] }

// oldest is M[g] in a register that may be overwritten.
func (l *lane) oldest(g int) VecVirtual {
	if x, ok := l.older(g).(VecVirtual); ok {
		return x
	}
	x := XMM()
	MOVOA(l.older(g), x)
	return x
}

// keep keeps M[g], the newest, for later groups.
func (l *lane) keep(g int) {
	l.schedule[g%4] = l.M
	if l.home != nil {
		l.schedule[g%4] = l.home[g%4]
		if g <= 13 { // the last two are not needed again
			MOVOA(l.M, l.home[g%4])
		}
	}
}

// wk is the operand that sha256rnds2 does not name: two of W[t]+K[t].
var wk = X0

// messages hashes the next messages, one in each lane.
func (k *kernel) messages(width int, h chaining) {
	lanes := k.lanes(width, func(int) chaining { return h })
	compress(lanes, (*lane).group, func(l *lane, g int) Op { return l.offset(k, g) })
	Comment("a to d, in big-endian order")
	h = h.registers()
	for i := range lanes {
		l := &lanes[i]
		l.add(h)
		PUNPCKHQDQ(l.abef, l.cdgh) // d, c, b, a from the lowest up
		PSHUFB(reverse(), l.cdgh)
		MOVOU(l.cdgh, Mem{Base: k.dst, Disp: i * ivBytes})
	}
}

// registers is h in registers.
func (h chaining) registers() chaining {
	if _, ok := h.abef.(Mem); !ok {
		return h
	}
	r := chaining{XMM(), XMM()}
	r.set(h)
	return r
}

// lanes are width lanes, each of which starts from a chaining value.
func (k *kernel) lanes(width int, from func(int) chaining) []lane {
	lanes := make([]lane, width)
	for i := range lanes {
		l := &lanes[i]
		l.number, l.abef, l.cdgh = i, XMM(), XMM()
		l.chaining().set(from(i))
		for j := 0; j < 4 && k.schedules != nil; j++ {
			l.home = append(l.home, Mem{Base: k.schedules, Disp: i*scheduleBytes + j*16})
		}
	}
	return lanes
}

func (l *lane) chaining() chaining { return chaining{l.abef, l.cdgh} }

func (l *lane) add(h chaining) {
	PADDD(h.abef, l.abef)
	PADDD(h.cdgh, l.cdgh)
}

// offset makes the message of the next offset, of which only M[0] varies.
func (l *lane) offset(k *kernel, g int) (sum Op) {
	if g > 0 {
		return paddedK(g)
	}
	x := XMM()
	MOVQ(k.off, x)
	ADDQ(k.step, k.off)
	PSHUFB(swapWords(), x) // W[0], W[1], 0, 0
	POR(padding(), x)
	l.M = x
	return nil
}

// compress does the rounds of one block. For g = 0..3 word makes M[g], or
// returns the sum of M[g] and roundK(g) where that is constant; for g = 4..15
// group makes M[g] from those before.
func compress(lanes []lane, group func(*lane, int), word func(*lane, int) (sum Op)) {
	for g := range 16 {
		Commentf("Rounds %d to %d", 4*g, 4*g+3)
		var sums []Mem
		for i := range lanes {
			l := &lanes[i]
			if g >= 4 {
				group(l, g)
			} else if sum := word(l, g); sum != nil {
				sums = append(sums, sum.(Mem))
				continue
			}
			l.rounds4(g)
		}
		for half := 0; half < 16 && sums != nil; half += 8 {
			for i := range lanes {
				if i == 0 || sums[i] != sums[i-1] {
					MOVQ(sums[i].Offset(half), wk)
				}
				lanes[i].rounds2()
			}
		}
	}
}

// rounds4 does rounds 4g to 4g+3 with M[g].
func (l *lane) rounds4(g int) {
	MOVOA(l.M, wk)
	PADDD(roundK(g), wk)
	l.rounds2()
	PSHUFD(U8(0x0e), wk, wk)
	l.rounds2()
}

// rounds2 does two rounds with the W[t]+K[t] in the low half of wk.
func (l *lane) rounds2() {
	SHA256RNDS2(wk, l.abef, l.cdgh)
	l.abef, l.cdgh = l.cdgh, l.abef
}

// group makes M[g], g = 4..15:
//
//	W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16]
//
// sha256msg1 adds the last two terms, sha256msg2 the first; W[t-7] stands
// between M[g-2] and M[g-1]. M[1] and M[2] are zero and M[3] is 0, 0, 0, 576,
// so that the first groups need less.
func (l *lane) group(g int) {
	var M VecVirtual
	switch g {
	case 4: // W[t-7] is zero, and σ0(W[t-15]) but for W[1] and W[2]
		zero := XMM()
		PXOR(zero, zero)
		M = l.M.(VecVirtual)
		SHA256MSG1(zero, M)
		SHA256MSG2(bitLength(), M)
	case 5, 6: // σ0(W[t-15]) and W[t-16] are zero
		M = XMM()
		MOVOA(l.M, M)
		if g == 5 {
			PALIGNR(U8(4), bitLength(), M)
		} else {
			PALIGNR(U8(4), l.older(4), M)
		}
		SHA256MSG2(l.M, M)
	default:
		if g == 7 {
			M = XMM()
			MOVOA(bitLength(), M)
		} else {
			M = l.oldest(g - 4)
		}
		SHA256MSG1(l.older(g-3), M)
		between := XMM()
		MOVOA(l.M, between)
		PALIGNR(U8(4), l.older(g-2), between)
		PADDD(between, M)
		SHA256MSG2(l.M, M)
	}
	l.M = M
	l.keep(g)
}

// anyGroup is group for a message of which nothing is known.
func (l *lane) anyGroup(g int) {
	M, between := l.oldest(g-4), XMM()
	SHA256MSG1(l.older(g-3), M)
	MOVOA(l.M, between)
	PALIGNR(U8(4), l.older(g-2), between)
	PADDD(between, M)
	SHA256MSG2(l.M, M)
	l.M = M
	l.keep(g)
}
