package enginetest_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/engine/soft"
)

// soft is asked here so that the oracle is in order before others are compared
// with it, whichever package runs first.
func TestSoft(t *testing.T) { enginetest.Run(t, soft.New()) }
