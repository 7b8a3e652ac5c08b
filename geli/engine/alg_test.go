package engine_test

import (
	"errors"
	"io/fs"
	"testing"

	"gelibench/geli/engine"
)

func TestParseAlg(t *testing.T) {
	for name, want := range map[string]engine.Alg{
		"aes": engine.AESXTS, "AES": engine.AESXTS, "aes-xts": engine.AESXTS, "Aes-Xts": engine.AESXTS,
		"aes-cbc": engine.AESCBC, "camellia": engine.CamelliaCBC, "CAMELLIA-CBC": engine.CamelliaCBC,
		"3des": engine.TripleDESCBC, "3des-cbc": engine.TripleDESCBC,
		"blowfish": engine.BlowfishCBC, "Blowfish-CBC": engine.BlowfishCBC,
		"null": engine.Null, "null-cbc": engine.Null,
	} {
		if got, err := engine.ParseAlg(name); err != nil || got != want {
			t.Errorf("ParseAlg(%q) = %v, %v; want %v", name, got, err, want)
		}
	}
	for _, name := range []string{"", "aes ", "aesxts", "aes-gcm", "des", "hmac/sha256"} {
		if got, err := engine.ParseAlg(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("ParseAlg(%q) = %v, %v; want an error", name, got, err)
		}
	}
	for _, a := range engine.Algs {
		if got, err := engine.ParseAlg(a.String()); err != nil || got != a {
			t.Errorf("ParseAlg(%q) = %v, %v; want it back", a.String(), got, err)
		}
	}
}

// TestMetadataNumbers: the values are those that images on disk hold.
func TestMetadataNumbers(t *testing.T) {
	for a, number := range map[engine.Alg]uint16{
		engine.TripleDESCBC: 2, engine.BlowfishCBC: 3, engine.AESCBC: 11, engine.Null: 16, engine.CamelliaCBC: 21, engine.AESXTS: 22,
	} {
		if uint16(a) != number {
			t.Errorf("%v is %d, not %d", a, uint16(a), number)
		}
	}
	if got := engine.Alg(7).String(); got != "ealgo(7)" {
		t.Errorf("an unknown number prints as %q", got)
	}
}

// TestParams holds geli(8)'s table of key lengths, XTS counted by the half.
func TestParams(t *testing.T) {
	for _, c := range []struct {
		alg                   engine.Alg
		defaultBits, keyBytes int
		blockBytes            int
		allowed, refused      []int
		name                  string
	}{
		{engine.AESXTS, 128, 32, 16, []int{128, 256}, []int{-1, 1, 64, 129, 192, 384, 512}, "aes-xts-128"},
		{engine.AESCBC, 128, 16, 16, []int{128, 192, 256}, []int{0, 64, 160, 512}, "aes-cbc-128"},
		{engine.CamelliaCBC, 128, 16, 16, []int{128, 192, 256}, []int{0, 64, 160, 512}, "camellia-cbc-128"},
		{engine.Null, 512, 0, 1, []int{1, 8, 100, 512}, []int{-1, 513}, "null-512"},
		{engine.BlowfishCBC, 128, 16, 8, []int{128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448}, []int{96, 130, 480}, "blowfish-cbc-128"},
		{engine.TripleDESCBC, 192, 24, 8, []int{192}, []int{64, 128, 168}, "3des-cbc-192"},
	} {
		p := engine.Params{Alg: c.alg}.Default()
		if p.KeyBits != c.defaultBits || p.KeyBytes() != c.keyBytes || p.String() != c.name || c.alg.BlockBytes() != c.blockBytes {
			t.Errorf("%v: default %d bits, %d key bytes, name %q, block %d", c.alg, p.KeyBits, p.KeyBytes(), p, c.alg.BlockBytes())
		}
		for _, bits := range c.allowed {
			if err := (engine.Params{Alg: c.alg, KeyBits: bits}).Check(); err != nil {
				t.Errorf("%v of %d bits: %v", c.alg, bits, err)
			}
		}
		for _, bits := range c.refused {
			if err := (engine.Params{Alg: c.alg, KeyBits: bits}).Check(); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%v of %d bits: %v, want an error", c.alg, bits, err)
			}
		}
	}
	if got := (engine.Params{Alg: engine.AESXTS, KeyBits: 256}).Default().KeyBits; got != 256 {
		t.Errorf("Default changes 256 bits to %d", got)
	}
	if got := (engine.Params{Alg: engine.AESXTS, KeyBits: 256}).KeyBytes(); got != 64 {
		t.Errorf("AES-XTS-256 takes %d key bytes", got)
	}
	if err := (engine.Params{Alg: 7, KeyBits: 128}).Check(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an unknown cipher: %v", err)
	}
}
