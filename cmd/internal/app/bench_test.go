package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/zerodev"
)

// handClock stands still unless it is wound.
type handClock struct{ now time.Duration }

func (c *handClock) Now() time.Duration                              { return c.now }
func (c *handClock) AfterFunc(time.Duration, func()) (cancel func()) { return func() {} }

// clockworkSampler moves one request of 1000 bytes in every tick of its clock.
type clockworkSampler struct {
	clock *handClock
	tick  time.Duration
	wants []measure.Want
	fail  map[int]error // by the number of the sample
}

func (s *clockworkSampler) Sample(_ context.Context, want measure.Want) (results.Sample, error) {
	requests := int64(1)
	if want.Time > 0 {
		requests = max(1, int64(want.Time/s.tick))
	}
	if want.Requests > 0 && (want.Time == 0 || want.Requests < requests) {
		requests = want.Requests
	}
	s.wants = append(s.wants, want)
	elapsed := time.Duration(requests) * s.tick
	s.clock.now += elapsed
	return results.Sample{Requests: requests, Bytes: 1000 * requests, ElapsedNS: int64(elapsed)}, s.fail[len(s.wants)-1]
}

func TestSamples(t *testing.T) {
	stop := errors.New("stop")
	for _, c := range []struct {
		name     string
		requests int64
		time     time.Duration
		cases    int
		tick     time.Duration
		fail     map[int]error

		samples  int
		warm     bool
		takes    time.Duration
		measured int64 // requests
		err      error
	}{
		{name: "count only", requests: 7, cases: 1, tick: time.Millisecond, samples: 1, takes: 7 * time.Millisecond, measured: 7},
		{name: "time only", time: time.Second, cases: 1, tick: time.Millisecond, samples: 9, warm: true, takes: time.Second, measured: 900},
		{name: "both", requests: 300, time: time.Second, cases: 1, tick: time.Millisecond, samples: 4, takes: time.Second, measured: 1000},
		{name: "neither, one case", cases: 1, tick: time.Millisecond, samples: 10, warm: true, takes: 3 * time.Second, measured: 2900},
		{name: "neither, 30 cases", cases: 30, tick: time.Millisecond, samples: 9, warm: true, takes: 500 * time.Millisecond, measured: 450},
		{name: "neither, 1000 cases", cases: 1000, tick: time.Millisecond, samples: 9, warm: true, takes: 200 * time.Millisecond, measured: 180},
		// A machine on which one request takes longer than the bound measures
		// one request, and one to warm up.
		{name: "slow", time: 100 * time.Millisecond, cases: 1, tick: time.Second, samples: 1, warm: true, takes: 2 * time.Second, measured: 1},
		{name: "short", time: time.Millisecond, cases: 1, tick: time.Microsecond, samples: 1, warm: true, takes: 1100 * time.Microsecond, measured: 1000},
		{name: "ended in the warm-up", time: time.Second, cases: 1, tick: time.Millisecond, fail: map[int]error{0: stop}, samples: 1, takes: 100 * time.Millisecond, measured: 100, err: stop},
		{name: "ended in the third sample", time: time.Second, cases: 1, tick: time.Millisecond, fail: map[int]error{3: stop}, samples: 3, warm: true, takes: 400 * time.Millisecond, measured: 300, err: stop},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := &handClock{now: time.Hour}
			b := &bench{env: Env{Clock: clock}, plan: plan.Plan{Requests: c.requests, Time: c.time}, jobs: make([]job, c.cases)}
			s := &clockworkSampler{clock: clock, tick: c.tick, fail: c.fail}
			samples, warmup, err := b.samples(context.Background(), s)
			total := results.Series{Samples: samples}.Total()
			if err != c.err || len(samples) != c.samples || (warmup.Requests > 0) != c.warm || total.Requests != c.measured || clock.now-time.Hour != c.takes {
				t.Errorf("%d samples, warm-up of %d, %d requests in %v, %v; want %d, %v, %d in %v, %v",
					len(samples), warmup.Requests, total.Requests, clock.now-time.Hour, err, c.samples, c.warm, c.measured, c.takes, c.err)
			}
			if got := (results.Series{Samples: samples}).BytesPerSecond(); got != 1000/c.tick.Seconds() {
				t.Errorf("%g bytes/s, want %g", got, 1000/c.tick.Seconds())
			}
		})
	}
}

