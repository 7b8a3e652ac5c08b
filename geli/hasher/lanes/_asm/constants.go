package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// constants is a table of 32-bit constants that grows as kernels ask for them.
type constants struct {
	name   string
	copies int // of each: one for a broadcasting operand, a register full of others
	list   []uint32
}

func (t *constants) address(c uint32) Mem {
	i := slices.Index(t.list, c)
	if i < 0 {
		i = len(t.list)
		t.list = append(t.list, c)
	}
	return NewDataAddr(Symbol{Name: t.name, Static: true}, 4*t.copies*i)
}

func (t *constants) write() {
	GLOBL(t.name, RODATA|NOPTR)
	offset := 0
	for _, c := range t.list {
		for range t.copies {
			DATA(offset, U32(c))
			offset += 4
		}
	}
}
