package engine

import (
	"errors"
	"strings"
	"testing"

	"gelibench/geli/cpu"
)

// TestAbsent: what has no kernels is there by name, and everything else says
// why it is not.
func TestAbsent(t *testing.T) {
	e := Absent("wide", Info{About: "x", WidthBits: 1024}, "riscv64")
	h := AbsentHasher("deep", Info{About: "y"}, 7, "riscv64")
	if e.Name() != "wide" || e.Info().WidthBits != 1024 || h.Name() != "deep" || h.Info().About != "y" || h.Lanes() != 7 {
		t.Errorf("%s %+v, %s %+v %d", e.Name(), e.Info(), h.Name(), h.Info(), h.Lanes())
	}
	_, session := e.NewSession(Params{Alg: AESXTS, KeyBits: 128})
	for what, err := range map[string]error{"Probe": e.Probe(), "Supports": e.Supports(Params{Alg: AESXTS, KeyBits: 128}), "NewSession": session, "a hasher's Probe": h.Probe()} {
		if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "riscv64") {
			t.Errorf("%s: %v", what, err)
		}
	}
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, ErrUnavailable) {
			t.Errorf("IVs panics with %v", err)
		}
	}()
	h.IVs(make([]byte, IVBytes), new([8]uint32), 0, 1)
}

// TestNeedsCPU: the features that are there are not among the missing.
func TestNeedsCPU(t *testing.T) {
	if err := NeedsCPU("wide"); err != nil {
		t.Error(err)
	}
	features := append(cpu.Present(), "no-such", "nor-this")
	err := NeedsCPU("wide", features...)
	if !errors.Is(err, ErrUnavailable) || !strings.HasPrefix(err.Error(), "wide: this CPU lacks no-such, nor-this: ") {
		t.Error(err)
	}
}
