package lanes_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/hasher/lanes"
)

func TestConformanceAVX512(t *testing.T) { enginetest.RunHasher(t, lanes.NewAVX512()) }
func TestConformanceAVX2(t *testing.T)   { enginetest.RunHasher(t, lanes.NewAVX2()) }
