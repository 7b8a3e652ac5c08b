package engine

import (
	"fmt"

	"gelibench/geli/cpu"
)

// NeedsCPU is what the Probe of kernels says that need these CPU features, all
// of them: nil where they are there, otherwise an error that begins with name,
// lists the missing ones and wraps ErrUnavailable.
func NeedsCPU(name string, features ...cpu.Feature) error {
	if missing := cpu.Missing(features...); len(missing) != 0 {
		return fmt.Errorf("%s: this CPU lacks %s: %w", name, cpu.Join(missing), ErrUnavailable)
	}
	return nil
}

// NeedsBuild is what Probe says in a build that has no kernels, whose
// architecture is arch. It wraps ErrUnavailable.
func NeedsBuild(name, arch string) error {
	return fmt.Errorf("%s needs %s, and a build without the tag purego: %w", name, arch, ErrUnavailable)
}
