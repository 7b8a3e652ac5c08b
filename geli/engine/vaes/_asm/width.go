package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// width is the register width of a set of kernels, and how they find their
// round keys: in slots of a register's bytes with the key in every lane, or in
// slots of 32 bytes with the key in the lower half (compact). In the schedule
// of XTS the upper half holds the round key of the tweak.
type width struct {
	bytes   int // of a register
	compact bool
	suffix  string // of function names
	regs    []reg.VecPhysical
}

// compactSlot is the bytes of a round key in a compact schedule.
const compactSlot = 32

var (
	xmm = []reg.VecPhysical{
		reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7,
		reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
		reg.X16, reg.X17, reg.X18, reg.X19, reg.X20, reg.X21, reg.X22, reg.X23,
		reg.X24, reg.X25, reg.X26, reg.X27, reg.X28, reg.X29, reg.X30, reg.X31,
	}
	// ymm stops at 15: the rest are AVX-512 registers.
	ymm = []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
		reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}
	zmm = []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}
	width512 = &width{64, false, "AVX512", zmm}
	// Compact schedules are made faster and read slower: on some processors a
	// broadcast takes a port of AES.
	width512Compact = &width{64, true, "AVX512", zmm}
	width256        = &width{32, true, "AVX2", ymm}
	width128        = &width{16, true, "AVX2", xmm[:16]}
)

// lanes is the number of AES blocks in a register.
func (w *width) lanes() int { return w.bytes / 16 }

// wide says that AVX-512 instructions may be used.
func (w *width) wide() bool { return w.bytes == 64 }

// move loads or stores a whole register at any alignment.
func (w *width) move(from, to Op) {
	if w.wide() {
		VMOVDQU64(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

// xor sets to = a ^ b.
func (w *width) xor(a, b, to Op) {
	if w.wide() {
		VPXORQ(a, b, to)
	} else {
		VPXOR(a, b, to)
	}
}

// xor3 sets to ^= a ^ b; a may be memory.
func (w *width) xor3(a, b, to Op) {
	if w.wide() {
		VPTERNLOGQ(U8(0x96), a, b, to)
	} else {
		VPXOR(a, to, to)
		VPXOR(b, to, to)
	}
}

// slot is the bytes of one round key in a schedule.
func (w *width) slot() int {
	if w.compact {
		return compactSlot
	}
	return w.bytes
}

// loadKey loads round key r into every lane.
func (w *width) loadKey(schedule reg.Register, r int, to Op) {
	from := at(schedule, w.slot()*r)
	switch {
	case !w.compact || w.bytes == 16:
		w.move(from, to)
	case w.wide():
		VBROADCASTI32X4(from, to)
	default:
		VBROADCASTI128(from, to)
	}
}

// at is base plus a displacement.
func at(base reg.Register, disp int) Mem { return Mem{Base: base, Disp: disp} }

func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// inMemory is a parameter that stays in its place on the stack.
func inMemory(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}
