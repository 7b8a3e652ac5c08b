package app

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/results"
	"gelibench/results/measure"
)

// bench is a run in the making: the cases with their devices.
type bench struct {
	env   Env
	plan  plan.Plan
	under *provider.Provider
	jobs  []job
	procs int // GOMAXPROCS before the run
	status
}

// job is a case with the device that it is measured on.
type job struct {
	plan.Case
	device *geli.Device
}

// openFunc makes the device of a case. The options it is handed are those of the
// engine.
type openFunc func(plan.Case, geli.Options) (*geli.Device, error)

// newBench makes a device for every case, so that whatever cannot be made is
// known before anything is measured.
func newBench(env Env, under *provider.Provider, p plan.Plan, cases []plan.Case, open openFunc) (*bench, error) {
	b := &bench{env: env, plan: p, under: under, procs: runtime.GOMAXPROCS(0)}
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
	// One more than there are workers: the timer that ends a sample must not
	// wait for one of them.
	runtime.GOMAXPROCS(max(b.procs, workers+1))
	return b, nil
}

func (b *bench) close() {
	for _, j := range b.jobs {
		j.device.Close()
	}
	runtime.GOMAXPROCS(b.procs)
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
		notes = append(notes, results.Note{
			Kind:   "storage",
			Text:   fmt.Sprintf("the figure includes the storage: %s is read, or the cache of it; behind its end it is read again from the start", b.under.Name()),
			Advice: "gzero in its place shows the cipher alone",
		})
	}
	return notes
}

// announcement says how long a matrix will take, as far as that is known.
func (b *bench) announcement() string {
	n := len(b.jobs)
	if bound := b.plan.Bound(n); bound > 0 {
		return fmt.Sprintf("%d cases, about %v in all", n, (time.Duration(n) * bound).Round(10*time.Millisecond))
	}
	return fmt.Sprintf("%d cases of %d requests", n, b.plan.Requests)
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

// run measures all cases in order. When ctx ends, what was measured until then
// is in the run, which is marked as interrupted. The cases that an error of
// any kind kept from being measured have a series without samples.
func (b *bench) run(ctx context.Context) (results.Run, error) {
	run := results.Run{
		Schema: results.SchemaVersion, Tool: "gelibench", Version: b.env.Version,
		Start: b.env.Date(), Host: b.env.Host(),
	}
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

// measure takes the samples of one case. The case ends with its bound in time,
// or after one sample where the plan has only a number of requests.
func (b *bench) measure(ctx context.Context, j job) (results.Series, error) {
	series := results.Series{Case: b.record(j)}
	targets := make([]measure.Target, j.Workers)
	workers := make([]*geli.Worker, j.Workers)
	for i := range workers {
		w, err := j.device.NewWorker()
		if err != nil {
			return series, err
		}
		defer w.Close()
		if j.Op == plan.Write {
			w.Reserve(int(j.RequestBytes))
		}
		workers[i], targets[i] = w, w
	}
	loop, err := measure.NewLoop(measure.LoopConfig{
		Targets: targets, Op: measure.Op(j.Op),
		RequestBytes: int(j.RequestBytes), SizeBytes: j.device.Size(),
		Clock: b.env.Clock, CPU: b.env.CPU,
	})
	if err != nil {
		return series, err
	}
	var warmup results.Sample
	series.Samples, warmup, err = b.samples(ctx, loop)
	if err != nil && ctx.Err() == nil {
		return series, err
	}
	if wrong := checkCounters(workers, j.Op, warmup.Bytes+series.Total().Bytes); wrong != nil {
		return results.Series{Case: series.Case}, wrong
	}
	return series, err
}

// Bounds of the samples that a bound in time is cut into.
const (
	samplesPerCase = 10
	minSampleTime  = 10 * time.Millisecond
	maxWarmUp      = 100 * time.Millisecond
)

// samples takes the samples that the plan asks for, and the warm-up before
// them, which is over when a tenth of the time is.
func (b *bench) samples(ctx context.Context, sampler measure.Sampler) (samples []results.Sample, warmup results.Sample, err error) {
	take := func(want measure.Want) error {
		s, err := sampler.Sample(ctx, want)
		if s.Requests > 0 {
			samples = append(samples, s)
			b.status.add(s)
		}
		return err
	}
	bound := b.plan.Bound(len(b.jobs))
	if bound == 0 {
		return samples, warmup, take(measure.Want{Requests: b.plan.Requests})
	}
	start := b.env.Clock.Now()
	if b.plan.Requests == 0 {
		warmup, err = sampler.Sample(ctx, measure.Want{Time: min(bound/samplesPerCase, maxWarmUp)})
		if err != nil {
			// Interrupted so early, the warm-up is all that was moved.
			if warmup.Requests > 0 {
				samples, warmup = []results.Sample{warmup}, results.Sample{}
			}
			return samples, warmup, err
		}
	}
	slice := max(bound/samplesPerCase, minSampleTime)
	for {
		left := bound - (b.env.Clock.Now() - start)
		if len(samples) > 0 && left < slice/2 {
			return samples, warmup, nil
		}
		want := measure.Want{Requests: b.plan.Requests, Time: max(min(slice, left), time.Millisecond)}
		if b.plan.Requests > 0 {
			want.Time = max(left, time.Millisecond)
		}
		if err := take(want); err != nil {
			return samples, warmup, err
		}
	}
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
		GOMAXPROCS: runtime.GOMAXPROCS(0),
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
