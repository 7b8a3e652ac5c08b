package soft

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"testing"

	"golang.org/x/crypto/xts"

	"gelibench/geli/engine"
)

// BenchmarkSector times one sector in place under a key that is already
// expanded. The engine "std" is crypto/aes under crypto/cipher and
// x/crypto/xts; it is the software AES of the standard library, and a fair
// peer, only where AES instructions are absent or switched off:
//
//	GODEBUG=cpu.aes=off go test -run '^$' -bench Sector ./geli/engine/soft
func BenchmarkSector(b *testing.B) {
	for _, p := range everyParams() {
		if p.Alg == engine.Null || p.Alg == engine.BlowfishCBC && p.KeyBits != 128 {
			continue
		}
		for _, unit := range []int{512, 4096} {
			for _, op := range []string{"encrypt", "decrypt"} {
				name := fmt.Sprintf("%v/%d/%s", p, unit, op)
				b.Run(name+"/engine=soft", func(b *testing.B) { timeSoft(b, p, unit, op, 1) })
				if p.Alg == engine.AESXTS || p.Alg == engine.AESCBC {
					b.Run(name+"/engine=std", func(b *testing.B) { timeStd(b, p, unit, op) })
				}
			}
		}
	}
}

// BenchmarkRun times runs of 32 sectors of 4096 bytes, in place.
func BenchmarkRun(b *testing.B) {
	for _, p := range everyParams() {
		if p.Alg != engine.AESXTS && p.Alg != engine.AESCBC && p.Alg != engine.CamelliaCBC {
			continue
		}
		for _, op := range []string{"encrypt", "decrypt"} {
			b.Run(fmt.Sprintf("%v/%s", p, op), func(b *testing.B) { timeSoft(b, p, 4096, op, 32) })
		}
	}
}

// BenchmarkSetKey times a new key with one sector of 512 bytes, as GELI calls
// its driver.
func BenchmarkSetKey(b *testing.B) {
	for _, p := range everyParams() {
		if p.Alg != engine.AESXTS && p.Alg != engine.AESCBC && p.Alg != engine.CamelliaCBC {
			continue
		}
		key := make([]byte, p.KeyBytes())
		s := newSession(b, p, key)
		buf, iv := make([]byte, 512), make([]byte, 16)
		for op, run := range map[string]func(dst, src, ivs []byte, g engine.Geometry) error{"encrypt": s.Encrypt, "decrypt": s.Decrypt} {
			b.Run(fmt.Sprintf("%v/%s", p, op), func(b *testing.B) {
				b.SetBytes(512)
				for b.Loop() {
					if err := s.SetKey(key); err != nil {
						b.Fatal(err)
					}
					if err := run(buf, buf, iv, engine.Packed(512)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func timeSoft(b *testing.B, p engine.Params, unit int, op string, n int) {
	s := newSession(b, p, make([]byte, p.KeyBytes()))
	run := s.Encrypt
	if op == "decrypt" {
		run = s.Decrypt
	}
	buf, ivs := make([]byte, n*unit), make([]byte, n*engine.IVBytes)
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		if err := run(buf, buf, ivs, engine.Packed(unit)); err != nil {
			b.Fatal(err)
		}
	}
}

// timeStd gives the library every advantage: the IV is set in the same object
// instead of a new one being made for each sector.
func timeStd(b *testing.B, p engine.Params, unit int, op string) {
	key, buf, iv := make([]byte, p.KeyBytes()), make([]byte, unit), make([]byte, 16)
	b.SetBytes(int64(unit))
	if p.Alg == engine.AESXTS {
		c, err := xts.NewCipher(aes.NewCipher, key)
		if err != nil {
			b.Fatal(err)
		}
		run := c.Encrypt
		if op == "decrypt" {
			run = c.Decrypt
		}
		for b.Loop() {
			run(buf, buf, binary.LittleEndian.Uint64(iv))
		}
		return
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		b.Fatal(err)
	}
	mode := cipher.NewCBCEncrypter(block, iv)
	if op == "decrypt" {
		mode = cipher.NewCBCDecrypter(block, iv)
	}
	for b.Loop() {
		mode.(interface{ SetIV([]byte) }).SetIV(iv)
		mode.CryptBlocks(buf, buf)
	}
}
