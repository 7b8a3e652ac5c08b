package compare

import (
	"math"
	"slices"
	"strings"

	"gelibench/results"
	"gelibench/results/stats"
)

// Row is one figure beside that of the base.
type Row struct {
	Base, Figure Figure
	// Ratio is the figure over the base; its bounds are infinite where there
	// are not samples enough.
	Ratio stats.Interval
	// Tested says that both have samples, and Comparison what they show.
	Tested     bool
	Comparison stats.Comparison
	Marks      []string // what the two differ in, and what is to be doubted
}

// Alone is a figure without a partner, or one that was refused.
type Alone struct {
	Figure Figure
	In     string // the operand that has no partner for it
	Why    string // "" where nothing comes near
	// Refused names the fields that would have to be allowed, with commas; ""
	// otherwise.
	Refused string
}

// Result is a comparison of operands with a base.
type Result struct {
	Base   Operand
	Others []Operand
	Rows   []Row // in the order of the base's figures, then of the operands
	Alone  []Alone
	// Nearest says that no case was the same, and that each stands beside what
	// comes nearest, with another key length or sector size.
	Nearest bool
}

// BesideNearest compares as Beside does. Where no case is the same in both, as
// with a reference machine of which few are known, it sets each beside the
// nearest of another key length or sector size.
func BesideNearest(base Operand, others []Operand) Result {
	res := Beside(base, others, nil)
	if len(res.Rows) > 0 {
		return res
	}
	near := Beside(base, others, Across{"key": true, "sector": true})
	if len(near.Rows) == 0 {
		return res // its reasons name all that differs
	}
	near.Nearest = true
	return near
}

// Beside compares operands with a base. Verdicts are corrected for all that are
// tested together.
func Beside(base Operand, others []Operand, across Across) Result {
	res := Result{Base: base, Others: others}
	matched := map[place]bool{} // figures of the others
	refused := map[place]bool{}
	alone := make([][]Alone, len(others))
	subjects, theirs := make([][][]int, len(others)), make([][][]*Figure, len(others))
	for i, o := range others {
		for _, s := range o.subjects() {
			subjects[i], theirs[i] = append(subjects[i], s), append(theirs[i], o.pick(s))
		}
	}
	var ours [][]*Figure
	for _, s := range base.subjects() {
		ours = append(ours, base.pick(s))
	}
	for _, b := range base.Figures {
		mine := subjectOf(b, ours)
		for oi, o := range others {
			none := Alone{Figure: b, In: o.Name}
			rows := 0
			for si, subject := range subjects[oi] {
				found, why := partners(b, theirs[oi][si], across)
				if len(found) == 0 {
					none.Why = firstOf(none.Why, why)
				}
				for _, i := range found {
					f := o.Figures[subject[i]]
					at := place{oi, subject[i]}
					row, a := beside(b, f, mine, across)
					if a != nil {
						none.Why, none.Refused = a.Why, a.Refused
						refused[at] = refused[at] || a.Refused != ""
						continue
					}
					matched[at] = true
					res.Rows = append(res.Rows, row)
					rows++
				}
			}
			if rows == 0 {
				alone[oi] = append(alone[oi], none)
			}
		}
	}
	for oi, o := range others {
		res.Alone = append(res.Alone, alone[oi]...)
		for fi, f := range o.Figures {
			if matched[place{oi, fi}] || refused[place{oi, fi}] {
				continue // what was refused is listed with the base
			}
			a := Alone{Figure: f, In: base.Name}
			for _, subject := range ours {
				found, why := partners(f, subject, across)
				if len(found) > 0 {
					why = "another is nearer"
				}
				a.Why = firstOf(a.Why, why)
			}
			res.Alone = append(res.Alone, a)
		}
	}
	correct(res.Rows)
	return res
}

// place is a figure of the others: its operand, and its place there.
type place struct{ operand, figure int }

