package app

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gelibench/cmd/internal/answer"
	"gelibench/results/units"
)

// The syntaxes of this file, one for each kind of number a person types:
//
//	parseNumber    geli's -s and -l     4096  4k  0x1000  010 (octal: 8)
//	parseSize      dd's bs=             1m  64k  2x512  0x10000
//	parseCount     our own counts       16  010 (decimal: 10)
//	parseCounts    lists of counts      1,2,8  1-8
//	parseDuration  bounds in time       100ms  3s  1m30s
//
// None accepts a sign, blanks, or anything behind the number.

// numberHint and the other hints say what would have been right.
const (
	numberHint   = "numbers as geli(8) takes them: 4096, 4k, 0x1000; k m g t p e are powers of 1024, a leading 0 means octal"
	sizeHint     = "sizes as dd(1) takes them: 65536, 64k, 1m, 2x512; b is 512, w is 4, k m g t p are powers of 1024"
	countHint    = "counts are plain decimal numbers, without a suffix"
	durationHint = "durations look like 100ms, 3s or 1m30s"
)

// parseNumber reads a number in the syntax of FreeBSD's expand_number, which
// geli(8) uses for -s and -l: decimal, 0x hexadecimal or 0 octal, then at most
// one letter of b k m g t p e in either case (b is 1, the rest are powers of
// 1024). expand_number ignores what stands behind the letter; here it is
// refused. Values are at most 2^63-1.
func parseNumber(text string) (int64, error) {
	v, rest, err := leadingUint(text)
	if err != nil {
		return 0, usage(numberHint, "%q: %v", text, err)
	}
	if rest != "" {
		shift, ok := map[byte]uint{'b': 0, 'k': 10, 'm': 20, 'g': 30, 't': 40, 'p': 50, 'e': 60}[lower(rest[0])]
		if !ok || len(rest) > 1 {
			return 0, usage(numberHint, "%q: %q behind the number is not understood", text, rest)
		}
		if v > math.MaxInt64>>shift {
			return 0, usage(numberHint, "%q is too large", text)
		}
		v <<= shift
	}
	if v > math.MaxInt64 {
		return 0, usage(numberHint, "%q is too large", text)
	}
	return int64(v), nil
}

// parseSize reads a size in bytes in the syntax of FreeBSD's dd: factors
// joined by x, X or *, each a decimal, 0x or 0 octal number with at most one
// suffix of b (512), w (4), k m g t p (powers of 1024), in either case. As
// in dd, 0x10 is sixteen, not nothing times ten. The size is 1 to 2^63-1.
func parseSize(text string) (int64, error) {
	product := uint64(1)
	for rest := text; ; {
		v, tail, err := leadingUint(rest)
		if err != nil {
			return 0, usage(sizeHint, "%q: %v", text, err)
		}
		rest = tail
		unit := uint64(1)
		if rest != "" {
			if u, ok := map[byte]uint64{'b': 512, 'w': 4, 'k': 1 << 10, 'm': 1 << 20, 'g': 1 << 30, 't': 1 << 40, 'p': 1 << 50}[lower(rest[0])]; ok {
				unit, rest = u, rest[1:]
			}
		}
		for _, factor := range []uint64{v, unit} {
			if factor != 0 && product > math.MaxInt64/factor {
				return 0, usage(sizeHint, "%q is too large", text)
			}
			product *= factor
		}
		if rest == "" {
			break
		}
		if c := rest[0]; c != 'x' && c != 'X' && c != '*' {
			return 0, usage(sizeHint, "%q: %q behind the number is not understood", text, rest)
		}
		rest = rest[1:]
	}
	if product == 0 {
		return 0, usage(sizeHint, "%q is a size of zero", text)
	}
	return int64(product), nil
}

