package soft_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/engine/soft"
)

func TestConformance(t *testing.T) { enginetest.Run(t, soft.New()) }
