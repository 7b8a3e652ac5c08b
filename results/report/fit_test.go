package report

import (
	"math"
	"strings"
	"testing"
)

// twoRuns is a mail in the shape of one that asked why aesni(4) made openssl
// slower: the same command before and after kldload, 0.04 µs and 3.4 µs a call.
const twoRuns = `# openssl speed -evp aes-256-cbc -elapsed
You have chosen to measure elapsed time instead of user CPU time.
OpenSSL 1.0.1e-freebsd 11 Feb 2013
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes
aes-256-cbc     170000.00k   250000.00k   285000.00k   295000.00k   299000.00k
# kldload aesni
# openssl speed -evp aes-256-cbc -elapsed
You have chosen to measure elapsed time instead of user CPU time.
OpenSSL 1.0.1e-freebsd 11 Feb 2013
The 'numbers' are in 1000s of bytes per second processed.
type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes
aes-256-cbc       4670.00k    18300.00k    67200.00k   201000.00k   520000.00k
`

func TestFitResults(t *testing.T) {
	rep, err := Read(strings.NewReader(twoRuns), "mail")
	if err != nil {
		t.Fatal(err)
	}
	fits := FitResults(rep.Results)
	if len(fits) != 2 {
		t.Fatalf("%d fits, want 2", len(fits))
	}
	if got := fits[1].Line.FixedNS.Value; math.Abs(got-3400) > 100 {
		t.Errorf("fixed cost with aesni loaded: %.0f ns, want about 3400", got)
	}
	if got := fits[0].Line.BytesPerSecond.Value; math.Abs(got-300e6) > 5e6 {
		t.Errorf("asymptotic rate without: %.0f B/s, want about 300 MB/s", got)
	}
	if fits[1].Results[0].State != "kldload aesni" {
		t.Errorf("state %q", fits[1].Results[0].State)
	}
	cross := Crossings(fits)
	if len(cross) != 1 {
		t.Fatalf("%d crossings, want 1", len(cross))
	}
	if c := cross[0]; c.Small != 0 || c.Large != 1 || c.Beyond || c.Bytes < 1024 || c.Bytes > 8192 {
		t.Errorf("crossing %+v; the second is slower at 1024 bytes and faster at 8192", c)
	}
}

// A crossing that no measured size shows is told from the lines, and said to be.
func TestCrossingsBeyond(t *testing.T) {
	series := func(name string, fixedNS, perByte float64) []Result {
		var out []Result
		for _, size := range sizes5 {
			ns := fixedNS + perByte*float64(size)
			out = append(out, Result{Kind: Cipher, Tool: "openssl speed", Name: "aes-256-cbc", Cipher: "AES", Mode: "CBC", KeyBits: 256, Direction: Encrypt,
				BlockBytes: size, Engine: name, BytesPerSecond: float64(size) / ns * 1e9})
		}
		return out
	}
	fits := FitResults(append(series("soft", 40, 4), series("offload", 80_000, 1)...))
	cross := Crossings(fits)
	if len(cross) != 1 || !cross[0].Beyond || math.Abs(cross[0].Bytes-79_960/3.0) > 1 {
		t.Errorf("crossings %+v, want one at %.0f bytes, beyond what was measured", cross, 79_960/3.0)
	}
	fits = FitResults(append(series("fast", 40, 1), series("slow", 80, 2)...))
	if cross := Crossings(fits); len(cross) != 0 {
		t.Errorf("crossings %+v of series that never cross", cross)
	}
}
