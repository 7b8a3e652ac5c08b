package units

import (
	"errors"
	"io/fs"
	"math"
	"testing"
	"time"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 512: "512 B", 1000: "1000 B", 1024: "1 KiB", 1536: "1536 B",
		4096: "4 KiB", 128 << 10: "128 KiB", 1 << 20: "1 MiB", 3 << 19: "1536 KiB",
		1 << 30: "1 GiB", 1 << 60: "1 EiB", 4 << 60: "4 EiB", math.MaxInt64: "9223372036854775807 B", -2048: "-2 KiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0 B/s", 0.5: "0.500 B/s", 12: "12 B/s", 999.4: "999 B/s", 999.6: "1.00 kB/s", 1000: "1 kB/s",
		5.12e6: "5.12 MB/s", 31.94e6: "31.9 MB/s", 550e6: "550 MB/s", 999.9e6: "1.00 GB/s",
		1.3812e9: "1.38 GB/s", 25.9e9: "25.9 GB/s", 99.96e9: "100 GB/s", 1e12: "1 TB/s", 1e30: "1000000000000 EB/s",
		math.Inf(1): "+Inf B/s",
	} {
		if got := Rate(v); got != want {
			t.Errorf("Rate(%v) = %q, want %q", v, got, want)
		}
	}
	if got := Rate(math.NaN()); got != "NaN B/s" {
		t.Errorf("Rate(NaN) = %q", got)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 812: "812 ns", 1000: "1 µs", 1234: "1.23 µs", 45600 * time.Microsecond: "45.6 ms",
		100 * time.Millisecond: "100 ms", 1500 * time.Millisecond: "1.50 s", 90 * time.Second: "90 s",
		1234567 * time.Millisecond: "1235 s", -1500: "-1.50 µs", 999_700: "1.00 ms",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestDecimals(t *testing.T) {
	for _, test := range []struct {
		v    float64
		n    int
		want int
	}{
		{0, 3, 0}, {25900, 3, 0}, {380, 3, 0}, {99.94, 3, 1}, {99.96, 3, 0}, {5.12, 3, 2}, {0.0386, 3, 4}, {9.999, 3, 1}, {1, 4, 3},
		{-5.12, 3, 2}, {math.NaN(), 3, 0}, {math.Inf(1), 3, 0},
	} {
		if got := Decimals(test.v, test.n); got != test.want {
			t.Errorf("Decimals(%v, %d) = %d, want %d", test.v, test.n, got, test.want)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "4096": 4096, "010": 10, "512B": 512, "4k": 4096, "4K": 4096, "1m": 1 << 20, "1Mi": 1 << 20, "1MiB": 1 << 20,
		"4 KiB": 4096, "1e": 1 << 60, "7E": 7 << 60, "9223372036854775807": math.MaxInt64,
	} {
		if got, err := ParseBytes(s); got != want || err != nil {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", " ", "k", "-1", "+1", "1.5m", "4kx", "4k ", " 4k", "4  k", "1MB", "1kb", "1mm", "1ib", "1i", "1bb", "0x10", "1,5", "8e", "9223372036854775808",
		"99999999999999999999", "1\x00", "1\x00iB", "1_000", "١",
	} {
		if got, err := ParseBytes(s); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("ParseBytes(%q) = %d, %v", s, got, err)
		}
	}
}

func TestParseRate(t *testing.T) {
	for s, want := range map[string]float64{
		"0": 0, "123": 123, "550M": 550e6, "550m": 550e6, "550Mi": 550 << 20, "550MiB/s": 550 << 20, "550 MB/s": 550e6,
		"550MB": 550e6, "1.5G": 1.5e9, "1.5Gi": 1.5 * (1 << 30), "12k": 12e3, "12K/s": 12e3, "5B/s": 5, ".5k": 500, "5.k": 5000,
	} {
		if got, err := ParseRate(s); got != want || err != nil {
			t.Errorf("ParseRate(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", "M", ".", "-5M", "+5M", "550Mx", "550Mb/s", "550Mib", "550 M ", " 550M", "550  M", "inf", "nan", "1e6", "0x10", "1.2.3", "550Mi/h", "5i", "1,5G",
		"550M/s/s", "5\x00", "550BB",
	} {
		if got, err := ParseRate(s); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("ParseRate(%q) = %v, %v", s, got, err)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"100ms": 100 * time.Millisecond, "3s": 3 * time.Second, "1m30s": 90 * time.Second, "1.23 ms": 1230 * time.Microsecond,
		"812 ns": 812, "5µs": 5000, "5us": 5000, "0": 0, "0s": 0,
	} {
		if got, err := ParseDuration(s); got != want || err != nil {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "s", "3", "-3s", "+3s", "3x", "3s ", " 3s", "3  s", "1e3s", "3d", "99999999h"} {
		if got, err := ParseDuration(s); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("ParseDuration(%q) = %v, %v", s, got, err)
		}
	}
}

// What is read prints, and what is printed reads back: a size without loss,
// the others to three digits.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"4k", "1 MiB", "550M", "550Mi", "1.2GB/s", "100ms", "1.23 µs", "0x10", "1e9", "9223372036854775807", "7e", "999.5k", "4kx"} {
		f.Add(s)
	}
	close := func(a, b float64) bool { return math.Abs(a-b) <= 0.0051*math.Abs(a) }
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseBytes(s); err == nil {
			if n < 0 {
				t.Errorf("ParseBytes(%q) = %d", s, n)
			}
			if back, err := ParseBytes(Bytes(n)); back != n || err != nil {
				t.Errorf("%q is %d bytes, prints as %q, reads as %d, %v", s, n, Bytes(n), back, err)
			}
			if _, err := ParseBytes(s + "x"); err == nil {
				t.Errorf("ParseBytes takes %q with junk behind it", s)
			}
		}
		if v, err := ParseRate(s); err == nil {
			if !(v >= 0) || math.IsInf(v, 0) {
				t.Errorf("ParseRate(%q) = %v", s, v)
			}
			if back, err := ParseRate(Rate(v)); v >= 0.01 && (!close(v, back) || err != nil) {
				t.Errorf("%q is %v, prints as %q, reads as %v, %v", s, v, Rate(v), back, err)
			}
			if _, err := ParseRate(s + "x"); err == nil {
				t.Errorf("ParseRate takes %q with junk behind it", s)
			}
		}
		if d, err := ParseDuration(s); err == nil {
			if d < 0 {
				t.Errorf("ParseDuration(%q) = %v", s, d)
			}
			if back, err := ParseDuration(Duration(d)); !close(float64(d), float64(back)) || err != nil {
				t.Errorf("%q is %v, prints as %q, reads as %v, %v", s, d, Duration(d), back, err)
			}
		}
	})
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 2: "2 runs", -1: "-1 runs"} {
		if got := Count(n, "run"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
