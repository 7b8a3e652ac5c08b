package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// xts256Run makes the tweaks of a run of sectors in general registers. Beside
// AES at two rounds a cycle the vector pipes have no room: on Zen 3 the tweaks
// took 15 to 20 % of the speed when they were made there, in some 6 operations a
// register of data, and 3 to 10 % when they no longer were. The loads of 32 bytes
// cannot be served from stores of 8 that are still under way, so all is stored
// well before; for one sector alone there is not that time.
type xts256Run struct {
	xts256
	low, high   reg.GPVirtual // the next tweak to be made
	over, bit63 reg.GPVirtual // what falls off high; 63
}

func newXTS256Run(x *xts) *xts256Run { return &xts256Run{xts256: xts256{xts: x, among: sprinkle}} }

func (x *xts256Run) prepare(unit reg.GPVirtual) {
	x.parts(0)
	x.low, x.high, x.over, x.bit63 = GP64(), GP64(), GP64(), GP64()
	MOVQ(U32(63), x.bit63)
}

func (x *xts256Run) start(regs int) []step {
	return append([]step{
		load(func() { MOVQ(at(x.tweaks, 0), x.low) }),
		load(func() { MOVQ(at(x.tweaks, 8), x.high) }),
	}, x.double(0, regs)...)
}

func (x *xts256Run) advance(regs int) []step { return x.double(0, regs) }

func (x *xts256Run) onlyHalves() {
	x.halves = true
	x.w.loadKey(x.keys, 0, ymm[8])
	x.w.loadKey(x.keys, x.rounds, ymm[9])
}

// otherHalf is for sectors of 16 registers, whose tweaks are all made while the
// sector before is encrypted.
func (x *xts256Run) otherHalf() []step { return x.double(8, 8) }

// double stores tweaks for so many registers from number from on, each the
// double of the one before.
func (x *xts256Run) double(from, regs int) []step {
	var steps []step
	for block := 2 * from; block < 2*(from+regs); block++ {
		steps = append(steps,
			load(func() { MOVQ(x.low, at(x.making, 16*block)) }),
			load(func() { MOVQ(x.high, at(x.making, 16*block+8)) }),
			load(func() { SARXQ(x.bit63, x.high, x.over) }),
			load(func() { ANDL(U32(0x87), x.over.As32()) }),
			load(func() {
				ADDQ(x.low, x.low)
				ADCQ(x.high, x.high)
			}),
			load(func() { XORQ(x.over, x.low) }))
	}
	return steps
}
