package armv8_test

import (
	"testing"

	"gelibench/geli/engine/armv8"
	"gelibench/geli/engine/enginetest"
)

func TestConformance(t *testing.T) { enginetest.Run(t, armv8.New()) }
