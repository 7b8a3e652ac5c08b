package host

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"gelibench/results"
)

// one takes one sample of 100 ms with one worker under a watch, while during
// happens; lost is how long the worker stands still.
func one(f *fake, w *Watch, lost time.Duration, during func()) results.Sample {
	const took = 100 * time.Millisecond
	w.Begin()
	f.now += took
	f.stood += lost
	if during != nil {
		during()
	}
	user, system := int64(took-lost), int64(0)
	s := results.Sample{Bytes: 1e6, Requests: 10, ElapsedNS: int64(took), UserNS: &user, SystemNS: &system}
	w.Judge(&s, 1)
	return s
}

// set changes a file of the tree.
func (f *fake) set(name, text string) {
	f.files[name] = &fstest.MapFile{Data: []byte(text)}
	delete(f.later, name)
}

// calm is a machine on which nothing happens until a test makes it.
func calm(t *testing.T) *fake {
	f := newFake(t, "quiet")
	f.later = fstest.MapFS{}
	f.set("proc/stat", stat(0, 0))
	return f
}

// stat is a /proc/stat in which CPU 1 was busy and stolen for so many ticks.
func stat(busy, steal int) string {
	return strings.NewReplacer("B", itoa(1000+busy), "S", itoa(steal)).Replace(
		"cpu0 0 0 0 9 0 0 0 0 0 0\ncpu1 B 0 0 9 0 0 0 S 0 0\ncpu2 0 0 0 9 0 0 0 0 0 0\ncpu3 0 0 0 9 0 0 0 0 0 0\n")
}

func itoa(n int) string {
	return string(rune('0'+n/1000%10)) + string(rune('0'+n/100%10)) + string(rune('0'+n/10%10)) + string(rune('0'+n%10))
}

