package report

import (
	"cmp"
	"slices"
	"strings"

	"gelibench/results/stats"
)

// Fit is the time of a call, as a line over the bytes of a call, of figures
// that a tool printed for several block sizes.
type Fit struct {
	Results []Result // those that the line goes through, by rising size
	// Line holds the fixed cost per call, the time per byte, the asymptotic
	// rate and the half-speed size, with bounds.
	Line stats.SectorFit
}

// maxWeight is the most that one size may weigh more than another.
const maxWeight = 64

// minSizes is the fewest block sizes that make a fit.
const minSizes = 3

// FitResults lays a line through each series of figures that differ in their
// block sizes alone, where there are at least three. Figures that Comparable
// refuses are left out; so are those whose size was not stated. Concurrent
// threads count as that many calls at once. The squares of the relative distances
// count, by the number of calls.
func FitResults(list []Result) []Fit {
	type key struct {
		file, tool, version, name, command, engine, accelerator, label, variant, state, cpu string
		dir                                                                                 Direction
		bits, threads, run, quoted                                                          int
	}
	at := map[key]int{}
	var fits []Fit
	for _, r := range list {
		if ok, _ := r.Comparable(); !ok || r.BlockBytes <= 0 || r.Kind != Cipher && r.Kind != Hash && r.Kind != Other {
			continue
		}
		k := key{r.File, r.Tool, r.Version, strings.ToLower(r.Name), r.Command, r.Engine, r.Accelerator, r.Label, r.Variant, r.State, r.CPU.String(),
			r.Direction, r.KeyBits, r.Threads, r.Run, r.Quoted}
		i, ok := at[k]
		if !ok {
			i = len(fits)
			at[k] = i
			fits = append(fits, Fit{})
		}
		same := func(x Result) bool { return x.BlockBytes == r.BlockBytes }
		if !slices.ContainsFunc(fits[i].Results, same) {
			fits[i].Results = append(fits[i].Results, r)
		}
	}
	out := fits[:0]
	for _, f := range fits {
		if len(f.Results) < minSizes {
			continue
		}
		slices.SortFunc(f.Results, func(a, b Result) int { return cmp.Compare(a.BlockBytes, b.BlockBytes) })
		var points []stats.SectorTimes
		slowest := slices.MaxFunc(f.Results, func(a, b Result) int { return cmp.Compare(a.CallNS(), b.CallNS()) }).CallNS()
		for _, r := range f.Results {
			if r.BlockBytes >= 1<<31-1 {
				continue
			}
			// A tool runs each size for the same time: the shorter a call, the
			// more of them stand behind its mean. So many does it weigh.
			ns := r.CallNS()
			calls := min(maxWeight, max(1, int(slowest/ns)))
			points = append(points, stats.SectorTimes{SectorBytes: int(r.BlockBytes), NS: slices.Repeat([]float64{ns}, calls)})
		}
		f.Line = stats.FitSectorTime(points)
		out = append(out, f)
	}
	return out
}

// CallNS is how long one call took, in nanoseconds; 0 if that isn't known.
func (r Result) CallNS() float64 {
	if !r.HasRate() || r.BlockBytes <= 0 {
		return 0
	}
	return float64(max(1, r.Threads)) * float64(r.BlockBytes) / r.BytesPerSecond * 1e9
}

// Crossing says from which size on one series of a report overtakes another.
type Crossing struct {
	Small, Large int     // places in the list of fits: faster below, faster above
	Bytes        float64 // where they meet
	// Beyond says that the size lies outside those that were measured, where
	// only the two lines meet.
	Beyond bool
}

// Crossings compares the series of one report that do the same: cipher, mode,
// key and direction alike. Within the sizes that both have, it takes the times
// as measured; beyond these, the lines. Pairs that never cross are not listed.
func Crossings(fits []Fit) []Crossing {
	var out []Crossing
	for i := range fits {
		for j := i + 1; j < len(fits); j++ {
			if !alike(fits[i], fits[j]) {
				continue
			}
			if c, ok := crossing(fits[i], fits[j]); ok {
				c.Small, c.Large = i, j
				if c.Bytes < 0 {
					c.Small, c.Large, c.Bytes = j, i, -c.Bytes
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// alike tells whether two series of one report do the same work.
func alike(x, y Fit) bool {
	a, b := x.Results[0], y.Results[0]
	return a.Cipher != "" && a.Cipher == b.Cipher && a.Mode == b.Mode && a.KeyBits == b.KeyBits && a.Auth == b.Auth && a.Direction == b.Direction && a.File == b.File
}

// crossing finds where b overtakes a; Bytes is negative where a overtakes b.
func crossing(a, b Fit) (Crossing, bool) {
	var lastD, lastNS float64 // of the last size with a difference, as a share and in ns
	var lastX int64
	for _, x := range a.Results {
		for _, y := range b.Results {
			if x.BlockBytes != y.BlockBytes {
				continue
			}
			// Positive where b is slower, as a share, so that noise stays small.
			d := y.CallNS()/x.CallNS() - 1
			const noise = 0.02
			if lastX > 0 && (lastD > noise && d < -noise || lastD < -noise && d > noise) {
				ns := y.CallNS() - x.CallNS() // times are straight lines over the size
				at := float64(lastX) + (float64(x.BlockBytes)-float64(lastX))*lastNS/(lastNS-ns)
				if lastD < 0 {
					at = -at
				}
				return Crossing{Bytes: at}, true
			}
			if d > noise || d < -noise {
				lastD, lastNS, lastX = d, y.CallNS()-x.CallNS(), x.BlockBytes
			}
		}
	}
	largest := float64(a.Results[len(a.Results)-1].BlockBytes)
	if at, ok := stats.Crossover(a.Line, b.Line); ok && at > largest {
		return Crossing{Bytes: at, Beyond: true}, true
	}
	if at, ok := stats.Crossover(b.Line, a.Line); ok && at > largest {
		return Crossing{Bytes: -at, Beyond: true}, true
	}
	return Crossing{}, false
}
