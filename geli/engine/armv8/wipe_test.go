//go:build arm64 && !purego

package armv8

import (
	"bytes"
	"testing"

	"gelibench/geli/engine"
)

// TestCloseWipes: schedules and tweaks are gone after Close.
func TestCloseWipes(t *testing.T) {
	for _, p := range []engine.Params{{Alg: engine.AESXTS, KeyBits: 128}, {Alg: engine.AESXTS, KeyBits: 256}, {Alg: engine.AESCBC, KeyBits: 192}} {
		sess, err := New().NewSession(p)
		if err != nil {
			t.Skip(err)
		}
		if err := sess.SetKey(bytes.Repeat([]byte{0x5a, 0xc3}, p.KeyBytes()/2)); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 512)
		if err := sess.Decrypt(buf, buf, make([]byte, block), engine.Packed(512)); err != nil {
			t.Fatal(err)
		}
		var secrets []byte
		switch s := sess.(type) {
		case *xtsSession:
			secrets = s.Secrets()
		case *cbcSession:
			secrets = s.Secrets()
		}
		zeros := make([]byte, len(secrets))
		if bytes.Equal(secrets, zeros) {
			t.Fatalf("%v: no secrets to wipe", p)
		}
		if err := sess.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(secrets, zeros) {
			t.Errorf("%v: secrets left after Close", p)
		}
	}
}
