package portable_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/hasher/portable"
)

func TestConformance(t *testing.T) { enginetest.RunHasher(t, portable.New()) }
