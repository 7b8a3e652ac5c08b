package measure_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gelibench/results"
	. "gelibench/results/measure"
	"gelibench/results/measure/measuretest"
)

// The lead-in is work of the same kind, which is not counted.
func TestLoopLeadIn(t *testing.T) {
	for _, want := range []Want{{Time: 30 * ms}, {Requests: 10}} {
		b := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
		b.targets[0].LogOffsets = true
		want.LeadIn = 10 * ms
		s, err := b.loop.Sample(context.Background(), want)
		if err != nil {
			t.Fatal(err)
		}
		// Requests of 3 ms: four of them last 10 ms or longer, ten 30 ms.
		if s.LeadInNS != int64(12*ms) || s.LeadInBytes != 4*4096 || s.Requests != 10 || s.ElapsedNS != int64(30*ms) || *s.UserNS != int64(20*ms) {
			t.Errorf("%+v: %+v", want, s)
		}
		for i, off := range b.targets[0].Offsets {
			if off != int64(i)*4096 {
				t.Errorf("offsets %v: the sample does not go on where the lead-in ended", b.targets[0].Offsets)
				break
			}
		}
		if bytes, _ := b.moved(); bytes != s.Bytes+s.LeadInBytes {
			t.Errorf("%d bytes moved", bytes)
		}
		if n := b.clock.Timers(); n != 0 {
			t.Errorf("%d timers left behind", n)
		}
	}
}

// Many workers, some of them without a request in the sample: all meet between
// lead-in and sample, and none is left behind.
func TestLoopLeadInWorkers(t *testing.T) {
	for _, want := range []Want{{Time: 60 * ms}, {Requests: 2}, {Requests: 100}} {
		b := newBench(t, 5, LoopConfig{Op: Write, RequestBytes: 4096, SizeBytes: 1 << 60})
		want.LeadIn = 10 * ms
		s, err := b.loop.Sample(context.Background(), want)
		if err != nil {
			t.Fatal(err)
		}
		if bytes, _ := b.moved(); bytes != s.Bytes+s.LeadInBytes || s.LeadInBytes == 0 {
			t.Errorf("%+v: %d bytes moved, %+v", want, bytes, s)
		}
		if want.Requests > 0 && s.Requests != want.Requests {
			t.Errorf("%+v: %+v", want, s)
		}
		var bytes int64
		for _, w := range s.Workers {
			bytes += w.Bytes
			if (w.Bytes == 0) != (w.ElapsedNS == 0) || w.ElapsedNS > s.ElapsedNS {
				t.Errorf("%+v: worker %+v of a sample of %v", want, w, time.Duration(s.ElapsedNS))
			}
		}
		if len(s.Workers) != 5 || bytes != s.Bytes {
			t.Errorf("%+v: workers %+v moved %d of %d bytes", want, s.Workers, bytes, s.Bytes)
		}
	}
}

