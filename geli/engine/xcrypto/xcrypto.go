// Package xcrypto is the engine "xcrypto": AES as most Go programs would do it
// on a disk's sectors, with crypto/aes, crypto/cipher's CBC and
// golang.org/x/crypto/xts, one sector at a time.
//
// It is here to be compared with, so it is written as a careful program would
// use those packages: the ciphers are made once for each key, and the CBC modes
// are given each sector's IV where they allow it.
package xcrypto

import (
	"fmt"
	"slices"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

// New returns the engine "xcrypto". It has AES-CBC and AES-XTS and runs
// everywhere.
func New() engine.Engine { return xcryptoEngine{} }

type xcryptoEngine struct{}

func (xcryptoEngine) Name() string { return "xcrypto" }

func (xcryptoEngine) Info() engine.Info {
	// The standard library looks at the CPU by itself: a feature that is
	// switched off for the engines here is there for it.
	hidden := slices.Contains(cpu.SwitchedOff(), cpu.AES)
	aes := cpu.Has(cpu.AES) && !hidden
	about := "crypto/aes, crypto/cipher, x/crypto/xts: "
	if hidden {
		about += "AES instructions if the CPU has them (the standard library obeys GODEBUG=cpu.aes=off only)"
	} else if aes {
		about += "with the CPU's AES instructions"
	} else {
		about += "without AES instructions, as far as can be told"
	}
	// The standard library's table code is not constant-time.
	return engine.Info{About: about, ConstantTime: aes, Allocates: true}
}

func (xcryptoEngine) Probe() error { return nil }

func (xcryptoEngine) Supports(p engine.Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	if p.Alg != engine.AESCBC && p.Alg != engine.AESXTS {
		return fmt.Errorf("engine xcrypto has only aes-cbc and aes-xts, not %v: %w", p, engine.ErrUnavailable)
	}
	return nil
}

func (x xcryptoEngine) NewSession(p engine.Params) (engine.Session, error) {
	if err := x.Supports(p); err != nil {
		return nil, err
	}
	if p.Alg == engine.AESXTS {
		return &xtsSession{keyBytes: p.KeyBytes()}, nil
	}
	return &cbcSession{keyBytes: p.KeyBytes()}, nil
}

// Tweak64Only tells that x/crypto/xts takes a sector number of 64 bits for its
// tweak: GELI's byte offsets fit, other 16-byte tweaks do not.
func (xcryptoEngine) Tweak64Only() bool { return true }

// checkKey is what both sessions ask of a key.
func checkKey(key []byte, wantBytes int) error {
	if len(key) != wantBytes {
		return fmt.Errorf("key of %d bytes, not %d: %w", len(key), wantBytes, engine.ErrKey)
	}
	return nil
}
