package soft

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"
	"time"

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

// BenchmarkAgainstStd alternates soft and the standard library on sectors of
// 4096 bytes and reports the quotient of their best times, std/soft: what is
// above 1 is faster than the library. Alternating in short slices makes it
// hold on a busy machine too. Run it under GODEBUG=cpu.aes=off.
func BenchmarkAgainstStd(b *testing.B) {
	for _, p := range everyParams() {
		if p.Alg != engine.AESXTS && p.Alg != engine.AESCBC {
			continue
		}
		for _, op := range []string{"encrypt", "decrypt"} {
			b.Run(fmt.Sprintf("%v/%s", p, op), func(b *testing.B) {
				own, std := softSector(b, p, 4096, op, 1), stdSector(b, p, 4096, op)
				best := func(least time.Duration, run func()) time.Duration {
					start := time.Now()
					run()
					return min(least, time.Since(start))
				}
				ownBest, stdBest := time.Hour, time.Hour
				for b.Loop() {
					ownBest = best(ownBest, own)
					stdBest = best(stdBest, std)
				}
				b.ReportMetric(float64(stdBest)/float64(ownBest), "std/soft")
				b.ReportMetric(4096/ownBest.Seconds()/1e6, "soft-MB/s")
				b.ReportMetric(4096/stdBest.Seconds()/1e6, "std-MB/s")
			})
		}
	}
}

func timeSoft(b *testing.B, p engine.Params, unit int, op string, n int) {
	run := softSector(b, p, unit, op, n)
	b.SetBytes(int64(n * unit))
	for b.Loop() {
		run()
	}
}

func timeStd(b *testing.B, p engine.Params, unit int, op string) {
	run := stdSector(b, p, unit, op)
	b.SetBytes(int64(unit))
	for b.Loop() {
		run()
	}
}

// softSector returns a call that does a run of n sectors in place.
func softSector(b *testing.B, p engine.Params, unit int, op string, n int) func() {
	s := newSession(b, p, make([]byte, p.KeyBytes()))
	run := s.Encrypt
	if op == "decrypt" {
		run = s.Decrypt
	}
	buf, ivs, g := make([]byte, n*unit), make([]byte, n*engine.IVBytes), engine.Packed(unit)
	return func() {
		if err := run(buf, buf, ivs, g); err != nil {
			b.Fatal(err)
		}
	}
}

// stdSector gives the library every advantage: the IV is set in the same object
// instead of a new one being made for each sector.
func stdSector(b *testing.B, p engine.Params, unit int, op string) func() {
	key, buf, iv := make([]byte, p.KeyBytes()), make([]byte, unit), make([]byte, 16)
	if p.Alg == engine.AESXTS {
		c, err := xts.NewCipher(aes.NewCipher, key)
		if err != nil {
			b.Fatal(err)
		}
		if op == "decrypt" {
			return func() { c.Decrypt(buf, buf, 0) }
		}
		return func() { c.Encrypt(buf, buf, 0) }
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		b.Fatal(err)
	}
	mode := cipher.NewCBCEncrypter(block, iv)
	if op == "decrypt" {
		mode = cipher.NewCBCDecrypter(block, iv)
	}
	setter := mode.(interface{ SetIV([]byte) })
	return func() {
		setter.SetIV(iv)
		mode.CryptBlocks(buf, buf)
	}
}
