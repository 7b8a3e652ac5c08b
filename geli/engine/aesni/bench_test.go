package aesni

import (
	"testing"

	"gelibench/geli/engine/enginebench"
	"gelibench/geli/hasher/shani"
)

func BenchmarkBound(b *testing.B)  { enginebench.Bound128.Benchmark(b) }
func BenchmarkSector(b *testing.B) { enginebench.Sector(b, New(), enginebench.Bound128) }

func BenchmarkParts(b *testing.B) { enginebench.Parts(b, New(), shani.New()) }
