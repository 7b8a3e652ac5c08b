package shani_test

import (
	"testing"

	"gelibench/geli/engine/enginebench"
	"gelibench/geli/engine/enginetest"
	"gelibench/geli/hasher/shani"
)

func TestConformance(t *testing.T) { enginetest.RunHasher(t, shani.New()) }

func BenchmarkIVs(b *testing.B) { enginebench.IVs(b, shani.New()) }
