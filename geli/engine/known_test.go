package engine_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engine/soft"
	"gelibench/geli/engine/xcrypto"
	"gelibench/geli/hasher/std"
)

// everyKeyLength is every cipher in every key length GELI has, null's ends.
func everyKeyLength() (all []engine.Params) {
	for _, a := range engine.Algs {
		for bits := 1; bits <= 512; bits++ {
			p := engine.Params{Alg: a, KeyBits: bits}
			if p.Check() == nil && (a != engine.Null || bits == 1 || bits == 512) {
				all = append(all, p)
			}
		}
	}
	return all
}

// TestSelfTest: every cipher and key length has a known answer, soft gives it,
// and what SelfTest moves is little enough for the slowest processors.
func TestSelfTest(t *testing.T) {
	for _, p := range everyKeyLength() {
		moved := 0
		counting := spoiled{Engine: soft.New(), after: func(_ string, dst, ivs []byte, g engine.Geometry) {
			moved += len(ivs) / engine.IVBytes * g.Unit
		}}
		if err := engine.SelfTest(counting, soft.New(), p); err != nil {
			t.Errorf("%v: %v", p, err)
		}
		if moved > 300_000 {
			t.Errorf("%v: SelfTest moves %d bytes through the engine", p, moved)
		}
	}
	for _, p := range []engine.Params{{Alg: engine.AESXTS, KeyBits: 128}, {Alg: engine.AESCBC, KeyBits: 256}} {
		if err := engine.SelfTest(xcrypto.New(), soft.New(), p); err != nil {
			t.Error(err)
		}
	}
}

func TestSelfTestErrors(t *testing.T) {
	if err := engine.SelfTest(xcrypto.New(), nil, engine.Params{Alg: engine.CamelliaCBC, KeyBits: 128}); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("xcrypto and Camellia: %v", err)
	}
	if err := engine.SelfTest(soft.New(), nil, engine.Params{Alg: engine.AESXTS, KeyBits: 192}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("AES-XTS of 192 bits: %v", err)
	}
	// An oracle that cannot answer is not the same as agreement.
	if err := engine.SelfTest(soft.New(), xcrypto.New(), engine.Params{Alg: engine.CamelliaCBC, KeyBits: 128}); !errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("Camellia against xcrypto: %v", err)
	}
}

// spoiled calls after behind every run that worked.
type spoiled struct {
	engine.Engine
	after func(direction string, dst, ivs []byte, g engine.Geometry)
}

func (s spoiled) Name() string { return "spoiled" }

func (s spoiled) NewSession(p engine.Params) (engine.Session, error) {
	session, err := s.Engine.NewSession(p)
	return spoiledSession{session, s.after}, err
}

type spoiledSession struct {
	engine.Session
	after func(direction string, dst, ivs []byte, g engine.Geometry)
}

func (s spoiledSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	err := s.Session.Encrypt(dst, src, ivs, g)
	s.after("encrypt", dst, ivs, g)
	return err
}

func (s spoiledSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	err := s.Session.Decrypt(dst, src, ivs, g)
	s.after("decrypt", dst, ivs, g)
	return err
}

// TestMismatch: a single wrong bit is found and named.
func TestMismatch(t *testing.T) {
	p := engine.Params{Alg: engine.AESXTS, KeyBits: 256}
	for _, c := range []struct {
		what  string
		names []string
		after func(direction string, dst, ivs []byte, g engine.Geometry)
	}{
		{"always", []string{"engine spoiled", "aes-xts-256", "encrypt", "out of place", "known answer", "sector 0, byte 3 "}, func(_ string, dst, _ []byte, _ engine.Geometry) {
			dst[3] ^= 1
		}},
		{"decryption", []string{"decrypt", "sector 0, byte 0 "}, func(direction string, dst, _ []byte, _ engine.Geometry) {
			if direction == "decrypt" {
				dst[0] ^= 1
			}
		}},
		{"odd units", []string{"against engine soft with seed 0x", "unit 528 bytes", "run of 5 sectors", "sector 4, byte 527 "}, func(_ string, dst, ivs []byte, g engine.Geometry) {
			if g.Unit == 528 && len(ivs) == 5*engine.IVBytes {
				dst[4*g.DstStride+527] ^= 0x80
			}
		}},
		{"gaps", []string{"wrote behind it"}, func(_ string, dst, _ []byte, g engine.Geometry) {
			if g.DstStride > g.Unit {
				dst[g.Unit] ^= 1
			}
		}},
		{"IVs", []string{"changed its IV"}, func(_ string, _, ivs []byte, _ engine.Geometry) { ivs[0]++ }},
	} {
		t.Run(c.what, func(t *testing.T) {
			err := engine.SelfTest(spoiled{soft.New(), c.after}, soft.New(), p)
			if !errors.Is(err, engine.ErrMismatch) {
				t.Fatalf("error is %v, not ErrMismatch", err)
			}
			for _, name := range c.names {
				if !strings.Contains(err.Error(), name) {
					t.Errorf("error %q does not say %q", err, name)
				}
			}
		})
	}
}

// TestAgreeRepeats: a seed asks the same runs again.
func TestAgreeRepeats(t *testing.T) {
	p := engine.Params{Alg: engine.AESCBC, KeyBits: 128}
	shapes := func(seed uint64) (all []engine.Geometry) {
		e := spoiled{soft.New(), func(_ string, _, _ []byte, g engine.Geometry) { all = append(all, g) }}
		if err := engine.Agree(e, soft.New(), p, seed); err != nil {
			t.Fatal(err)
		}
		return all
	}
	a, b, other := shapes(7), shapes(7), shapes(8)
	same, differs := true, false
	for i := range a {
		same = same && a[i] == b[i]
		differs = differs || a[i] != other[i]
	}
	if !same || !differs {
		t.Errorf("same seed, same runs: %v; another seed, other runs: %v", same, differs)
	}
}

// wrongHasher changes one IV of a long call.
type wrongHasher struct{ engine.Hasher }

func (wrongHasher) Lanes() int { return 8 }

func (h wrongHasher) IVs(ivs []byte, state *[8]uint32, off, step uint64) {
	h.Hasher.IVs(ivs, state, off, step)
	if len(ivs) > 11*engine.IVBytes {
		ivs[11*engine.IVBytes] ^= 1
	}
}

func TestSelfTestHasher(t *testing.T) {
	if err := engine.SelfTestHasher(std.New()); err != nil {
		t.Error(err)
	}
	err := engine.SelfTestHasher(wrongHasher{std.New()})
	if !errors.Is(err, engine.ErrMismatch) || !strings.Contains(err.Error(), "IV 11, byte 0") {
		t.Errorf("error is %v, not a mismatch of IV 11", err)
	}
}

// wrongMACs has MACs that are all the same.
type wrongMACs struct{ engine.Hasher }

func (wrongMACs) HMACs(dst, _ []byte, _, _ int, _ *[8]uint32, _, _ uint64) { clear(dst) }

func TestSelfTestMACs(t *testing.T) {
	err := engine.SelfTestHasher(wrongMACs{std.New()})
	if !errors.Is(err, engine.ErrMismatch) || !strings.Contains(err.Error(), "known MAC of 480 bytes at offset 0x0") {
		t.Errorf("error is %v, not a mismatch of the first known MAC", err)
	}
}
