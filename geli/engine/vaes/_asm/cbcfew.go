package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cbcFew is CBC encryption of one sector or of up to four, in registers of one
// block each, with nothing around the chains: their latency is all that counts.
// Both engines use it. The folding is that of cbcEnc, and so are the lanes
// left over.
//
// Registers: 0-3 states, 4-7 the next N, 8-11 folded keys, 12 round key, 14 and
// 15 the round keys first and last.
func cbcFew() {
	for _, bits := range []int{128, 192, 256} {
		for _, chains := range []int{4, 1} {
			cbcFewKernel(fmt.Sprintf("cbcEncFew%dx%d", bits, chains), roundsOf[bits], chains)
		}
	}
}

func cbcFewKernel(name string, rounds, chains int) {
	TEXT(name, NOSPLIT, "func(keys, chains, dst, src, ivs *byte, n, unit, dstStride, srcStride int)")
	Doc(fmt.Sprintf("%s is CBC encryption of a run of 0 < n <= %d sectors. chains is not used.", name, chains))
	Pragma("noescape")
	keys := param("keys")
	src, dst := sectorPointers("src", "srcStride", chains), sectorPointers("dst", "dstStride", chains)
	state, next, folded, key := xmm[0:chains], xmm[4:4+chains], xmm[8:8+chains], xmm[12]
	first, last := xmm[14], xmm[15]
	VMOVDQU(at(keys, 0), first)
	VMOVDQU(at(keys, compactSlot*rounds), last)

	iv, n := param("ivs"), param("n")
	for l, s := range state {
		VPXOR(at(src[l], 0), first, s)
		VPXOR(at(iv, 0), s, s)
		if l+1 < chains {
			more := GP64()
			LEAQ(at(iv, 16), more)
			CMPQ(n, Imm(uint64(l+1)))
			CMOVQGT(more, iv)
		}
	}
	middle := func() {
		for r := 1; r < rounds; r++ {
			if chains == 1 {
				VAESENC(at(keys, compactSlot*r), state[0], state[0])
				continue
			}
			VMOVDQU(at(keys, compactSlot*r), key)
			for _, s := range state {
				VAESENC(key, s, s)
			}
		}
	}

	unit, offset := param("unit"), GP64() // of the block whose N is made
	MOVL(U32(16), offset.As32())
	CMPQ(offset, unit)
	JEQ(LabelRef("last"))
	Label("block")
	for l := range state {
		VPXOR(Mem{Base: src[l], Index: offset, Scale: 1}, first, next[l])
		VPXOR(next[l], last, folded[l])
	}
	middle()
	for l, s := range state {
		VAESENCLAST(folded[l], s, s)
	}
	for l, s := range state {
		VPXOR(s, next[l], next[l])
		VMOVDQU(next[l], Mem{Base: dst[l], Index: offset, Scale: 1, Disp: -16})
	}
	ADDQ(Imm(16), offset)
	CMPQ(offset, unit)
	JNE(LabelRef("block"))
	Label("last")
	middle()
	for l, s := range state {
		VAESENCLAST(last, s, s)
		VMOVDQU(s, Mem{Base: dst[l], Index: offset, Scale: 1, Disp: -16})
	}
	VZEROUPPER()
	RET()
}

// sectorPointers points at the first sectors of a run, repeating the last of
// the n.
func sectorPointers(base, stride string, count int) []reg.GPVirtual {
	p := []reg.GPVirtual{param(base)}
	if count == 1 {
		return p
	}
	n, step := param("n"), param(stride)
	for l := 1; l < count; l++ {
		p = append(p, GP64())
		LEAQ(Mem{Base: p[l-1], Index: step, Scale: 1}, p[l])
		CMPQ(n, Imm(uint64(l)))
		CMOVQLE(p[l-1], p[l])
	}
	return p
}
