package vaes_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/engine/vaes"
)

func TestConformanceAVX512(t *testing.T) { enginetest.Run(t, vaes.NewAVX512()) }
func TestConformanceAVX2(t *testing.T)   { enginetest.Run(t, vaes.NewAVX2()) }
