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
	Generate()
}

const ivBytes = 16

// widest is how many messages are in flight.
const widest = 2

// lane is one message. Its registers change names, not contents: sha256rnds2
// writes the new a, b, e, f over the old c, d, g, h.
type lane struct {
	abef, cdgh VecVirtual
	M          [4]VecVirtual // M[g%4]
}

// ivs generates the whole of Hasher.IVs: a loop for widest messages and one for
// those left over.
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
	k.loadState(Mem{Base: Load(Param("state"), GP64())})
	for _, lanes := range []int{widest, 1} {
		again, fewer := fmt.Sprintf("lanes%d", lanes), fmt.Sprintf("fewer%d", lanes)
		Label(again)
		CMPQ(k.left, U8(uint8(lanes)))
		JB(LabelRef(fewer))
		k.messages(lanes)
		SUBQ(U8(uint8(lanes)), k.left)
		JMP(LabelRef(again))
		Label(fewer)
	}
	RET()
}

type kernel struct {
	dst, left, off, step Register
	abef, cdgh           VecVirtual // the chaining value, as sha256rnds2 takes it
}

// loadState brings the words a to h into the order of sha256rnds2, once for
// all messages.
func (k *kernel) loadState(state Mem) {
	abcd := XMM()
	k.abef, k.cdgh = XMM(), XMM()
	MOVOU(state, abcd)
	MOVOU(state.Offset(16), k.cdgh)
	PSHUFD(U8(0x1b), abcd, abcd)     // d is now lowest
	PSHUFD(U8(0x1b), k.cdgh, k.cdgh) // h is now lowest
	MOVOA(k.cdgh, k.abef)
	PUNPCKHQDQ(abcd, k.abef) // f, e, b, a from the lowest up
	PUNPCKLQDQ(abcd, k.cdgh) // h, g, d, c
}

// messages hashes the next messages, one in each lane.
func (k *kernel) messages(n int) {
	lanes := make([]lane, n)
	for i := range lanes {
		l := &lanes[i]
		l.abef, l.cdgh = XMM(), XMM()
		for j := range l.M {
			l.M[j] = XMM()
		}
		MOVQ(k.off, l.M[0])
		ADDQ(k.step, k.off)
		PSHUFB(swapWords(), l.M[0]) // W[0], W[1], 0, 0
		MOVOA(k.abef, l.abef)
		MOVOA(k.cdgh, l.cdgh)
	}
	wk := X0 // the operand that sha256rnds2 does not name

	Comment("Rounds 0 to 3: the offset, then the padding, which is in the constants")
	for i := range lanes {
		MOVOA(lanes[i].M[0], wk)
		PADDD(paddedK(0), wk)
		lanes[i].rounds2()
		PSHUFD(U8(0x0e), wk, wk)
		lanes[i].rounds2()
	}
	for g := 1; g <= 3; g++ {
		Commentf("Rounds %d to %d: the same for every message", 4*g, 4*g+3)
		for _, half := range []int{0, 8} {
			MOVQ(paddedK(g).Offset(half), wk)
			for i := range lanes {
				lanes[i].rounds2()
			}
		}
	}
	for g := 4; g <= 15; g++ {
		Commentf("Rounds %d to %d", 4*g, 4*g+3)
		for i := range lanes {
			lanes[i].schedule(g)
			MOVOA(lanes[i].M[g%4], wk)
			PADDD(roundK(g), wk)
			lanes[i].rounds2()
			PSHUFD(U8(0x0e), wk, wk)
			lanes[i].rounds2()
		}
	}
	Comment("a to d, in big-endian order")
	for i := range lanes {
		l := &lanes[i]
		PADDD(k.abef, l.abef)
		PADDD(k.cdgh, l.cdgh)
		PUNPCKHQDQ(l.abef, l.cdgh) // d, c, b, a
		PSHUFB(reverse(), l.cdgh)
		MOVOU(l.cdgh, Mem{Base: k.dst, Disp: i * ivBytes})
	}
	ADDQ(U8(uint8(n*ivBytes)), k.dst)
}

// rounds2 does two rounds with the W[t]+K[t] in the low half of X0.
func (l *lane) rounds2() {
	SHA256RNDS2(X0, l.abef, l.cdgh)
	l.abef, l.cdgh = l.cdgh, l.abef
}

// schedule makes M[g], g = 4..15, over M[g-4]:
//
//	W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16]
//
// sha256msg1 adds the last two terms, sha256msg2 the first; W[t-7] stands
// between M[g-2] and M[g-1]. M[1] and M[2] are zero and M[3] is 0, 0, 0, 576,
// so that the first groups need less.
func (l *lane) schedule(g int) {
	M := func(i int) VecVirtual { return l.M[i%4] }
	switch g {
	case 4: // W[t-7] is zero
		PADDD(padding(), M(0))
		zero := XMM()
		PXOR(zero, zero)
		SHA256MSG1(zero, M(0))
		MOVOA(bitLength(), M(3))
	case 5, 6: // σ0(W[t-15]) and W[t-16] are zero
		MOVOA(M(g-1), M(g))
		PALIGNR(U8(4), M(g-2), M(g))
	default:
		SHA256MSG1(M(g-3), M(g))
		t := XMM()
		MOVOA(M(g-1), t)
		PALIGNR(U8(4), M(g-2), t)
		PADDD(t, M(g))
	}
	SHA256MSG2(M(g-1), M(g))
}
