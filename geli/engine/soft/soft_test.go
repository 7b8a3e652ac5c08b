package soft

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

	//lint:ignore SA1019 the reference for the Blowfish that old providers use
	"golang.org/x/crypto/blowfish"
	"golang.org/x/crypto/xts"

	"gelibench/geli/engine"
)

// everyParams lists each cipher with each of its key lengths (null: both ends).
func everyParams() []engine.Params {
	var list []engine.Params
	for _, alg := range engine.Algs {
		for bits := 1; bits <= 512; bits++ {
			p := engine.Params{Alg: alg, KeyBits: bits}
			if p.Check() == nil && (alg != engine.Null || bits == 1 || bits == 512) {
				list = append(list, p)
			}
		}
	}
	return list
}

func newSession(t testing.TB, p engine.Params, key []byte) engine.Session {
	t.Helper()
	s, err := New().NewSession(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetKey(key); err != nil {
		t.Fatal(err)
	}
	return s
}

// Published answers of every cipher and key length.
func TestKnownAnswers(t *testing.T) {
	for _, p := range everyParams() {
		if err := engine.Known(New(), p); err != nil {
			t.Error(err)
		}
	}
}

// reference encrypts or decrypts one sector by the libraries.
type reference func(dst, src, iv []byte)

// references returns the libraries' both directions; Camellia has none.
func references(t testing.TB, p engine.Params, key []byte) (encrypt, decrypt reference) {
	t.Helper()
	cbc := func(b cipher.Block, err error) (reference, reference) {
		if err != nil {
			t.Fatal(err)
		}
		n := b.BlockSize()
		return func(dst, src, iv []byte) { cipher.NewCBCEncrypter(b, iv[:n]).CryptBlocks(dst, src) },
			func(dst, src, iv []byte) { cipher.NewCBCDecrypter(b, iv[:n]).CryptBlocks(dst, src) }
	}
	switch p.Alg {
	case engine.AESXTS:
		c, err := xts.NewCipher(aes.NewCipher, key)
		if err != nil {
			t.Fatal(err)
		}
		return func(dst, src, iv []byte) { c.Encrypt(dst, src, binary.LittleEndian.Uint64(iv)) },
			func(dst, src, iv []byte) { c.Decrypt(dst, src, binary.LittleEndian.Uint64(iv)) }
	case engine.AESCBC:
		return cbc(aes.NewCipher(key))
	case engine.BlowfishCBC:
		return cbc(blowfish.NewCipher(key))
	case engine.TripleDESCBC:
		return cbc(des.NewTripleDESCipher(key))
	}
	return nil, nil
}

// Random runs against crypto/aes, crypto/cipher, x/crypto/xts and the rest, in
// place and not, with strides of all sorts.
func TestAgreesWithLibraries(t *testing.T) {
	for _, p := range everyParams() {
		random := rand.New(rand.NewPCG(uint64(p.Alg), uint64(p.KeyBits)))
		key := make([]byte, p.KeyBytes())
		for round := range 30 {
			fill(random, key)
			encrypt, decrypt := references(t, p, key)
			if encrypt == nil {
				break
			}
			s := newSession(t, p, key)
			block := p.Alg.BlockBytes()
			unit := block * (1 + random.IntN(40))
			n := 1 + random.IntN(6)
			g := engine.Geometry{Unit: unit, SrcStride: unit + random.IntN(30), DstStride: unit + random.IntN(30)}
			src := make([]byte, n*g.SrcStride)
			ivs := make([]byte, n*engine.IVBytes)
			fill(random, src)
			fill(random, ivs)
			for i := range n {
				clear(ivs[16*i+8 : 16*i+16]) // x/crypto/xts takes 8 bytes
			}
			for name, want := range map[string]struct {
				library reference
				run     func(dst, src, ivs []byte, g engine.Geometry) error
			}{"encrypt": {encrypt, s.Encrypt}, "decrypt": {decrypt, s.Decrypt}} {
				dst := make([]byte, n*g.DstStride)
				if err := want.run(dst, src, ivs, g); err != nil {
					t.Fatal(err)
				}
				inPlace := bytes.Clone(src)
				if err := want.run(inPlace, inPlace, ivs, engine.Geometry{Unit: unit, SrcStride: g.SrcStride, DstStride: g.SrcStride}); err != nil {
					t.Fatal(err)
				}
				sector := make([]byte, unit)
				for i := range n {
					want.library(sector, src[i*g.SrcStride:][:unit], ivs[16*i:][:16])
					if !bytes.Equal(dst[i*g.DstStride:][:unit], sector) {
						t.Fatalf("%v %s, round %d: sector %d of %d differs, unit %d", p, name, round, i, n, unit)
					}
					if !bytes.Equal(inPlace[i*g.SrcStride:][:unit], sector) {
						t.Fatalf("%v %s in place, round %d: sector %d of %d differs, unit %d", p, name, round, i, n, unit)
					}
				}
			}
		}
	}
}

func fill(random *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(random.Uint32())
	}
}

