package vaes

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/engine/enginebench"
	"gelibench/geli/engine/vaes/bound"
	"gelibench/geli/mem"
)

// BenchmarkWorkingSet reports long runs, in place and out of it, over working
// sets within the second-level cache and beyond, in GB/s and as a share of the
// bound, which is measured in turn with them.
func BenchmarkWorkingSet(b *testing.B) {
	for _, e := range []struct {
		vaes
		enginebench.Bound
	}{{avx512, bound.AVX512}, {avx2, bound.AVX2}} {
		for _, p := range []engine.Params{{Alg: engine.AESXTS, KeyBits: 256}, {Alg: engine.AESCBC, KeyBits: 256}} {
			for _, op := range []string{"encrypt", "decrypt"} {
				for _, unit := range []int{512, 4096, 65536} {
					for _, bytes := range []int{512 << 10, 4 << 20, 256 << 20} {
						for _, place := range []string{"in", "out"} {
							name := fmt.Sprintf("engine=%s/alg=%v/op=%s/sector=%d/bytes=%d/place=%s", e.vaes.name, p, op, unit, bytes, place)
							b.Run(name, func(b *testing.B) { workingSet(b, e.vaes, e.Bound, p, op, unit, bytes, place == "in") })
						}
					}
				}
			}
		}
	}
}

// workingSet goes through the working set in requests of at most 1 MiB.
func workingSet(b *testing.B, e vaes, limit enginebench.Bound, p engine.Params, op string, unit, total int, inPlace bool) {
	s, err := e.NewSession(p)
	if err != nil {
		b.Skip(err)
	}
	defer s.Close()
	if err := s.SetKey(make([]byte, p.KeyBytes())); err != nil {
		b.Fatal(err)
	}
	run := s.Decrypt
	if op == "encrypt" {
		run = s.Encrypt
	}
	request := min(total, 4<<20)
	ivs := make([]byte, request/unit*engine.IVBytes)
	src := mem.Aligned(total, mem.Page)
	dst := src
	if !inPlace {
		// Half of the working set each.
		total /= 2
		request = min(total, request)
		src, dst = src[:total], src[total:]
	}
	var times []float64
	var shares []float64
	at := 0
	for range b.N {
		start := time.Now()
		if err := run(dst[at:at+request], src[at:at+request], ivs[:request/unit*engine.IVBytes], engine.Packed(unit)); err != nil {
			b.Fatal(err)
		}
		took := time.Since(start)
		const probe = 128 << 10
		start = time.Now()
		limit.Run(probe/limit.BytesPerStep, p.KeyBits/32+6)
		shares = append(shares, float64(time.Since(start))*float64(request)/probe/float64(took))
		times = append(times, float64(took))
		at = (at + request) % total
	}
	slices.Sort(times)
	slices.Sort(shares)
	b.ReportMetric(times[len(times)/2], "ns/op")
	b.ReportMetric(float64(request)/times[len(times)/2], "GB/s")
	b.ReportMetric(shares[len(shares)/2], "share-of-bound")
}
