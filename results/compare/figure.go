package compare

import (
	"slices"
	"strings"

	"gelibench/results"
	"gelibench/results/figures"
	"gelibench/results/format"
	"gelibench/results/report"
	"gelibench/results/stats"
)

// Operand is one of the things to compare.
type Operand struct {
	Name    string // for people: "@atom-d525", "last", "mail.txt"
	About   string // what it is, in a few words
	Figures []Figure
	// Left counts figures that no comparison may use, by reason.
	Left map[string]int
}

// Figure is one rate, with what is known of how it came about. Zero values are
// unknown.
type Figure struct {
	Operand   string
	Place     string // in the operand: "line 62"
	CPU       string
	Label     string // sets it apart from others of its operand that did the same
	Direction string // "read", "encrypt", …; as Case.Op where that is known
	Case      results.Case
	Method    int // of a run of gelibench
	Tool      string
	Clock     report.Clock
	// Storage says that a disk or a file took part.
	Storage    bool
	LowerBound bool // the truth may be higher
	Doubts     []string
	Series     results.Series
	// Repeats are the rates of a case that a report prints many times over,
	// which are taken together; Rate is their median.
	Repeats  []float64
	Host     results.Host
	Findings []results.Finding
	run      *results.Run // that it is of; nil if it was read from a text
	key      *key         // of keyOf, made once by label
	nth      int          // of the repeats of a case in a text; 0: it stands alone
}

// Rate is the rate in bytes a second, with its interval where there are samples
// enough for one.
func (f Figure) Rate() stats.Interval {
	if len(f.Repeats) > 0 {
		return stats.Median(f.Repeats)
	}
	return format.RateOf(f.Series)
}

// Sampled says that the figure has samples of its own, or was repeated.
func (f Figure) Sampled() bool { return len(f.Series.Samples)+len(f.Repeats) > 0 }

// rates are those of the samples, or of the repeats.
func (f Figure) rates() []float64 {
	if len(f.Repeats) > 0 {
		return f.Repeats
	}
	var list []float64
	for _, s := range f.Series.Samples {
		list = append(list, s.BytesPerSecond())
	}
	return list
}

// ownTool is the name that gelibench's records bear.
const ownTool = "gelibench"

// zeroNames are the names of the device that costs nothing.
var zeroNames = []string{"gzero", "gzero.eli", "/dev/gzero.eli", "/dev/gzero"}

// FromRuns makes an operand of records, samples and all.
func FromRuns(name string, runs []results.Run) Operand {
	o := Operand{Name: name, Left: map[string]int{}}
	var abouts []string
	for i := range runs {
		run := &runs[i]
		abouts = append(abouts, aboutRun(*run))
		for _, s := range run.Series {
			if !(format.RateOf(s).Value > 0) {
				o.Left["no rate"]++
				continue
			}
			f := Figure{Operand: name, CPU: run.Host.CPUModel, Direction: s.Case.Op, Case: s.Case, Method: run.Method, Tool: run.Tool, Series: s, Host: run.Host, Findings: run.Findings, run: run}
			f.Case.AAlg = strings.ToLower(f.Case.AAlg)
			if len(s.Samples) > 0 {
				f.Clock = report.Wall
			}
			f.Storage = s.Case.Provider != "" && !isZero(s.Case.Provider)
			if s.Grade == results.Unreliable || run.Grade == results.Unreliable {
				f.Doubts = append(f.Doubts, "graded unreliable by the run itself")
			}
			if run.Interrupted {
				f.Doubts = append(f.Doubts, "of a run that was interrupted")
			}
			o.Figures = append(o.Figures, f)
		}
	}
	o.About = strings.Join(distinct(abouts), "; ")
	o.label()
	return o
}

func isZero(provider string) bool {
	for _, z := range zeroNames {
		if provider == z {
			return true
		}
	}
	return false
}

func aboutRun(run results.Run) string {
	parts := []string{run.Host.CPUModel, strings.TrimSpace(run.Tool + " " + run.Version)}
	if !run.Start.IsZero() {
		parts = append(parts, run.Start.UTC().Format("2006-01-02 15:04Z"))
	}
	return strings.Join(distinct(parts), ", ")
}

// FromResults makes an operand of the figures of a report. Those that aren't to
// be compared are counted in Left; what has no rate at all is passed over.
func FromResults(name string, list []report.Result) Operand {
	o := Operand{Name: name, Left: map[string]int{}}
	var abouts []string
	for _, r := range list {
		if !r.HasRate() {
			continue
		}
		if ok, why := r.Comparable(); !ok {
			o.Left[why]++
			continue
		}
		f := Figure{Operand: name, CPU: r.CPU.String(), Direction: string(r.Direction), Tool: figures.Tool(r), Clock: r.Clock, LowerBound: r.LowerBound(), Series: r.Series(), Doubts: marked(r)}
		if r.File == name || r.File == "" || !strings.HasPrefix(name, "@") {
			f.Place = "line " + itoa(r.Line)
		}
		f.Case = f.Series.Case
		if f.Case.Alg == "" {
			f.Case.Alg = strings.ToLower(firstOf(figures.Algorithm(r), string(r.Kind)))
			if r.KeyBits > 0 {
				f.Case.Alg = strings.Replace(f.Case.Alg, "-"+itoa(r.KeyBits), "", 1)
			}
			f.Case.AAlg = ""
		}
		if f.Case.RequestBytes == int64(f.Case.SectorBytes) {
			f.Case.RequestBytes = 0
		}
		f.Storage = r.Kind == report.Disk
		var set []string
		for _, s := range []string{r.Accelerator, r.Engine, r.Variant, r.State, r.Label} {
			if s != "" {
				set = append(set, s)
			}
		}
		f.Label = strings.Join(set, ", ")
		f.nth = r.Run
		abouts = append(abouts, strings.Join(distinct([]string{figures.Machine(r.CPU), figures.Tool(r)}), ", "))
		o.Figures = append(o.Figures, f)
	}
	o.merge()
	if all := distinct(abouts); len(all) > 0 {
		const most = 2
		if len(all) > most {
			all = append(all[:most:most], "and "+itoa(len(all)-most)+" more")
		}
		o.About = strings.Join(all, "; ")
	}
	o.label()
	return o
}

