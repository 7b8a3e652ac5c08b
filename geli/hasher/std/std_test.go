package std_test

import (
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engine/enginetest"
	"gelibench/geli/hasher/std"
)

func TestConformance(t *testing.T) { enginetest.RunHasher(t, std.New()) }

// BenchmarkIVs shows what one IV costs, alone and in a run.
func BenchmarkIVs(b *testing.B) {
	for name, n := range map[string]int{"one": 1, "run of 64": 64} {
		b.Run(name, func(b *testing.B) {
			var state [8]uint32
			ivs := make([]byte, n*engine.IVBytes)
			b.ReportAllocs()
			for b.Loop() {
				std.New().IVs(ivs, &state, 0, 512)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/IV")
		})
	}
}
