package host

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"gelibench/results"
	"gelibench/results/units"
)

// Watch looks at a machine before, during and after a run:
//
//	w := h.Watch(nil)
//	for each sample {
//		w.Begin()
//		s, err := sampler.Sample(ctx, want)
//		w.Judge(&s, workers) // or End
//	}
//	findings := w.After()    // results.WorstOf(findings) is the run's grade
//
// Begin and End take about a millisecond each, nearly all of it for a reading
// of the core clock; 5 ms where a governor changes it. One goroutine may use a Watch, and it should be the one
// that takes the samples.
//
// What takes a worker's CPU is judged by what it cost: a sample is spoiled if
// the workers stood still for more than LostSpoils of it, by wall time and CPU
// time, and a counter names a cause. A device that makes its workers wait does
// not spoil them, as it moves no counter.
type Watch struct {
	h       *Host
	bound   []int // CPUs that the workers are bound to; nil: none
	allowed []int
	cgroups []string      // folders of the process's groups
	heat    bool          // throttling is counted here
	settle  time.Duration // what a reading of the core clock takes at least

	before        look
	begin, end    look      // around the last sample
	clock         []float64 // readings of the core clock, Hz
	clockAtBegin  float64
	clockOfSample float64
	cycles        counter // nil: not available
	source        string  // of the cycles

	samples int
	workers int           // most of any sample
	own     time.Duration // CPU time of other processes that work for this one
	spoiled map[string]int
	wanted  time.Duration // workers' wall time in all samples
	lost    time.Duration // of it, while a cause was at work
}

// look is what the counters say at one moment.
type look struct {
	at           time.Duration
	ticks        cpuTicks
	throttle     throttle
	throttles    int64
	hasThrottles bool
	switches     int64
	hasSwitches  bool
	cpuTime      time.Duration
	hasCPUTime   bool
	cycles       uint64
	hasCycles    bool
}

// Watch begins to watch. boundCPUs are the CPUs that the workers will be bound
// to, nil if they will not be: what happens on others does not count then, and
// the core clock is read on the first of them.
func (h *Host) Watch(boundCPUs []int) *Watch {
	w := &Watch{h: h, bound: boundCPUs, allowed: boundCPUs, spoiled: map[string]int{}}
	if len(w.allowed) == 0 {
		w.allowed = h.allowed()
	}
	v2, v1 := h.cgroupDirs()
	w.cgroups = slices.Concat(v2, v1)
	_, w.heat = h.throttles(w.allowed)
	if h.governor().Grade == results.Fair {
		w.settle = governorDelay
	}
	if c, err := h.self.cycles(); err == nil {
		w.cycles = c
	}
	hz := w.ReadCoreClock()
	w.before = w.look()
	switch {
	case w.cycles != nil:
		w.source = CyclesCounted
	case hz > 0 && w.before.hasCPUTime:
		w.source = CyclesEstimated
	}
	return w
}

// look reads all counters.
func (w *Watch) look() look {
	var l look
	l.ticks = w.h.ticks(w.allowed)
	l.throttle = w.h.throttled(w.cgroups)
	if w.heat {
		l.throttles, l.hasThrottles = w.h.throttles(w.allowed)
	}
	l.switches, l.hasSwitches = w.h.self.switches()
	l.cpuTime, l.hasCPUTime = w.h.self.cpuTime()
	if w.cycles != nil {
		cycles, err := w.cycles.Read()
		l.cycles, l.hasCycles = cycles, err == nil
	}
	l.at = w.h.Now()
	return l
}

// ReadCoreClock reads the core clock, in Hz, on the first of the bound CPUs if
// there are some; 0 if it is not known.
func (w *Watch) ReadCoreClock() float64 {
	hz := 0.0
	if len(w.bound) == 0 {
		hz = w.h.settledClock(w.settle)
	} else {
		done := make(chan float64)
		go func() {
			runtime.LockOSThread() // and ends so, see pin.Thread
			if err := w.h.self.bind(w.bound[0]); err != nil {
				done <- 0
				return
			}
			done <- w.h.settledClock(w.settle)
		}()
		hz = <-done
	}
	if hz > 0 {
		w.clock = append(w.clock, hz)
	}
	return hz
}

// Begin comes right before a sample.
func (w *Watch) Begin() {
	w.clockAtBegin = w.ReadCoreClock()
	w.begin = w.look()
}

