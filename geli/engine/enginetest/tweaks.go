package enginetest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"gelibench/geli/engine"
)

// testTweaks asks XTS for tweaks at the corners of GELI's offsets and beyond
// 64 bits, which an engine may refuse if it says so (engine.Tweak64Only). The
// 64-bit block ciphers must take no notice of an IV's second half.
func testTweaks(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "tweaks", func(b *bed) {
		var ivs []byte
		for _, offset := range []uint64{0, 1, 512, 1<<32 - 512, 1 << 32, 1 << 60, 1<<60 - 4096, 1 << 63, 1<<64 - 1} {
			ivs = append(binary.LittleEndian.AppendUint64(ivs, offset), make([]byte, 8)...)
		}
		b.check(b.answer(64, ivs), layout{})
		switch {
		case b.p.Alg == engine.AESXTS:
			b.wideTweaks()
		case b.blockBytes() == 8:
			b.spareIV()
		}
	})
}

func (b *bed) wideTweaks() {
	b.Helper()
	if !engine.Tweak64Only(b.e) {
		b.check(b.askTweaked(512, 19, true), layout{})
		b.check(b.answer(64, bytes.Repeat([]byte{0xff}, 5*engine.IVBytes)), layout{inPlace: true})
		return
	}
	a := b.askTweaked(16, 3, false)
	a.ivs[2*engine.IVBytes+15] = 0x80
	dst := make([]byte, len(a.plain))
	for _, run := range []runFunc{b.s.Encrypt, b.s.Decrypt} {
		if err := run(dst, a.plain, a.ivs, engine.Packed(16)); !errors.Is(err, engine.ErrUnavailable) {
			b.fatalf("a tweak of 128 bits gives %v, not ErrUnavailable", err)
		}
		if !allZero(dst) {
			b.fatalf("a refused run wrote to its destination")
		}
	}
}

func (b *bed) spareIV() {
	b.Helper()
	a := b.ask(24, 5)
	for i := range a.sectors() {
		b.draw.fill(a.ivs[i*engine.IVBytes+8 : (i+1)*engine.IVBytes])
	}
	b.check(a, layout{})
}

func allZero(buf []byte) bool {
	for _, v := range buf {
		if v != 0 {
			return false
		}
	}
	return true
}
