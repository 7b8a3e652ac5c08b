package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// step is one instruction, or a few that belong together, put off until it is
// its turn to be written.
type step = func()

// weave writes the main steps with the side steps spread evenly among them.
// The side steps keep their order. The processor reorders over a few hundred
// instructions only, so where they stand in the text matters.
func weave(main, side []step) {
	done := 0
	for i, s := range main {
		s()
		for due := (i + 1) * len(side) / len(main); done < due; done++ {
			side[done]()
		}
	}
	for ; done < len(side); done++ {
		side[done]()
	}
}

// perform writes steps as they are.
func perform(steps []step) {
	for _, s := range steps {
		s()
	}
}

// middleRounds is rounds 1 to rounds-1 of AES on several registers side by
// side. key is a scratch register.
func middleRounds(w *width, decrypt bool, rounds int, schedule reg.Register, state []reg.VecPhysical, key reg.VecPhysical) []step {
	round := VAESENC
	if decrypt {
		round = VAESDEC
	}
	var steps []step
	for r := 1; r < rounds; r++ {
		for i, s := range state {
			steps = append(steps, func() {
				if i == 0 {
					w.loadKey(schedule, r, key)
				}
				round(key, s, s)
			})
		}
	}
	return steps
}

// lastRound is the last round of AES with whatever is folded into its key.
func lastRound(decrypt bool, key Op, state reg.VecPhysical) {
	if decrypt {
		VAESDECLAST(key, state, state)
	} else {
		VAESENCLAST(key, state, state)
	}
}
