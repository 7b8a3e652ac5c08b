// Package soft is the engine in portable Go: every cipher that GELI has or
// once had, without any instruction made for cryptography. It shows what a
// processor without acceleration does, and it is the oracle that the other
// engines are compared with.
//
// AES and Camellia are the package's own, driven by tables as FreeBSD's
// cryptosoft is; 3DES is crypto/des, Blowfish is golang.org/x/crypto/blowfish.
// None of them is constant-time: table look-ups depend on key and data, so
// another process on the machine may learn the key by timing the caches. That
// is of no matter to keys that live for one measurement.
package soft

import (
	"gelibench/geli/engine"
)

// New returns the engine "soft".
func New() engine.Engine { return softEngine{} }

type softEngine struct{}

func (softEngine) Name() string { return "soft" }

// Info describes the engine. Allocates is false for AES, Camellia and null; a
// new key for 3DES or Blowfish does allocate, since their packages offer no way
// to expand a key in place.
func (softEngine) Info() engine.Info {
	return engine.Info{About: "portable Go with look-up tables, no AES instructions, not constant-time"}
}

// Probe returns nil: the engine runs everywhere.
func (softEngine) Probe() error { return nil }

// Supports returns nil for every cipher and key length that GELI allows.
func (softEngine) Supports(p engine.Params) error { return p.Check() }

func (e softEngine) NewSession(p engine.Params) (engine.Session, error) {
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	s := &session{params: p, blockBytes: p.Alg.BlockBytes()}
	switch p.Alg {
	case engine.AESXTS:
		s.cipher = new(aesXTS)
	case engine.AESCBC:
		s.cipher = new(aesCBC)
	case engine.CamelliaCBC:
		s.cipher = new(camelliaCBC)
	case engine.BlowfishCBC:
		s.cipher = &blockCBC{expand: expandBlowfish}
	case engine.TripleDESCBC:
		s.cipher = &blockCBC{expand: expandTripleDES}
	case engine.Null:
		s.cipher = null{}
	}
	return s, nil
}
