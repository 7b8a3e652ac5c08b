package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gelibench/results/units"
)

// key is what a comparison is about. Zero values are unknown, but for the
// cipher, of which nothing is known then, and the integrity mode, which isn't
// used.
type key struct {
	alg, aalg, op         string
	bits, sector, workers int
	paced, process        string
}

func keyOf(f Figure) key {
	if f.key != nil {
		return *f.key
	}
	k := key{alg: f.Case.Alg, aalg: f.Case.AAlg, op: f.Case.Op, bits: f.Case.KeyBits, sector: f.Case.SectorBytes, workers: f.Case.Workers, process: f.Case.GODEBUG}
	if f.Case.PacedBytesPerSecond > 0 {
		k.paced = units.Rate(f.Case.PacedBytesPerSecond)
	}
	return k
}

// wild tells the fields of a case that may be unknown, and whether a and b
// agree on each, as far as they state it.
var wild = []struct {
	name   string
	stated func(k key) string // "" is unknown
}{
	{"key", func(k key) string { return number(k.bits) }},
	{"sector", func(k key) string { return number(k.sector) }},
	{"direction", func(k key) string { return k.op }},
	{"workers", func(k key) string { return number(k.workers) }},
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// fits says whether two cases may be the same one. It is asked of every pair.
func fits(a, b *key, across Across) bool {
	return a.alg == b.alg && a.aalg == b.aalg && a.paced == b.paced && a.process == b.process &&
		(a.sector == b.sector || a.sector == 0 || b.sector == 0 || across["sector"]) &&
		(a.bits == b.bits || a.bits == 0 || b.bits == 0 || across["key"]) &&
		(a.op == b.op || a.op == "" || b.op == "" || across["direction"]) &&
		(a.workers == b.workers || a.workers == 0 || b.workers == 0 || across["workers"])
}

// partners finds the figures of others, by their places, that did the same as
// f. Several come back where it was done in several ways. why says why there is
// none.
func partners(f Figure, others []*Figure, across Across) (found []int, why string) {
	k := keyOf(f)
	for i := range others {
		if fits(&k, others[i].key, across) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return nil, nearMiss(k, others)
	}
	prefer := func(good func(o Figure) bool) {
		var better []int
		for _, i := range found {
			if good(*others[i]) {
				better = append(better, i)
			}
		}
		if len(better) > 0 {
			found = better
		}
	}
	// What states the same, or leaves the same open, is a better partner than
	// what doesn't; of other sizes, where they are asked for, the nearest.
	for _, w := range wild {
		x := w.stated(k)
		prefer(func(o Figure) bool { return w.stated(keyOf(o)) == x })
	}
	if across["sector"] && k.sector > 0 {
		nearest := math.Inf(1)
		for _, i := range found {
			nearest = min(nearest, distance(k.sector, others[i].Case.SectorBytes))
		}
		prefer(func(o Figure) bool { return distance(k.sector, o.Case.SectorBytes) == nearest })
	}
	for _, field := range []func(Figure) string{
		func(f Figure) string { return f.Case.Path },
		func(f Figure) string { return f.Case.Rekey },
		func(f Figure) string { return f.Case.Engine },
		func(f Figure) string { return number(int(f.Case.RequestBytes)) },
		func(f Figure) string { return strconv.FormatBool(f.Storage) },
		func(f Figure) string { return f.Case.Provider },
	} {
		if mine := field(f); mine != "" {
			prefer(func(o Figure) bool { return field(o) == mine })
		}
	}
	// One side that doesn't state a field fits many: nothing is guessed.
	for _, w := range wild {
		var values []string
		for _, i := range found {
			values = append(values, w.stated(*others[i].key))
		}
		if values = distinct(values); len(values) > 1 {
			return nil, fmt.Sprintf("its %s is not stated, and several fit: %s", w.name, strings.Join(values, ", "))
		}
	}
	return found, ""
}

func distance(a, b int) float64 {
	if a <= 0 || b <= 0 {
		return math.Inf(1)
	}
	return math.Abs(math.Log2(float64(a) / float64(b)))
}

// nearMiss says what keeps the figures of the same cipher from being partners.
func nearMiss(k key, others []*Figure) string {
	best, why := len(wild)+1, ""
	for i := range others {
		other := *others[i].key
		if other.alg != k.alg || best == 1 {
			continue
		}
		if other.aalg != k.aalg || other.paced != k.paced || other.process != k.process {
			continue
		}
		var differ []string
		for _, w := range wild {
			if x, y := w.stated(k), w.stated(other); x != "" && y != "" && x != y {
				differ = append(differ, w.name)
			}
		}
		if len(differ) > 0 && len(differ) < best {
			best, why = len(differ), "another "+strings.Join(differ, " and ")
		}
	}
	return why
}