// beside puts a figure beside one of the base, whose other figures of the same
// machine are mine; or it says why not.
func beside(b, f Figure, mine []*Figure, across Across) (Row, *Alone) {
	// What a figure doesn't tell apart, or is nearer to another figure of the
	// base, is not the partner of each.
	back, why := partners(f, mine, across)
	if why != "" && ambiguous(f, b) {
		return Row{}, &Alone{Why: "of the only one there, " + why}
	}
	if !slices.ContainsFunc(back, func(i int) bool { return mine[i].same(b) }) {
		return Row{}, &Alone{Why: "the only one there is nearer to another"}
	}
	row := Row{Base: b, Figure: f, Marks: append(slices.Clone(b.Doubts), f.Doubts...)}
	var refused, reasons []string
	for _, d := range differences(f, b, across) {
		if d.refused {
			refused, reasons = append(refused, d.field), append(reasons, d.text)
		}
		row.Marks = append(row.Marks, d.text)
	}
	if len(refused) > 0 {
		return Row{}, &Alone{Why: strings.Join(reasons, "; "), Refused: strings.Join(refused, ",")}
	}
	row.Marks = distinct(row.Marks)
	return row.test(), nil
}

// ambiguous says that one of two figures leaves a field open that the other
// states.
func ambiguous(a, b Figure) bool {
	for _, w := range wild {
		if x, y := w.stated(keyOf(a)), w.stated(keyOf(b)); (x == "") != (y == "") {
			return true
		}
	}
	return false
}

// same says that two copies are of one figure.
func (f Figure) same(g Figure) bool {
	return f.Place == g.Place && f.Label == g.Label && keyOf(f) == keyOf(g) && f.Rate() == g.Rate() && f.Case.Engine == g.Case.Engine && f.Case.Path == g.Case.Path &&
		f.Case.RequestBytes == g.Case.RequestBytes && f.run == g.run
}

// test compares the samples of a row, or else only the rates.
func (r Row) test() Row {
	r.Tested = r.Figure.Sampled() && r.Base.Sampled()
	if r.Tested {
		switch {
		case r.Figure.run == r.Base.run && r.Figure.run != nil:
			r.Comparison = stats.Paired(r.Figure.Series, r.Base.Series)
		case len(r.Figure.Repeats)+len(r.Base.Repeats) == 0:
			r.Comparison = stats.Unpaired(r.Figure.Series, r.Base.Series)
		default:
			r.Comparison = stats.UnpairedRates(r.Figure.rates(), r.Base.rates())
		}
		r.Ratio = r.Comparison.Ratio
	}
	if !r.Tested || math.IsNaN(r.Ratio.Value) {
		r.Ratio = stats.Interval{Value: r.Figure.Rate().Value / r.Base.Rate().Value, Lo: math.Inf(-1), Hi: math.Inf(1)}
	}
	return r
}

// correct corrects the verdicts of the rows that were tested, by Holm's method.
func correct(rows []Row) {
	var tested []int
	var comparisons []stats.Comparison
	for i, r := range rows {
		if r.Tested {
			tested = append(tested, i)
			comparisons = append(comparisons, r.Comparison)
		}
	}
	for k, c := range stats.Holm(comparisons) {
		rows[tested[k]].Comparison = c
	}
}

// Slower lists the rows that are slower than their base by more than allowed (a
// share: 0.05 is 5 %), beyond noise: where the samples are enough for a test,
// it must show a difference; where they are too few, no sample of the figure
// may reach one of the base; where there are none, the rates alone count, and
// judged says so.
func (res Result) Slower(allowed float64) (slower []Row, judged string) {
	for _, r := range res.Rows {
		if !(r.Ratio.Value < 1-allowed) {
			continue
		}
		switch {
		case !r.Tested:
			judged = "there are no samples to tell noise by: the rates alone were judged"
		case canShow(r.Comparison):
			if r.Comparison.Verdict != stats.Slower {
				continue
			}
		default:
			if highest(r.Figure) >= lowest(r.Base) {
				continue
			}
			judged = "there are too few samples for a test: the slowest and the fastest were judged"
		}
		slower = append(slower, r)
	}
	return slower, judged
}

func highest(f Figure) float64 { return slices.Max(f.rates()) }

func lowest(f Figure) float64 { return slices.Min(f.rates()) }

// canShow says that the samples are enough for a verdict.
func canShow(c stats.Comparison) bool {
	return !slices.ContainsFunc(c.Notes, func(n results.Note) bool { return n.Kind == "few-rounds" })
}

// Case names what a row is about, in a few words.
func (r Row) Case() string { return caseName(r.Base) }
