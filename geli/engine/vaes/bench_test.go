package vaes

import (
	"testing"

	"gelibench/geli/engine/enginebench"
	"gelibench/geli/engine/vaes/bound"
)

func BenchmarkBound(b *testing.B) {
	bound.AVX512.Benchmark(b)
	bound.AVX2.Benchmark(b)
}

func BenchmarkSector(b *testing.B) {
	enginebench.Sector(b, NewAVX512(), bound.AVX512)
	enginebench.Sector(b, NewAVX2(), bound.AVX2)
}
