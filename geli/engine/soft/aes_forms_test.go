package soft

import (
	"bytes"
	"crypto/aes"
	"fmt"
	"math/rand/v2"
	"testing"

	"gelibench/geli/internal/aeskey"
)

// Which form of AES is used depends on the size of an int; all must be right
// everywhere.
func TestFormsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, keyBytes := range []int{16, 24, 32} {
		for range 50 {
			key, plain := make([]byte, keyBytes), make([]byte, 64)
			fill(random, key)
			fill(random, plain)
			block, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, 64)
			for i := 0; i < 64; i += 16 {
				block.Encrypt(want[i:], plain[i:])
			}
			var k aesKey
			k.set(key)
			enc, dec := &k.enc, k.decryption()

			for name, form := range map[string]func(m []byte, s *aesSchedule, encrypt bool){"one": one, "pair": pair, "quad": quad} {
				got := bytes.Clone(plain)
				form(got, enc, true)
				if !bytes.Equal(got, want) {
					t.Errorf("AES-%d encryption, %s: %x, want %x", 8*keyBytes, name, got, want)
				}
				form(got, dec, false)
				if !bytes.Equal(got, plain) {
					t.Errorf("AES-%d decryption, %s: %x, want %x", 8*keyBytes, name, got, plain)
				}
			}
		}
	}
}

func one(m []byte, s *aesSchedule, encrypt bool) {
	run := s.decrypt
	if encrypt {
		run = s.encrypt
	}
	for i := 0; i < 64; i += 16 {
		lo, hi := join(run(split(load(m[i:]))))
		store(m[i:], lo, hi)
	}
}

func pair(m []byte, s *aesSchedule, encrypt bool) {
	run := s.decrypt2
	if encrypt {
		run = s.encrypt2
	}
	for i := 0; i < 64; i += 32 {
		x0, x1 := load(m[i:])
		y0, y1 := load(m[i+16:])
		a0, a1, a2, a3, b0, b1, b2, b3 := run(split2(x0, x1, y0, y1))
		putBlock(m[i:], a0, a1, a2, a3)
		putBlock(m[i+16:], b0, b1, b2, b3)
	}
}

func quad(m []byte, s *aesSchedule, encrypt bool) {
	if encrypt {
		s.encrypt4((*[64]byte)(m))
	} else {
		s.decrypt4((*[64]byte)(m))
	}
}

// BenchmarkForms times four blocks of AES-128 in each form.
func BenchmarkForms(b *testing.B) {
	var k aesKey
	k.set(make([]byte, 16))
	m := make([]byte, 64)
	for name, form := range map[string]func(m []byte, s *aesSchedule, encrypt bool){"one": one, "pair": pair, "quad": quad} {
		b.Run("encrypt/"+name, func(b *testing.B) {
			for b.Loop() {
				form(m, &k.enc, true)
			}
		})
		b.Run("decrypt/"+name, func(b *testing.B) {
			for b.Loop() {
				form(m, k.decryption(), false)
			}
		})
	}
}

// The tweaks as columns are the tweaks as 64-bit words.
func TestTweakFormsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		lo, hi := random.Uint64(), random.Uint64()
		var four fourTweaks
		four[0][0], four[0][1], four[0][2], four[0][3] = split(lo, hi)
		four.fill()
		for i, w := range four {
			if gotLo, gotHi := join(w[0], w[1], w[2], w[3]); gotLo != lo || gotHi != hi {
				t.Fatalf("tweak %d is %016x%016x, want %016x%016x", i, gotHi, gotLo, hi, lo)
			}
			lo, hi = nextTweak(lo, hi)
		}
	}
}

// The decryption schedule by tables is that of package aeskey.
func TestInvertAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, keyBytes := range []int{16, 24, 32} {
		for range 50 {
			key := make([]byte, keyBytes)
			fill(random, key)
			var k aesKey
			k.set(key)
			n := k.enc.rounds + 1
			var want [16]aeskey.RoundKey
			aeskey.DecryptWords(want[:n], k.enc.keys[:n])
			if got := k.decryption().keys; got != want {
				t.Fatalf("AES-%d: %x, want %x", 8*keyBytes, got, want)
			}
		}
	}
}

// BenchmarkSchedules times the two schedules of a key.
func BenchmarkSchedules(b *testing.B) {
	for _, keyBytes := range []int{16, 32} {
		var k aesKey
		key := make([]byte, keyBytes)
		b.Run(fmt.Sprintf("encrypt/%d", 8*keyBytes), func(b *testing.B) {
			for b.Loop() {
				k.set(key)
			}
		})
		b.Run(fmt.Sprintf("decrypt/%d", 8*keyBytes), func(b *testing.B) {
			for b.Loop() {
				k.dec.invert(&k.enc)
			}
		})
	}
}
