package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/zerodev"
)

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
	run, err := b.run(context.Background(), nil)
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
	run, err = b.run(context.Background(), nil)
	if err == nil || run.Interrupted || len(run.Series) != 2 || run.Series[0].Total().Bytes != 3*4096 || len(run.Series[1].Samples) != 0 {
		t.Errorf("late failure: %+v, %v", run.Series, err)
	}

	ended, end := context.WithCancel(context.Background())
	end()
	run, err = b.run(ended, nil)
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
	report(&out, errors.New("no such file: a\x1b[2Jb\ngelibench: all is well"))
	if want := "gelibench: no such file: a?[2Jb\n  gelibench: all is well\n"; out.String() != want {
		t.Errorf("report gives %q, not %q", out.String(), want)
	}
	out.Reset()
	report(&out, errInterrupted)
	if out.Len() > 0 {
		t.Errorf("an interruption is reported: %q", out.String())
	}
}
