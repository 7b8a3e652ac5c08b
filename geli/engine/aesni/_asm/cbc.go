package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// decryptWidest is as many blocks as registers allow. Eight fill the pipes
// exactly and lose every slot that anything else takes: 0.95 of the bound, 11
// reach 0.97.
const decryptWidest = 11

// cbcDecrypt generates P[i] = D(C[i]) ^ C[i-1], C[-1] = IV. Within a group the
// blocks are written from the last to the first, so that in place a block's
// ciphertext is there as long as it is needed; the group's last one is kept in a
// register for the next group.
func cbcDecrypt() {
	TEXT("cbcDecrypt", NOSPLIT, "func(dst, src, ivs *byte, sectors, unit, dstStride, srcStride int, dec *[240]byte, rounds int)")
	Doc("cbcDecrypt works on a run of sectors of unit bytes, a multiple of 16, 11 blocks in flight.")
	Pragma("noescape")
	s := loadSchedule("dec")
	k0, kr := XMM(), XMM()
	MOVOA(s.key(0), k0)
	MOVOA(s.lastKey(), kr)
	run := loadRun()
	iv := Load(Param("ivs"), GP64())
	run.sectors(func() {
		before := XMM() // C[i-1] of the group's first block
		MOVOU(Mem{Base: iv}, before)
		ADDQ(U8(block), iv)
		run.groups(decryptWidest, func(width int) {
			x := xmms(width)
			for i := range x {
				MOVOU(run.from(i), x[i])
				PXOR(k0, x[i])
			}
			inverse.middleRounds(s, x)
			last := XMM()
			MOVOU(run.from(width-1), last)
			for i := width - 1; i >= 0; i-- {
				mask := before
				if i > 0 {
					mask = XMM()
					MOVOU(run.from(i-1), mask)
				}
				PXOR(kr, mask)
				inverse.last(mask, x[i])
				MOVOU(x[i], run.to(i))
			}
			MOVOA(last, before)
		})
	})
	RET()
}

// cbcEncrypt generates C[i] = E(P[i] ^ C[i-1]), C[-1] = IV, for as many sectors
// side by side as there are: a block waits for the one before it, so only other
// sectors can fill the time. A chain is one such sector; chains come in groups
// of four, which may be at different blocks of their sectors.
func cbcEncrypt() {
	TEXT("cbcEncrypt", NOSPLIT, "func(dst, src *[3]*byte, first, last *byte, chains, blocks, dstStride, srcStride, dstAhead, srcAhead, aheadStep int, enc *[240]byte, rounds int)")
	Doc("cbcEncrypt does the next blocks of 1 to 12 chains, all of them in flight. dst and src are",
		"where the first chain of each group of four is; the others are whole strides behind it. first",
		"has the IV, or the ciphertext block before, of each chain; last gets the last ciphertext",
		"blocks and may be the same. What lies dstAhead and srcAhead bytes behind dst[0] and src[0] is",
		"prefetched, with aheadStep bytes of progress for each block.")
	Pragma("noescape")
	s := loadSchedule("enc")
	k0, kr := XMM(), XMM()
	MOVOA(s.key(0), k0)
	MOVOA(s.lastKey(), kr)
	first := Load(Param("first"), GP64())
	left := Load(Param("blocks"), GP64())
	chains := Load(Param("chains"), GP64())
	dst, src := newGroups("dst"), newGroups("src")
	// One chain, the path of GELI itself, is found at once.
	for _, n := range []int{1, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2} {
		Commentf("%d chains", n)
		other := label("other")
		if n != 2 {
			CMPQ(chains, U8(uint8(n)))
			JNE(LabelRef(other))
		}
		dst.load(n)
		src.load(n)
		x := xmms(n) // C[i-1]
		for i := range x {
			MOVOU(Mem{Base: first, Disp: i * block}, x[i])
		}
		c := chainLoop{s, k0, kr, x, dst, src, left}
		dst.startAhead()
		src.startAhead()
		if n <= foldedChains {
			c.folded()
		} else {
			c.plain()
		}
		last := Load(Param("last"), GP64())
		for i := range x {
			MOVOU(x[i], Mem{Base: last, Disp: i * block})
		}
		RET()
		Label(other)
	}
}

const groupChains = 4

