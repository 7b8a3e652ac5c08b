//go:build amd64 && !purego

package aesni

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engine/enginetest"
	"gelibench/geli/internal/aesengine"
)

// The twins: each kernel in portable Go, over crypto/aes.

// twinSchedule takes the schedule itself from FIPS 197's definition, with the
// S-box computed rather than listed.
func twinSchedule(key []byte) []byte {
	nk := len(key) / 4
	words := 4 * (nk + 7)
	w := append([]byte(nil), key...)
	rcon := byte(1)
	for i := nk; i < words; i++ {
		t := [4]byte(w[4*i-4:])
		switch {
		case i%nk == 0:
			t = [4]byte{sbox(t[1]) ^ rcon, sbox(t[2]), sbox(t[3]), sbox(t[0])}
			rcon = gfMul(rcon, 2)
		case nk > 6 && i%nk == 4:
			t = [4]byte{sbox(t[0]), sbox(t[1]), sbox(t[2]), sbox(t[3])}
		}
		for j := range 4 {
			w = append(w, w[4*(i-nk)+j]^t[j])
		}
	}
	return w
}

func gfMul(a, b byte) (p byte) {
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			p ^= a
		}
		a = a<<1 ^ 0x1b*(a>>7)
	}
	return p
}

func sbox(b byte) byte {
	inverse := byte(1) // b^254
	for range 254 {
		inverse = gfMul(inverse, b)
	}
	s := byte(0x63)
	for i := range 5 {
		s ^= inverse<<i | inverse>>(8-i)
	}
	return s
}

// invMixColumns is what AESIMC does to a round key.
func invMixColumns(k []byte) []byte {
	var out []byte
	for c := 0; c < 16; c += 4 {
		for r := range 4 {
			out = append(out, gfMul(k[c+r], 14)^gfMul(k[c+(r+1)%4], 11)^gfMul(k[c+(r+2)%4], 13)^gfMul(k[c+(r+3)%4], 9))
		}
	}
	return out
}

func twinInvert(enc []byte) []byte {
	r := len(enc)/block - 1
	dec := append([]byte(nil), enc[r*block:]...)
	for i := r - 1; i > 0; i-- {
		dec = append(dec, invMixColumns(enc[i*block:][:block])...)
	}
	return append(dec, enc[:block]...)
}

