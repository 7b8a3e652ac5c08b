package armv8_test

import (
	"testing"

	"gelibench/geli/engine/armv8"
	"gelibench/geli/engine/enginebench"
	sha2 "gelibench/geli/hasher/armv8"
)

func BenchmarkSector(b *testing.B) { enginebench.Sector(b, armv8.New(), enginebench.Bound128) }

func BenchmarkParts(b *testing.B) { enginebench.Parts(b, armv8.New(), sha2.New()) }