// marked are the doubts that stand beside a figure in a comparison.
func marked(r report.Result) []string {
	var out []string
	for _, x := range r.Repairs {
		switch x.Fix {
		case report.UserTime, report.OneMiBTooMany, report.UnitUnclear, report.SizesAssumed, report.SizeFromProse:
			out = append(out, x.Text)
		}
	}
	if r.Direction == report.Both {
		out = append(out, "the mean of encryption and decryption")
	}
	return out
}

// fewestRepeats is how often a report must print a case for the repeats to be
// one figure with many observations. Fewer may be anything, such as before and
// after, and are figures of their own.
const fewestRepeats = 4

// merge takes the repeats of a case together.
func (o *Operand) merge() {
	type same struct {
		key
		cpu, tool, label, engine, direction string
		request                             int64
		clock                               report.Clock
		storage, lower                      bool
	}
	of := func(f Figure) same {
		return same{keyOf(f), f.CPU, f.Tool, f.Label, f.Case.Engine, f.Direction, f.Case.RequestBytes, f.Clock, f.Storage, f.LowerBound}
	}
	groups := map[same][]int{}
	for i, f := range o.Figures {
		groups[of(f)] = append(groups[of(f)], i)
	}
	var kept []Figure
	for i, f := range o.Figures {
		group := groups[of(f)]
		if len(group) < fewestRepeats {
			kept = append(kept, f)
			continue
		}
		if i != group[0] {
			continue
		}
		for _, k := range group {
			f.Repeats = append(f.Repeats, o.Figures[k].Rate().Value)
			f.Doubts = distinct(append(f.Doubts, o.Figures[k].Doubts...))
		}
		f.nth = 0
		f.Place += " and " + itoa(len(group)-1) + " more"
		kept = append(kept, f)
	}
	o.Figures = kept
}

// label leaves in each figure's label what sets it apart from the others of the
// operand that did the same.
func (o *Operand) label() {
	cpus, groups := map[string]bool{}, map[key][]int{}
	for i, f := range o.Figures {
		k := keyOf(f)
		o.Figures[i].key = &k
		cpus[f.CPU] = true
		groups[keyOf(f)] = append(groups[keyOf(f)], i)
	}
	for _, group := range groups {
		labels := make([][]string, len(group))
		if len(cpus) > 1 {
			for k, i := range group {
				labels[k] = distinct([]string{o.Figures[i].CPU})
			}
		}
		for _, field := range []func(Figure) string{
			func(f Figure) string { return f.Case.Path },
			func(f Figure) string { return f.Case.Rekey },
			func(f Figure) string { return f.Case.Engine },
			func(f Figure) string { return f.Tool },
			func(f Figure) string {
				if f.Case.RequestBytes == 0 {
					return ""
				}
				return "bs " + itoa(int(f.Case.RequestBytes))
			},
			func(f Figure) string { return f.Case.Provider },
			func(f Figure) string {
				if f.run == nil {
					return ""
				}
				return aboutRun(*f.run)
			},
			func(f Figure) string { return f.Label },
			func(f Figure) string {
				if f.nth == 0 {
					return ""
				}
				return "run " + itoa(f.nth)
			},
			func(f Figure) string { return f.Place },
		} {
			if toldApart(labels) {
				break
			}
			var values []string
			for _, i := range group {
				values = append(values, field(o.Figures[i]))
			}
			if len(slices.Compact(slices.Sorted(slices.Values(values)))) < 2 {
				continue
			}
			for k, v := range values {
				if v != "" {
					labels[k] = append(labels[k], v)
				}
			}
		}
		for k, i := range group {
			o.Figures[i].Label = strings.Join(distinct(labels[k]), ", ")
		}
	}
}

// toldApart says that no two labels are the same.
func toldApart(labels [][]string) bool {
	seen := map[string]bool{}
	for _, l := range labels {
		s := strings.Join(l, ", ")
		if seen[s] {
			return false
		}
		seen[s] = true
	}
	return true
}

// Rename gives an operand another name, for people.
func (o *Operand) Rename(name string) {
	o.Name = name
	for i := range o.Figures {
		o.Figures[i].Operand = name
	}
}

// subjects parts the figures of an operand by where they come from: the
// processor, the tool, the run. Each is a list of places in Figures.
func (o Operand) subjects() [][]int {
	type source struct {
		cpu, tool string
		run       *results.Run
	}
	var out [][]int
	at := map[source]int{}
	for i, f := range o.Figures {
		s := source{f.CPU, f.Tool, f.run}
		k, ok := at[s]
		if !ok {
			k = len(out)
			at[s] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// subjectOf is the one of the subjects that a figure belongs to.
func subjectOf(f Figure, subjects [][]*Figure) []*Figure {
	for _, s := range subjects {
		if x := s[0]; x.CPU == f.CPU && x.Tool == f.Tool && x.run == f.run {
			return s
		}
	}
	return nil
}

func (o Operand) pick(places []int) []*Figure {
	list := make([]*Figure, len(places))
	for i, p := range places {
		list[i] = &o.Figures[p]
	}
	return list
}
