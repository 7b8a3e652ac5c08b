package app

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gelibench/cmd/internal/plan"
	"gelibench/geli/cpu"
	"gelibench/geli/mem"
	"gelibench/results"
	machine "gelibench/results/host"
	"gelibench/results/measure"
	"gelibench/results/pin"
	"gelibench/results/stats"
	"gelibench/results/units"
)

// rounds measures all cases in rounds, with an eye on the machine.
func (b *bench) rounds(ctx context.Context, stop <-chan struct{}) (results.Run, error) {
	run := b.newRun(results.MethodRounds)

	b.status.begin(b.env.Clock, 0, len(b.jobs), b.jobs[0].Case)

	// FIT the requests to a slow machine, and SET UP every case.
	if err := b.fitRequests(ctx); err != nil {
		return b.empty(run, ctx, err)
	}
	meters := make([]sampler, len(b.jobs))
	entries := make([]measure.Entry, len(b.jobs))
	buffers := b.sharedBuffers()
	for i, j := range b.jobs {
		m, err := b.newSampler(j, cut(buffers, j))
		if err != nil {
			return b.empty(run, ctx, err)
		}
		defer m.close()
		meters[i] = m
		entries[i] = measure.Entry{Case: b.record(j), Sampler: m}
		if b.group == nil {
			entries[i].Group = rivals(j.Case)
		} else {
			entries[i].Group = b.group(entries[i].Case)
		}
	}
	for _, g := range b.guests.entries {
		entries = append(entries, g.Entry)
	}

	// MEASURE.
	watch := b.look()
	rep, err := measure.Rounds(ctx, measure.Config{
		Clock:      b.env.Clock,
		Budget:     b.plan.RunBudget(b.count()),
		Samples:    b.plan.Samples,
		Precision:  b.plan.Precision,
		MinRounds:  stats.RoundsFor(b.comparisons),
		SampleTime: b.sampleTime(),
		Seed:       b.plan.Seed,
		Stop:       stop,

		BeforeRound: func(r *results.Round) { r.CoreHzBefore = watch.ReadCoreClock() },
		AfterRound:  func(r *results.Round) { r.CoreHzAfter = watch.ReadCoreClock() },
		BeforeSample: func(i int) {
			if b.ours(i) && b.jobs[i].judged() {
				watch.Begin()
			}
		},
		AfterSample: func(i int, s *results.Sample) {
			if b.ours(i) && b.jobs[i].judged() {
				watch.Judge(s, b.jobs[i].Workers)
			}
		},
		Progress: func(p measure.Progress) { b.status.progress(b.env, b.entryTexts, b.count(), p) },
	}, entries)
	b.status.erase(b.env)

	// CHECK what the samples say against what the devices counted.
	for i, moved := range rep.MovedBytes[:min(len(b.jobs), len(rep.MovedBytes))] {
		if wrong := meters[i].check(b.jobs[i].Op, moved); wrong != nil {
			return b.empty(run, ctx, wrong)
		}
	}

	// PUT it together; cases that were not reached stand at the end.
	run.Series, run.Measuring = rep.Series, &rep.Measuring
	for _, m := range meters {
		if c, ok := m.(*child); ok {
			watch.AddOwn(c.cpu)
		}
	}
	if b.guests.cpu != nil {
		watch.AddOwn(b.guests.cpu())
	}
	run.Measuring.CyclesSource = watch.CyclesSource()
	run.Findings = notable(watch.After())
	run.Grade = results.Worst(rep.Grade, results.WorstOf(run.Findings))
	run.Interrupted = rep.Interrupted || ctx.Err() != nil && errors.Is(err, ctx.Err())
	reached := map[int]bool{}
	for _, i := range rep.Entries {
		reached[i] = true
	}
	for i, e := range entries {
		if !reached[i] {
			run.Series = append(run.Series, results.Series{Case: e.Case})
		}
	}
	if b.guests.complete != nil {
		b.guests.complete(&run)
	}
	return run, err
}

// empty is a run whose cases could not be measured.
func (b *bench) empty(run results.Run, ctx context.Context, err error) (results.Run, error) {
	for _, j := range b.jobs {
		run.Series = append(run.Series, results.Series{Case: b.record(j)})
	}
	run.Interrupted = ctx.Err() != nil && errors.Is(err, ctx.Err())
	return run, err
}

// sampleTime is the length of samples with which the budget holds the rounds
// that the comparisons take, half of the samples spoiled; 0 leaves it to
// package measure.
func (b *bench) sampleTime() time.Duration {
	budget := b.plan.RunBudget(b.count())
	if b.comparisons == 0 || budget == 0 {
		return 0
	}
	const (
		lookTime = 5 * time.Millisecond // of the watch, around a sample
		warmUp   = 4                    // samples
		shortest = 10 * time.Millisecond
		longest  = 100 * time.Millisecond
	)
	visits := max(24, 2*stats.RoundsFor(b.comparisons)+warmUp)
	fits := budget/time.Duration(visits*b.count()) - measure.DefaultLeadIn - lookTime
	return max(shortest, min(longest, fits))
}

// watcher has an eye on the machine: host.Watch.
type watcher interface {
	Begin()
	Judge(s *results.Sample, workers int)
	ReadCoreClock() float64
	CyclesSource() string
	AddOwn(cpu time.Duration)
	After() []results.Finding
}

