// Package aesengine is what the engines with AES kernels have in common around
// the kernels: what they support, the contract of their sessions, and the
// memory of what depends on the key.
package aesengine

import (
	"fmt"

	"gelibench/geli/engine"
)

// New returns an engine that has AES-XTS and AES-CBC and runs on CPUs with
// info.Needs. The two functions make the sessions of parameters that were
// checked.
func New(name string, info engine.Info, newXTS, newCBC func(engine.Params) engine.Session) engine.Engine {
	return aes{name, info, newXTS, newCBC}
}

type aes struct {
	name           string
	info           engine.Info
	newXTS, newCBC func(engine.Params) engine.Session
}

func (e aes) Name() string      { return e.name }
func (e aes) Info() engine.Info { return e.info }
func (e aes) Probe() error      { return engine.NeedsCPU(e.name, e.info.Needs...) }

func (e aes) Supports(p engine.Params) error {
	if p.Alg != engine.AESXTS && p.Alg != engine.AESCBC {
		return fmt.Errorf("%s has no %v, only AES: %w", e.name, p.Alg, engine.ErrUnavailable)
	}
	return p.Check()
}

func (e aes) NewSession(p engine.Params) (engine.Session, error) {
	if err := e.Probe(); err != nil {
		return nil, err
	}
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	if p.Alg == engine.AESXTS {
		return e.newXTS(p), nil
	}
	return e.newCBC(p), nil
}