// leadingUint reads the digits that text begins with, in the base that C's
// strtoumax with base 0 would choose, and returns what follows them.
func leadingUint(text string) (v uint64, rest string, err error) {
	base, digits := uint64(10), text
	switch {
	case len(text) > 2 && text[0] == '0' && lower(text[1]) == 'x' && digitValue(text[2]) < 16:
		base, digits = 16, text[2:]
	case len(text) > 1 && text[0] == '0':
		base = 8
	}
	n := 0
	for n < len(digits) && digitValue(digits[n]) < base {
		d := digitValue(digits[n])
		if v > (math.MaxUint64-d)/base {
			return 0, "", fmt.Errorf("the number is too large")
		}
		v = v*base + d
		n++
	}
	switch {
	case text == "":
		return 0, "", fmt.Errorf("a number is missing")
	case n == 0 && (text[0] == '-' || text[0] == '+'):
		return 0, "", fmt.Errorf("a sign is not accepted")
	case n == 0:
		return 0, "", fmt.Errorf("not a number")
	case base == 8 && n < len(digits) && digitValue(digits[n]) < 10:
		return 0, "", fmt.Errorf("%c is no octal digit (a leading 0 means octal)", digits[n])
	}
	return v, digits[n:], nil
}

// digitValue is the value of a digit in any base up to 16, or 255.
func digitValue(c byte) uint64 {
	switch c = lower(c); {
	case '0' <= c && c <= '9':
		return uint64(c - '0')
	case 'a' <= c && c <= 'f':
		return uint64(c-'a') + 10
	}
	return 255
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// parseCount reads a decimal count from 1 to most; why says, for a hint, where
// that bound comes from. A leading zero changes nothing: 010 is ten.
func parseCount(text string, most int64, why string) (int64, error) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return 0, usage(countHint, "%q is not a count", text)
		}
	}
	v, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text == "":
		return 0, usage(countHint, "a count is missing")
	case err != nil || v > most:
		return 0, usage(why, "%s is more than %d", text, most)
	case v == 0:
		return 0, usage("the smallest count is 1", "a count of zero measures nothing")
	}
	return v, nil
}

// parseCounts reads a list of counts and ranges, such as "1,2,8" or "1-8", none
// above most.
func parseCounts(text string, most int64, why string) ([]int, error) {
	var counts []int
	_, err := parseList(text, func(item string) (struct{}, error) {
		from, to, isRange := strings.Cut(item, "-")
		if from == "" {
			from, isRange = item, false // -1 is no range
		}
		first, err := parseCount(from, most, why)
		if err != nil {
			return struct{}{}, err
		}
		last := first
		if isRange {
			if last, err = parseCount(to, most, why); err != nil {
				return struct{}{}, err
			}
		}
		if last < first {
			return struct{}{}, usage("write the smaller count first", "the range %q runs backwards", item)
		}
		for n := first; n <= last; n++ {
			counts = append(counts, int(n))
		}
		return struct{}{}, nil
	})
	return counts, err
}

// parseMix reads a mix of reading and writing, as in 80:20.
func parseMix(text string) (answer.Mix, error) {
	r, w, ok := strings.Cut(text, ":")
	read, err1 := strconv.ParseUint(r, 10, 16)
	write, err2 := strconv.ParseUint(w, 10, 16)
	if !ok || err1 != nil || err2 != nil || read+write == 0 {
		return answer.Mix{}, usage("shares of reading and writing, as in 80:20", "%q is no mix", text)
	}
	sum := float64(read + write)
	return answer.Mix{Read: float64(read) / sum, Write: float64(write) / sum}, nil
}

// parseRate reads a rate in bytes a second: 550M is 550 * 10^6, 550Mi is binary.
func parseRate(text string) (float64, error) {
	v, err := units.ParseRate(text)
	if err == nil && v < 1 {
		err = usage("for example 550M", "a rate of %s measures nothing", text)
	}
	return v, err
}

// maxListItems bounds a list, and so the memory that a command line can ask for.
const maxListItems = 1000

// parseList reads items separated by commas. None may be empty.
func parseList[T any](text string, parse func(string) (T, error)) ([]T, error) {
	items := strings.Split(text, ",")
	if len(items) > maxListItems {
		return nil, usage("", "a list of %d items is longer than %d", len(items), maxListItems)
	}
	list := make([]T, 0, len(items))
	for _, item := range items {
		if item == "" {
			return nil, usage("lists are written without blanks: 512,4096", "%q has an empty item", text)
		}
		v, err := parse(item)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// parseDuration reads a positive duration with its unit.
func parseDuration(text string) (time.Duration, error) {
	d, err := units.ParseDuration(text)
	if err != nil {
		return 0, usage(durationHint, "%v", trimInvalid(err))
	}
	if d == 0 {
		return 0, usage(durationHint, "a bound of %s measures nothing", text)
	}
	return d, nil
}
