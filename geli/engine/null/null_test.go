package null_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/engine/null"
)

func TestConformance(t *testing.T) { enginetest.Run(t, null.New()) }