// twinRun encrypts or decrypts a run sector by sector.
func twinRun(t testing.TB, p engine.Params, key []byte, encrypt bool, dst, src, ivs []byte, g engine.Geometry) {
	newBlock := func(k []byte) cipher.Block {
		b, err := aes.NewCipher(k)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for i := range len(ivs) / block {
		to, from, iv := dst[i*g.DstStride:][:g.Unit], src[i*g.SrcStride:][:g.Unit], ivs[i*block:][:block]
		switch {
		case p.Alg == engine.AESXTS:
			half := len(key) / 2
			twinXTS(newBlock(key[:half]), newBlock(key[half:]), encrypt, to, from, iv)
		case encrypt:
			cipher.NewCBCEncrypter(newBlock(key), iv).CryptBlocks(to, from)
		default:
			cipher.NewCBCDecrypter(newBlock(key), iv).CryptBlocks(to, from)
		}
	}
}

func twinXTS(data, tweak cipher.Block, encrypt bool, dst, src, iv []byte) {
	var T, x [block]byte
	tweak.Encrypt(T[:], iv)
	for i := 0; i < len(src); i += block {
		for j := range x {
			x[j] = src[i+j] ^ T[j]
		}
		if encrypt {
			data.Encrypt(x[:], x[:])
		} else {
			data.Decrypt(x[:], x[:])
		}
		for j := range x {
			dst[i+j] = x[j] ^ T[j]
		}
		lo, hi := binary.LittleEndian.Uint64(T[:]), binary.LittleEndian.Uint64(T[8:])
		binary.LittleEndian.PutUint64(T[:], lo<<1^0x87*(hi>>63))
		binary.LittleEndian.PutUint64(T[8:], hi<<1|lo>>63)
	}
}

var source = rand.NewChaCha8([32]byte{'a', 'e', 's', 'n', 'i'})

func random(n int) []byte {
	b := make([]byte, n)
	source.Read(b)
	return b
}

var allParams = []engine.Params{
	{Alg: engine.AESXTS, KeyBits: 128}, {Alg: engine.AESXTS, KeyBits: 256},
	{Alg: engine.AESCBC, KeyBits: 128}, {Alg: engine.AESCBC, KeyBits: 192}, {Alg: engine.AESCBC, KeyBits: 256},
}

func TestSchedules(t *testing.T) {
	enginetest.Usable(t, New())
	for _, p := range allParams {
		for range 20 {
			key := random(p.KeyBytes())
			sess, err := New().NewSession(p)
			if err != nil {
				t.Fatal(err)
			}
			if err := sess.SetKey(key); err != nil {
				t.Fatal(err)
			}
			var k *aesengine.Schedules
			dataKey := key
			switch s := sess.(type) {
			case *xts:
				k, dataKey = &s.Schedules, key[:len(key)/2]
				want := twinSchedule(key[len(key)/2:])
				if got := s.tweakKeys[:len(want)]; !bytes.Equal(got, want) {
					t.Errorf("%v: tweak schedule\n got %x\nwant %x", p, got, want)
				}
			case *cbc:
				k = &s.Schedules
			}
			want := twinSchedule(dataKey)
			if got := k.Enc[:len(want)]; !bytes.Equal(got, want) {
				t.Errorf("%v: schedule\n got %x\nwant %x", p, got, want)
			}
			want = twinInvert(want)
			if got := decryption(k)[:len(want)]; !bytes.Equal(got, want) {
				t.Errorf("%v: inverse schedule\n got %x\nwant %x", p, got, want)
			}
		}
	}
}

// TestRuns compares runs with the twin: every number of sectors up to well
// past the widest pass, units with every remainder of blocks, odd strides and
// alignments, in place and not; bytes outside the sectors stay as they were.
func TestRuns(t *testing.T) {
	enginetest.Usable(t, New())
	units := []int{16, 32, 48, 64, 80, 96, 112, 128, 144, 240, 464, 480, 512, 528, 4096}
	for _, p := range allParams {
		sess, err := New().NewSession(p)
		if err != nil {
			t.Fatal(err)
		}
		for trial := range 600 {
			unit := units[trial%len(units)]
			n := source.Uint64() % 30
			if unit < 128 && trial%3 == 0 {
				n += 120 // past a pass of tweaks
			}
			g := engine.Geometry{Unit: unit, DstStride: unit + int(source.Uint64()%3)*17, SrcStride: unit + int(source.Uint64()%3)*5}
			inPlace := trial%2 == 0
			if inPlace {
				g.SrcStride = g.DstStride
			}
			encrypt := source.Uint64()%2 == 0
			testRun(t, sess, p, encrypt, inPlace, int(n), g)
			if t.Failed() {
				return
			}
		}
		if err := sess.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func testRun(t *testing.T, sess engine.Session, p engine.Params, encrypt, inPlace bool, n int, g engine.Geometry) {
	key := random(p.KeyBytes())
	if err := sess.SetKey(key); err != nil {
		t.Fatal(err)
	}
	shift := int(source.Uint64() % 17)
	ivs := random(n*block + shift)[shift:]
	src := random(n*g.SrcStride + shift)[shift:]
	dst := random(n*g.DstStride + 2*shift)[2*shift:]
	if inPlace {
		dst = src
	}
	keptSrc, keptIVs, want := bytes.Clone(src), bytes.Clone(ivs), bytes.Clone(dst)
	twinRun(t, p, key, encrypt, want, keptSrc, ivs, g)
	do := sess.Decrypt
	if encrypt {
		do = sess.Encrypt
	}
	if err := do(dst, src, ivs, g); err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("%v encrypt=%v inPlace=%v n=%d %+v", p, encrypt, inPlace, n, g)
	if !bytes.Equal(dst, want) {
		t.Errorf("%s: wrong result", what)
	}
	if !inPlace && !bytes.Equal(src, keptSrc) {
		t.Errorf("%s: source changed", what)
	}
	if !bytes.Equal(ivs, keptIVs) {
		t.Errorf("%s: IVs changed", what)
	}
}

// TestStaggered is TestRuns for strides at which CBC encryption staggers its
// sectors, down to units shorter than the lag.
func TestStaggered(t *testing.T) {
	enginetest.Usable(t, New())
	for _, bits := range []int{128, 192, 256} {
		p := engine.Params{Alg: engine.AESCBC, KeyBits: bits}
		sess, err := New().NewSession(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []int{16, 48, 64, 80, 512, 4096} {
			for n := 1; n <= 30; n++ {
				g := engine.Geometry{Unit: unit, DstStride: 4096, SrcStride: 4096}
				testRun(t, sess, p, true, n%2 == 0, n, g)
				if t.Failed() {
					return
				}
			}
		}
	}
}

func TestCloseWipes(t *testing.T) {
	enginetest.Usable(t, New())
	for _, p := range allParams {
		sess, err := New().NewSession(p)
		if err != nil {
			t.Fatal(err)
		}
		buf, ivs := random(1024), random(2*block)
		if err := sess.Encrypt(buf, buf, ivs, engine.Packed(512)); !errors.Is(err, engine.ErrKey) {
			t.Errorf("%v: keyless run: %v", p, err)
		}
		if err := sess.SetKey(random(p.KeyBytes() + 1)); !errors.Is(err, engine.ErrKey) {
			t.Errorf("%v: long key: %v", p, err)
		}
		if err := sess.SetKey(random(p.KeyBytes())); err != nil {
			t.Fatal(err)
		}
		if err := sess.Decrypt(buf, buf, ivs, engine.Packed(512)); err != nil {
			t.Fatal(err)
		}
		var secrets []byte
		switch s := sess.(type) {
		case *xts:
			secrets = s.Secrets()
		case *cbc:
			secrets = s.Secrets()
		}
		zeros := make([]byte, len(secrets))
		if bytes.Equal(secrets, zeros) {
			t.Fatalf("%v: no secrets to wipe", p)
		}
		for range 2 {
			if err := sess.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(secrets, zeros) {
			t.Errorf("%v: secrets left after Close", p)
		}
		if err := sess.SetKey(random(p.KeyBytes())); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%v: SetKey after Close: %v", p, err)
		}
		if err := sess.Encrypt(buf, buf, ivs, engine.Packed(512)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%v: run after Close: %v", p, err)
		}
	}
}
