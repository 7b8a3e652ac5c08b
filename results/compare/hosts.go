package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gelibench/results"
	"gelibench/results/stats"
)

// HostsCase is one case as many hosts measured it.
type HostsCase struct {
	Figures []Figure // by rising rate
	Median  float64  // bytes a second
	// Spread is how far the fastest lies above the slowest, as a share of the
	// median.
	Spread float64
	Out    []HostOut
}

// HostOut is a host that falls out.
type HostOut struct {
	Figure  Figure
	Ratio   float64  // its rate over the median
	Reasons []string // what in its record may be the cause; none if nothing is
}

// fewestHosts is how many hosts it takes to say that one falls out.
const fewestHosts = 3

// Among looks at hosts that measured the same cases, for those that fall out.
// Of six hosts and more, such stand apart by the median absolute deviation, and
// by 5 %; of fewer, they are off the median by a third. once lists the figures
// that only one host has.
func Among(hosts []Operand) (cases []HostsCase, once []Figure) {
	type group struct {
		key
		path, rekey, provider string
		request               int64
		nth                   int // where a host measured it more than once
	}
	at := map[group]int{}
	for _, o := range hosts {
		seen := map[group]int{}
		for _, f := range o.Figures {
			g := group{key: keyOf(f), path: f.Case.Path, rekey: f.Case.Rekey, provider: f.Case.Provider, request: f.Case.RequestBytes}
			seen[g]++
			g.nth = seen[g]
			i, ok := at[g]
			if !ok {
				i = len(cases)
				at[g] = i
				cases = append(cases, HostsCase{})
			}
			cases[i].Figures = append(cases[i].Figures, f)
		}
	}
	kept := cases[:0]
	for _, c := range cases {
		if len(c.Figures) < 2 {
			once = append(once, c.Figures...)
			continue
		}
		c.judge()
		kept = append(kept, c)
	}
	return kept, once
}

// judge finds the median and what is far from it.
func (c *HostsCase) judge() {
	slices.SortStableFunc(c.Figures, func(a, b Figure) int {
		switch x, y := a.Rate().Value, b.Rate().Value; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	var rates, logs []float64 // ascending
	for _, f := range c.Figures {
		rates = append(rates, f.Rate().Value)
		logs = append(logs, math.Log(f.Rate().Value))
	}
	n := len(rates)
	c.Median = stats.MedianSorted(rates).Value
	c.Spread = (rates[n-1] - rates[0]) / c.Median
	if n < fewestHosts {
		return
	}
	// The limit of Iglewicz and Hoaglin, 3.5 of what the median absolute
	// deviation makes of a standard deviation, but no less than 5 %.
	const apart, third = 0.05, 1.0 / 3
	limit := math.Log1p(apart)
	middle := stats.Median(logs).Value
	var off []float64
	for _, v := range logs {
		off = append(off, math.Abs(v-middle))
	}
	limit = max(limit, 3.5/0.6745*stats.Median(off).Value)
	for i := range rates {
		if n < stats.FewestSamples && math.Abs(rates[i]/c.Median-1) <= third || n >= stats.FewestSamples && off[i] <= limit {
			continue
		}
		ratio := rates[i] / c.Median
		f := c.Figures[i]
		peers := slices.DeleteFunc(slices.Clone(c.Figures), func(x Figure) bool { return x.Operand == f.Operand })
		c.Out = append(c.Out, HostOut{f, ratio, reasons(f, peers)})
	}
}

// reasons says what sets the record of a host apart from those of its peers,
// the likeliest cause first.
func reasons(f Figure, peers []Figure) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(f.Host.Features) > 0 {
		var lacks, has []string
		for _, feature := range allFeatures(append(peers, f)) {
			most := share(peers, func(p Figure) bool { return slices.Contains(p.Host.Features, feature) })
			mine := slices.Contains(f.Host.Features, feature)
			switch {
			case !mine && most > 0.5:
				lacks = append(lacks, feature)
			case mine && most < 0.5:
				has = append(has, feature)
			}
		}
		if len(lacks) > 0 {
			add("its processor lacks %s, which most have", strings.Join(lacks, ", "))
		}
		if len(has) > 0 {
			add("its processor has %s, which most lack", strings.Join(has, ", "))
		}
	}
	for _, x := range f.Findings {
		if x.Grade != results.Fair && x.Grade != results.Unreliable {
			continue
		}
		same := share(peers, func(p Figure) bool {
			return slices.ContainsFunc(p.Findings, func(y results.Finding) bool { return y.Name == x.Name && y.Grade == x.Grade })
		})
		if same <= 0.5 {
			add("%s: %s", x.Name, x.Text)
		}
	}
	for _, field := range []struct {
		name string
		of   func(Figure) string
	}{
		{"engine", func(f Figure) string { return f.Case.Engine }},
		{"processor", func(f Figure) string { return f.CPU }},
		{"architecture", func(f Figure) string { return f.Host.Arch }},
		{"CPUs", func(f Figure) string { return number(f.Host.CPUs) }},
		{"GOMAXPROCS", func(f Figure) string { return number(firstNumber(f.Case.GOMAXPROCS, f.Host.GOMAXPROCS)) }},
		{"Go", func(f Figure) string { return f.Host.GoVersion }},
		{"version", func(f Figure) string {
			if f.run == nil {
				return ""
			}
			return f.run.Version
		}},
		{"IVs hashed by", func(f Figure) string { return f.Case.IVHash }},
	} {
		mine := field.of(f)
		usual, n := most(peers, field.of)
		if mine != "" && usual != "" && mine != usual && n > len(peers)/2 {
			add("%s %s, where most have %s", field.name, mine, usual)
		}
	}
	if f.Series.Grade == results.Unreliable {
		add("its samples are unreliable by themselves")
	}
	for _, d := range f.Doubts {
		add("%s", d)
	}
	return out
}

func firstNumber(ns ...int) int {
	for _, n := range ns {
		if n != 0 {
			return n
		}
	}
	return 0
}

// share is the part of the figures, from 0 to 1, of which ok is true.
func share(list []Figure, ok func(Figure) bool) float64 {
	n := 0
	for _, f := range list {
		if ok(f) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(list)))
}

// most is what most of the figures have in a field, and how many.
func most(list []Figure, field func(Figure) string) (value string, n int) {
	count := map[string]int{}
	for _, f := range list {
		v := field(f)
		count[v]++
		if count[v] > n || count[v] == n && v < value {
			value, n = v, count[v]
		}
	}
	return value, n
}

func allFeatures(list []Figure) []string {
	var all []string
	for _, f := range list {
		all = append(all, f.Host.Features...)
	}
	return distinct(all)
}
