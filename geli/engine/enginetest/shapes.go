package enginetest

import (
	"testing"

	"gelibench/geli/engine"
)

// testKnownAnswers asks the published values, and the random runs that the
// program itself asks before it measures.
func testKnownAnswers(t testing.TB, e engine.Engine) {
	t.Helper()
	for _, p := range supported(t, e) {
		if err := engine.SelfTest(e, oracleFor(e, p), p); err != nil {
			t.Fatal(err)
		}
	}
}

// testUnits goes through every unit up to 8192 bytes, at run lengths of 1, 3
// and one drawn. The slow ciphers, and all of them under -short, take every
// unit up to 512 and a sample of the rest.
func testUnits(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "units", func(b *bed) {
		all, most, step := isAES(b.p) && !short(), 16384, max(16, b.blockBytes())
		if all {
			most = 65536
		}
		if b.blockBytes() == 8 {
			step = 8
		}
		for unit := step; unit <= maxUnit; unit += step {
			if unit > 512 && !all && unit != maxUnit && b.draw.IntN(maxUnit/step) > 24 {
				continue
			}
			longest := min(maxSectors, max(3, most/unit))
			if short() && unit > 512 {
				longest = 3
			}
			a := b.ask(unit, longest)
			for _, n := range []int{1, 3, 1 + b.draw.IntN(longest)} {
				b.check(a.first(n), layout{inPlace: b.draw.IntN(2) == 0})
			}
		}
	})
}

// testRunLengths goes through the runs of 1 to 70 sectors for the smallest
// unit, a usual one, an odd one, and, where it is quick, GELI's page.
func testRunLengths(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "run lengths", func(b *bed) {
		units := []int{16, 512, 528}
		if isAES(b.p) && !short() {
			units = append(units, 4096)
		}
		for _, unit := range units {
			a := b.ask(unit, maxSectors)
			for n := 1; n <= maxSectors; n++ {
				if short() && unit > 16 && n > 9 && n%16 > 1 && b.draw.IntN(8) > 0 {
					continue
				}
				if unit <= 512 && !short() {
					b.check(a.first(n), layout{})
					b.check(a.first(n), layout{inPlace: true})
				} else {
					b.check(a.first(n), layout{inPlace: b.draw.IntN(2) == 0})
				}
			}
		}
	})
}

// testMisalignment moves destination, source and IVs, each by itself, through
// every place in a cache line.
func testMisalignment(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "misalignment", func(b *bed) {
		shapes := []answer{b.ask(48, 9)}
		if !short() {
			shapes = append(shapes, b.ask(16, 37), b.ask(528, 6))
		}
		for off := range 64 {
			for _, a := range shapes {
				b.check(a, layout{dstOff: off})
				b.check(a, layout{srcOff: off})
				b.check(a, layout{ivOff: off})
				b.check(a, layout{srcOff: off, inPlace: true})
			}
		}
	})
}

// testStrides puts gaps between the sectors, on either side or both.
func testStrides(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "strides", func(b *bed) {
		for _, a := range []answer{b.ask(16, 35), b.ask(480, 9), b.ask(496, 3)} {
			gaps := []int{1, 7, 8, 15, 16, 17, 32, 48, 63, 64, 512}
			if !short() {
				for gap := range 80 {
					gaps = append(gaps, gap)
				}
			}
			for _, gap := range gaps {
				b.check(a, layout{dstStride: a.unit + gap})
				b.check(a, layout{srcStride: a.unit + gap})
				b.check(a, layout{srcStride: a.unit + gap, inPlace: true})
				b.check(a, layout{srcStride: a.unit + gap, dstStride: a.unit + b.draw.IntN(80)})
			}
		}
		// One sector has no stride to speak of.
		b.check(b.ask(512, 1), layout{srcStride: 1 << 20, dstStride: 600})
	})
}

// testRandomRuns draws every property at once until a number of bytes is used.
func testRandomRuns(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "random runs", func(b *bed) {
		left, longest := 1<<18, 1<<14
		switch {
		case !short() && isAES(b.p):
			left, longest = 8<<20, 1<<17
		case !short():
			left, longest = 1<<20, 1<<16
		}
		for left > 0 {
			b.rekey()
			wide := b.draw.IntN(2) == 0 && !engine.Tweak64Only(e)
			unit := b.drawUnit()
			a := b.askTweaked(unit, 1+b.draw.IntN(min(maxSectors, max(1, longest/unit))), wide)
			b.check(a, b.drawLayout(unit))
			left -= len(a.plain)
		}
	})
}

// drawUnit prefers small units, which have the most corners.
func (b *bed) drawUnit() int {
	most := maxUnit >> b.draw.IntN(8)
	block := b.blockBytes()
	return max(block, (1+b.draw.IntN(most))/block*block)
}

func (b *bed) drawLayout(unit int) layout {
	l := layout{inPlace: b.draw.IntN(2) == 0, dstOff: b.draw.IntN(64), srcOff: b.draw.IntN(64), ivOff: b.draw.IntN(64)}
	if b.draw.IntN(2) == 0 {
		l.dstStride = unit + b.draw.IntN(130)
	}
	if b.draw.IntN(2) == 0 {
		l.srcStride = unit + b.draw.IntN(130)
	}
	return l
}

// testRunsOfOne compares the engine with itself: a run is the same as its
// sectors one at a time, and as its parts wherever it is cut.
func testRunsOfOne(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "runs of one", func(b *bed) {
		for _, unit := range []int{16, 80, 512} {
			a := b.ask(unit, maxSectors)
			for _, part := range []int{1, 2, 1 + b.draw.IntN(maxSectors), 1 + b.draw.IntN(maxSectors)} {
				b.inParts("encrypt", b.s.Encrypt, a, a.plain, part)
				b.inParts("decrypt", b.s.Decrypt, a, a.cipher, part)
			}
		}
	})
}

func (b *bed) inParts(direction string, run runFunc, a answer, from []byte, part int) {
	b.Helper()
	whole, parts := make([]byte, len(from)), make([]byte, len(from))
	if err := run(whole, from, a.ivs, engine.Packed(a.unit)); err != nil {
		b.fatalf("%s: %v", direction, err)
	}
	for i := 0; i < a.sectors(); i += part {
		j := min(i+part, a.sectors())
		if err := run(parts[i*a.unit:j*a.unit], from[i*a.unit:j*a.unit], a.ivs[i*engine.IVBytes:j*engine.IVBytes], engine.Packed(a.unit)); err != nil {
			b.fatalf("%s: %v", direction, err)
		}
	}
	for i := range whole {
		if whole[i] != parts[i] {
			b.fatalf("%s, unit %d: sector %d, byte %d differs between one run of %d sectors and runs of %d", direction, a.unit, i/a.unit, i%a.unit, a.sectors(), part)
		}
	}
}
