package app

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/results/pin"
	"gelibench/results/units"
)

// bench is a run in the making: the cases with their devices.
type bench struct {
	env    Env
	plan   plan.Plan
	under  *provider.Provider
	jobs   []job
	pins   []int  // CPU of each worker; nil: not bound
	free   func() // sets GOMAXPROCS back
	guests guests
	question
	status

	// Tests hand in a machine that is made up.
	newSampler func(job, [][]byte) (sampler, error)
	look       func() watcher
}

// job is a case with the device that it is measured on.
type job struct {
	plan.Case
	device *geli.Device
}

// sampler is what measures a job.
type sampler interface {
	measure.Sampler
	// check compares the bytes of all samples with what was counted elsewhere.
	check(op plan.Op, bytes int64) error
	close()
}

// rig is the workers of a job, and the loop that drives them.
type rig struct {
	*measure.Loop
	workers []*geli.Worker
}

func (r *rig) close() {
	for _, w := range r.workers {
		w.Close()
	}
}

func (r *rig) check(op plan.Op, bytes int64) error { return checkCounters(r.workers, op, bytes) }

// openFunc makes the device of a case. The options it is handed are those of the
// engine.
type openFunc func(plan.Case, geli.Options) (*geli.Device, error)

// newBench makes a device for every case, so that whatever cannot be made is
// known before anything is measured.
func newBench(env Env, under *provider.Provider, p plan.Plan, cases []plan.Case, open openFunc) (*bench, error) {
	if err := p.CheckBounds(cases); err != nil {
		return nil, fromPlan(err)
	}
	b := &bench{env: env, plan: p, under: under, free: func() {}}
	b.newSampler = b.sampler
	b.look = func() watcher { return watchOn(b.machine(), b.pins) }
	if env.simulate != nil {
		env.simulate(b)
	}
	workers := 0
	for _, c := range cases {
		workers = max(workers, c.Workers)
		o := geli.Options{Engine: c.Engine, Path: c.Path}
		if c.Hasher != "" {
			h, err := env.Engines.LookupHasher(c.Hasher)
			if err != nil {
				return nil, err
			}
			o.Hasher = h
		}
		d, err := open(c, o)
		if err != nil {
			b.close()
			return nil, fmt.Errorf("%v: %w", c, err)
		}
		b.jobs = append(b.jobs, job{c, d})
	}
	_, b.free = measure.FixProcs(workers)
	if p.Pin != "" {
		var err error
		if b.pins, err = pins(env, p.Pin, workers); err != nil {
			b.close()
			return nil, err
		}
	}
	return b, nil
}

func (b *bench) close() {
	for _, j := range b.jobs {
		j.device.Close()
	}
	b.free()
}

// selfTest checks each engine with each cipher it is to run, and each hasher,
// once. Nothing is timed if one of them is wrong.
func (b *bench) selfTest() error {
	type tested struct {
		name   string
		params engine.Params
	}
	done := map[tested]bool{}
	for _, j := range b.jobs {
		if t := (tested{j.Engine.Name(), j.Params}); !done[t] {
			done[t] = true
			if err := engine.SelfTest(j.Engine, b.env.Engines.Oracle, j.Params); err != nil {
				return fmt.Errorf("self-test, nothing was measured: %w", err)
			}
		}
		for _, name := range []string{j.device.HasherName(), j.device.MACHasherName()} {
			if t := (tested{name: name}); name != "" && !done[t] {
				done[t] = true
				h, err := b.env.Engines.LookupHasher(name)
				if err == nil {
					err = engine.SelfTestHasher(h)
				}
				if err != nil {
					return fmt.Errorf("self-test, nothing was measured: %w", err)
				}
			}
		}
	}
	return nil
}