// The session's contract, for each cipher.
func TestContract(t *testing.T) {
	for _, p := range everyParams() {
		t.Run(p.String(), func(t *testing.T) {
			s, err := New().NewSession(p)
			if err != nil {
				t.Fatal(err)
			}
			buf, ivs, g := make([]byte, 1024), make([]byte, 32), engine.Packed(512)
			if err := s.Encrypt(buf, buf, ivs, g); !errors.Is(err, engine.ErrKey) {
				t.Errorf("encryption without a key: %v", err)
			}
			if err := s.SetKey(make([]byte, p.KeyBytes()+1)); !errors.Is(err, engine.ErrKey) {
				t.Errorf("a key that is too long: %v", err)
			}
			key := bytes.Repeat([]byte{0x5a, 0x3c, 0x71}, 30)[:p.KeyBytes()]
			if err := s.SetKey(key); err != nil {
				t.Fatal(err)
			}
			if err := s.Decrypt(buf[8:], buf, ivs[:16], g); !errors.Is(err, engine.ErrOverlap) {
				t.Errorf("overlap: %v", err)
			}
			if err := s.Decrypt(buf, buf, ivs, engine.Packed(520)); !errors.Is(err, engine.ErrGeometry) {
				t.Errorf("run beyond its buffer: %v", err)
			}
			if p.Alg == engine.AESCBC || p.Alg == engine.AESXTS || p.Alg == engine.CamelliaCBC {
				if n := testing.AllocsPerRun(10, func() {
					_ = s.SetKey(key)
					_ = s.Encrypt(buf, buf, ivs, g)
					_ = s.Decrypt(buf, buf, ivs, g)
				}); n != 0 {
					t.Errorf("%v allocations for a key and two runs", n)
				}
			}
			for range 2 {
				if err := s.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			}
			if err := s.Encrypt(buf, buf, ivs, g); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("encryption after Close: %v", err)
			}
			if err := s.SetKey(key); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("SetKey after Close: %v", err)
			}
		})
	}
}

// Close leaves nothing of the key in the session's own memory.
func TestCloseWipes(t *testing.T) {
	for _, p := range []engine.Params{{Alg: engine.AESXTS, KeyBits: 256}, {Alg: engine.AESCBC, KeyBits: 192}, {Alg: engine.CamelliaCBC, KeyBits: 256}} {
		s := newSession(t, p, bytes.Repeat([]byte{7}, p.KeyBytes()))
		buf := make([]byte, 512)
		if err := s.Decrypt(buf, buf, make([]byte, 16), engine.Packed(512)); err != nil {
			t.Fatal(err)
		}
		inner := s.(*session).cipher
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		switch c := inner.(type) {
		case *aesXTS:
			if *c != (aesXTS{}) {
				t.Errorf("%v: schedules are left", p)
			}
		case *aesCBC:
			if *c != (aesCBC{}) {
				t.Errorf("%v: schedules are left", p)
			}
		case *camelliaCBC:
			if *c != (camelliaCBC{}) {
				t.Errorf("%v: schedules are left", p)
			}
		default:
			t.Errorf("%v: unexpected cipher %T", p, c)
		}
	}
}

func TestRefusesWhatGELIDoesNotHave(t *testing.T) {
	for _, p := range []engine.Params{{Alg: engine.AESXTS, KeyBits: 192}, {Alg: engine.AESCBC, KeyBits: 512}, {Alg: 99, KeyBits: 128}} {
		if _, err := New().NewSession(p); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// FIPS 197 appendix C: both directions of one block.
func TestAESBlock(t *testing.T) {
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(i)
	}
	plain := []byte("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff")
	for keyBytes, want := range map[int]string{
		16: "69c4e0d86a7b0430d8cdb78070b4c55a",
		24: "dda97ca4864cdfe06eaf70a0ec0d7191",
		32: "8ea2b7ca516745bfeafc49904b496089",
	} {
		var k aesKey
		k.set(key[:keyBytes])
		lo, hi := join(k.enc.encrypt(split(load(plain))))
		got := make([]byte, 16)
		store(got, lo, hi)
		if fmt.Sprintf("%x", got) != want {
			t.Errorf("AES-%d gave %x, want %s", 8*keyBytes, got, want)
		}
		lo, hi = join(k.decryption().decrypt(split(lo, hi)))
		store(got, lo, hi)
		if !bytes.Equal(got, plain) {
			t.Errorf("AES-%d does not come back: %x", 8*keyBytes, got)
		}
	}
}
