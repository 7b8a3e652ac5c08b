//go:build amd64 && !purego

package aesni

import (
	"fmt"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// New returns the engine.
func New() engine.Engine { return aesni{} }

type aesni struct{}

func (aesni) Name() string      { return name }
func (aesni) Info() engine.Info { return info }

func (aesni) Probe() error {
	if missing := cpu.Missing(needs...); len(missing) != 0 {
		return fmt.Errorf("%s: this CPU lacks %s: %w", name, cpu.Join(missing), engine.ErrUnavailable)
	}
	return nil
}

func (aesni) Supports(p engine.Params) error {
	if p.Alg != engine.AESXTS && p.Alg != engine.AESCBC {
		return fmt.Errorf("%s has no %v, only AES: %w", name, p.Alg, engine.ErrUnavailable)
	}
	return p.Check()
}

func (e aesni) NewSession(p engine.Params) (engine.Session, error) {
	if err := e.Probe(); err != nil {
		return nil, err
	}
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	if p.Alg == engine.AESXTS {
		return newXTS(p), nil
	}
	return newCBC(p), nil
}
