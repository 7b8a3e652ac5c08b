package enginetest_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engine/soft"
	"gelibench/geli/engine/xcrypto"
)

// vectorFolder holds published vectors beside the repository, on machines that
// have them. known_aes.go has enough of them for every other machine.
const vectorFolder = "../../../../shared/vectors/xts"

// xtsVector is one sector in hex.
type xtsVector struct{ source, key, tweak, plain, cipher string }

// TestPublishedXTS asks soft and xcrypto every block-multiple vector of IEEE
// 1619, Botan's collection and Wycheproof.
func TestPublishedXTS(t *testing.T) {
	vectors := append(readBotan(t, "aes-xts-ieee1619.json"), readBotan(t, "aes-xts-botan-blockmultiple.json")...)
	vectors = append(vectors, readWycheproof(t, "wycheproof_aes_xts_test.json")...)
	for _, e := range []engine.Engine{soft.New(), xcrypto.New()} {
		asked := 0
		for _, v := range vectors {
			key, tweak := unhex(t, v.key), make([]byte, engine.IVBytes)
			copy(tweak, unhex(t, v.tweak))
			if engine.Tweak64Only(e) && !bytes.Equal(tweak[8:], make([]byte, 8)) {
				continue
			}
			askXTS(t, e, v, key, tweak)
			asked++
		}
		t.Logf("%s: %d of %d vectors", e.Name(), asked, len(vectors))
		if asked < 60 {
			t.Errorf("%s was asked only %d vectors", e.Name(), asked)
		}
	}
}

func askXTS(t *testing.T, e engine.Engine, v xtsVector, key, tweak []byte) {
	t.Helper()
	s, err := e.NewSession(engine.Params{Alg: engine.AESXTS, KeyBits: len(key) / 2 * 8})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.SetKey(key); err != nil {
		t.Fatal(err)
	}
	plain, cipher := unhex(t, v.plain), unhex(t, v.cipher)
	got, g := make([]byte, len(plain)), engine.Packed(len(plain))
	if err := s.Encrypt(got, plain, tweak, g); err != nil || !bytes.Equal(got, cipher) {
		t.Errorf("%s, %s: encrypt: %v, %x, not %x", e.Name(), v.source, err, got, cipher)
	}
	if err := s.Decrypt(got, cipher, tweak, g); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%s, %s: decrypt: %v, %x, not %x", e.Name(), v.source, err, got, plain)
	}
}

func readBotan(t *testing.T, name string) (out []xtsVector) {
	var file struct {
		Vectors []struct{ Label, Key, Tweak, Plaintext, Ciphertext string }
	}
	readJSON(t, name, &file)
	for _, v := range file.Vectors {
		out = append(out, xtsVector{name + ": " + v.Label, v.Key, v.Tweak, v.Plaintext, v.Ciphertext})
	}
	return out
}

// readWycheproof leaves out what GELI has not: ciphertext stealing, 192-bit
// halves, and IVs too long for 16 bytes.
func readWycheproof(t *testing.T, name string) (out []xtsVector) {
	var file struct {
		TestGroups []struct {
			KeySize, IvSize int // bits
			Tests           []struct {
				TcId                     int
				Key, Iv, Msg, Ct, Result string
			}
		}
	}
	readJSON(t, name, &file)
	for _, g := range file.TestGroups {
		for _, v := range g.Tests {
			if g.KeySize != 384 && g.IvSize <= 128 && len(v.Msg)%32 == 0 && v.Result == "valid" {
				out = append(out, xtsVector{name + ": " + v.Iv, v.Key, v.Iv, v.Msg, v.Ct})
			}
		}
	}
	return out
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(vectorFolder, name))
	if os.IsNotExist(err) {
		t.Skipf("no published vectors beside the repository: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