// foldedChains is up to how many chains the latency of a block is the limit
// rather than the throughput of the pipes (measured on Zen 4).
const foldedChains = 10

// chainLoop is the loop over left blocks of some chains; x holds C[i-1] before
// and after.
type chainLoop struct {
	schedule
	k0, kr   VecVirtual
	x        []VecVirtual
	dst, src groups
	left     Register
}

func (c chainLoop) plain() {
	again := label("blocks")
	Label(again)
	for i, x := range c.x {
		P := XMM()
		MOVOU(c.src.chain(i), P)
		PXOR(c.k0, P)
		PXOR(P, x)
	}
	c.prefetch()
	forward.middleRounds(c.schedule, c.x)
	for i, x := range c.x {
		forward.last(c.kr, x)
		MOVOU(x, c.dst.chain(i))
	}
	c.src.advance(len(c.x))
	c.dst.advance(len(c.x))
	DECQ(c.left)
	JNZ(LabelRef(again))
}

// folded is plain with the shortest way from block to block: the last round
// adds k[r] ^ k[0] ^ P[i+1], so that it gives the next block's state, and C[i]
// comes from that beside the way.
func (c chainLoop) folded() {
	k0r := XMM()
	MOVOA(c.k0, k0r)
	PXOR(c.kr, k0r)
	again, end := label("blocks"), label("end")
	for i, x := range c.x {
		P := XMM()
		MOVOU(c.src.chain(i), P)
		PXOR(c.k0, P)
		PXOR(P, x)
	}
	Label(again)
	c.prefetch()
	forward.middleRounds(c.schedule, c.x)
	c.src.advance(len(c.x))
	DECQ(c.left)
	JZ(LabelRef(end))
	for i, x := range c.x {
		C := XMM()
		MOVOU(c.src.chain(i), C)
		PXOR(k0r, C)
		forward.last(C, x)
		PXOR(x, C)
		PXOR(c.kr, C)
		MOVOU(C, c.dst.chain(i))
	}
	c.dst.advance(len(c.x))
	JMP(LabelRef(again))
	Label(end)
	for i, x := range c.x {
		forward.last(c.kr, x)
		MOVOU(x, c.dst.chain(i))
	}
}

// prefetch fetches as many lines as one block of every chain is worth.
func (c chainLoop) prefetch() {
	for line := 0; line < len(c.x)*block; line += cacheLine {
		PREFETCHT0(Mem{Base: c.src.ahead, Disp: line})
		PREFETCHT0(Mem{Base: c.dst.ahead, Disp: line})
	}
	ADDQ(param("aheadStep"), c.src.ahead)
	ADDQ(param("aheadStep"), c.dst.ahead)
}

// groups addresses the current block of up to 12 chains, four around each base.
type groups struct {
	side          string
	params        Register // address of the three pointers
	base          [3]Register
	stride, three Register
	ahead         Register // what is prefetched
}

// newGroups reads the parameters side and sideStride.
func newGroups(side string) groups {
	g := groups{
		side:   side,
		params: Load(Param(side), GP64()),
		base:   [3]Register{GP64(), GP64(), GP64()},
		stride: Load(Param(side+"Stride"), GP64()),
		three:  GP64(),
		ahead:  GP64(),
	}
	LEAQ(Mem{Base: g.stride, Index: g.stride, Scale: 2}, g.three)
	return g
}

// load reads the pointers of the groups that n chains make.
func (g groups) load(n int) {
	for i := 0; i*groupChains < n; i++ {
		MOVQ(Mem{Base: g.params, Disp: 8 * i}, g.base[i])
	}
}

func (g groups) startAhead() {
	MOVQ(param(g.side+"Ahead"), g.ahead)
	ADDQ(g.base[0], g.ahead)
}

// chain is the current block of chain i.
func (g groups) chain(i int) Mem {
	m := Mem{Base: g.base[i/groupChains]}
	switch i % groupChains {
	case 1, 2:
		m.Index, m.Scale = g.stride, uint8(i%groupChains)
	case 3:
		m.Index, m.Scale = g.three, 1
	}
	return m
}

// advance goes to the next block.
func (g groups) advance(n int) {
	for i := 0; i*groupChains < n; i++ {
		ADDQ(U8(block), g.base[i])
	}
}