// watched is a watch that also tells what holds for as long as the machine is
// as it is, so that records of many machines can be told apart by it.
type watched struct {
	*machine.Watch
	standing []results.Finding
}

func (w watched) After() []results.Finding { return append(w.standing, w.Watch.After()...) }

// standing names the findings that go into a record.
var standing = []string{"crypto", "governor", "boost", "power"}

func watchOn(h *machine.Host, pins []int) watcher {
	w := watched{standing: h.Static()}
	w.standing = slices.DeleteFunc(w.standing, func(f results.Finding) bool { return !slices.Contains(standing, f.Name) })
	w.Watch = h.Watch(pins)
	return w
}

// judged says whether the watch can judge the samples of a job: not those in
// which the workers rest by intent, and not those of another process.
func (j job) judged() bool { return j.BytesPerSecond == 0 && j.GODEBUG == "" }

// rivals names what a case will be compared with: cases that differ from it in
// the cipher alone.
func rivals(c plan.Case) string {
	return fmt.Sprint(c.SectorBytes, c.RequestBytes, c.Op, c.Workers, c.Engine.Name(), c.Path.Name)
}

// fittingSample is the sample that a handful of requests should fit into.
const fittingSample = 100 * time.Millisecond

// fitRequests makes the requests smaller where a machine is so slow that too
// few of them would fit into a sample, if nobody asked for their size. One
// request of each case tells, or two where the first took long. All cases get
// the size that suits the slowest, so that they remain comparable.
func (b *bench) fitRequests(ctx context.Context) error {
	if !b.plan.FitRequests {
		return nil
	}
	fits := b.jobs[0].RequestBytes
	for _, j := range b.jobs {
		// A rate tells by itself how long a request takes.
		if s := j.PacedSeconds(); s > 0 {
			j.RequestBytes = measure.FittingRequest(j.RequestBytes, time.Duration(min(s, 1e6)*1e9), fittingSample, j.SectorBytes)
		}
		m, err := b.newSampler(j, nil)
		if err != nil {
			return err
		}
		one := int64(0) // bytes
		for range 2 {
			s, err := m.Sample(ctx, measure.Want{Requests: int64(j.Workers)})
			if err != nil {
				m.close()
				return err
			}
			n := measure.FittingRequest(j.RequestBytes, time.Duration(s.ElapsedNS), fittingSample, j.SectorBytes)
			if one = max(one, n); one == j.RequestBytes {
				break
			}
		}
		m.close()
		fits = min(fits, one)
	}
	for i := range b.jobs {
		// Halves of the usual size, but whole sectors.
		j := &b.jobs[i]
		for n := j.RequestBytes; n >= fits && n%int64(j.SectorBytes) == 0; n /= 2 {
			j.RequestBytes = n
		}
	}
	return nil
}

// sharedBuffers are buffers for the workers of the case with most of them.
// Cases are measured one at a time, so one set serves all; a matrix would
// otherwise take a gigabyte quickly.
func (b *bench) sharedBuffers() [][]byte {
	workers, bytes := 0, int64(0)
	for _, j := range b.jobs {
		workers, bytes = max(workers, j.Workers), max(bytes, j.RequestBytes)
	}
	buffers := make([][]byte, workers)
	for i := range buffers {
		buffers[i] = mem.Aligned(int(bytes), mem.Page)
	}
	return buffers
}

// cut takes a job's share of the buffers.
func cut(buffers [][]byte, j job) [][]byte {
	own := make([][]byte, j.Workers)
	for i := range own {
		own[i] = buffers[i][:j.RequestBytes]
	}
	return own
}

// machine is what the run is watched on.
func (b *bench) machine() *machine.Host { return hostOf(b.env) }

// hostOf is this machine, as package host looks at it.
func hostOf(env Env) *machine.Host {
	h := env.Host()
	about := machine.About{CPUModel: h.CPUModel, Features: h.Features, Now: env.Clock.Now}
	for _, f := range cpu.SwitchedOff() {
		about.SwitchedOff = append(about.SwitchedOff, string(f))
	}
	return machine.System("/", about)
}

// notable leaves out what was not known.
func notable(findings []results.Finding) []results.Finding {
	var known []results.Finding
	for _, f := range findings {
		if f.Grade != "" {
			known = append(known, f)
		}
	}
	return known
}

// pins chooses the CPUs of the workers.
func pins(env Env, list string, workers int) ([]int, error) {
	cpus, err := pin.List(list, hostOf(env).Topology())
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil, in("--pin", unavailable("without --pin the system places the workers", "%v", err))
	case err != nil:
		return nil, in("--pin", asUsage(err))
	case len(cpus) < workers:
		return nil, usage("name a CPU for each worker", "--pin: %s (%s) for %s", units.Count(len(cpus), "CPU"), pin.Format(cpus), units.Count(workers, "worker"))
	}
	return cpus, nil
}

// setup binds each worker's thread to its CPU. The goroutine ends while it is
// locked, so the thread ends, too.
func (b *bench) setup() func(worker int) (undo func(), err error) {
	if b.pins == nil {
		return nil
	}
	return func(worker int) (func(), error) {
		runtime.LockOSThread()
		return nil, pin.Thread(b.pins[worker])
	}
}
