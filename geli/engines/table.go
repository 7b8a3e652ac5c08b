// Package engines is the one list of cipher engines and hashers, with the
// same rows in the same order on every platform, and the choice among them.
package engines

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/geli/engine/aesni"
	"gelibench/geli/engine/armv8"
	"gelibench/geli/engine/null"
	"gelibench/geli/engine/soft"
	"gelibench/geli/engine/vaes"
	"gelibench/geli/engine/xcrypto"
)

// row is an engine and when auto may take it.
type row struct {
	engine engine.Engine
	reason string      // why auto takes it
	auto   func() bool // whether it may
}

func always() bool { return true }

// table is in auto's order: the first row that can run, has the cipher and may
// be taken.
var table = []row{
	{vaes.NewAVX512(), "the widest AES instructions this CPU has", always},
	{vaes.NewAVX2(), "the widest AES instructions this CPU has", always},
	{aesni.New(), "this CPU has AES instructions", always},
	{armv8.New(), "this CPU has AES instructions", always},
	{xcrypto.New(), "the standard library uses this CPU's AES instructions, no engine of our own does", standardLibraryAES},
	{null.New(), "the null cipher needs no other", always},
	{soft.New(), "no engine for this cipher uses AES instructions here", always},
}

// standardLibraryAES reports whether crypto/aes uses instructions on an
// architecture for which there is no row above it.
func standardLibraryAES() bool { return runtime.GOARCH == "s390x" && cpu.Has(cpu.AES) }

// All lists the engines.
func All() []engine.Engine {
	list := make([]engine.Engine, len(table))
	for i, r := range table {
		list[i] = r.engine
	}
	return list
}

// Oracle is the engine that every other is compared with.
func Oracle() engine.Engine { return soft.New() }

// Lookup finds an engine by its name, usable here or not.
func Lookup(name string) (engine.Engine, error) {
	for _, r := range table {
		if r.engine.Name() == name {
			return r.engine, nil
		}
	}
	return nil, fmt.Errorf("unknown engine %q (the command engines lists them): %w", name, fs.ErrInvalid)
}

// Auto chooses the engine for a cipher and says why.
func Auto(p engine.Params) (engine.Engine, string, error) {
	var reasons []error
	for _, r := range table {
		err := r.engine.Probe()
		if err == nil {
			err = r.engine.Supports(p)
		}
		if err != nil {
			reasons = append(reasons, fmt.Errorf("%s: %w", r.engine.Name(), err))
			continue
		}
		if r.auto() {
			return r.engine, r.reason, nil
		}
	}
	return nil, "", fmt.Errorf("no engine for %v: %w", p, errors.Join(reasons...))
}
