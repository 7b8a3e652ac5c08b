package enginetest

import (
	"bytes"
	"fmt"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

const (
	maxUnit    = 8192 // bytes
	maxSectors = 70   // more than twice the lanes of any kernel here, with a rest
	guardBytes = 64   // on each side of a buffer
	filler     = 0xa5
)

// bed is one session under test beside its oracle, with the same key.
type bed struct {
	testing.TB
	e    engine.Engine
	p    engine.Params
	s, o engine.Session
	draw *stream
	seed uint64

	// arenas are reused from run to run, so that memory stays small.
	dst, src, ivs, was arena
}

// each calls f with a bed for every cipher that e supports.
func each(t testing.TB, e engine.Engine, purpose string, f func(*bed)) {
	t.Helper()
	for _, p := range supported(t, e) {
		b := newBed(t, e, p, purpose)
		f(b)
		b.close()
	}
}

func newBed(t testing.TB, e engine.Engine, p engine.Params, purpose string) *bed {
	t.Helper()
	b := &bed{TB: t, e: e, p: p, seed: seedOf(t)}
	b.draw = newStream(b.seed, purpose+p.String())
	var err error
	if b.s, err = e.NewSession(p); err != nil {
		t.Fatalf("%s: NewSession: %v", describe(e, p), err)
	}
	if b.o, err = oracleFor(e, p).NewSession(p); err != nil {
		t.Fatalf("oracle: NewSession(%v): %v", p, err)
	}
	b.rekey()
	return b
}

func (b *bed) close() {
	b.Helper()
	if err := b.s.Close(); err != nil {
		b.fatalf("Close: %v", err)
	}
	b.o.Close()
}

// fatalf ends the test with what is needed to repeat it.
func (b *bed) fatalf(format string, args ...any) {
	b.Helper()
	b.Fatalf("%s: %s (%s=%#x repeats it)", describe(b.e, b.p), fmt.Sprintf(format, args...), SeedVar, b.seed)
}

// rekey gives both sessions a new random key.
func (b *bed) rekey() {
	b.Helper()
	b.setKey(b.draw.bytes(b.p.KeyBytes()))
}

func (b *bed) setKey(key []byte) {
	b.Helper()
	if err := b.s.SetKey(key); err != nil {
		b.fatalf("SetKey: %v", err)
	}
	if err := b.o.SetKey(key); err != nil {
		b.fatalf("oracle: SetKey: %v", err)
	}
}

// blockBytes is the granularity of units; null, which has none, is asked in
// steps of 16 and, where runs are drawn, in bytes.
func (b *bed) blockBytes() int { return b.p.Alg.BlockBytes() }

// answer is a run with its result: packed sectors of one unit.
type answer struct {
	unit               int
	ivs, plain, cipher []byte
}

// first is the answer for the first n sectors alone: they are independent.
func (a answer) first(n int) answer {
	return answer{a.unit, a.ivs[:n*engine.IVBytes], a.plain[:n*a.unit], a.cipher[:n*a.unit]}
}

func (a answer) sectors() int { return len(a.ivs) / engine.IVBytes }

// ask has the oracle encrypt n random sectors, one call for each, under the
// tweaks GELI has: 64 bits, padded with zeros.
func (b *bed) ask(unit, n int) answer {
	b.Helper()
	return b.askTweaked(unit, n, false)
}

// askTweaked is ask, for XTS with tweaks of all 128 bits if wide.
func (b *bed) askTweaked(unit, n int, wide bool) answer {
	b.Helper()
	ivs := b.draw.bytes(n * engine.IVBytes)
	if b.p.Alg == engine.AESXTS && !wide {
		for i := range n {
			clear(ivs[i*engine.IVBytes+8 : (i+1)*engine.IVBytes])
		}
	}
	return b.answer(unit, ivs)
}

// answer has the oracle encrypt a random sector under each of the ivs.
func (b *bed) answer(unit int, ivs []byte) answer {
	b.Helper()
	n := len(ivs) / engine.IVBytes
	a := answer{unit: unit, ivs: ivs, plain: b.draw.bytes(n * unit), cipher: make([]byte, n*unit)}
	for i := range n {
		err := b.o.Encrypt(a.cipher[i*unit:(i+1)*unit], a.plain[i*unit:(i+1)*unit], ivs[i*engine.IVBytes:(i+1)*engine.IVBytes], engine.Packed(unit))
		if err != nil {
			b.fatalf("oracle: %v", err)
		}
	}
	return a
}

// layout says how a run lies in memory.
type layout struct {
	inPlace              bool
	dstStride, srcStride int // bytes; 0: the unit
	dstOff, srcOff       int // bytes past a multiple of 64
	ivOff                int
}

// arena is a reused buffer that starts at a multiple of 64.
type arena []byte

// lay returns n bytes at off between guards, all set to filler, and the whole
// with its guards.
func (a *arena) lay(off, n int) (buf, whole []byte) {
	need := guardBytes + off + n + guardBytes
	if len(*a) < need {
		*a = mem.Aligned(2*need, mem.CacheLine)
	}
	whole = (*a)[:need:need]
	for i := range whole {
		whole[i] = filler
	}
	return whole[guardBytes+off : guardBytes+off+n : guardBytes+off+n], whole
}

// check runs the answer in both directions and compares every byte: the
// result, what lies between and around the sectors, the source, the IVs.
func (b *bed) check(a answer, l layout) {
	b.Helper()
	b.checkOne("encrypt", b.s.Encrypt, a, a.plain, a.cipher, l)
	b.checkOne("decrypt", b.s.Decrypt, a, a.cipher, a.plain, l)
}

type runFunc func(dst, src, ivs []byte, g engine.Geometry) error

func (b *bed) checkOne(direction string, run runFunc, a answer, from, want []byte, l layout) {
	b.Helper()
	n, unit := a.sectors(), a.unit
	g := engine.Geometry{Unit: unit, DstStride: max(unit, l.dstStride), SrcStride: max(unit, l.srcStride)}
	if l.inPlace {
		g.DstStride = g.SrcStride
	}
	src, srcWhole := b.src.lay(l.srcOff, (n-1)*g.SrcStride+unit)
	place(src, from, unit, g.SrcStride)
	dst, dstWhole := src, srcWhole
	if !l.inPlace {
		dst, dstWhole = b.dst.lay(l.dstOff, (n-1)*g.DstStride+unit)
	}
	ivs, ivsWhole := b.ivs.lay(l.ivOff, len(a.ivs))
	copy(ivs, a.ivs)

	where := func() string {
		return fmt.Sprintf("%s, run of %d sectors, %+v, %+v", direction, n, g, l)
	}
	if err := run(dst, src, ivs, g); err != nil {
		b.fatalf("%s: %v", where(), err)
	}

	// What should lie there now, guards and gaps included.
	expect := func(what string, a *arena, whole, packed []byte, size, stride, off, span int) {
		b.Helper()
		buf, wantWhole := a.lay(off, span)
		place(buf, packed, size, stride)
		if bytes.Equal(whole, wantWhole) {
			return
		}
		for i := range whole {
			if whole[i] != wantWhole[i] {
				at := i - guardBytes - off
				b.fatalf("%s: %s: byte %d (sector %d, byte %d of its stride) is %#02x, not %#02x", where(), what, at, floorDiv(at, stride), at-floorDiv(at, stride)*stride, whole[i], wantWhole[i])
			}
		}
	}
	if l.inPlace {
		expect("result", &b.was, dstWhole, want, unit, g.SrcStride, l.srcOff, len(src))
	} else {
		expect("result", &b.was, dstWhole, want, unit, g.DstStride, l.dstOff, len(dst))
		expect("source was changed", &b.was, srcWhole, from, unit, g.SrcStride, l.srcOff, len(src))
	}
	expect("IVs were changed", &b.was, ivsWhole, a.ivs, engine.IVBytes, engine.IVBytes, l.ivOff, len(ivs))
}

// place puts packed units at a stride.
func place(buf, packed []byte, unit, stride int) {
	if unit == stride {
		copy(buf, packed)
		return
	}
	for i := range len(packed) / unit {
		copy(buf[i*stride:], packed[i*unit:(i+1)*unit])
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
