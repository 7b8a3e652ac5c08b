// Package enginetest holds the tests that every engine and every hasher passes.
// An engine's own test file needs three lines:
//
//	package soft_test // outside the package: enginetest imports soft
//
//	func TestConformance(t *testing.T) { enginetest.Run(t, soft.New()) }
//
// What a test expects comes from the engine soft (for soft itself, from the
// standard library's block ciphers under textbook modes) and from constants.
// Every run is made between guard bytes, and source and IVs are compared
// afterwards. Each property is gone through in full by itself; combinations
// are drawn from a seed, which a failure names and the environment variable
// GELIBENCH_SEED sets. With -short, and under the race detector, far fewer bytes
// are moved, so that emulators and 5 MB/s processors get through.
package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/internal/racetouch"
)

// RequireVar names engines and hashers, separated by commas, that must be
// usable: where one is not, its tests fail instead of being skipped.
const RequireVar = "GELIBENCH_REQUIRE"

// All is the conformance of an engine by name of test. Each test goes through
// every cipher that the engine supports.
var All = map[string]func(testing.TB, engine.Engine){
	"accumulator":        testAccumulator,
	"allocations":        testAllocations,
	"closed session":     testClosed,
	"every misalignment": testMisalignment,
	"every run length":   testRunLengths,
	"every unit":         testUnits,
	"geometry refused":   testGeometry,
	"information":        testInformation,
	"key change":         testKeyChange,
	"keys refused":       testKeys,
	"known answers":      testKnownAnswers,
	"overlap":            testOverlap,
	"page end":           testPageEnd,
	"parallel sessions":  testParallel,
	"random runs":        testRandomRuns,
	"runs of one":        testRunsOfOne,
	"strides":            testStrides,
	"support":            testSupport,
	"tweaks":             testTweaks,
}

// Run runs All against e as subtests, or skips (fails, if RequireVar names e)
// where e cannot run.
func Run(t *testing.T, e engine.Engine) {
	Usable(t, e)
	for _, name := range slices.Sorted(maps.Keys(All)) {
		t.Run(name, func(t *testing.T) { All[name](t, e) })
	}
}

// Usable skips the test with the engine's own reason where the engine cannot
// run here, and fails it if RequireVar names the engine.
func Usable(t testing.TB, e engine.Engine) {
	t.Helper()
	if err := e.Probe(); err != nil {
		refuses(t, e, err)
		unusable(t, e.Name(), err)
	}
}

// refuses checks that an engine that cannot run says so everywhere.
func refuses(t testing.TB, e engine.Engine, probe error) {
	t.Helper()
	if !errors.Is(probe, engine.ErrUnavailable) {
		t.Errorf("engine %s: Probe: %v: does not wrap ErrUnavailable", e.Name(), probe)
	}
	for _, p := range everyParams() {
		if s, err := e.NewSession(p); err == nil {
			s.Close()
			t.Errorf("engine %s: NewSession(%v) works though Probe says %v", e.Name(), p, probe)
		}
	}
}

// unusable ends the test as RequireVar says.
func unusable(t testing.TB, name string, probe error) {
	t.Helper()
	for required := range strings.SplitSeq(os.Getenv(RequireVar), ",") {
		if strings.TrimSpace(required) == name {
			t.Fatalf("%s is required by %s and cannot run: %v", name, RequireVar, probe)
		}
	}
	t.Skipf("%s cannot run here: %v", name, probe)
}

// everyParams is every cipher with the key lengths worth a test of their own:
// all of them, but for Blowfish and null the ends.
func everyParams() []engine.Params {
	return []engine.Params{
		{Alg: engine.AESXTS, KeyBits: 128}, {Alg: engine.AESXTS, KeyBits: 256},
		{Alg: engine.AESCBC, KeyBits: 128}, {Alg: engine.AESCBC, KeyBits: 192}, {Alg: engine.AESCBC, KeyBits: 256},
		{Alg: engine.CamelliaCBC, KeyBits: 128}, {Alg: engine.CamelliaCBC, KeyBits: 192}, {Alg: engine.CamelliaCBC, KeyBits: 256},
		{Alg: engine.BlowfishCBC, KeyBits: 128}, {Alg: engine.BlowfishCBC, KeyBits: 448},
		{Alg: engine.TripleDESCBC, KeyBits: 192},
		{Alg: engine.Null, KeyBits: 1}, {Alg: engine.Null, KeyBits: 512},
	}
}

// supported is everyParams less what e does not have.
func supported(t testing.TB, e engine.Engine) []engine.Params {
	t.Helper()
	have := slices.DeleteFunc(everyParams(), func(p engine.Params) bool { return e.Supports(p) != nil })
	if len(have) == 0 {
		t.Fatalf("engine %s supports no cipher", e.Name())
	}
	return have
}

// isAES says whose engines are many and wide, and so get the full effort; the
// other ciphers exist once, one block at a time, and are slow.
func isAES(p engine.Params) bool { return p.Alg == engine.AESXTS || p.Alg == engine.AESCBC }

// short says to move few bytes.
func short() bool { return testing.Short() || racetouch.Enabled || alwaysShort }

// alwaysShort is set by the tests of this package, which run a great many.
var alwaysShort bool

func describe(e engine.Engine, p engine.Params) string {
	return fmt.Sprintf("engine %s, %v", e.Name(), p)
}
