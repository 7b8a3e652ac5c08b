package vaes_test

import (
	"testing"

	"gelibench/geli/engine/enginetest"
	"gelibench/geli/engine/vaes"
)

func TestConformanceAVX512(t *testing.T) { enginetest.Run(t, vaes.NewAVX512()) }
func TestConformanceAVX2(t *testing.T)   { enginetest.Run(t, vaes.NewAVX2()) }

func FuzzAgreementAVX512(f *testing.F) { enginetest.FuzzAgreement(f, vaes.NewAVX512()) }
func FuzzAgreementAVX2(f *testing.F)   { enginetest.FuzzAgreement(f, vaes.NewAVX2()) }