// End comes right after the sample that Begin came before, and says what
// spoiled it: nothing, if it is clean. An empty sample is never spoiled.
func (w *Watch) End(s results.Sample, workers int) []results.Finding {
	end := w.look()
	w.end = end
	clock := w.ReadCoreClock()
	w.clockOfSample = 0
	if w.clockAtBegin > 0 && clock > 0 {
		w.clockOfSample = (w.clockAtBegin + clock) / 2
	}
	if s.ElapsedNS <= 0 || workers < 1 {
		return nil
	}
	w.samples++
	w.workers = max(w.workers, workers)

	// HOW LONG did the workers stand still?
	wanted := time.Duration(s.ElapsedNS) * time.Duration(workers)
	w.wanted += wanted
	var lost time.Duration
	lostKnown := s.UserNS != nil && s.SystemNS != nil
	if lostKnown {
		lost = max(0, wanted-time.Duration(*s.UserNS+*s.SystemNS))
	}
	tooLong := func(d time.Duration) bool { return float64(d) > LostSpoils*float64(wanted) }

	// WHICH causes were there?
	var found []results.Finding
	spoil := func(name, format string, args ...any) {
		w.spoiled[name]++
		found = append(found, results.Finding{Name: name, Text: fmt.Sprintf(format, args...), Grade: results.Unreliable})
	}
	excused := time.Duration(0) // the part of lost that has a cause

	if a, b := w.begin.throttle, end.throttle; a.ok && b.ok && b.times > a.times {
		spoil("quota", "the cgroup's quota stopped the run %s", units.Count(int(b.times-a.times), "time"))
		excused = lost
	}
	if a, b := w.begin.ticks, end.ticks; a.ok && b.ok && b.steal > a.steal {
		// The counter moves in whole ticks, the last of which may have been
		// nearly full before the sample; the workers' own loss is finer.
		stolen := b.steal - a.steal
		if tooLong(stolen-tick) || lostKnown && tooLong(lost) {
			spoil("steal", "the hypervisor took about %v", stolen)
			excused = max(excused, min(lost, stolen+tick))
		}
	}
	if w.begin.hasSwitches && end.hasSwitches && end.switches > w.begin.switches {
		n := end.switches - w.begin.switches
		cost := time.Duration(min(n, math.MaxInt32)) * SwitchCost
		if lostKnown {
			cost = min(cost, lost)
			excused = max(excused, cost)
			if tooLong(cost) {
				spoil("switches", "other tasks took the workers' CPU %s, %.1f %% of their time", units.Count(int(n), "time"), 100*float64(cost)/float64(wanted))
			}
		}
	}
	w.lost += excused
	if w.begin.hasThrottles && end.throttles > w.begin.throttles {
		spoil("throttling", "heat slowed the cores %s", units.Count(int(end.throttles-w.begin.throttles), "time"))
	}
	if a, b := w.clockAtBegin, clock; a > 0 && b > 0 && math.Abs(b-a)/max(a, b) > ClockSpoils {
		spoil("core-clock", "the core clock went from %s to %s", formatHz(a), formatHz(b))
	}
	return found
}

// Judge is End for the record: it marks the sample if something spoiled it,
// with a note for each cause, and fills in its cycles, if they are known.
//
// Counted cycles include those of the lead-in, which are taken off by its
// share of the bytes.
func (w *Watch) Judge(s *results.Sample, workers int) {
	for _, f := range w.End(*s, workers) {
		s.Spoiled = true
		s.Notes = append(s.Notes, results.Note{Kind: f.Name, Text: f.Text})
	}
	s.Cycles = nil
	if w.cycles == nil {
		if n, ok := EstimateCycles(*s, w.clockOfSample); ok {
			s.Cycles = &n
		}
		return
	}
	if a, b := w.begin, w.end; a.hasCycles && b.hasCycles && s.Bytes > 0 {
		share := float64(s.Bytes) / float64(s.Bytes+s.LeadInBytes)
		n := int64(share * float64(b.cycles-a.cycles))
		s.Cycles = &n
	}
}

// CyclesSource says where Judge's cycles come from: CyclesCounted,
// CyclesEstimated, or "" if there are none.
func (w *Watch) CyclesSource() string { return w.source }

// CoreClock is the core clock during the last sample, in Hz: the mean of the
// readings before and after it; 0 if it is not known.
func (w *Watch) CoreClock() float64 { return w.clockOfSample }

// AddOwn adds the CPU time of a process that worked for this one, so that it
// isn't taken for somebody else's load. It comes before After.
func (w *Watch) AddOwn(cpu time.Duration) { w.own += cpu }

// After ends the watch, and says what was seen since it began. The names are
// those of Static where the look is the same.
func (w *Watch) After() []results.Finding {
	end := w.look()
	w.ReadCoreClock()
	if w.cycles != nil {
		w.cycles.Close()
		w.cycles = nil
	}
	return []results.Finding{
		w.load(end), w.steal(end), w.quota(end), w.switches(end), w.throttling(end), w.coreClock(),
	}
}

// spoiledBy adds what a cause did to the samples, and its weight.
func (w *Watch) spoiledBy(f results.Finding) results.Finding {
	n := w.spoiled[f.Name]
	if n == 0 {
		return f
	}
	f.Text += fmt.Sprintf("; it spoiled %d of %s", n, units.Count(w.samples, "sample"))
	f.Grade = results.Worst(f.Grade, results.Fair)
	if float64(n) > SpoiledUnreliable*float64(w.samples) {
		f.Grade = results.Unreliable
	}
	return f
}

