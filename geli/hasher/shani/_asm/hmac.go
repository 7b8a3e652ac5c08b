package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	blockBytes  = 64
	digestBytes = 32
	endsBytes   = 2 * blockBytes
)

// hmacs generates the HMACs of width messages:
//
//	key   = SHA-256(prefix || le64(off))
//	inner = SHA-256(key ^ ipad || message)
//	MAC   = SHA-256(key ^ opad || inner)
//
// Key and digests stay in the kernel. One message is all in registers, and its
// two pads are compressed side by side; four keep their schedules in memory, as
// in ivs.
func hmacs(width int) {
	var messages string
	for i := range width {
		messages += fmt.Sprintf("m%d *byte, ", i)
	}
	TEXT(fmt.Sprintf("hmacs%d", width), NOSPLIT, "func(dst *byte, state *[8]uint32, off, step uint64, "+messages+"whole int, ends *byte, endBlocks int)")
	which := "the HMAC of a message"
	if width > 1 {
		which = fmt.Sprintf("the HMACs of messages i = 0..%d", width-1)
	}
	Doc(fmt.Sprintf("hmacs%d writes %s to dst[32*i:], with SHA-256 and the", width, which),
		"key SHA-256(prefix || le64(off+i*step)), where state is the chaining value after the",
		"64-byte prefix. A message is the whole blocks, 0 or more, at its m and the endBlocks, 1",
		fmt.Sprintf("or 2, at ends[%d*i:], which have the padding in them.", endsBytes))
	Pragma("noescape")

	k := kernel{off: Load(Param("off"), GP64()), step: Load(Param("step"), GP64())}
	m := make([]Register, width)
	for i := range m {
		m[i] = Load(Param(fmt.Sprintf("m%d", i)), GP64())
	}
	f := newFrame(width)
	if width > 2 {
		k.schedules = f.base
	}

	Comment("The keys")
	abef, cdgh := loadState(Mem{Base: Load(Param("state"), GP64())})
	start := f.outer(0) // not needed for the outer digest yet
	start.set(chaining{abef, cdgh})
	lanes := k.lanes(width, func(int) chaining { return start })
	compress(lanes, (*lane).group, func(l *lane, g int) Op { return l.offset(&k, g) })
	for i := range lanes {
		lanes[i].add(start)
		lanes[i].words(f.words(i))
	}

	pads := []pad{{0x36363636, "ipad", f.inner}, {0x5c5c5c5c, "opad", f.outer}}
	if width == 1 {
		Comment("Both pads")
		k.pads(f, pads, 1)
	} else {
		for i := range pads {
			Comment("The keys with " + pads[i].name)
			k.pads(f, pads[i:i+1], width)
		}
	}

	Comment("The messages, first their whole blocks")
	lanes = k.lanes(width, f.inner)
	left, endBlocks := Load(Param("whole"), GP64()), Load(Param("endBlocks"), GP64())
	TESTQ(left, left)
	JE(LabelRef("ends"))
	Label("block")
	compress(lanes, (*lane).anyGroup, func(l *lane, g int) Op {
		l.load(Mem{Base: m[l.number], Disp: 16 * g}, g)
		return nil
	})
	Comment("The sums stay in their registers for the next block")
	for i := range lanes {
		lanes[i].add(f.inner(i))
		f.inner(i).set(lanes[i].chaining())
		ADDQ(U8(blockBytes), m[i])
	}
	DECQ(left)
	JNE(LabelRef("block"))
	Label("ends")
	TESTQ(endBlocks, endBlocks)
	JE(LabelRef("outer"))
	ends := Load(Param("ends"), GP64())
	for i := range m {
		LEAQ(Mem{Base: ends, Disp: i * endsBytes}, m[i])
	}
	MOVQ(endBlocks, left)
	XORQ(endBlocks, endBlocks)
	JMP(LabelRef("block"))

	Label("outer")
	Comment("The outer digests")
	for i := range lanes {
		lanes[i].words(f.words(i))
	}
	lanes = k.lanes(width, f.outer)
	compress(lanes, (*lane).anyGroup, func(l *lane, g int) Op {
		rest := [4][4]uint32{2: {firstPadWord}, 3: {3: (blockBytes + digestBytes) * 8}}[g]
		if g >= 2 {
			return l.constant(fmt.Sprintf("outer%d", g), rest, g)
		}
		l.move(f.words(l.number)[g], g)
		return nil
	})
	dst := Load(Param("dst"), GP64())
	for i := range lanes {
		l := &lanes[i]
		l.add(f.outer(i))
		abcd, efgh := l.halves()
		PSHUFB(reverse(), abcd)
		PSHUFB(reverse(), efgh)
		MOVOU(abcd, Mem{Base: dst, Disp: i * digestBytes})
		MOVOU(efgh, Mem{Base: dst, Disp: i*digestBytes + 16})
	}
	f.wipe()
	RET()
}

