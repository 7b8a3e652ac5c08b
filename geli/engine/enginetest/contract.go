package enginetest

import (
	"bytes"
	"errors"
	"io/fs"
	"regexp"
	"testing"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// testInformation checks what the engine says about itself.
func testInformation(t testing.TB, e engine.Engine) {
	t.Helper()
	checkInfo(t, e.Name(), e.Info(), e.Probe())
}

var nameSyntax = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func checkInfo(t testing.TB, name string, info engine.Info, probe error) {
	t.Helper()
	if !nameSyntax.MatchString(name) {
		t.Errorf("name %q is not lower-case words joined by -", name)
	}
	if info.About == "" {
		t.Errorf("%s: Info.About is empty", name)
	}
	if info.WidthBits < 0 || info.WidthBits%64 != 0 {
		t.Errorf("%s: Info.WidthBits is %d", name, info.WidthBits)
	}
	if probe != nil {
		t.Errorf("%s: Probe: %v", name, probe)
	} else if missing := cpu.Missing(info.Needs...); len(missing) > 0 {
		t.Errorf("%s: Probe says usable, but Info.Needs has %s, which this CPU lacks", name, cpu.Join(missing))
	}
}

// testSupport: Supports and NewSession agree, for what GELI has and for what
// it has not.
func testSupport(t testing.TB, e engine.Engine) {
	t.Helper()
	supported(t, e)
	odd := []engine.Params{
		{}, {Alg: 99, KeyBits: 128}, {Alg: engine.AESXTS, KeyBits: 192}, {Alg: engine.AESXTS, KeyBits: 512}, {Alg: engine.AESXTS},
		{Alg: engine.AESCBC, KeyBits: 64}, {Alg: engine.AESCBC, KeyBits: -128}, {Alg: engine.CamelliaCBC, KeyBits: 512},
		{Alg: engine.BlowfishCBC, KeyBits: 130}, {Alg: engine.BlowfishCBC, KeyBits: 480}, {Alg: engine.TripleDESCBC, KeyBits: 168},
		{Alg: engine.Null}, {Alg: engine.Null, KeyBits: 513},
	}
	for _, p := range append(everyParams(), odd...) {
		says := e.Supports(p)
		s, err := e.NewSession(p)
		if err == nil {
			s.Close()
		}
		switch {
		case says == nil && p.Check() != nil:
			t.Errorf("%s: Supports takes what GELI has not: %v", describe(e, p), p.Check())
		case (says == nil) != (err == nil):
			t.Errorf("%s: Supports says %v, NewSession %v", describe(e, p), says, err)
		case says != nil && !errors.Is(says, engine.ErrUnavailable) && !errors.Is(says, fs.ErrInvalid):
			t.Errorf("%s: Supports: %v: wraps neither ErrUnavailable nor fs.ErrInvalid", describe(e, p), says)
		case err != nil && !errors.Is(err, engine.ErrUnavailable) && !errors.Is(err, fs.ErrInvalid):
			t.Errorf("%s: NewSession: %v: wraps neither ErrUnavailable nor fs.ErrInvalid", describe(e, p), err)
		}
	}
}

// refused checks that both directions fail with the sentinel and write nothing.
func (b *bed) refused(what string, sentinel error, dst, src, ivs []byte, g engine.Geometry) {
	b.Helper()
	wasDst, wasSrc := bytes.Clone(dst), bytes.Clone(src)
	for direction, run := range map[string]runFunc{"encrypt": b.s.Encrypt, "decrypt": b.s.Decrypt} {
		err := run(dst, src, ivs, g)
		if !errors.Is(err, sentinel) {
			b.fatalf("%s, %s, %+v: error is %v, not %v", what, direction, g, err, sentinel)
		}
		if !bytes.Equal(dst, wasDst) || !bytes.Equal(src, wasSrc) {
			b.fatalf("%s, %s, %+v: refused, and wrote all the same", what, direction, g)
		}
	}
}

// testOverlap: runs that overlap without being in place are refused, and
// neighbours that only touch are not.
func testOverlap(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "overlap", func(b *bed) {
		const unit, n = 64, 4
		g, span := engine.Packed(unit), unit*n
		ivs := make([]byte, n*engine.IVBytes)
		buf := b.draw.bytes(4 * span)
		mid := buf[span : 2*span]
		for _, shift := range []int{1, 8, 15, 16, 17, 63, 64, 65, 128, span - 16, span - 1} {
			b.refused("destination behind source", engine.ErrOverlap, buf[span+shift:2*span+shift], mid, ivs, g)
			b.refused("destination before source", engine.ErrOverlap, buf[span-shift:2*span-shift], mid, ivs, g)
		}
		b.refused("same start, unequal strides", engine.ErrOverlap, buf[:2*span], buf[:2*span], ivs, engine.Geometry{Unit: unit, DstStride: unit, SrcStride: unit + 16})
		b.refused("destination in the gaps of the source", engine.ErrOverlap, buf[unit:], buf[:span*2], ivs, engine.Geometry{Unit: unit, DstStride: 2 * unit, SrcStride: 2 * unit})

		a := b.ask(unit, n)
		for _, at := range []int{0, 2 * span} {
			copy(mid, a.plain)
			if err := b.s.Encrypt(buf[at:at+span], mid, a.ivs, g); err != nil {
				b.fatalf("destination and source touch: %v", err)
			}
			if !bytes.Equal(buf[at:at+span], a.cipher) || !bytes.Equal(mid, a.plain) {
				b.fatalf("destination and source touch: wrong bytes")
			}
		}
	})
}

