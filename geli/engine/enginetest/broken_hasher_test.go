package enginetest

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/hasher/std"
)

// brokenHasher is std with something wrong.
type brokenHasher struct {
	engine.Hasher
	info  func(engine.Info) engine.Info
	lanes int
	ivs   func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64)
}

func (h brokenHasher) Name() string { return "broken" }

func (h brokenHasher) Lanes() int { return h.lanes }

func (h brokenHasher) Info() engine.Info {
	if h.info != nil {
		return h.info(h.Hasher.Info())
	}
	return h.Hasher.Info()
}

func (h brokenHasher) IVs(ivs []byte, state *[8]uint32, off, step uint64) {
	if h.ivs != nil {
		h.ivs(h.Hasher, ivs, state, off, step)
		return
	}
	h.Hasher.IVs(ivs, state, off, step)
}

var hasherAilments = []struct {
	what, test string
	hasher     brokenHasher
}{
	{"is wrong in the last of 17", "every count", brokenHasher{ivs: func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64) {
		h.IVs(ivs, state, off, step)
		if sectors(ivs) == 17 {
			ivs[len(ivs)-1] ^= 1
		}
	}}},
	{"writes behind its end", "every count", brokenHasher{ivs: func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64) {
		h.IVs(ivs, state, off, step)
		*beyond(ivs, len(ivs)) = 0
	}}},
	{"adds in 32 bits", "offsets and steps", brokenHasher{ivs: func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64) {
		for i := range sectors(ivs) {
			at := off&^0xffffffff | uint64(uint32(off)+uint32(i)*uint32(step))
			h.IVs(ivs[16*i:16*i+16], state, at, step)
		}
	}}},
	{"is wrong for one place in a cache line", "every misalignment", brokenHasher{ivs: func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64) {
		h.IVs(ivs, state, off, step)
		if len(ivs) > 0 && uintptr(unsafe.Pointer(&ivs[0]))%64 == 33 {
			ivs[0] ^= 1
		}
	}}},
	{"allocates", "allocations", brokenHasher{ivs: func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64) {
		sink = make([]byte, 100)
		h.IVs(ivs, state, off, step)
	}}},
	{"leaves its state changed", "known answers", brokenHasher{ivs: func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64) {
		h.IVs(ivs, state, off, step)
		state[0]++
	}}},
	{"has no lanes", "information", brokenHasher{lanes: -1}},
	{"says that it allocates", "information", brokenHasher{info: func(i engine.Info) engine.Info { i.Allocates = true; return i }}},
	{"has one state for all calls", "parallel calls", sharedState()},
}

// sharedState gives a hasher whose calls take each other's state, as they would
// from a variable of the package.
func sharedState() brokenHasher {
	var mu sync.Mutex
	var shared *[8]uint32
	return brokenHasher{ivs: func(h engine.Hasher, ivs []byte, state *[8]uint32, off, step uint64) {
		mu.Lock()
		defer mu.Unlock()
		if shared == nil {
			kept := *state
			shared = &kept
		}
		own := *shared
		shared = nil
		if len(ivs)%32 == 0 {
			kept := *state
			shared = &kept
		}
		h.IVs(ivs, &own, off, step)
	}}
}

// TestHasherAilments is TestAilments for hashers.
func TestHasherAilments(t *testing.T) {
	covered := map[string]bool{}
	for _, a := range hasherAilments {
		covered[a.test] = true
		a.hasher.Hasher = std.New()
		a.hasher.lanes++
		t.Run(a.what, func(t *testing.T) {
			switch got := record(t, func(t testing.TB) { AllHasher[a.test](t, a.hasher) }); {
			case got.skipped:
				t.Skipf("%q skips here: %s", a.test, got.said)
			case !got.failed:
				t.Errorf("a hasher that %s passes %q", a.what, a.test)
			default:
				t.Logf("%s", got.said)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(AllHasher)) {
		if !covered[name] {
			t.Errorf("nothing shows that %q can fail", name)
		}
		healthy := brokenHasher{Hasher: std.New(), lanes: 1}
		if got := record(t, func(t testing.TB) { AllHasher[name](t, healthy) }); got.failed {
			t.Errorf("%q fails for a hasher without a fault: %s", name, got.said)
		}
	}
}