func TestSamplesAreJudged(t *testing.T) {
	const cpuStat = "sys/fs/cgroup/user.slice/run.scope/cpu.stat"
	for _, c := range []struct {
		what   string
		lost   time.Duration
		during func(f *fake)
		want   []string // causes
	}{
		{"nothing", 0, nil, nil},
		// A device that lets its worker wait moves no counter.
		{"a slow device", 50 * time.Millisecond, nil, nil},
		{"voluntary work of others", 0, func(f *fake) { f.set("proc/stat", stat(10, 0)) }, nil},
		{"a tick that was full before", 0, func(f *fake) { f.set("proc/stat", stat(0, 1)) }, nil},
		{"steal by loss", 5 * time.Millisecond, func(f *fake) { f.set("proc/stat", stat(0, 1)) }, []string{"steal"}},
		{"steal by ticks", 0, func(f *fake) { f.set("proc/stat", stat(0, 3)) }, []string{"steal"}},
		{"short switches", 500 * time.Microsecond, func(f *fake) { f.involuntary += 20 }, nil},
		{"long switches", 20 * time.Millisecond, func(f *fake) { f.involuntary += 4 }, []string{"switches"}},
		// One switch cannot have cost so much; the device did. But it can
		// have cost one slice.
		{"one switch", 90 * time.Millisecond, func(f *fake) { f.involuntary++ }, []string{"switches"}},
		{"quota", 40 * time.Millisecond, func(f *fake) { f.set(cpuStat, "nr_throttled 1\nthrottled_usec 40000\n") }, []string{"quota"}},
		{"heat", 0, func(f *fake) {
			f.set("sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "1")
		}, []string{"throttling"}},
		{"heat of the package", 0, func(f *fake) {
			f.set("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "1")
		}, []string{"throttling"}},
		{"a clock 1 % lower", 0, func(f *fake) { f.clock *= 0.99 }, nil},
		{"a clock 8 % lower", 0, func(f *fake) { f.clock *= 0.92 }, []string{"core-clock"}},
		{"a clock 8 % higher", 0, func(f *fake) { f.clock *= 1.08 }, []string{"core-clock"}},
	} {
		f := calm(t)
		w := f.Watch(nil)
		s := one(f, w, c.lost, func() {
			if c.during != nil {
				c.during(f)
			}
		})
		var causes []string
		for _, n := range s.Notes {
			causes = append(causes, n.Kind)
			if n.Text == "" {
				t.Errorf("%s: a note without a text", c.what)
			}
		}
		if !slices.Equal(causes, c.want) || s.Spoiled != (len(c.want) > 0) {
			t.Errorf("%s: spoiled %v by %v, want %v", c.what, s.Spoiled, s.Notes, c.want)
		}
		// What is over does not spoil the next one.
		if s := one(f, w, 0, nil); s.Spoiled {
			t.Errorf("%s: the sample after it is spoiled, too: %v", c.what, s.Notes)
		}
	}
}

// A run is graded by the shares over all its samples.
func TestRunsAreGraded(t *testing.T) {
	const samples = 20
	grade := func(findings []results.Finding, name string) results.Grade {
		i := slices.IndexFunc(findings, func(f results.Finding) bool { return f.Name == name })
		return findings[i].Grade
	}
	for _, c := range []struct {
		what   string
		name   string
		lost   time.Duration
		during func(f *fake, i int)
		want   results.Grade
	}{
		{"nothing", "switches", 0, nil, results.Good},
		{"calm", "load", 0, nil, results.Good},
		{"a slow device", "switches", 50 * time.Millisecond, nil, results.Good},
		{"a competitor", "switches", 50 * time.Millisecond, func(f *fake, i int) { f.involuntary += 20 }, results.Unreliable},
		{"a competitor once", "switches", 20 * time.Millisecond, func(f *fake, i int) {
			if i == 3 {
				f.involuntary += 20
			}
		}, results.Fair},
		{"others use two CPUs of four", "load", 0, func(f *fake, i int) { f.set("proc/stat", stat(30*(i+1), 0)) }, results.Fair},
		{"others use four CPUs of four", "load", 0, func(f *fake, i int) { f.set("proc/stat", stat(50*(i+1), 0)) }, results.Unreliable},
		{"steal of 1 %", "steal", 0, func(f *fake, i int) { f.set("proc/stat", stat(10*(i+1), (i+1)/8)) }, results.Fair},
		{"steal of 30 %", "steal", 30 * time.Millisecond, func(f *fake, i int) { f.set("proc/stat", stat(7*(i+1), 3*(i+1))) }, results.Unreliable},
		{"a throttling", "throttling", 0, func(f *fake, i int) {
			if i == 2 {
				f.set("sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "1")
			}
		}, results.Fair},
		{"throttling all along", "throttling", 0, func(f *fake, i int) {
			f.set("sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", itoa(i+1))
		}, results.Unreliable},
		{"a clock that falls by 4 %", "core-clock", 0, func(f *fake, i int) { f.clock *= 0.998 }, results.Fair},
		{"a clock that falls by 10 %", "core-clock", 0, func(f *fake, i int) { f.clock *= 0.995 }, results.Unreliable},
		{"a clock of two levels", "core-clock", 0, func(f *fake, i int) { f.clock = []float64{3, 2.76}[i/5%2] }, results.Unreliable},
		{"a clock that stands", "core-clock", 0, nil, results.Good},
	} {
		f := calm(t)
		w := f.Watch(nil)
		for i := range samples {
			one(f, w, c.lost, func() {
				if c.during != nil {
					c.during(f, i)
				}
			})
		}
		findings := w.After()
		if got := grade(findings, c.name); got != c.want {
			t.Errorf("%s: %s is %q, want %q: %v", c.what, c.name, got, c.want, findings)
		}
		if c.during == nil && results.WorstOf(findings) != results.Good {
			t.Errorf("%s: %v", c.what, findings)
		}
		for _, x := range findings {
			if x.Grade.WorseThan(results.Good) && x.Advice == "" {
				t.Errorf("%s: %s has no remedy", c.what, x.Name)
			}
		}
	}
}

// Workers that are bound are judged by what happens on their CPUs.
func TestBoundWorkers(t *testing.T) {
	for _, c := range []struct {
		cpus []int
		want bool
	}{{nil, true}, {[]int{1}, true}, {[]int{0}, false}, {[]int{2, 3}, false}} {
		f := calm(t)
		var bound []int
		f.self.bind = func(cpu int) error { bound = append(bound, cpu); return nil }
		w := f.Watch(c.cpus)
		s := one(f, w, 30*time.Millisecond, func() { f.set("proc/stat", stat(0, 3)) })
		if s.Spoiled != c.want {
			t.Errorf("bound to %v, steal on CPU 1: spoiled %v: %v", c.cpus, s.Spoiled, s.Notes)
		}
		if len(c.cpus) > 0 && (len(bound) == 0 || bound[0] != c.cpus[0]) {
			t.Errorf("bound to %v, the clock was read on %v", c.cpus, bound)
		}
	}
}

func TestCycles(t *testing.T) {
	// COUNTED, and shared between sample and lead-in by their bytes.
	f := calm(t)
	w := f.Watch(nil)
	w.Begin()
	s := results.Sample{Bytes: 3e6, LeadInBytes: 1e6, ElapsedNS: 1}
	w.Judge(&s, 1)
	if s.Cycles == nil || *s.Cycles != 750_000 || w.CyclesSource() != CyclesCounted {
		t.Errorf("counted: %v, %s", s.Cycles, w.CyclesSource())
	}

	// ESTIMATED, by the clock around the sample: 0.1 s at 3 GHz.
	f = calm(t)
	f.self.cycles = newFake(t, "loaded").self.cycles
	w = f.Watch(nil)
	s = one(f, w, 0, nil)
	if s.Cycles == nil || *s.Cycles < 2.98e8 || *s.Cycles > 3.01e8 || w.CyclesSource() != CyclesEstimated {
		t.Errorf("estimated: %v, %s", s.Cycles, w.CyclesSource())
	}

	// NOT KNOWN.
	if n, ok := EstimateCycles(s, 0); ok {
		t.Errorf("%d cycles without a clock", n)
	}
	if n, ok := EstimateCycles(results.Sample{}, 3e9); ok {
		t.Errorf("%d cycles without a CPU time", n)
	}
	f = newFake(t, "windows")
	w = f.Watch(nil)
	w.Begin()
	s = results.Sample{Bytes: 1, ElapsedNS: 1}
	w.Judge(&s, 1)
	if s.Cycles != nil || w.CyclesSource() != "" || s.Spoiled {
		t.Errorf("nothing known: %+v, %s", s, w.CyclesSource())
	}
	for _, x := range w.After() {
		if x.Grade != "" {
			t.Errorf("nothing known: %+v", x)
		}
	}
}

// The real machine's answers are plausible, and a watch over nothing is clean
// of everything that needs a sample.
func TestThisMachine(t *testing.T) {
	h := System("/", About{})
	for _, f := range h.Static() {
		if f.Name == "" || f.Text == "" {
			t.Errorf("%+v says nothing", f)
		}
	}
	w := h.Watch(nil)
	if hz := w.ReadCoreClock(); h.timerStep() <= TimerFair && (hz < 1e7 || hz > 2e10) {
		t.Errorf("core clock %v Hz", hz)
	}
	w.Begin()
	if found := w.End(results.Sample{}, 1); len(found) > 0 {
		t.Errorf("an empty sample is spoiled by %v", found)
	}
	if got := w.After(); len(got) != 6 {
		t.Errorf("%d findings", len(got))
	}
}
