package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	blockBytes = 64
	chainBytes = 32
)

// blocks generates the compression of the blocks of width messages, which have
// chaining values and addresses of their own. One or two messages are all in
// registers, more keep their schedules in memory, as in ivs.
func blocks(width int) {
	params := []string{"chains *[4]uint64"}
	if width > 2 {
		params = append(params, "schedules *byte")
	}
	for i := range width {
		params = append(params, fmt.Sprintf("m%d *byte", i))
	}
	name := fmt.Sprintf("blocks%d", width)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(%s, n int)", strings.Join(params, ", ")))
	room := "chains are at a multiple of 16."
	if width > 2 {
		room = fmt.Sprintf("chains and schedules, %d bytes of scratch, are at multiples of 16.", width*scheduleBytes)
	}
	Doc(name+" compresses the n > 0 blocks at each m into a chain of its own, which is",
		"f, e, b, a, h, g, d, c as sha256rnds2 takes them. "+room)
	k := kernel{}
	chains := Load(Param("chains"), GP64())
	if width > 2 {
		k.schedules = Load(Param("schedules"), GP64())
	}
	Pragma("noescape")
	messages := make([]Register, width)
	for i := range messages {
		messages[i] = Load(Param(fmt.Sprintf("m%d", i)), GP64())
	}
	left := Load(Param("n"), GP64())

	lanes := make([]lane, width)
	for i := range lanes {
		l := &lanes[i]
		l.place(&k, i)
		l.abef, l.cdgh = XMM(), XMM()
		chaining{l.abef, l.cdgh}.set(chainIn(chains, i))
	}
	Label("block")
	for g := range 16 {
		Commentf("Rounds %d to %d", 4*g, 4*g+3)
		for i := range lanes {
			l := &lanes[i]
			if g < 4 {
				l.M = XMM()
				MOVOU(Mem{Base: messages[i], Disp: 16 * g}, l.M)
				PSHUFB(swapEach(), l.M)
				l.keep(g)
			} else {
				l.anyGroup(g)
			}
			l.rounds4(g)
		}
	}
	Comment("The sums stay in their registers for the next block")
	for i := range lanes {
		l, h := &lanes[i], chainIn(chains, i)
		PADDD(h.abef, l.abef)
		PADDD(h.cdgh, l.cdgh)
		h.set(chaining{l.abef, l.cdgh})
		ADDQ(U8(blockBytes), messages[i])
	}
	DECQ(left)
	JNE(LabelRef("block"))
	RET()
}

// chainIn is chaining value i in memory.
func chainIn(chains Register, i int) chaining {
	return chaining{Mem{Base: chains, Disp: i * chainBytes}, Mem{Base: chains, Disp: i*chainBytes + 16}}
}

// anyGroup makes M[g], g = 4..15, of any message; see group.
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
