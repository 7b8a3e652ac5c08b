// Package cpu knows the features of the processor that engines ask for.
//
// A feature counts as present when the processor and the operating system
// have it, when everything it builds on is present, and when it was not
// switched off: by GELIBENCH_CPU=-vaes,-sha for this program, or by Go's own
// GODEBUG=cpu.aes=off. The set is fixed at the first question.
package cpu

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// Feature names an instruction set extension, in GELIBENCH_CPU's spelling.
type Feature string

// The features that engines use. AES and SHA mean the instructions of whatever
// architecture this is.
const (
	AES       Feature = "aes"
	SHA       Feature = "sha"
	PCLMULQDQ Feature = "pclmulqdq"
	SSSE3     Feature = "ssse3"
	SSE41     Feature = "sse41"
	AVX       Feature = "avx"
	AVX2      Feature = "avx2"
	BMI2      Feature = "bmi2"
	VAES      Feature = "vaes"
	// VPCLMULQDQ beyond 128 bits.
	VPCLMULQDQ Feature = "vpclmulqdq"
	AVX512F    Feature = "avx512f"
	AVX512BW   Feature = "avx512bw"
	AVX512DQ   Feature = "avx512dq"
	AVX512VL   Feature = "avx512vl"
	// PadLock is the Advanced Cryptography Engine of VIA and Zhaoxin. It is
	// named so that its owners learn that no engine uses it.
	PadLock Feature = "padlock"
)

// all is every feature with what it builds on. A row stands behind the rows
// that it builds on.
var all = []struct {
	name   Feature
	builds []Feature
}{
	{SSSE3, nil},
	{SSE41, []Feature{SSSE3}},
	{AES, nil},
	{PCLMULQDQ, nil},
	{SHA, nil},
	{AVX, []Feature{SSE41}},
	{AVX2, []Feature{AVX}},
	{BMI2, nil},
	{VAES, []Feature{AES, AVX2}},
	{VPCLMULQDQ, []Feature{PCLMULQDQ, AVX2}},
	{AVX512F, []Feature{AVX2}},
	{AVX512BW, []Feature{AVX512F}},
	{AVX512DQ, []Feature{AVX512F}},
	{AVX512VL, []Feature{AVX512F}},
	{PadLock, nil},
}

// EnvVar switches features off: a list of names, each with a minus before it.
const EnvVar = "GELIBENCH_CPU"

type state struct {
	have map[Feature]bool
	off  []Feature // by EnvVar
	err  error     // EnvVar could not be read
}

var current = sync.OnceValue(func() state {
	off, err := parse(os.Getenv(EnvVar))
	return state{have: resolve(detect(), off), off: off, err: err}
})

// parse reads EnvVar's syntax.
func parse(list string) (off []Feature, err error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	for _, item := range strings.Split(list, ",") {
		name, minus := strings.CutPrefix(strings.ToLower(strings.TrimSpace(item)), "-")
		known := slices.ContainsFunc(all, func(f struct {
			name   Feature
			builds []Feature
		}) bool {
			return f.name == Feature(name)
		})
		if !minus || !known {
			return nil, fmt.Errorf("%s=%q: %q is not a known feature with a minus before it (for example -vaes,-sha): %w", EnvVar, list, item, fs.ErrInvalid)
		}
		off = append(off, Feature(name))
	}
	return off, nil
}

// resolve takes away what is switched off and what builds on something absent.
func resolve(raw map[Feature]bool, off []Feature) map[Feature]bool {
	have := map[Feature]bool{}
	for _, f := range all {
		ok := raw[f.name] && !slices.Contains(off, f.name)
		for _, b := range f.builds {
			ok = ok && have[b]
		}
		have[f.name] = ok
	}
	return have
}

// Has reports whether every one of the features can be used.
func Has(features ...Feature) bool { return len(Missing(features...)) == 0 }

// Missing returns those of the features that cannot be used, in order.
func Missing(features ...Feature) []Feature {
	have := current().have
	var missing []Feature
	for _, f := range features {
		if !have[f] {
			missing = append(missing, f)
		}
	}
	return missing
}

// Present lists all features that can be used.
func Present() []Feature {
	var present []Feature
	for _, f := range all {
		if current().have[f.name] {
			present = append(present, f.name)
		}
	}
	return present
}

// SwitchedOff lists the features named in EnvVar.
func SwitchedOff() []Feature { return slices.Clone(current().off) }

// EnvError reports what is wrong with EnvVar, or nil. A wrong EnvVar switches
// nothing off; programs should refuse to go on.
func EnvError() error { return current().err }

// Join lists features for a sentence: "aes, avx2".
func Join(features []Feature) string {
	names := make([]string, len(features))
	for i, f := range features {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}
