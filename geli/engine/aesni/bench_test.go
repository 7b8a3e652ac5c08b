package aesni

import (
	"testing"

	"gelibench/geli/engine/enginebench"
)

func BenchmarkBound(b *testing.B)  { enginebench.Bound128.Benchmark(b) }
func BenchmarkSector(b *testing.B) { enginebench.Sector(b, New(), enginebench.Bound128) }
