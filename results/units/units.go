// Package units prints and reads sizes, rates and durations, the one way that
// this project has: sizes are binary (1m is 2^20 bytes, shown as 1 MiB), rates
// decimal (550M is 550 * 10^6 bytes a second, shown as 550 MB/s; 550Mi is the
// binary one). Junk behind a number or a suffix is an error.
package units

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
)

// binary are the binary prefixes in rising order: the n-th is 1024^n.
const binary = "\x00KMGTPE"

// decimal are the decimal prefixes in rising order: the n-th is 1000^n.
const decimal = "\x00kMGTPE"

// Bytes prints a size without loss, in the largest binary unit that leaves a
// whole number: 4096 is "4 KiB", 1536 is "1536 B". ParseBytes reads it back.
func Bytes(n int64) string {
	e := 0
	for n != 0 && n%1024 == 0 && e < len(binary)-1 {
		n /= 1024
		e++
	}
	if e == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%d %ciB", n, binary[e])
}

// Rate prints bytes a second in decimal units with three significant digits:
// "550 MB/s", "12.3 GB/s". What is not finite prints as "NaN B/s", "+Inf B/s".
func Rate(bytesPerSecond float64) string {
	v, e := scale(bytesPerSecond, 1000, len(decimal)-1)
	if e == 0 {
		return number(v) + " B/s"
	}
	return fmt.Sprintf("%s %cB/s", number(v), decimal[e])
}

// Duration prints a length of time in ns, µs, ms or s with three significant
// digits, "1.23 ms"; from 1000 seconds on with all digits before the point.
func Duration(d time.Duration) string {
	v, e := scale(float64(d), 1000, 3)
	return number(v) + " " + [...]string{"ns", "µs", "ms", "s"}[e]
}

// scale divides v by base as often as it takes for three digits to show it,
// but at most limit times.
func scale(v, base float64, limit int) (float64, int) {
	e := 0
	for e < limit && math.Abs(v) >= base-0.5 && !math.IsInf(v, 0) { // 999.5 prints as 1000
		v /= base
		e++
	}
	return v, e
}

// number prints three significant digits, or all before the point, or a whole
// number as it is.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', Decimals(v, 3), 64)
}

// Decimals is how many digits behind the point show v with the given number of
// significant digits; 0 where the digits before the point are enough. For a
// column of numbers, ask for its smallest.
func Decimals(v float64, significant int) int {
	v = math.Abs(v)
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	// The exponent after rounding: 9.999 shown with three digits is 10.0.
	s := strconv.FormatFloat(v, 'e', significant-1, 64)
	exponent, err := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if err != nil {
		panic(err) // FormatFloat writes one
	}
	return max(0, significant-1-exponent)
}

// ParseBytes reads a size: a whole number of bytes, or with a binary suffix, as
// in "4096", "4k", "1m", "4 KiB", "1MiB", "512B"; case does not matter.
// Decimal units ("1MB") are refused, since half the world means the binary
// ones by them. Errors wrap fs.ErrInvalid.
func ParseBytes(s string) (int64, error) {
	digits, suffix := split(s, false)
	fail := func(why string) (int64, error) {
		return 0, fmt.Errorf("size %q: %s (say 4096, 4k, 1m or 1MiB): %w", s, why, fs.ErrInvalid)
	}
	if digits == "" {
		return fail("not a whole number")
	}
	e := 0
	switch low := strings.ToLower(suffix); {
	case low == "" || low == "b":
	case len(low) == 2 && low[1] == 'b' && prefix(binary, low[:1]) > 0:
		return fail(fmt.Sprintf("%s may be decimal or binary", suffix))
	default:
		e = prefix(binary, strings.TrimSuffix(strings.TrimSuffix(low, "ib"), "i"))
		if e <= 0 {
			return fail(fmt.Sprintf("unknown suffix %q", suffix))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > math.MaxInt64>>(10*e) {
		return fail("too large")
	}
	return n << (10 * e), nil
}

// ParseRate reads a rate in bytes a second: "550M" is 550 * 10^6, "550Mi" is
// 550 * 2^20; "B", "/s" and "B/s" may follow, a fraction and a blank before the
// suffix are fine, and so is a lower-case prefix. A lower-case "b" is refused,
// since it means bits. Errors wrap fs.ErrInvalid.
func ParseRate(s string) (bytesPerSecond float64, err error) {
	digits, suffix := split(s, true)
	fail := func(why string) (float64, error) {
		return 0, fmt.Errorf("rate %q: %s (say 550M, 1.2GB/s or 550MiB/s): %w", s, why, fs.ErrInvalid)
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return fail("not a number")
	}
	unit := strings.TrimSuffix(suffix, "/s")
	if strings.HasSuffix(unit, "b") {
		return fail("b stands for bits; write B for bytes")
	}
	unit = strings.TrimSuffix(unit, "B")
	if unit == "" {
		return v, nil
	}
	base, prefixes := 1000.0, decimal
	if p, ok := strings.CutSuffix(unit, "i"); ok {
		base, prefixes, unit = 1024, binary, p
	}
	e := prefix(prefixes, unit)
	if e <= 0 {
		return fail(fmt.Sprintf("unknown suffix %q", suffix))
	}
	if v *= math.Pow(base, float64(e)); math.IsInf(v, 0) {
		return fail("too large")
	}
	return v, nil
}

// ParseDuration reads a length of time with its unit, as time.ParseDuration
// does ("100ms", "1m30s"), or as Duration prints it ("1.23 ms"); none is
// negative. Errors wrap fs.ErrInvalid.
func ParseDuration(s string) (time.Duration, error) {
	digits, unit := split(s, true)
	d, err := time.ParseDuration(digits + unit)
	switch {
	case err != nil && digits != "" && unit == "":
		return 0, fmt.Errorf("duration %q has no unit (say %ss, %sms): %w", s, digits, digits, fs.ErrInvalid)
	case err != nil || digits == "":
		return 0, fmt.Errorf("duration %q: not a length of time (say 100ms, 3s, 1m30s): %w", s, fs.ErrInvalid)
	}
	return d, nil
}

// split cuts s behind its digits, and one point if that is allowed, and leaves
// out one blank between them and the suffix.
func split(s string, point bool) (digits, suffix string) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || point && s[i] == '.') {
		point = point && s[i] != '.'
		i++
	}
	digits, suffix = s[:i], s[i:]
	if len(suffix) > 1 && suffix[0] == ' ' {
		suffix = suffix[1:]
	}
	return digits, suffix
}

// prefix is the place of the one letter p among prefixes in any case, else -1.
func prefix(prefixes, p string) int {
	if len(p) != 1 || p == "\x00" {
		return -1
	}
	return strings.IndexByte(strings.ToUpper(prefixes), strings.ToUpper(p)[0])
}

// Count names a number of things: "1 run", "2 runs".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
