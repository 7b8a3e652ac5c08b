package stats

import (
	"fmt"
	"strconv"

	"gelibench/results"
)

// Difference is something in which two results differ that makes their
// comparison say less, or something else, than it seems to.
type Difference struct {
	Field string // as in the record: "method", "engine", "path", "rekey"
	A, B  string // "not known" where the record does not say
}

// String is as in "engine: soft against aesni".
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s against %s", d.Field, d.A, d.B)
}

// Comparable lists what forbids to compare two cases without being asked to:
// another method of measuring, engine, path or re-key policy. Something that
// is known of one alone is a difference; unknown of both, it is none. What a
// comparison is mostly about (direction, cipher, sizes, workers) is not looked
// at. Methods are those of Run.Method; 0 is not known.
func Comparable(a, b results.Case, methodA, methodB int) []Difference {
	method := func(m int) string {
		if m == 0 {
			return ""
		}
		return strconv.Itoa(m)
	}
	var out []Difference
	for _, f := range []Difference{
		{"method", method(methodA), method(methodB)},
		{"engine", a.Engine, b.Engine},
		{"path", a.Path, b.Path},
		{"rekey", a.Rekey, b.Rekey},
	} {
		if f.A == f.B {
			continue
		}
		for _, s := range []*string{&f.A, &f.B} {
			if *s == "" {
				*s = "not known"
			}
		}
		out = append(out, f)
	}
	return out
}
