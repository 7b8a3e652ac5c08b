package xcrypto_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/engine/xcrypto"
)

func TestConformance(t *testing.T) { enginetest.Run(t, xcrypto.New()) }

func FuzzAgreement(f *testing.F) { enginetest.FuzzAgreement(f, xcrypto.New()) }