// notes are the remarks that belong to the whole run.
func (b *bench) notes() []results.Note {
	var notes []results.Note
	said := map[string]bool{}
	for _, j := range b.jobs {
		text := fmt.Sprintf("auto took engine %s: %s", j.Engine.Name(), j.Reason)
		if j.Reason != "" && !said[text] {
			said[text] = true
			notes = append(notes, results.Note{Kind: "engine-auto", Text: text})
		}
	}
	for _, j := range b.jobs {
		if n := oddity(j.Case, b.under); n.Text != "" && !said[n.Text] {
			said[n.Text] = true
			notes = append(notes, n)
		}
	}
	if !b.under.Zero {
		how := "read"
		if writes := func(j job) bool { return j.Op == plan.Write }; slices.ContainsFunc(b.jobs, writes) {
			how = "read and written"
			if !slices.ContainsFunc(b.jobs, func(j job) bool { return !writes(j) }) {
				how = "written"
			}
		}
		notes = append(notes, results.Note{
			Kind:   "storage",
			Text:   fmt.Sprintf("the figure includes the storage: %s is %s, or the cache of it; behind its end it is %[2]s again from the start", b.under.Name(), how),
			Advice: "gzero in its place shows the cipher alone",
		})
	}
	return notes
}

// announcement says how long a matrix will take, as far as that is known.
func (b *bench) announcement() string {
	n := b.count()
	switch {
	case !b.plan.InRounds():
		return fmt.Sprintf("%s of %s", units.Count(n, "case"), units.Count(b.plan.Requests, "request"))
	case b.plan.RunBudget(n) == 0:
		return fmt.Sprintf("%s, %s each", units.Count(n, "case"), units.Count(b.plan.Samples, "sample"))
	}
	budget := b.plan.RunBudget(n)
	if budget >= 100*time.Millisecond {
		budget = budget.Round(10 * time.Millisecond)
	}
	return fmt.Sprintf("%s, at most about %v in all", units.Count(n, "case"), budget)
}

// pageBytes is the page of the processors that FreeBSD runs on.
const pageBytes = 4096

// oddity is a remark about a case whose figure is easily misread.
func oddity(c plan.Case, under *provider.Provider) results.Note {
	switch {
	case c.Params.Alg == engine.Null && c.Op == plan.Read && under.Zero && !under.Clear:
		return results.Note{
			Kind:   "no-work",
			Text:   "null read from gzero without --clear moves no data at all: the figure is that of the request loop",
			Advice: "--op write copies, which is the floor of what can be measured",
		}
	case c.SectorBytes > pageBytes:
		return results.Note{
			Kind: "sector-above-page",
			Text: fmt.Sprintf("sectors of more than a page (%d bytes) work, but geli(8) warns of them", pageBytes),
		}
	}
	return results.Note{}
}

// newRun is a run with nothing in it yet.
func (b *bench) newRun(method int) results.Run {
	return results.Run{
		Schema: results.SchemaVersion, Tool: "gelibench", Version: b.env.Version,
		Start: b.env.Date(), Host: b.env.Host(), Method: method,
	}
}

// run measures all cases. When ctx ends, what was measured until then is in the
// run, which is marked as interrupted; when stop is closed, a run in rounds ends
// with the sample under way. The cases that an error of any kind kept from being
// measured have a series without samples.
func (b *bench) run(ctx context.Context, stop <-chan struct{}) (results.Run, error) {
	if b.plan.InRounds() {
		return b.rounds(ctx, stop)
	}
	return b.counted(ctx)
}

// counted measures the cases one after the other: one sample of so many
// requests, or several where there is a time, too.
func (b *bench) counted(ctx context.Context) (results.Run, error) {
	run := b.newRun(results.MethodSeries)
	var failed error
	for i, j := range b.jobs {
		if failed != nil {
			run.Series = append(run.Series, results.Series{Case: b.record(j)})
			continue
		}
		b.status.begin(b.env.Clock, i, len(b.jobs), j.Case)
		series, err := b.measure(ctx, j)
		if err != nil {
			failed, run.Interrupted = err, ctx.Err() != nil && errors.Is(err, ctx.Err())
			if !run.Interrupted {
				series.Samples = nil // not to be trusted
			}
		}
		run.Series = append(run.Series, series)
	}
	return run, failed
}