// A sample under way tells how far it is, without waiting for a worker whose
// request takes too long; before and after there is nothing to tell.
func TestLoopSoFar(t *testing.T) {
	const requests = 100_000
	b := newBench(t, 2, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	hold, held := make(chan struct{}), make(chan struct{})
	b.targets[1].Before = func(n int, _ int64) error {
		if n == 10 {
			close(held)
			<-hold
		}
		return nil
	}
	if s, ok := b.loop.SoFar(time.Hour); ok || s.Requests != 0 {
		t.Errorf("before: %+v, %t", s, ok)
	}
	done := make(chan results.Sample)
	go func() {
		s, err := b.loop.Sample(context.Background(), Want{Requests: 2 * requests})
		if err != nil {
			t.Error(err)
		}
		done <- s
	}()
	<-held
	first, ok := b.loop.SoFar(20 * ms)
	if ok || first.Requests > requests {
		t.Errorf("with one worker held: %+v, %t", first, ok)
	}
	close(hold)
	var last results.Sample
	for before := first; ; {
		s, ok := b.loop.SoFar(time.Minute)
		if !ok { // between the workers' end and the sample's, or behind it
			break
		}
		if s.Requests < before.Requests || s.Bytes != 4096*s.Requests || s.Requests > 0 && s.ElapsedNS <= 0 {
			t.Fatalf("%+v after %+v", s, before)
		}
		before, last = s, s
	}
	if s := <-done; s.Requests != 2*requests || last.Requests > s.Requests {
		t.Errorf("in the end %+v, told %+v", s, last)
	}
	if s, ok := b.loop.SoFar(time.Hour); ok || s.Requests != 0 {
		t.Errorf("after: %+v, %t", s, ok)
	}
}

// An error or the end of ctx in the lead-in ends everything.
func TestLoopLeadInEnds(t *testing.T) {
	broken := errors.New("head crash")
	b := newBench(t, 3, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	b.targets[1].Before = func(n int, _ int64) error { return broken }
	if _, err := b.loop.Sample(context.Background(), Want{Time: time.Hour, LeadIn: time.Hour}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}

	b = newBench(t, 3, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	ctx, cancel := context.WithCancel(context.Background())
	b.targets[2].Before = func(n int, _ int64) error {
		if n == 2 {
			cancel()
		}
		return nil
	}
	b.targets[0].RequestTime, b.targets[1].RequestTime, b.targets[2].RequestTime = 1, 1, 1
	if _, err := b.loop.Sample(ctx, Want{Time: time.Hour, LeadIn: time.Hour}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// threadClock is a process clock that is a thread clock, too.
type threadClock struct {
	*measuretest.Clock
	each time.Duration // that a thread has used, more at every look
	n    atomic.Int64
}

func (c *threadClock) ThreadCPUTime() (user, system time.Duration, ok bool) {
	n := time.Duration(c.n.Add(1))
	return n * c.each, n * time.Nanosecond, true
}

func TestLoopWorkerCPU(t *testing.T) {
	loop := func(each time.Duration) *Loop {
		clock := &threadClock{Clock: new(measuretest.Clock), each: each}
		var targets []Target
		for range 2 {
			targets = append(targets, &measuretest.Target{SizeBytes: 1 << 40, Clock: clock.Clock, RequestTime: ms})
		}
		l, err := NewLoop(LoopConfig{Targets: targets, Op: Read, RequestBytes: 512, SizeBytes: 1 << 40, Clock: clock, CPU: clock})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	s, err := loop(ms).Sample(context.Background(), Want{Requests: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range s.Workers { // two looks each, in any order
		if w.UserNS == nil || w.SystemNS == nil || *w.UserNS != int64(ms)*(*w.SystemNS) || *w.SystemNS < 1 || *w.SystemNS > 3 {
			t.Errorf("%+v", w)
		}
	}
	if _, err := loop(time.Minute).Sample(context.Background(), Want{Requests: 10}); err == nil || !strings.Contains(err.Error(), "CPU") {
		t.Errorf("workers that used minutes of a sample of 10 ms: error %v", err)
	}
}

func TestCheckTimes(t *testing.T) {
	share := func(ns ...int64) (w []results.WorkerShare) {
		for _, n := range ns {
			w = append(w, results.WorkerShare{ElapsedNS: n})
		}
		return w
	}
	for _, test := range []struct {
		s       results.Sample
		workers int
		ok      bool
	}{
		{results.Sample{ElapsedNS: 10}, 1, true},
		{results.Sample{ElapsedNS: -1}, 1, false},
		{results.Sample{ElapsedNS: 10, Workers: share(10, 0, 9)}, 3, true},
		{results.Sample{ElapsedNS: 10, Workers: share(10, 11, 9)}, 3, false},
		{results.Sample{ElapsedNS: 10, Workers: share(10, -1)}, 2, false},
		{results.Sample{ElapsedNS: 10, Workers: share(10, 10, 10)}, 2, false},
	} {
		if err := CheckTimes(test.s, test.workers); (err == nil) != test.ok {
			t.Errorf("%+v: error %v", test.s, err)
		}
	}
}

// On this machine: a worker that works has its CPU time, where it is told.
func TestLoopRealThreads(t *testing.T) {
	if _, ok := ProcessCPU().(ThreadCPUClock); !ok {
		t.Skip("CPU time of threads is not told on " + runtime.GOOS)
	}
	_, restore := FixProcs(2)
	defer restore()
	l, err := NewLoop(LoopConfig{Targets: []Target{busy{}, busy{}}, Op: Read, RequestBytes: 512, SizeBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Sample(context.Background(), Want{Time: 40 * ms, LeadIn: 5 * ms})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range s.Workers {
		if w.UserNS == nil || *w.UserNS+*w.SystemNS <= 0 || *w.UserNS+*w.SystemNS > 2*s.ElapsedNS+int64(20*ms) {
			t.Errorf("%+v of a sample of %v", w, time.Duration(s.ElapsedNS))
		}
	}
}

// busy is a target that takes its time.
type busy struct{}

func (busy) ReadAt(p []byte, _ int64) (int, error) {
	for begin := time.Now(); time.Since(begin) < ms/2; {
	}
	return len(p), nil
}
func (busy) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }

func TestFixProcs(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	procs, restore := FixProcs(before + 3)
	if procs != before+4 || runtime.GOMAXPROCS(0) != procs {
		t.Errorf("%d", procs)
	}
	restore()
	if procs, _ := FixProcs(0); procs != before || runtime.GOMAXPROCS(0) != before {
		t.Errorf("%d processors, %d before", procs, before)
	}
}
