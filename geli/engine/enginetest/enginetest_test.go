package enginetest

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engine/soft"
	"gelibench/geli/internal/racetouch"
)

// TestReference: the oracle's own oracle passes everything.
func TestReference(t *testing.T) {
	alwaysShort = true
	defer func() { alwaysShort = false }()
	Run(t, reference{})
}

// TestOracles: nobody is compared with themselves where there is another.
func TestOracles(t *testing.T) {
	for _, p := range everyParams() {
		if got := oracleFor(soft.New(), p).Name(); got != "reference" && p.Alg != engine.CamelliaCBC {
			t.Errorf("soft is compared with %s for %v", got, p)
		}
		if got := oracleFor(broken{}, p).Name(); got != "soft" {
			t.Errorf("broken is compared with %s for %v", got, p)
		}
	}
}

// absent is an engine that cannot run here.
type absent struct {
	broken
	probe error
}

func (a absent) Probe() error { return a.probe }

func (a absent) NewSession(p engine.Params) (engine.Session, error) {
	if a.session != nil {
		return a.broken.NewSession(p)
	}
	return nil, a.probe
}

func TestUsable(t *testing.T) {
	honest := absent{probe: fmt.Errorf("no vaes: %w", engine.ErrUnavailable)}
	works := honest
	works.session = func(_ engine.Params, s engine.Session) engine.Session { return s }
	for _, c := range []struct {
		what, require   string
		engine          engine.Engine
		failed, skipped bool
	}{
		{"usable", "", broken{}, false, false},
		{"usable and required", "broken", broken{}, false, false},
		{"absent", "", honest, false, true},
		{"another is required", "aesni,soft", honest, false, true},
		{"absent and required", "aesni, broken", honest, true, false},
		{"absent by an error of its own", "", absent{probe: fmt.Errorf("no")}, true, true},
		{"absent, and works", "", works, true, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Setenv(RequireVar, c.require)
			got := record(t, func(t testing.TB) { Usable(t, c.engine) })
			if got.failed != c.failed || got.skipped != c.skipped {
				t.Errorf("failed %v, skipped %v (%s); want %v, %v", got.failed, got.skipped, got.said, c.failed, c.skipped)
			}
		})
	}
}

// shortBytes bounds what the whole conformance moves through an engine under
// -short: ten seconds at 5 MB/s, and the oracle's share beside it.
const shortBytes = 50e6

// TestShort counts the bytes of a short run for the two ciphers that an
// accelerated engine has, in all their key lengths.
func TestShort(t *testing.T) {
	if racetouch.Enabled {
		t.Skip("the same bytes are counted without the race detector")
	}
	alwaysShort = true
	defer func() { alwaysShort = false }()
	var moved atomic.Int64
	counting := around(nil, func(_, _, ivs []byte, g engine.Geometry) { moved.Add(int64(sectors(ivs) * g.Unit)) })
	counting.support = func(p engine.Params) error {
		if !isAES(p) {
			return fmt.Errorf("not counted: %w", engine.ErrUnavailable)
		}
		return p.Check()
	}
	for _, name := range slices.Sorted(maps.Keys(All)) {
		before := moved.Load()
		if name == "support" { // counting is loose about what it refuses
			continue
		}
		if got := record(t, func(t testing.TB) { All[name](t, counting) }); got.failed {
			t.Errorf("%s: %s", name, got.said)
		}
		t.Logf("%-20s %9d bytes", name, moved.Load()-before)
	}
	if n := moved.Load(); n > shortBytes {
		t.Errorf("a short run moves %d bytes, more than %.0f", n, float64(shortBytes))
	} else {
		t.Logf("%-20s %9d bytes", "all", n)
	}
}