// measure takes the samples of one case.
func (b *bench) measure(ctx context.Context, j job) (results.Series, error) {
	series := results.Series{Case: b.record(j)}
	meter, err := b.newSampler(j, nil)
	if err != nil {
		return series, err
	}
	defer meter.close()
	if r, ok := meter.(*rig); ok && b.plan.Time == 0 {
		b.status.ask(r.SoFar)
		defer b.status.ask(nil)
	}
	var warmup results.Sample
	series.Samples, warmup, err = measure.Series(ctx, b.env.Clock, meter, measure.Budget{Requests: b.plan.Requests, Time: b.plan.Time}, b.status.add)
	if err != nil && ctx.Err() == nil {
		return series, err
	}
	if wrong := meter.check(j.Op, warmup.Bytes+series.Total().Bytes); wrong != nil {
		return results.Series{Case: series.Case}, wrong
	}
	return series, err
}

// sampler makes what measures a job. Those that never measure at the same time
// may share buffers; nil makes new ones.
func (b *bench) sampler(j job, buffers [][]byte) (sampler, error) {
	if j.GODEBUG != "" {
		return b.newChild(j)
	}
	return b.newRig(j, buffers)
}

// newRig makes the workers of a job.
func (b *bench) newRig(j job, buffers [][]byte) (*rig, error) {
	r := &rig{}
	targets := make([]measure.Target, j.Workers)
	for i := range targets {
		w, err := j.device.NewWorker()
		if err != nil {
			r.close()
			return nil, err
		}
		if j.Op == plan.Write {
			w.Reserve(int(j.RequestBytes))
		}
		r.workers = append(r.workers, w)
		targets[i] = w
	}
	var err error
	r.Loop, err = measure.NewLoop(measure.LoopConfig{
		Targets: targets, Op: measure.Op(j.Op),
		RequestBytes: int(j.RequestBytes), SizeBytes: j.device.Size(), BytesPerSecond: j.BytesPerSecond,
		Clock: b.env.Clock, CPU: b.env.CPU, Setup: b.setup(), Buffers: buffers,
	})
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// checkCounters compares what the samples say with what the device counted.
func checkCounters(workers []*geli.Worker, op plan.Op, bytes int64) error {
	var read, written int64
	for _, w := range workers {
		read += w.Counters().BytesRead
		written += w.Counters().BytesWritten
	}
	wantRead, wantWritten := bytes, int64(0)
	if op == plan.Write {
		wantRead, wantWritten = 0, bytes
	}
	if read != wantRead || written != wantWritten {
		return fmt.Errorf("internal error: the samples say %d bytes read and %d written, the device counted %d and %d; no figure is shown", wantRead, wantWritten, read, written)
	}
	return nil
}

// record is the case as the results keep it.
func (b *bench) record(j job) results.Case {
	path := j.device.Path()
	c := results.Case{
		Op: string(j.Op), Engine: j.device.Engine().Name(),
		Alg: j.Params.Alg.String(), KeyBits: j.Params.KeyBits,
		SectorBytes: j.device.SectorSize(), RequestBytes: j.RequestBytes,
		Workers: j.Workers, Path: path.Name, RunSectors: path.RunSectors, Rekey: string(path.Rekey),
		IVHash: j.device.HasherName(), MACHash: j.device.MACHasherName(), Provider: b.under.Name(),
		GOMAXPROCS: runtime.GOMAXPROCS(0), PacedBytesPerSecond: j.BytesPerSecond,
	}
	if j.GODEBUG != "" {
		c.GODEBUG = j.GODEBUG
		c.Engine += withoutSuffix
	}
	if b.pins != nil {
		c.Pin = pin.Format(b.pins[:j.Workers])
	}
	if j.AAlg != 0 {
		c.AAlg = j.AAlg.String()
	}
	if b.under.Zero {
		c.Clear = &b.under.Clear
		if b.under.Clear {
			c.Byte = &b.under.Byte
		}
	}
	return c
}