// testGeometry: runs that do not fit are refused; an empty one is no work.
func testGeometry(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "geometry", func(b *bed) {
		const unit, n = 64, 3
		dst, src, ivs := make([]byte, unit*n), b.draw.bytes(unit*n), make([]byte, n*engine.IVBytes)
		for what, g := range map[string]engine.Geometry{
			"no unit":                {Unit: 0, DstStride: unit, SrcStride: unit},
			"negative unit":          {Unit: -16, DstStride: unit, SrcStride: unit},
			"short dst stride":       {Unit: unit, DstStride: unit - 16, SrcStride: unit},
			"short src stride":       {Unit: unit, DstStride: unit, SrcStride: unit - 16},
			"no strides":             {Unit: unit, DstStride: 0, SrcStride: 0},
			"dst too short":          {Unit: unit, DstStride: unit + 1, SrcStride: unit},
			"src too short":          {Unit: unit, DstStride: unit, SrcStride: unit + 1},
			"unit beyond the buffer": engine.Packed(unit * 4),
			"huge strides":           {Unit: unit, DstStride: int(^uint(0) >> 1), SrcStride: int(^uint(0) >> 1)},
		} {
			b.refused(what, engine.ErrGeometry, dst, src, ivs, g)
		}
		if block := b.blockBytes(); block > 1 {
			b.refused("unit of half a block", engine.ErrGeometry, dst, src, ivs, engine.Packed(block/2))
			b.refused("unit off by a byte", engine.ErrGeometry, dst, src, ivs, engine.Packed(unit-1))
		}
		g := engine.Packed(unit)
		b.refused("half an IV", engine.ErrGeometry, dst, src, ivs[:len(ivs)-8], g)
		b.refused("dst a byte short", engine.ErrGeometry, dst[:len(dst)-1], src, ivs, g)
		b.refused("src a byte short", engine.ErrGeometry, dst, src[:len(src)-1], ivs, g)
		b.refused("no dst", engine.ErrGeometry, nil, src, ivs, g)
		b.refused("no src", engine.ErrGeometry, dst, nil, ivs, g)

		for _, run := range []runFunc{b.s.Encrypt, b.s.Decrypt} {
			if err := run(nil, nil, nil, g); err != nil {
				b.fatalf("empty run: %v", err)
			}
			if err := run(dst, src, ivs[:0], g); err != nil || !allZero(dst) {
				b.fatalf("run without IVs over buffers: %v, or it wrote", err)
			}
		}
	})
}

// testClosed: a closed session answers nothing but ErrClosed, and takes no
// other session with it.
func testClosed(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "closed", func(b *bed) {
		s, err := e.NewSession(b.p)
		if err != nil {
			b.fatalf("NewSession: %v", err)
		}
		key := b.draw.bytes(b.p.KeyBytes())
		if err := s.SetKey(key); err != nil {
			b.fatalf("SetKey: %v", err)
		}
		for range 2 {
			if err := s.Close(); err != nil {
				b.fatalf("Close: %v", err)
			}
			if err := s.SetKey(key); !errors.Is(err, engine.ErrClosed) || !errors.Is(err, fs.ErrClosed) {
				b.fatalf("SetKey after Close: %v, not ErrClosed", err)
			}
			open := b.s
			b.s = s
			b.refused("closed session", engine.ErrClosed, make([]byte, 64), make([]byte, 64), make([]byte, 16), engine.Packed(64))
			b.refused("closed session, empty run", engine.ErrClosed, nil, nil, nil, engine.Packed(64))
			b.s = open
		}
		b.check(b.ask(64, 3), layout{})
	})
}
