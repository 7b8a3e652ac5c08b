package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// boundRegs is the number of chains in flight: more than the rounds that any
// known processor starts before the first of them ends.
const boundRegs = 12

// boundKernel does the AES of a run and nothing else: for each block the xor
// of the first key and the rounds, on registers.
func boundKernel(w *width) {
	TEXT("bound"+w.suffix, NOSPLIT, "func(steps, rounds int)")
	Doc(fmt.Sprintf("bound%s encrypts, in each step, %d registers. rounds is 10, 12 or 14.", w.suffix, boundRegs))
	Pragma("noescape")
	steps := Load(Param("steps"), GP64())
	rounds := Load(Param("rounds"), GP64())
	key := w.regs[15]
	VPXOR(reg.Y15, reg.Y15, reg.Y15)
	for _, s := range w.regs[:boundRegs] {
		w.xor(key, key, s)
	}
	TESTQ(steps, steps)
	JZ(LabelRef("done"))
	for _, r := range []int{10, 12, 14} {
		CMPQ(rounds, Imm(uint64(r)))
		JNE(LabelRef(fmt.Sprintf("not_%d", r)))
		Label(fmt.Sprintf("rounds_%d", r))
		for i := 0; i <= r; i++ {
			for _, s := range w.regs[:boundRegs] {
				switch i {
				case 0:
					w.xor(key, s, s)
				case r:
					VAESENCLAST(key, s, s)
				default:
					VAESENC(key, s, s)
				}
			}
		}
		DECQ(steps)
		JNZ(LabelRef(fmt.Sprintf("rounds_%d", r)))
		JMP(LabelRef("done"))
		Label(fmt.Sprintf("not_%d", r))
	}
	Label("done")
	VZEROUPPER()
	RET()
}
