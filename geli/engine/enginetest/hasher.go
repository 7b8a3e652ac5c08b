package enginetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/internal/racetouch"
)

// AllHasher is the conformance of a hasher by name of test.
var AllHasher = map[string]func(testing.TB, engine.Hasher){
	"allocations":        testHasherAllocations,
	"every count":        testCounts,
	"every misalignment": testHasherMisalignment,
	"information":        testHasherInformation,
	"known answers":      testHasherKnownAnswers,
	"offsets and steps":  testOffsets,
	"parallel calls":     testHasherParallel,
}

// RunHasher runs AllHasher against h as subtests, and AllAuthenticator if h is
// one, or skips (fails, if RequireVar names h) where h cannot run.
func RunHasher(t *testing.T, h engine.Hasher) {
	UsableHasher(t, h)
	for _, name := range slices.Sorted(maps.Keys(AllHasher)) {
		t.Run(name, func(t *testing.T) { AllHasher[name](t, h) })
	}
	if _, ok := h.(engine.Authenticator); !ok {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(AllAuthenticator)) {
		t.Run(name, func(t *testing.T) { AllAuthenticator[name](t, h) })
	}
}

// UsableHasher is Usable for a hasher. In RequireVar its name has the word
// "hasher-" before it, since engines may have the same names.
func UsableHasher(t testing.TB, h engine.Hasher) {
	t.Helper()
	if err := h.Probe(); err != nil {
		unusable(t, "hasher-"+h.Name(), err)
	}
}

// question is one call of IVs with what it should give.
type question struct {
	prefix    [64]byte
	off, step uint64
	n         int
}

// checkIVs asks h, with guard bytes around IVs that start ivOff bytes past a
// cache line, and compares with crypto/sha256.
func checkIVs(t testing.TB, h engine.Hasher, q question, ivOff int) {
	t.Helper()
	var a, was arena
	ivs, whole := a.lay(ivOff, q.n*engine.IVBytes)
	want, wantWhole := was.lay(ivOff, q.n*engine.IVBytes)
	message := append(bytes.Clone(q.prefix[:]), make([]byte, 8)...)
	for i := range q.n {
		binary.LittleEndian.PutUint64(message[64:], q.off+uint64(i)*q.step)
		sum := sha256.Sum256(message)
		copy(want[i*engine.IVBytes:(i+1)*engine.IVBytes], sum[:])
	}
	state := stateAfter(q.prefix)
	h.IVs(ivs, &state, q.off, q.step)
	if state != stateAfter(q.prefix) {
		t.Fatalf("hasher %s changed the state it was given", h.Name())
	}
	for i := range whole {
		if whole[i] != wantWhole[i] {
			at := i - guardBytes - ivOff
			t.Fatalf("hasher %s, %d IVs from offset %#x in steps of %#x, %d bytes past a cache line: byte %d (of IV %d) is %#02x, not %#02x", h.Name(), q.n, q.off, q.step, ivOff, at, floorDiv(at, engine.IVBytes), whole[i], wantWhole[i])
		}
	}
}

// stateAfter is the chaining value after the prefix, from the form in which
// crypto/sha256 saves itself: 4 bytes of magic, then the state.
func stateAfter(prefix [64]byte) (state [8]uint32) {
	h := sha256.New()
	h.Write(prefix[:])
	saved, err := h.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("crypto/sha256 does not save its state: %v", err))
	}
	for i := range state {
		state[i] = binary.BigEndian.Uint32(saved[4+4*i:])
	}
	return state
}

// aQuestion has a random key, from a seed that is logged for a failure.
func aQuestion(t testing.TB, h engine.Hasher, purpose string) (question, *stream) {
	t.Helper()
	seed := seedOf(t)
	t.Logf("%s=%#x repeats this", SeedVar, seed)
	draw := newStream(seed, purpose+h.Name())
	q := question{step: 4096, n: h.Lanes() + 1}
	draw.fill(q.prefix[:])
	return q, draw
}

func testHasherInformation(t testing.TB, h engine.Hasher) {
	t.Helper()
	checkInfo(t, h.Name(), h.Info(), h.Probe())
	if h.Lanes() < 1 {
		t.Errorf("hasher %s has %d lanes", h.Name(), h.Lanes())
	}
	if h.Info().Allocates {
		t.Errorf("hasher %s allocates, which a hasher must not", h.Name())
	}
}

func testHasherKnownAnswers(t testing.TB, h engine.Hasher) {
	t.Helper()
	if err := engine.SelfTestHasher(h); err != nil {
		t.Fatal(err)
	}
}

// testCounts asks for 0 to 70 IVs, and for twice the lanes if that is more.
func testCounts(t testing.TB, h engine.Hasher) {
	t.Helper()
	q, draw := aQuestion(t, h, "counts")
	for n := range max(71, 2*h.Lanes()+2) {
		q.n, q.off = n, draw.Uint64()
		checkIVs(t, h, q, 0)
	}
}

// testOffsets crosses every carry of a 64-bit offset, and its end.
func testOffsets(t testing.TB, h engine.Hasher) {
	t.Helper()
	q, draw := aQuestion(t, h, "offsets")
	q.n = h.Lanes() + 3
	for _, step := range []uint64{512, 4096, 0, 1, 1 << 32, 1<<63 + 512, draw.Uint64(), 1<<64 - 512} {
		for _, about := range []uint64{0, 1 << 32, 1 << 40, 1 << 60, 1 << 63} {
			for back := range uint64(4) {
				q.step, q.off = step, about-back*step
				checkIVs(t, h, q, 0)
			}
		}
	}
}

func testHasherMisalignment(t testing.TB, h engine.Hasher) {
	t.Helper()
	q, _ := aQuestion(t, h, "misalignment")
	for off := range 64 {
		checkIVs(t, h, q, off)
	}
}

func testHasherParallel(t testing.TB, h engine.Hasher) {
	t.Helper()
	_, draw := aQuestion(t, h, "parallel")
	const workers = 4
	wrong := make([]bool, workers)
	var wg sync.WaitGroup
	for w := range workers {
		var prefix [64]byte
		draw.fill(prefix[:])
		state, n := stateAfter(prefix), h.Lanes()+w
		alone := make([]byte, n*engine.IVBytes)
		h.IVs(alone, &state, 512, 512)
		wg.Go(func() {
			ivs := make([]byte, n*engine.IVBytes)
			for range 200 {
				h.IVs(ivs, &state, 512, 512)
				wrong[w] = wrong[w] || !bytes.Equal(ivs, alone)
			}
		})
	}
	wg.Wait()
	if slices.Contains(wrong, true) {
		t.Fatalf("hasher %s gives other IVs beside other calls", h.Name())
	}
}

func testHasherAllocations(t testing.TB, h engine.Hasher) {
	t.Helper()
	if racetouch.Enabled {
		t.Skip("the race detector empties pools at random")
	}
	q, _ := aQuestion(t, h, "allocations")
	state := stateAfter(q.prefix)
	for _, n := range []int{1, 37} {
		ivs := make([]byte, n*engine.IVBytes)
		if perCall := testing.AllocsPerRun(100, func() { h.IVs(ivs, &state, 512, 512) }); perCall != 0 {
			t.Fatalf("hasher %s: %v allocations for %d IVs", h.Name(), perCall, n)
		}
	}
}
