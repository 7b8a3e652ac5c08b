package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// step is one instruction put off until it is its turn to be written.
type step struct {
	write func()
	free  bool // takes no vector pipe: a load, or scalar
}

func op(write func()) step   { return step{write: write} }
func load(write func()) step { return step{write: write, free: true} }

// weave writes the rounds of AES with the side steps spread among them. The
// side steps keep their order. The processor reorders over a few hundred
// instructions only, so where they stand in the text matters.
//
// Zen seems to assign the vector pipes by turns, so that one operation between
// two of AES puts both into the same pipe: on Zen 4, 8 chains of 256 bits with
// two single operations for each 14 rounds lost an eighth of their speed, and
// with the two together nothing. So the side steps come in clumps of an even
// number, behind an even number of rounds; clumps of 6 did best overall, by 1
// to 3 %. Loads do not count.
func weave(rounds []func(), side []step) {
	const clump = 6
	var clumps [][]step
	ops := clump // in the last clump
	for _, s := range side {
		if ops == clump {
			clumps, ops = append(clumps, nil), 0
		}
		last := len(clumps) - 1
		clumps[last] = append(clumps[last], s)
		if !s.free {
			ops++
		}
	}
	done := 0
	for i, r := range rounds {
		r()
		if i%2 == 1 {
			for due := (i + 1) * len(clumps) / len(rounds); done < due; done++ {
				perform(clumps[done])
			}
		}
	}
	for ; done < len(clumps); done++ {
		perform(clumps[done])
	}
}

// sprinkle writes the rounds of AES with side steps that take no vector pipe
// among the first three quarters of them. The steps store 8 bytes at a time what
// is loaded 32 at a time by whatever comes behind the rounds; such a load waits
// until all is in the cache, and the last quarter hides that.
func sprinkle(rounds []func(), side []step) {
	done := 0
	for i, r := range rounds {
		r()
		for ; done < len(side) && 3*len(rounds)*done < 4*(i+1)*len(side); done++ {
			side[done].write()
		}
	}
	perform(side[done:])
}

// groupRegs is the number of registers of data in flight in one group.
const groupRegs = 8

// perform writes steps as they are.
func perform(steps []step) {
	for _, s := range steps {
		s.write()
	}
}

// inPairs writes the operations for two of the n registers at a time, from the
// first on, for the reason that weave gives.
func inPairs(n int, ops ...func(j int)) {
	for j := 0; j < n; j += 2 {
		for _, op := range ops {
			for k := j; k < min(j+2, n); k++ {
				op(k)
			}
		}
	}
}

// middleRounds is rounds 1 to rounds-1 of AES on several registers side by
// side. key is a scratch register.
func middleRounds(w *width, decrypt bool, rounds int, schedule reg.Register, state []reg.VecPhysical, key reg.VecPhysical) []func() {
	round := VAESENC
	if decrypt {
		round = VAESDEC
	}
	var steps []func()
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
