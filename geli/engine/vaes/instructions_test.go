package vaes

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gelibench/geli/cpu"
)

// generated reads the assembly files that a kernel set of one engine is in:
// its own and those that both use.
func generated(t *testing.T, own string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"*_" + own + "_amd64.s", "schedule_amd64.s", "cbcfew_amd64.s"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(text)
		}
	}
	return files
}

// TestNeeds: the probe asks for every instruction set that the generator says
// its instructions need. CMOV, PREFETCHT0 ("MMX+") and SSE2 every amd64 has.
func TestNeeds(t *testing.T) {
	features := map[string]cpu.Feature{
		"AES": cpu.AES, "AVX": cpu.AVX, "AVX2": cpu.AVX2, "BMI2": cpu.BMI2, "VAES": cpu.VAES, "VPCLMULQDQ": cpu.VPCLMULQDQ,
		"AVX512F": cpu.AVX512F, "AVX512BW": cpu.AVX512BW, "AVX512DQ": cpu.AVX512DQ, "AVX512VL": cpu.AVX512VL,
		"CMOV": "", "MMX+": "", "SSE2": "",
	}
	implied := map[cpu.Feature]cpu.Feature{cpu.AVX: cpu.AVX2}
	requires := regexp.MustCompile(`(?m)^// Requires: (.*)$`)
	for own, e := range map[string]vaes{"avx512": avx512, "avx2": avx2} {
		for name, text := range generated(t, own) {
			found := requires.FindAllStringSubmatch(text, -1)
			if len(found) == 0 {
				t.Errorf("%s says nothing of what it requires", name)
			}
			for _, line := range found {
				for _, isa := range strings.Split(line[1], ", ") {
					f, known := features[isa]
					if !known {
						t.Errorf("%s requires %s, which cpu does not know", name, isa)
					}
					if f != "" && !slices.Contains(e.info.Needs, f) && !slices.Contains(e.info.Needs, implied[f]) {
						t.Errorf("%s requires %s, which the probe of %s does not ask for", name, f, e.name)
					}
				}
			}
		}
	}
}

// TestNoAVX512: vaes-avx2 stays within VEX, where registers end at 15 and there
// are no masks. The assembler would encode a higher register without a word.
func TestNoAVX512(t *testing.T) {
	beyond := regexp.MustCompile(`\bZ\d+\b|\bK[0-7]\b|\b[XY](1[6-9]|2\d|3[01])\b|\bVMOVDQ[AU](8|16|32|64)\b|\bVPXOR[DQ]\b|\bVPTERNLOG|\bVPRO[LR]`)
	for name, text := range generated(t, "avx2") {
		for i, line := range strings.Split(text, "\n") {
			if !strings.HasPrefix(line, "//") && beyond.MatchString(line) {
				t.Errorf("%s:%d: %s", name, i+1, strings.TrimSpace(line))
			}
		}
	}
	if !beyond.MatchString(generated(t, "avx512")["xts_avx512_amd64.s"]) {
		t.Error("the pattern does not find AVX-512 where there is some")
	}
}
