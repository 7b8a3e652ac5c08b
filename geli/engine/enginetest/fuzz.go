package enginetest

import (
	"testing"

	"gelibench/geli/engine"
)

// FuzzAgreement fuzzes e against its oracle; an engine's fuzz target is one
// line. The input is the run: cipher, shape and layout, with key, IVs and data
// drawn from a seed, since their values matter less than where they lie.
func FuzzAgreement(f *testing.F, e engine.Engine) {
	Usable(f, e)
	f.Add(uint64(1), uint8(0), uint16(512), uint8(1), uint16(0), uint16(0), uint32(0), false, false)
	f.Add(uint64(2), uint8(1), uint16(4096), uint8(33), uint16(0), uint16(16), uint32(0), true, true)
	f.Add(uint64(3), uint8(2), uint16(528), uint8(70), uint16(1), uint16(0), uint32(0x3f3f3f), false, true)
	f.Add(uint64(4), uint8(3), uint16(16), uint8(37), uint16(64), uint16(64), uint32(0x010203), true, false)
	f.Fuzz(func(t *testing.T, seed uint64, cipher uint8, unit uint16, sectors uint8, dstGap, srcGap uint16, offsets uint32, inPlace, wide bool) {
		have := supported(t, e)
		p := have[int(cipher)%len(have)]
		b := newBed(t, e, p, "fuzz")
		defer b.close()
		b.seed, b.draw = seed, newStream(seed, "fuzz")
		b.rekey()

		block := b.blockBytes()
		size := max(block, int(unit)%(maxUnit+1)/block*block)
		n := 1 + int(sectors)%maxSectors
		a := b.askTweaked(size, n, wide && !engine.Tweak64Only(e))
		b.check(a, layout{
			inPlace:   inPlace,
			dstStride: size + int(dstGap)%1024, srcStride: size + int(srcGap)%1024,
			dstOff: int(offsets) % 64, srcOff: int(offsets>>8) % 64, ivOff: int(offsets>>16) % 64,
		})
	})
}
