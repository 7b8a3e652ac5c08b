package compare

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gelibench/results/stats"
)

// Across names the fields in which figures may differ and still be compared.
type Across map[string]bool

// acrossFields are those that can be named.
var acrossFields = []string{"method", "engine", "path", "rekey", "sector", "direction", "workers", "key", "storage"}

// ParseAcross reads a list such as "method,engine"; "all" is all of them.
// Errors wrap fs.ErrInvalid.
func ParseAcross(list string) (Across, error) {
	a := Across{}
	for _, f := range strings.Split(list, ",") {
		switch {
		case f == "all":
			for _, x := range acrossFields {
				a[x] = true
			}
		case slices.Contains(acrossFields, f):
			a[f] = true
		default:
			return nil, fmt.Errorf("there is no field %q to compare across; there are %s and all: %w", f, strings.Join(acrossFields, ", "), fs.ErrInvalid)
		}
	}
	return a, nil
}

// difference is something in which two figures differ beside what they are
// about.
type difference struct {
	field, text string
	refused     bool
}

// differences lists them, of a figure against its base. What was measured by
// gelibench in another way on the same processor is refused, unless across
// allows it; what can't be had otherwise, as another engine on another
// processor or another tool's clock, is marked.
func differences(f, base Figure, across Across) []difference {
	var out []difference
	add := func(field, text string, refuse bool) {
		out = append(out, difference{field, text, refuse && !across[field]})
	}
	for _, d := range stats.Comparable(f.Case, base.Case, f.Method, base.Method) {
		const unknown = "not known"
		if d.A == unknown || d.B == unknown {
			// Another tool has neither method nor path.
			if f.Tool == base.Tool && f.Tool == ownTool {
				add(d.Field, d.String(), false)
			}
			continue
		}
		samePlace := f.CPU == base.CPU && f.run != nil && base.run != nil
		add(d.Field, d.String(), d.Field != "engine" || samePlace)
	}
	if f.Clock != base.Clock && f.Clock != "" && base.Clock != "" {
		add("clock", fmt.Sprintf("clock: %s against %s", f.Clock, base.Clock), false)
	}
	if f.Storage != base.Storage {
		add("storage", "one of the two includes a disk or a file", true)
	}
	if a, b := f.Case.RequestBytes, base.Case.RequestBytes; a != b && a > 0 && b > 0 {
		add("request", fmt.Sprintf("requests of %d bytes against %d", a, b), false)
	}
	if a, b := f.Case.Clear, base.Case.Clear; a != nil && b != nil && *a != *b {
		add("clear", fmt.Sprintf("kern.geom.zero.clear: %v against %v", *a, *b), false)
	}
	k, kb := keyOf(f), keyOf(base)
	for _, w := range wild {
		switch x, y := w.stated(k), w.stated(kb); {
		case x == y:
		case x == "":
			add(w.name, fmt.Sprintf("%s doesn't state the %s", f.Operand, w.name), false)
		case y == "":
			add(w.name, fmt.Sprintf("%s doesn't state the %s", base.Operand, w.name), false)
		default:
			add(w.name, fmt.Sprintf("%s: %s against %s", w.name, x, y), false)
		}
	}
	return out
}
