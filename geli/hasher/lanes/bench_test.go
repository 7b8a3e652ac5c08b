package lanes_test

import (
	"fmt"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/hasher/lanes"
	"gelibench/geli/hasher/std"
)

// BenchmarkIVs reports nanoseconds an IV by length of run; the standard
// library stands beside for comparison.
func BenchmarkIVs(b *testing.B) {
	for _, h := range []engine.Hasher{lanes.NewAVX512(), lanes.NewAVX2(), std.New()} {
		for _, n := range []int{1, 4, 8, 16, 32, 256} {
			b.Run(fmt.Sprintf("hash=%s/n=%d", h.Name(), n), func(b *testing.B) {
				if err := h.Probe(); err != nil {
					b.Skip(err)
				}
				ivs := make([]byte, n*engine.IVBytes)
				var state [8]uint32
				for i := range b.N {
					h.IVs(ivs, &state, uint64(i), 4096)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/IV")
			})
		}
	}
}
