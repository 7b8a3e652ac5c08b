package app

import (
	"fmt"
	"io/fs"

	"gelibench/geli/engine"
	"gelibench/geli/engines"
)

// EngineTable is the list of engines and hashers with its choices; a test can
// hand the verbs another one than package engines has.
type EngineTable struct {
	All     []engine.Engine
	Hashers []engine.Hasher
	// Oracle is what every engine's answers are compared with.
	Oracle engine.Engine
	// Choose is what --engine auto does, with its reason.
	Choose func(engine.Params) (e engine.Engine, reason string, err error)
	// ChooseHasher is the same for the IVs of runs of up to so many sectors.
	ChooseHasher func(runSectors int) engine.Hasher
}

func systemEngines() EngineTable {
	return EngineTable{engines.All(), engines.Hashers(), engines.Oracle(), engines.Auto, engines.AutoHasher}
}

// Lookup finds an engine by its name, usable here or not.
func (t EngineTable) Lookup(name string) (engine.Engine, error) {
	var names []string
	for _, e := range t.All {
		if e.Name() == name {
			return e, nil
		}
		names = append(names, e.Name())
	}
	if n := nearest(name, names); n != "" {
		return nil, fmt.Errorf("there is no engine %q; did you mean %s?: %w", name, n, fs.ErrInvalid)
	}
	return nil, fmt.Errorf("there is no engine %q: %w", name, fs.ErrInvalid)
}

// Auto satisfies plan.Table.
func (t EngineTable) Auto(p engine.Params) (engine.Engine, string, error) { return t.Choose(p) }

// LookupHasher finds a hasher by its name, usable here or not.
func (t EngineTable) LookupHasher(name string) (engine.Hasher, error) {
	for _, h := range t.Hashers {
		if h.Name() == name {
			return h, nil
		}
	}
	return nil, fmt.Errorf("there is no hasher %q: %w", name, fs.ErrInvalid)
}
