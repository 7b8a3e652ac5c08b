//go:build arm64 && !purego

package armv8

import (
	"fmt"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// New returns the engine.
func New() engine.Engine { return armv8{} }

type armv8 struct{}

func (armv8) Name() string      { return name }
func (armv8) Info() engine.Info { return info }

func (armv8) Probe() error {
	if missing := cpu.Missing(needs...); len(missing) != 0 {
		return fmt.Errorf("%s: this CPU lacks %s: %w", name, cpu.Join(missing), engine.ErrUnavailable)
	}
	return nil
}

func (armv8) Supports(p engine.Params) error {
	if p.Alg != engine.AESXTS && p.Alg != engine.AESCBC {
		return fmt.Errorf("%s has no %v, only AES: %w", name, p.Alg, engine.ErrUnavailable)
	}
	return p.Check()
}

func (e armv8) NewSession(p engine.Params) (engine.Session, error) {
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
