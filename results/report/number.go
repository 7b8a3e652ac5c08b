package report

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// figure is a number as printed: its value, and half of its last digit, which
// is how far the truth may be off.
type figure struct {
	v, half float64
}

// rel is the relative error that printing left.
func (f figure) rel() float64 {
	if f.v == 0 {
		return math.Inf(1)
	}
	return f.half / math.Abs(f.v)
}

func (f figure) times(k float64) figure { return figure{f.v * k, f.half * k} }

// over divides a by b, adding the relative errors.
func over(a, b figure) figure {
	if b.v == 0 {
		return figure{math.Inf(1), math.Inf(1)}
	}
	v := a.v / b.v
	return figure{v, v * (a.rel() + b.rel())}
}

// exact is the figure that printing blurred least; what isn't positive and
// finite is passed over.
func exact(list ...figure) figure {
	best := figure{0, math.Inf(1)}
	for _, f := range list {
		if f.v > 0 && !math.IsInf(f.v, 0) && (best.v == 0 || f.rel() < best.rel()) {
			best = f
		}
	}
	return best
}

// number reads a decimal number. A comma before one, two or more than three
// digits is a decimal comma, before groups of three digits it parts thousands;
// decimalComma says that the text's language writes decimals with a comma.
func number(s string, decimalComma bool) (figure, bool) {
	if s == "" || len(s) > 40 || s[0] < '0' || s[0] > '9' {
		return figure{}, false
	}
	digits, points, commas := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.':
			points++
		case c == ',':
			commas++
		default:
			return figure{}, false
		}
	}
	if last := s[len(s)-1]; last == '.' || last == ',' {
		return figure{}, false
	}
	switch {
	case commas > 0 && points > 0:
		if strings.LastIndexByte(s, ',') > strings.LastIndexByte(s, '.') {
			if commas > 1 || !grouped(s[:strings.LastIndexByte(s, ',')], '.') {
				return figure{}, false
			}
			s = strings.ReplaceAll(s, ".", "")
			s = strings.Replace(s, ",", ".", 1)
		} else {
			if points > 1 || !grouped(s[:strings.LastIndexByte(s, '.')], ',') {
				return figure{}, false
			}
			s = strings.ReplaceAll(s, ",", "")
		}
	case commas > 0:
		if grouped(s, ',') && (commas > 1 || !decimalComma) {
			s = strings.ReplaceAll(s, ",", "")
		} else if commas == 1 {
			s = strings.Replace(s, ",", ".", 1)
		} else {
			return figure{}, false
		}
	case points > 1:
		if !grouped(s, '.') {
			return figure{}, false
		}
		s = strings.ReplaceAll(s, ".", "")
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return figure{}, false
	}
	half := 0.5
	if i := strings.IndexByte(s, '.'); i >= 0 {
		half = 0.5 * math.Pow(10, -float64(len(s)-i-1))
	}
	return figure{v, half}, true
}

// grouped tells whether s is digits in groups of three, parted by sep.
func grouped(s string, sep byte) bool {
	parts := strings.Split(s, string(sep))
	for i, p := range parts {
		if len(p) != 3 && (i > 0 || len(p) == 0 || len(p) > 3) {
			return false
		}
	}
	return true
}

// integer reads a whole number, thousands commas allowed.
func integer(s string) (int64, bool) {
	if s == "" || len(s) > 24 {
		return 0, false
	}
	if strings.Contains(s, ",") {
		if !grouped(s, ',') {
			return 0, false
		}
		s = strings.ReplaceAll(s, ",", "")
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// rateUnit reads the unit of a rate as printed: "MiB/s", "kB/s", "GB/sec",
// "bytes/sec". scale is in bytes; binary tells an i in it; small letters are
// taken as they come. ok is false for bits ("Mb/s", "Mbit/s").
func rateUnit(s string) (scale float64, binary, ok bool) {
	s = strings.TrimRight(s, ".,;:)|")
	u, per, found := strings.Cut(s, "/")
	if !found {
		u, found = strings.CutSuffix(s, "ps") // MBps
		per = "s"
	}
	switch strings.ToLower(per) {
	case "s", "sec", "sek", "second", "seconds", "秒", "с", "c", "сек", "초":
		if found {
			return byteUnit(u)
		}
	}
	return 0, false, false
}

// byteUnit reads "B", "kB", "KiB", "MB", "Kbytes", "byte".
func byteUnit(u string) (scale float64, binary, ok bool) {
	switch u {
	case "B", "byte", "bytes", "Byte", "Bytes", "octets", "o", "Б":
		return 1, false, true
	}
	for i, p := range []string{"kKкК", "mMмМ", "gGгГ", "tTтТ"} {
		c, size := utf8.DecodeRuneInString(u)
		if c == utf8.RuneError || !strings.ContainsRune(p, c) {
			continue
		}
		switch rest := u[size:]; rest {
		case "iB", "ibytes", "иБ":
			return math.Pow(1024, float64(i+1)), true, true
		case "B", "byte", "bytes", "Byte", "Bytes", "o", "Б":
			return math.Pow(1000, float64(i+1)), false, true
		}
	}
	return 0, false, false
}

// splitUnit parts "75.6MB/s" into "75.6" and "MB/s".
func splitUnit(s string) (num, unit string) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.' || s[i] == ',') {
		i++
	}
	return s[:i], s[i:]
}
