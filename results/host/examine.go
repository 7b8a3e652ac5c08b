package host

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gelibench/results"
)

// Report is what a host can support.
type Report struct {
	Findings []results.Finding `json:"findings"`
	Grade    results.Grade     `json:"grade"`
	// PrecisionPercent is how near to the truth figures may be expected to
	// be; absent if none should be expected.
	PrecisionPercent float64 `json:"precision_percent,omitempty"`
	// CoreClockHz is an estimate; absent if not known.
	CoreClockHz float64 `json:"core_clock_hz,omitempty"`
}

// Examine looks at everything, and then works for about a second while it
// watches: the same piece of work over and over, in parts that are compared
// with each other.
func (h *Host) Examine() Report {
	static := h.Static()
	w := h.Watch(nil)
	steady, spread := h.steadiness(w)
	now := append(w.After(), steady)

	r := Report{Findings: merge(static, now)}
	if len(w.clock) > 0 {
		r.CoreClockHz = math.Round(medianOf(w.clock)/1e6) * 1e6
	}
	r.Grade = results.WorstOf(r.Findings)
	r.PrecisionPercent = precision(r.Grade, spread)
	return r
}

// precision is 1 % at the best, the default of a run, 2 % where something was
// found, and in both cases no better than the spread, in whole percents.
func precision(g results.Grade, spread float64) float64 {
	best := 0.0
	switch g {
	case results.Good:
		best = 1
	case results.Fair:
		best = 2
	default:
		return 0
	}
	return max(best, math.Ceil(100*spread))
}

// The work that steadiness does.
const (
	pieceTime  = 4 * time.Millisecond
	minPieces  = 2                      // in a part, on a machine however busy
	partTime   = 100 * time.Millisecond // one part
	parts      = 10
	fewerParts = 4 // are enough, if
	partsBound = 1200 * time.Millisecond
)

// steadiness does the same work again and again under the watch, and gives
// half the range of the parts' medians as a share of the median.
func (h *Host) steadiness(w *Watch) (f results.Finding, spread float64) {
	hz := h.CoreClock()
	if hz == 0 {
		return notKnown("steadiness"), 0
	}
	additions := int(hz * pieceTime.Seconds())
	var all, medians []time.Duration
	for start := h.Now(); len(medians) < parts; {
		if len(medians) >= fewerParts && h.Now()-start > partsBound {
			break
		}
		w.Begin()
		cpu, known := h.self.cpuTime()
		var pieces []time.Duration
		from := h.Now()
		for len(pieces) < minPieces || h.Now()-from < partTime {
			pieces = append(pieces, h.timeChain(additions))
		}
		s := results.Sample{ElapsedNS: int64(h.Now() - from)}
		if cpu1, ok := h.self.cpuTime(); ok && known {
			user, system := int64(cpu1-cpu), int64(0) // together
			s.UserNS, s.SystemNS = &user, &system
		}
		w.End(s, 1)
		medians = append(medians, medianOf(pieces))
		all = append(all, pieces...)
	}
	half := float64(slices.Max(medians)-slices.Min(medians)) / 2
	spread = half / float64(medianOf(all))
	f = good("steadiness", fmt.Sprintf("the same work took the same time within ±%.1f %%", 100*spread))
	switch {
	case spread > SteadyUnreliable:
		f.Grade = results.Unreliable
	case spread > SteadyFair:
		f.Grade = results.Fair
	}
	if f.Grade != results.Good {
		f.Advice = "see to what else is found here, then ask again"
	}
	return f, spread
}

// merge joins what was found before with what was seen now, under the names of
// before. What is over now is no worse than fair.
func merge(before, now []results.Finding) []results.Finding {
	merged := slices.Clone(before)
	for _, n := range now {
		i := slices.IndexFunc(merged, func(f results.Finding) bool { return f.Name == n.Name })
		switch {
		case i < 0:
			merged = append(merged, n)
		case n.Grade == "":
		case merged[i].Grade == "":
			merged[i] = n
		default:
			merged[i] = join(merged[i], n)
		}
	}
	return merged
}

func join(before, now results.Finding) results.Finding {
	if before.Name == "quota" && before.Grade == results.Good && now.Grade == results.Good {
		return before // of course it was not reached
	}
	f := results.Finding{Name: now.Name, Text: before.Text + "; " + now.Text, Grade: before.Grade, Advice: before.Advice}
	if passing := map[string]bool{"load": true, "steal": true, "throttling": true}; passing[f.Name] && now.Grade == results.Good && before.Grade == results.Unreliable {
		f.Grade = results.Fair
	}
	if now.Grade.WorseThan(f.Grade) {
		f.Grade, f.Advice = now.Grade, now.Advice
	}
	return f
}

// Verdict is one sentence on what the host can support, and what is in the way.
func (r Report) Verdict() string {
	switch r.Grade {
	case results.Good:
		return fmt.Sprintf("this machine can support figures to about ±%.0f %%", r.PrecisionPercent)
	case results.Fair:
		return fmt.Sprintf("this machine can support figures to about ±%.0f %%; note %s", r.PrecisionPercent, r.names(results.Fair))
	case results.Unreliable:
		return "figures would not be reliable now; in the way: " + r.names(results.Unreliable)
	}
	return "nothing could be found out about this machine"
}

// names lists the findings of a grade.
func (r Report) names(g results.Grade) string {
	var names []string
	for _, f := range r.Findings {
		if f.Grade == g {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// NotKnown lists the looks that could not be taken.
func (r Report) NotKnown() []string {
	var names []string
	for _, f := range r.Findings {
		if f.Grade == "" {
			names = append(names, f.Name)
		}
	}
	return names
}
