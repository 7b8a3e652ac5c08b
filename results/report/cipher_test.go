package report

import (
	"strings"
	"testing"
)

// No cipher has the key lengths that follow: both halves of an XTS key count
// as one, a length that no key has is not believed, and the figure of a name
// that no tool prints has its name only.
func TestKeyLength(t *testing.T) {
	const botan = " encrypt buffer size 4096 bytes: 2000.000 MiB/sec 1.20 cycles/byte (6000.00 MiB in 3000.00 ms)\n"
	for _, tc := range []struct {
		text    string
		bits    int // 0: unknown
		repair  bool
		warning string
	}{
		{"AES-256/XTS" + botan, 256, false, ""},
		{"AES-512/XTS" + botan, 256, true, ""},
		{"AES-384/XTS" + botan, 192, true, ""},
		{"Serpent-512/XTS" + botan, 256, true, ""},
		{"Threefish-512/XTS" + botan, 512, false, ""},
		{"AES-512/SIV" + botan, 512, false, ""},
		{"Serpent-640/XTS" + botan, 0, false, "no key of Serpent has 640 bits"},
		{"AES-512/CBC" + botan, 0, false, "no key of AES has 512 bits"},
	} {
		rep, err := Read(strings.NewReader(tc.text), "keys")
		if err != nil || len(rep.Results) == 0 {
			t.Errorf("%q: %d results, %v", tc.text, len(rep.Results), err)
			continue
		}
		for _, r := range rep.Results {
			if r.KeyBits != tc.bits || r.Has(HalfKey) != tc.repair {
				t.Errorf("%q: key of %d bits, repairs %v", tc.text, r.KeyBits, r.Repairs)
			}
		}
		if said := len(rep.Warnings) > 0; said != (tc.warning != "") || said && !strings.Contains(rep.Warnings[0].Text, tc.warning) {
			t.Errorf("%q: warnings %v", tc.text, rep.Warnings)
		}
	}
	rep, err := Read(strings.NewReader("AES-258/XTS"+botan), "keys")
	if err != nil || len(rep.Results) != 1 || rep.Results[0].Cipher != "" || rep.Results[0].KeyBits != 0 {
		t.Errorf("AES-258 is a cipher: %+v, %v", rep.Results, err)
	}
}

// A benchmark of gelibench that a mail has damaged has no such key either.
func TestBenchmarkKeyLength(t *testing.T) {
	const text = "He wrote:\n> # tool: gelibench\n> BenchmarkGELI/cipher=aes/mode=xts/key=328/sector=4096/op=read 78 131258 ns/op 7988.5 MB/s\n"
	rep, err := Read(strings.NewReader(text), "keys")
	if err != nil || len(rep.Results) != 1 || rep.Results[0].KeyBits != 0 {
		t.Fatalf("%+v, %v", rep.Results, err)
	}
	if len(rep.Warnings) != 1 || !strings.Contains(rep.Warnings[0].Text, "no key of AES has 328 bits") {
		t.Errorf("warnings %v", rep.Warnings)
	}
}
