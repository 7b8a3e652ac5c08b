package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// run walks through the sectors of a run. What is used once in a sector stays
// among the parameters in the frame.
type run struct {
	dst, src Register // the current group
	left     Register // blocks to go in the sector
}

// loadRun reads the parameters dst and src.
func loadRun() run {
	return run{Load(Param("dst"), GP64()), Load(Param("src"), GP64()), GP64()}
}

func (r run) from(i int) Mem { return Mem{Base: r.src, Disp: i * block} }
func (r run) to(i int) Mem   { return Mem{Base: r.dst, Disp: i * block} }

// sectors makes the loop over the sectors, of which there is at least one.
func (r run) sectors(body func()) {
	sector := label("sector")
	Label(sector)
	body()
	ADDQ(param("srcStride"), r.src)
	SUBQ(param("unit"), r.src)
	ADDQ(param("dstStride"), r.dst)
	SUBQ(param("unit"), r.dst)
	DECQ(param("sectors"))
	JNZ(LabelRef(sector))
}

// prefetchBytes is how far ahead the data is fetched. The processor recognises
// one ascending stream by itself; this helps a little where there are two, and
// they come from beyond the second-level cache.
const prefetchBytes = 1024

const cacheLine = 64

// groups makes the loop over a sector's groups of blocks.
func (r run) groups(widest int, body func(width int)) {
	MOVQ(param("unit"), r.left)
	SHRQ(U8(4), r.left)
	widths(r.left, widest, func(width int) {
		for line := 0; width == widest && line < width*block; line += cacheLine {
			PREFETCHT0(r.from(0).Offset(prefetchBytes + line))
			PREFETCHT0(r.to(0).Offset(prefetchBytes + line))
		}
		body(width)
		ADDQ(U32(uint32(width*block)), r.src)
		ADDQ(U32(uint32(width*block)), r.dst)
		SUBQ(U8(uint8(width)), r.left)
	})
}
