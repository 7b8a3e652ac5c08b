package lanes

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gelibench/geli/cpu"
)

// TestNeeds: the probe asks for every instruction set that the generator says
// its instructions need; AVX is part of AVX2 and of AVX-512, and SSE2 every
// amd64 has.
func TestNeeds(t *testing.T) {
	features := map[string]cpu.Feature{
		"AVX": "", "SSE2": "", "AVX2": cpu.AVX2,
		"AVX512F": cpu.AVX512F, "AVX512BW": cpu.AVX512BW, "AVX512DQ": cpu.AVX512DQ, "AVX512VL": cpu.AVX512VL,
	}
	requires := regexp.MustCompile(`(?m)^// Requires: (.*)$`)
	for name, h := range map[string]hasher{"kernels_avx512_amd64.s": avx512, "kernels_avx2_amd64.s": avx2} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := requires.FindAllStringSubmatch(string(text), -1)
		if len(found) == 0 {
			t.Errorf("%s says nothing of what it requires", name)
		}
		for _, line := range found {
			for _, isa := range strings.Split(line[1], ", ") {
				f, known := features[isa]
				if !known {
					t.Errorf("%s requires %s, which cpu does not know", name, isa)
				}
				if f != "" && !slices.Contains(h.info.Needs, f) {
					t.Errorf("%s requires %s, which the probe of %s does not ask for", name, f, h.name)
				}
			}
		}
	}
}

// TestNoAVX512: sha256-avx2 stays within VEX. The assembler would encode a
// higher register without a word.
func TestNoAVX512(t *testing.T) {
	beyond := regexp.MustCompile(`\bZ\d+\b|\bK[0-7]\b|\b[XY](1[6-9]|2\d|3[01])\b|\bVMOVDQ[AU](8|16|32|64)\b|\bVPTERNLOG|\bVPRO[LR]`)
	text, err := os.ReadFile("kernels_avx2_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "//") && beyond.MatchString(line) {
			t.Errorf("line %d: %s", i+1, strings.TrimSpace(line))
		}
	}
}
