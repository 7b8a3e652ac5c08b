package vaes

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/engine/aesni"
	"gelibench/geli/mem"
)

// BenchmarkShortRuns compares runs of 1 to 3 sectors, with a new key for each
// run and without, with the engine aesni, in turn with it: "of-aesni" is the
// time as a share of its time.
func BenchmarkShortRuns(b *testing.B) {
	for _, e := range []vaes{avx512, avx2} {
		for _, p := range allParams {
			for _, op := range []string{"encrypt", "decrypt"} {
				for _, unit := range []int{512, 4096} {
					for _, rekey := range []bool{true, false} {
						for n := 1; n <= 3; n++ {
							b.Run(fmt.Sprintf("engine=%s/alg=%v/op=%s/sector=%d/rekey=%v/run=%d", e.name, p, op, unit, rekey, n),
								func(b *testing.B) { shortRuns(b, e, p, op, unit, rekey, n) })
						}
					}
				}
			}
		}
	}
}

func shortRuns(b *testing.B, e vaes, p engine.Params, op string, unit int, rekey bool, n int) {
	key, ivs, buf := make([]byte, p.KeyBytes()), make([]byte, n*block), mem.Aligned(n*unit, mem.Page)
	var sessions [2]engine.Session
	for i, e := range []engine.Engine{e, aesni.New()} {
		s, err := e.NewSession(p)
		if err != nil {
			b.Skip(err)
		}
		defer s.Close()
		if err := s.SetKey(key); err != nil {
			b.Fatal(err)
		}
		sessions[i] = s
	}
	const repeat = 32
	var took [2][]float64
	for range b.N {
		for i, s := range sessions {
			run := s.Decrypt
			if op == "encrypt" {
				run = s.Encrypt
			}
			start := time.Now()
			for range repeat {
				if rekey {
					if err := s.SetKey(key); err != nil {
						b.Fatal(err)
					}
				}
				if err := run(buf, buf, ivs, engine.Packed(unit)); err != nil {
					b.Fatal(err)
				}
			}
			took[i] = append(took[i], float64(time.Since(start))/repeat)
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	b.ReportMetric(took[0][b.N/2], "ns/op")
	b.ReportMetric(took[0][b.N/2]/took[1][b.N/2], "of-aesni")
}
