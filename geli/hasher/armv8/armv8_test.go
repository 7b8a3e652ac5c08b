package armv8_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/hasher/armv8"
)

func TestConformance(t *testing.T) { enginetest.RunHasher(t, armv8.New()) }
