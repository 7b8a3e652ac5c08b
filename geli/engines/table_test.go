package engines

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/engine/enginetest"
)

// TestTable: names are unique and found again, and the last resort of each
// list runs everywhere.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if seen[e.Name()] {
			t.Errorf("two engines are called %s", e.Name())
		}
		seen[e.Name()] = true
		if found, err := Lookup(e.Name()); err != nil || found.Name() != e.Name() {
			t.Errorf("Lookup(%q) = %v, %v", e.Name(), found, err)
		}
		if e.Info().About == "" {
			t.Errorf("%s says nothing about itself", e.Name())
		}
	}
	for _, h := range Hashers() {
		if seen[h.Name()] {
			t.Errorf("two rows are called %s", h.Name())
		}
		seen[h.Name()] = true
	}
	if err := Oracle().Probe(); err != nil {
		t.Errorf("the oracle cannot run here: %v", err)
	}
	if _, err := Lookup("no-such"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an unknown name gives %v", err)
	}
}

// TestRequire: a name that enginetest.RequireVar demands and nobody has would
// be required of nobody.
func TestRequire(t *testing.T) {
	names := map[string]bool{}
	for _, e := range All() {
		names[e.Name()] = true
	}
	for _, h := range Hashers() {
		names["hasher-"+h.Name()] = true
	}
	for required := range strings.SplitSeq(os.Getenv(enginetest.RequireVar), ",") {
		if name := strings.TrimSpace(required); name != "" && !names[name] {
			t.Errorf("%s has %q, which is no engine and no hasher of this build: %s", enginetest.RequireVar, name, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
		}
	}
}

// TestAuto: whatever the CPU, every cipher of GELI has an engine that can run
// it here, with a reason.
func TestAuto(t *testing.T) {
	for _, a := range engine.Algs {
		p := engine.Params{Alg: a}.Default()
		e, reason, err := Auto(p)
		if err != nil || reason == "" {
			t.Errorf("Auto(%v) = %v, %q, %v", p, e, reason, err)
			continue
		}
		if e.Probe() != nil || e.Supports(p) != nil {
			t.Errorf("Auto(%v) takes %s, which cannot run it here", p, e.Name())
		}
	}
	if _, _, err := Auto(engine.Params{Alg: engine.AESXTS, KeyBits: 192}); err == nil {
		t.Error("there is an engine for a key length that XTS has not")
	}
}

// TestAutoHasher: one can always run.
func TestAutoHasher(t *testing.T) {
	for _, run := range []int{1, 2, 64, 256} {
		if h := AutoHasher(run); h == nil || h.Probe() != nil {
			t.Errorf("AutoHasher(%d) = %v", run, h)
		}
	}
}

// TestAutoMACHasher: it can run, and makes MACs if any that can run does.
func TestAutoMACHasher(t *testing.T) {
	chosen := AutoMACHasher()
	if err := chosen.Probe(); err != nil {
		t.Errorf("%s was taken for MACs: %v", chosen.Name(), err)
	}
	_, makes := chosen.(engine.Authenticator)
	for _, h := range Hashers() {
		if _, ok := h.(engine.Authenticator); ok && h.Probe() == nil && !makes {
			t.Errorf("%s makes MACs, but %s was taken", h.Name(), chosen.Name())
		}
	}
}

// TestFastestOf: the fastest that can run, and the earlier of two that are
// about the same.
func TestFastestOf(t *testing.T) {
	list := []engine.Hasher{madeUp{name: "a", ns: 100}, madeUp{name: "b", ns: 97}, madeUp{name: "c", ns: 1, absent: true}, madeUp{name: "d", ns: 150}}
	timeOf := func(h engine.Hasher) time.Duration { return time.Duration(h.(madeUp).ns) }
	if got := fastestOf(list, timeOf); got.Name() != "a" {
		t.Errorf("took %s, want a", got.Name())
	}
	list = append(list, madeUp{name: "e", ns: 80})
	if got := fastestOf(list, timeOf); got.Name() != "e" {
		t.Errorf("took %s, want e", got.Name())
	}
}

type madeUp struct {
	engine.Hasher
	name   string
	ns     int
	absent bool
}

func (m madeUp) Name() string { return m.name }
func (m madeUp) Probe() error {
	if m.absent {
		return engine.ErrUnavailable
	}
	return nil
}
