package enginetest

import (
	"bytes"
	"errors"
	"testing"

	"gelibench/geli/engine"
)

// testKeys: keys of a wrong length are refused and change nothing halfway; a
// run before the first key is refused.
func testKeys(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "keys", func(b *bed) {
		a := b.ask(64, 3)
		for length := range 100 {
			if length == b.p.KeyBytes() {
				continue
			}
			if err := b.s.SetKey(make([]byte, length)); !errors.Is(err, engine.ErrKey) {
				b.fatalf("SetKey of %d bytes: %v, not ErrKey", length, err)
			}
			dst := make([]byte, len(a.plain))
			err := b.s.Encrypt(dst, a.plain, a.ivs, engine.Packed(a.unit))
			if err == nil && !bytes.Equal(dst, a.cipher) || err != nil && !errors.Is(err, engine.ErrKey) {
				b.fatalf("after a refused key of %d bytes the old one is neither in force nor gone (%v)", length, err)
			}
		}
		if b.p.KeyBytes() == 0 {
			return // nothing to miss
		}
		s, err := e.NewSession(b.p)
		if err != nil {
			b.fatalf("NewSession: %v", err)
		}
		defer s.Close()
		keyed := b.s
		b.s = s
		b.refused("no key", engine.ErrKey, make([]byte, 64), make([]byte, 64), make([]byte, 16), engine.Packed(64))
		b.s = keyed
	})
}

// testKeyChange: the last key counts, in both directions, however often it
// changes; the caller's copy may be wiped as soon as SetKey returns.
func testKeyChange(t testing.TB, e engine.Engine) {
	t.Helper()
	each(t, e, "key change", func(b *bed) {
		keys := [][]byte{b.draw.bytes(b.p.KeyBytes()), b.draw.bytes(b.p.KeyBytes()), make([]byte, b.p.KeyBytes())}
		var answers []answer
		for _, key := range keys {
			b.setKey(key)
			answers = append(answers, b.ask(80, 5))
		}
		for range 24 {
			i := b.draw.IntN(len(keys))
			key := bytes.Clone(keys[i])
			// A key that is not used, then the one that counts.
			if err := b.s.SetKey(keys[b.draw.IntN(len(keys))]); err != nil {
				b.fatalf("SetKey: %v", err)
			}
			if err := b.s.SetKey(key); err != nil {
				b.fatalf("SetKey: %v", err)
			}
			if !bytes.Equal(key, keys[i]) {
				b.fatalf("SetKey changed the caller's key")
			}
			b.draw.fill(key)
			a := answers[i]
			// Each direction may be the first to be used under a key.
			switch b.draw.IntN(3) {
			case 0:
				b.checkOne("encrypt under a new key", b.s.Encrypt, a, a.plain, a.cipher, layout{})
			case 1:
				b.checkOne("decrypt under a new key", b.s.Decrypt, a, a.cipher, a.plain, layout{})
			default:
				b.checkOne("decrypt under a new key", b.s.Decrypt, a, a.cipher, a.plain, layout{})
				b.checkOne("encrypt under a new key", b.s.Encrypt, a, a.plain, a.cipher, layout{})
			}
		}
	})
}