// pad is one of HMAC's, as a word, and where the chaining values behind it go.
type pad struct {
	word  uint32
	name  string
	after func(int) chaining
}

// pads compresses the keys with each pad, all side by side.
func (k *kernel) pads(f frame, pads []pad, width int) {
	lanes := k.lanes(len(pads)*width, func(int) chaining { return initial() })
	of := func(l *lane) (pad, int) { return pads[l.number/width], l.number % width }
	compress(lanes, (*lane).anyGroup, func(l *lane, g int) Op {
		p, i := of(l)
		all := [4]uint32{p.word, p.word, p.word, p.word}
		if g >= 2 {
			return l.constant(p.name, all, g)
		}
		l.M = XMM()
		MOVOA(f.words(i)[g], l.M)
		PXOR(words(p.name, all[:]...), l.M)
		l.keep(g)
		return nil
	})
	for i := range lanes {
		l := &lanes[i]
		l.add(initial())
		p, at := of(l)
		p.after(at).set(l.chaining())
	}
}

// frame is the kernel's memory: schedules, if they are not in registers; for
// each message 32 bytes of the next message's words, 32 of the inner chaining
// value and 32 of the outer. All of it is secret.
type frame struct {
	base         Register
	width, bytes int
	first        int // byte behind the schedules
}

func newFrame(width int) frame {
	f := frame{base: GP64(), width: width}
	if width > 2 {
		f.first = width * scheduleBytes
	}
	f.bytes = f.first + 3*32*width
	const align = 16
	room := AllocLocal(f.bytes + align)
	LEAQ(room.Offset(align), f.base)
	ANDQ(I8(-align), f.base)
	return f
}

func (f frame) pair(kind, i int) [2]Op {
	at := f.first + (kind*f.width+i)*32
	return [2]Op{Mem{Base: f.base, Disp: at}, Mem{Base: f.base, Disp: at + 16}}
}

func (f frame) words(i int) [2]Op    { return f.pair(0, i) }
func (f frame) inner(i int) chaining { p := f.pair(1, i); return chaining{p[0], p[1]} }
func (f frame) outer(i int) chaining { p := f.pair(2, i); return chaining{p[0], p[1]} }

func (f frame) wipe() {
	zero := XMM()
	PXOR(zero, zero)
	for at := 0; at < f.bytes; at += 16 {
		MOVOA(zero, Mem{Base: f.base, Disp: at})
	}
}

// load makes M[g] of 16 bytes of a message.
func (l *lane) load(from Mem, g int) {
	x := XMM()
	MOVOU(from, x)
	PSHUFB(swapEach(), x)
	l.M = x
	l.keep(g)
}

// move makes M[g] of words.
func (l *lane) move(from Op, g int) {
	x := XMM()
	MOVOA(from, x)
	l.M = x
	l.keep(g)
}

// constant makes M[g] of words that all messages have.
func (l *lane) constant(name string, w [4]uint32, g int) (sum Op) {
	l.M = words(name, w[:]...)
	l.schedule[g] = l.M
	for i := range w {
		w[i] += kt[4*g+i]
	}
	return words(fmt.Sprintf("%sK%d", name, g), w[:]...)
}

// halves are a to d and e to h, d and h lowest, in the place of the state.
func (l *lane) halves() (abcd, efgh VecVirtual) {
	abcd, efgh = XMM(), l.cdgh
	MOVOA(l.cdgh, abcd)
	PUNPCKHQDQ(l.abef, abcd)
	PUNPCKLQDQ(l.abef, efgh)
	return abcd, efgh
}

// words makes the next message's first eight words of the state.
func (l *lane) words(to [2]Op) {
	abcd, efgh := l.halves()
	PSHUFD(U8(0x1b), abcd, abcd)
	PSHUFD(U8(0x1b), efgh, efgh)
	MOVOA(abcd, to[0])
	MOVOA(efgh, to[1])
}
