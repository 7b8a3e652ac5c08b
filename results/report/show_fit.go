package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"gelibench/results/units"
)

// maxNever is the most series of which it is said that they never cross.
const maxNever = 8

// FitTable writes fits for people: of each series the fixed cost per call, the
// asymptotic rate and the half-speed size, and under them where two series of
// one report cross.
func FitTable(w io.Writer, fits []Fit) error {
	b := bufio.NewWriter(w)
	if len(fits) == 0 {
		b.WriteString("no tool printed figures for three block sizes\n")
		return b.Flush()
	}
	rows := [][]string{{"", "series", "", "fixed cost", "asymptotic rate", "half speed at", "off the line by"}}
	for i, f := range fits {
		rows = append(rows, []string{fmt.Sprintf("%d", i+1), f.String(), "", fixedCost(f.Line.FixedNS.Value), asymptotic(f.Line.BytesPerSecond.Value), size(f.Line.HalfSpeedBytes.Value),
			fmt.Sprintf("%.0f %% at most", 100*f.Line.Misfit)})
	}
	writeColumns(b, rows)
	crossings := Crossings(fits)
	crossed := map[[2]int]bool{}
	for _, c := range crossings {
		crossed[[2]int{min(c.Small, c.Large), max(c.Small, c.Large)}] = true
	}
	if len(fits) <= maxNever {
		for i := range fits {
			for j := i + 1; j < len(fits); j++ {
				if !alike(fits[i], fits[j]) || crossed[[2]int{i, j}] {
					continue
				}
				fmt.Fprintf(b, "series %d and %d never cross\n", i+1, j+1)
			}
		}
	}
	for _, c := range crossings {
		beyond := ""
		if c.Beyond {
			beyond = " (beyond what was measured)"
		}
		fmt.Fprintf(b, "series %d overtakes series %d at %s a call%s\n", c.Large+1, c.Small+1, size(c.Bytes), beyond)
	}
	return b.Flush()
}

// String names a series: what its figures have in common.
func (f Fit) String() string {
	r := f.Results[0]
	s := r.File + ":" + fmt.Sprint(r.Line) + " " + r.Name
	for _, x := range []string{string(r.Direction), r.Variant, r.State} {
		if x != "" {
			s += ", " + clip(x)
		}
	}
	if r.Engine != "" {
		s += ", engine " + r.Engine
	}
	if r.Run > 0 {
		s += fmt.Sprintf(", run %d", r.Run)
	}
	if r.Threads > 1 {
		s += fmt.Sprintf(", %d threads", r.Threads)
	}
	return strings.TrimSpace(s)
}

func fixedCost(ns float64) string {
	if math.IsNaN(ns) || ns < 0 {
		return "none seen"
	}
	return units.Duration(time.Duration(ns)) + " a call"
}

func asymptotic(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 {
		return "none seen"
	}
	return units.Rate(v)
}

func size(bytes float64) string {
	switch {
	case math.IsNaN(bytes) || math.IsInf(bytes, 0) || bytes < 0:
		return "no size"
	case bytes < 10*1024:
		return fmt.Sprintf("%.0f bytes", bytes)
	case bytes < 10<<20:
		return fmt.Sprintf("%.0f KiB", bytes/1024)
	}
	return fmt.Sprintf("%.0f MiB", bytes/(1<<20))
}
