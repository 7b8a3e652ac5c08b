package cpu

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for list, want := range map[string][]Feature{
		"":               nil,
		"-vaes":          {VAES},
		" -VAES , -sha ": {VAES, SHA},
		"-aes,-aes":      {AES, AES},
	} {
		got, err := parse(list)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("parse(%q) = %v, %v; want %v", list, got, err, want)
		}
	}
	for _, list := range []string{"vaes", "+aes", "-sse9", "-vaes,", "-"} {
		if got, err := parse(list); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("parse(%q) = %v, %v; want an error", list, got, err)
		}
	}
}

// TestResolve: what builds on an absent feature is absent as well.
func TestResolve(t *testing.T) {
	everything := map[Feature]bool{}
	for _, f := range all {
		everything[f.name] = true
	}
	for _, c := range []struct {
		off         Feature
		gone, stays []Feature
	}{
		{AES, []Feature{AES, VAES}, []Feature{AVX512F, SHA, PCLMULQDQ}},
		{AVX2, []Feature{AVX2, VAES, VPCLMULQDQ, AVX512F, AVX512BW, AVX512VL, AVX512DQ}, []Feature{AES, AVX}},
		{AVX512F, []Feature{AVX512F, AVX512BW, AVX512DQ, AVX512VL}, []Feature{VAES, VPCLMULQDQ, AVX2}},
		{SSSE3, []Feature{SSE41, AVX, AVX2, VAES}, []Feature{AES, SHA}},
	} {
		have := resolve(everything, []Feature{c.off})
		for _, f := range c.gone {
			if have[f] {
				t.Errorf("without %s there is still %s", c.off, f)
			}
		}
		for _, f := range c.stays {
			if !have[f] {
				t.Errorf("without %s there is no %s", c.off, f)
			}
		}
	}
	if have := resolve(nil, nil); have[AES] {
		t.Error("a processor with nothing has AES")
	}
}

// TestOrder: resolve takes all in one pass, so a row must follow its bases.
func TestOrder(t *testing.T) {
	seen := map[Feature]bool{}
	for _, f := range all {
		for _, b := range f.builds {
			if !seen[b] {
				t.Errorf("%s stands before %s, which it builds on", f.name, b)
			}
		}
		seen[f.name] = true
	}
}