// load is what other processes took.
func (w *Watch) load(end look) results.Finding {
	wall := end.at - w.before.at
	if !w.before.ticks.ok || !end.ticks.ok || !w.before.hasCPUTime || !end.hasCPUTime || wall <= 0 {
		return notKnown("load")
	}
	busy := end.ticks.busy - w.before.ticks.busy
	own := end.cpuTime - w.before.cpuTime + w.own
	others := max(0, float64(busy-own)/float64(wall)) // CPUs' worth
	cpus := float64(max(1, len(w.allowed)))
	f := good("load", fmt.Sprintf("others took %.2f CPUs", others))
	workers := float64(max(1, w.workers))
	switch missing := others - max(0, cpus-workers); {
	case missing > OthersTakeUnreliable*workers:
		f.Grade = results.Unreliable
		f.Text += fmt.Sprintf(" beside %s", units.Count(int(workers), "worker"))
	case missing > OthersTakeFair*workers, others > OthersFair*cpus:
		f.Grade = results.Fair
	}
	if f.Grade != results.Good {
		f.Advice = "end what else runs (top shows it)"
	}
	return f
}

func (w *Watch) steal(end look) results.Finding {
	if !w.before.ticks.ok || !end.ticks.ok {
		return notKnown("steal")
	}
	steal := end.ticks.steal - w.before.ticks.steal
	if steal <= tick && w.spoiled["steal"] == 0 {
		steal = 0 // it may have been nearly full before
	}
	return w.spoiledBy(stealFinding(steal, end.ticks.busy-w.before.ticks.busy, "while watched"))
}

func (w *Watch) quota(end look) results.Finding {
	a, b := w.before.throttle, end.throttle
	if !a.ok || !b.ok {
		return notKnown("quota")
	}
	times, us := b.times-a.times, b.us-a.us
	if times <= 0 {
		return good("quota", "not reached while watched")
	}
	return w.spoiledBy(results.Finding{
		Name: "quota", Grade: results.Fair,
		Text:   fmt.Sprintf("the cgroup's quota stopped the run %s, for %v", units.Count(int(times), "time"), time.Duration(us)*time.Microsecond),
		Advice: "lift the quota, or use fewer workers",
	})
}

// switches is the workers' time that is lost for a known cause.
func (w *Watch) switches(end look) results.Finding {
	if !w.before.hasSwitches || !end.hasSwitches {
		return notKnown("switches")
	}
	f := good("switches", countSwitches(end.switches-w.before.switches))
	if w.wanted > 0 {
		share := float64(w.lost) / float64(w.wanted)
		f.Text += fmt.Sprintf(", %.1f %% of the time lost", 100*share)
		switch {
		case share > LostUnreliable:
			f.Grade = results.Unreliable
		case share > LostFair:
			f.Grade = results.Fair
		}
	}
	f = w.spoiledBy(f)
	if f.Grade != results.Good {
		f.Advice = "end what else runs (top shows it), or bind the workers to free CPUs: --pin"
	}
	return f
}

func (w *Watch) throttling(end look) results.Finding {
	if !w.before.hasThrottles || !end.hasThrottles {
		return notKnown("throttling")
	}
	n := end.throttles - w.before.throttles
	if n <= 0 {
		return good("throttling", "none while watched")
	}
	return w.spoiledBy(results.Finding{
		Name: "throttling", Grade: results.Fair,
		Text:   fmt.Sprintf("heat slowed the cores %s while watched", units.Count(int(n), "time")),
		Advice: "see to the cooling, or switch boost off",
	})
}

// coreClock compares all readings, but for a twentieth at either end: one that
// was disturbed is not the clock's fault. (A second thread of the core that
// keeps its adders busy slows the readings as well, by up to a quarter: it is
// taken for the clock, and spoils as much.)
func (w *Watch) coreClock() results.Finding {
	if len(w.clock) == 0 {
		return notKnown("core-clock")
	}
	sorted := slices.Sorted(slices.Values(w.clock))
	median := medianOf(sorted)
	cut := len(sorted) / 20
	low, high := sorted[cut], sorted[len(sorted)-1-cut]
	drift := (high - low) / median
	f := good("core-clock", fmt.Sprintf("about %s, within %.1f %%", formatHz(median), 100*drift))
	switch {
	case drift > ClockUnreliable:
		f.Grade = results.Unreliable
	case drift > ClockFair:
		f.Grade = results.Fair
	}
	if f.Grade != results.Good {
		f.Text = fmt.Sprintf("it moved between %s and %s", formatHz(low), formatHz(high))
	} else if w.spoiled[f.Name] > 0 {
		f.Text = fmt.Sprintf("about %s, at times %s", formatHz(median), formatHz(sorted[0]))
	}
	f = w.spoiledBy(f)
	if f.Grade != results.Good {
		f.Advice = "performance governor, boost off, better cooling; or else a busy second thread of the core slowed it"
	}
	return f
}

func formatHz(hz float64) string { return fmt.Sprintf("%.2f GHz", hz/1e9) }

func countSwitches(n int64) string {
	if n == 1 {
		return "1 involuntary switch"
	}
	return fmt.Sprintf("%d involuntary switches", n)
}
