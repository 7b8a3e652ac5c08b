package app

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// refused marks texts that a parser must not accept.
const refused = -1

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]int64{
		"4096": 4096, "4k": 4096, "4K": 4096, "0": 0, "010": 8, "0x10": 16, "0X1f": 31, "0x1e": 30,
		"0x10k": 16 << 10, "1b": 1, "8B": 8, "2m": 2 << 20, "1g": 1 << 30, "1t": 1 << 40, "1p": 1 << 50, "7e": 7 << 60,
		"010k": 8 << 10, "9223372036854775807": math.MaxInt64, "00": 0,
		"": refused, "k": refused, "-1": refused, "+1": refused, " 1": refused, "1 ": refused, "4kb": refused, "4kk": refused, "4q": refused,
		"0x": refused, "08": refused, "1.5k": refused, "8e": refused, "9223372036854775808": refused, "18446744073709551616": refused,
		"1_000": refused, "4096,512": refused, "0xk": refused, "١": refused,
	} {
		check(t, text, want, parseNumber)
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1m": 1 << 20, "1M": 1 << 20, "64k": 64 << 10, "1b": 512, "1w": 4, "2x512": 1024, "2X512": 1024, "2*512": 1024,
		"2kx2k": 4 << 20, "1x2x3": 6, "0x10": 16, "2x0x10": 32, "0x2x3": 6, "010": 8, "1p": 1 << 50, "1g": 1 << 30, "1t": 1 << 40,
		"0": refused, "0x5": 5, "5x0": refused, "": refused, "x": refused, "1x": refused, "x1": refused, "1xx1": refused, "m": refused,
		"1mb": refused, "1e": refused, "-1": refused, "8192px1k": refused, "9223372036854775808": refused, "1 x 1": refused, "1kk": refused,
	} {
		check(t, text, want, parseSize)
	}
}

func TestParseCount(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "010": 10, "100": 100,
		"": refused, "0": refused, "00": refused, "101": refused, "4k": refused, "0x10": refused, "-1": refused, "+1": refused, "1e2": refused, "99999999999999999999": refused,
	} {
		check(t, text, want, func(s string) (int64, error) { return parseCount(s, 100, "") })
	}
}

func check(t *testing.T, text string, want int64, parse func(string) (int64, error)) {
	t.Helper()
	got, err := parse(text)
	switch {
	case want == refused && err == nil:
		t.Errorf("%q is accepted, as %d", text, got)
	case want == refused:
		if exitCode(err) != exitUsage {
			t.Errorf("%q: exit code %d", text, exitCode(err))
		}
	case err != nil:
		t.Errorf("%q: %v", text, err)
	case got != want:
		t.Errorf("%q is %d, not %d", text, got, want)
	}
}

func TestParseCounts(t *testing.T) {
	for text, want := range map[string][]int{
		"1": {1}, "1,2": {1, 2}, "1-4": {1, 2, 3, 4}, "2,4-6,010": {2, 4, 5, 6, 10}, "3-3": {3}, "255": {255},
		"": nil, ",": nil, "1,": nil, "1,,2": nil, "4-1": nil, "-4": nil, "1-": nil, "1-2-3": nil, "256": nil, "1-1000000000": nil, "4k": nil, "0": nil, "1, 2": nil,
	} {
		got, err := parseCounts(text, 255, "")
		if (err != nil) != (want == nil) || !slices.Equal(got, want) && err == nil {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	if _, err := parseCounts(strings.Repeat("1,", 5000)+"1", 255, ""); err == nil {
		t.Error("a list of 5001 items is accepted")
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"100ms": 100 * time.Millisecond, "3s": 3 * time.Second, "1m30s": 90 * time.Second, "3": 0, "0s": 0, "-1s": 0, "": 0, "1d": 0} {
		got, err := parseDuration(text)
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

// A number that is accepted is the same number when written out in decimal.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"4096", "4k", "0x10", "010", "7e", "08", "1kb", "-1", "0x", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		roundTrip(t, text, parseNumber)
	})
}

func FuzzSize(f *testing.F) {
	for _, seed := range []string{"1m", "2x512", "0x10", "2kx2kx2w", "1b", "9p*9p", "x", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if roundTrip(t, text, parseSize) == 0 {
			t.Errorf("%q is a size of zero", text)
		}
	})
}

// roundTrip returns the number, or -1 if the text is refused.
func roundTrip(t *testing.T, text string, parse func(string) (int64, error)) int64 {
	v, err := parse(text)
	if err != nil {
		if exitCode(err) != exitUsage {
			t.Errorf("%q: exit code %d", text, exitCode(err))
		}
		return -1
	}
	if v < 0 {
		t.Fatalf("%q is negative: %d", text, v)
	}
	again, err := parse(strconv.FormatInt(v, 10))
	if err != nil || again != v {
		t.Errorf("%q is %d, which reads as %d, %v", text, v, again, err)
	}
	return v
}

func FuzzCounts(f *testing.F) {
	for _, seed := range []string{"1", "1,2", "1-8", "010", "8-1", "1-", ",", "255", "1-255,1-255"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		counts, err := parseCounts(text, 255, "")
		if err != nil {
			return
		}
		var items []string
		for _, n := range counts {
			if n < 1 || n > 255 {
				t.Fatalf("%q holds %d", text, n)
			}
			items = append(items, strconv.Itoa(n))
		}
		if len(items) > maxListItems {
			return // ranges make more than can be written singly
		}
		if again, err := parseCounts(strings.Join(items, ","), 255, ""); err != nil || !slices.Equal(again, counts) {
			t.Errorf("%q is %v, which reads as %v, %v", text, counts, again, err)
		}
	})
}
