package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

const block = 16 // bytes

// cipher is one direction of AES as the instruction set has it.
type cipher struct {
	round, last func(k, state Op)
}

var (
	forward = cipher{AESENC, AESENCLAST}
	inverse = cipher{aesdec, aesdeclast} // with the schedule of invertKeys
)

// avo v0.6.0 believes that AESDEC and AESDECLAST only write their second
// operand; aesdec and aesdeclast say that they read it too.
func aesdec(k, state Op)     { addReading(state, must(x86.AESDEC(k, state))) }
func aesdeclast(k, state Op) { addReading(state, must(x86.AESDECLAST(k, state))) }

func addReading(op Op, i *ir.Instruction) {
	i.Inputs = append(i.Inputs, op)
	Instruction(i)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// schedule is the round keys k[0..r] in memory, 16-byte aligned.
type schedule struct {
	k0     Register // address of k[0]
	rounds Register // r
}

// loadSchedule reads a kernel's parameters for its schedule.
func loadSchedule(keys string) schedule {
	return schedule{Load(Param(keys), GP64()), Load(Param("rounds"), GP64())}
}

// param is a parameter where the caller put it.
func param(name string) Mem { return must(Param(name).Resolve()).Addr }

func (s schedule) key(i int) Mem { return Mem{Base: s.k0, Disp: i * block} }

// lastKey makes the address of k[r] in a register of its own.
func (s schedule) lastKey() Mem {
	p := GP64()
	Comment("k[r]")
	MOVQ(s.rounds, p)
	SHLQ(U8(4), p)
	ADDQ(s.k0, p)
	return Mem{Base: p}
}

// middleRounds does rounds 1 to r-1 on all states. Each round key is loaded
// once, for every state.
func (c cipher) middleRounds(s schedule, states []VecVirtual) {
	last := label("last")
	k := XMM()
	CMPQ(s.rounds, U8(12))
	for i := 1; i <= 13; i++ {
		switch i {
		case 10:
			JB(LabelRef(last))
		case 12:
			JE(LabelRef(last))
		}
		MOVOA(s.key(i), k)
		for _, x := range states {
			c.round(k, x)
		}
	}
	Label(last)
}

// xmms makes n vector registers.
func xmms(n int) []VecVirtual {
	x := make([]VecVirtual, n)
	for i := range x {
		x[i] = XMM()
	}
	return x
}

// label makes a name that is used once.
func label(name string) string {
	labels++
	return fmt.Sprintf("%s%d", name, labels)
}

var labels int

// widths calls body for groups of so many blocks and makes the loop around it:
// widest ones as long as left, the number of blocks to go, allows, then ever
// narrower ones. body must take its blocks off left itself.
func widths(left Register, widest int, body func(width int)) {
	narrower := []int{8, 4, 2, 1}
	for narrower[0] >= widest {
		narrower = narrower[1:]
	}
	again := label("group")
	Label(again)
	for _, width := range append([]int{widest}, narrower...) {
		next := label("narrower")
		CMPQ(left, U8(uint8(width)))
		JB(LabelRef(next))
		body(width)
		if width == widest {
			JMP(LabelRef(again))
		}
		Label(next)
	}
}