func TestCheckCounters(t *testing.T) {
	d, err := geli.Onetime(zerodev.New(zerodev.Options{}), geli.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w, err := d.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.ReadAt(make([]byte, 1024), 0); err != nil {
		t.Fatal(err)
	}
	workers := []*geli.Worker{w}
	if err := checkCounters(workers, plan.Read, 1024); err != nil {
		t.Error(err)
	}
	for _, wrong := range []error{checkCounters(workers, plan.Read, 1023), checkCounters(workers, plan.Write, 1024), checkCounters(nil, plan.Read, 1024)} {
		if wrong == nil || !strings.Contains(wrong.Error(), "no figure") || exitCode(wrong) != exitFailed {
			t.Errorf("a difference gives %v", wrong)
		}
	}
}

// A run on the real device: what the samples say is what was counted. One that
// was ended before it began has no samples, and says so.
func TestBenchRun(t *testing.T) {
	env := System()
	p := plan.Plan{
		Provider: plan.Provider{Name: "gzero", Bytes: 1 << 60, SectorBytes: 512},
		Algs:     []engine.Alg{engine.AESXTS}, KeyBits: []int{0}, SectorBytes: []int64{0}, RequestBytes: []int64{4096},
		Ops: []plan.Op{plan.Read}, Workers: []int{1}, Engines: []string{plan.Auto}, Paths: []geli.Path{geli.PathGELI}, Requests: 3,
	}
	cases, err := p.Cases(env.Engines)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(env, provider.Zero(zerodev.Options{}), p, cases, onetimeDevices(zerodev.New(zerodev.Options{})))
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	run, err := b.run(context.Background())
	if err != nil || len(run.Series) != 1 || run.Series[0].Total().Bytes != 3*4096 {
		t.Errorf("%+v, %v", run.Series, err)
	}

	// A late failure: what was measured before it is there.
	b.jobs = append(b.jobs, b.jobs[0])
	broken, err := geli.Onetime(zerodev.New(zerodev.Options{}), geli.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken.Close()
	b.jobs[1].device = broken
	run, err = b.run(context.Background())
	if err == nil || run.Interrupted || len(run.Series) != 2 || run.Series[0].Total().Bytes != 3*4096 || len(run.Series[1].Samples) != 0 {
		t.Errorf("late failure: %+v, %v", run.Series, err)
	}

	ended, end := context.WithCancel(context.Background())
	end()
	run, err = b.run(ended)
	if !errors.Is(err, context.Canceled) || !run.Interrupted || len(run.Series) != 2 || len(run.Series[0].Samples)+len(run.Series[1].Samples) != 0 {
		t.Errorf("ended before it began: %+v, %v", run, err)
	}
}

func TestExitCodes(t *testing.T) {
	wrapped := in("--engine", unavailable("", "no such thing"))
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0}, {errors.New("x"), 1}, {usage("", "x"), 2}, {wrapped, 3}, {fmt.Errorf("x: %w", engine.ErrMismatch), 4},
		{errInterrupted, 130}, {fmt.Errorf("x: %w", context.Canceled), 130},
	} {
		if got := exitCode(c.err); got != c.code {
			t.Errorf("%v: exit code %d, not %d", c.err, got, c.code)
		}
	}
	var out strings.Builder
	report(&out, in("-s", usage("try 512", "%q is wrong", "x")))
	if want := "gelibench: -s: \"x\" is wrong\nhint: try 512\n"; out.String() != want {
		t.Errorf("report gives %q, not %q", out.String(), want)
	}
	out.Reset()
	report(&out, errInterrupted)
	if out.Len() > 0 {
		t.Errorf("an interruption is reported: %q", out.String())
	}
}
