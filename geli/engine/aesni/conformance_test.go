package aesni_test

import (
	"testing"

	"gelibench/geli/engine/aesni"
	"gelibench/geli/engine/enginetest"
)

func TestConformance(t *testing.T) { enginetest.Run(t, aesni.New()) }
func FuzzAgreement(f *testing.F)   { enginetest.FuzzAgreement(f, aesni.New()) }
