package measure_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"gelibench/results"
	. "gelibench/results/measure"
	"gelibench/results/measure/measuretest"
)

const ms = time.Millisecond

// bench is n hand-wound targets under one clock, and the loop over them.
type bench struct {
	clock   *measuretest.Clock
	targets []*measuretest.Target
	loop    *Loop
}

func newBench(t testing.TB, n int, c LoopConfig) *bench {
	t.Helper()
	b := &bench{clock: new(measuretest.Clock)}
	for range n {
		x := &measuretest.Target{
			SizeBytes: c.SizeBytes, Clock: b.clock,
			RequestTime: 3 * ms, UserTime: 2 * ms, SystemTime: 1 * ms / 2,
		}
		b.targets = append(b.targets, x)
		c.Targets = append(c.Targets, x)
	}
	c.Clock, c.CPU = b.clock, b.clock
	var err error
	if b.loop, err = NewLoop(c); err != nil {
		t.Fatal(err)
	}
	return b
}

// moved is what the targets counted.
func (b *bench) moved() (bytes, requests int64) {
	for _, x := range b.targets {
		bytes += x.BytesRead + x.BytesWritten
		requests += x.Reads + x.Writes
	}
	return bytes, requests
}

// check compares a sample, the first of its bench, with targets and clock.
func (b *bench) check(t *testing.T, s results.Sample) {
	t.Helper()
	bytes, requests := b.moved()
	if s.Bytes != bytes || s.Requests != requests {
		t.Errorf("sample has %d bytes in %d requests, the targets counted %d in %d", s.Bytes, s.Requests, bytes, requests)
	}
	if got, want := time.Duration(s.ElapsedNS), time.Duration(requests)*3*ms; got != want {
		t.Errorf("elapsed %v, clock was wound by %v", got, want)
	}
	if s.UserNS == nil || s.SystemNS == nil {
		t.Fatal("no CPU time")
	}
	if got, want := time.Duration(*s.UserNS), time.Duration(requests)*2*ms; got != want {
		t.Errorf("user time %v, want %v", got, want)
	}
	if got, want := time.Duration(*s.SystemNS), time.Duration(requests)*ms/2; got != want {
		t.Errorf("system time %v, want %v", got, want)
	}
	if n := b.clock.Timers(); n != 0 {
		t.Errorf("%d timers left behind", n)
	}
}

func TestLoopRequests(t *testing.T) {
	for _, op := range []Op{Read, Write} {
		for _, test := range []struct {
			workers  int
			requests int64
			each     []int64
		}{
			{1, 1, []int64{1}},
			{1, 7, []int64{7}},
			{3, 7, []int64{3, 2, 2}},
			{3, 8, []int64{3, 3, 2}},
			{4, 2, []int64{1, 1, 0, 0}},
		} {
			b := newBench(t, test.workers, LoopConfig{Op: op, RequestBytes: 4096, SizeBytes: 1 << 60})
			s, err := b.loop.Sample(context.Background(), Want{Requests: test.requests})
			if err != nil {
				t.Fatal(err)
			}
			b.check(t, s)
			if s.Requests != test.requests || s.Bytes != test.requests*4096 || s.PartialRequests != 0 {
				t.Errorf("%s, %d workers: %d requests asked for, got %+v", op, test.workers, test.requests, s)
			}
			for i, x := range b.targets {
				reads, writes := x.Reads, x.Writes
				if op == Write {
					reads, writes = writes, reads
				}
				if reads != test.each[i] || writes != 0 {
					t.Errorf("%s: worker %d of %d did %d of %d requests (and %d of the other kind), want %d",
						op, i, test.workers, reads, test.requests, writes, test.each[i])
				}
			}
		}
	}
}

func TestLoopTime(t *testing.T) {
	b := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	s, err := b.loop.Sample(context.Background(), Want{Time: 10 * ms})
	if err != nil {
		t.Fatal(err)
	}
	b.check(t, s)
	if s.Requests != 4 { // 3 ms each: the fourth is under way when time is up
		t.Errorf("%d requests, want 4", s.Requests)
	}

	// Whichever bound comes first.
	for _, want := range []Want{{Requests: 2, Time: 10 * ms}, {Requests: 100, Time: 6 * ms}} {
		s, err := b.loop.Sample(context.Background(), want)
		if err != nil || s.Requests != 2 {
			t.Errorf("%+v: %d requests, error %v; want 2", want, s.Requests, err)
		}
	}

	// A request that is longer than the time is still whole, and one.
	s, err = b.loop.Sample(context.Background(), Want{Time: 1})
	if err != nil || s.Requests != 1 || s.Bytes != 4096 || s.ElapsedNS != int64(3*ms) {
		t.Errorf("short time: %+v, error %v", s, err)
	}
}

func TestLoopTimeManyWorkers(t *testing.T) {
	b := newBench(t, 3, LoopConfig{Op: Write, RequestBytes: 512, SizeBytes: 1 << 30})
	s, err := b.loop.Sample(context.Background(), Want{Time: 100 * ms})
	if err != nil {
		t.Fatal(err)
	}
	b.check(t, s)
	if s.Requests < 34 {
		t.Errorf("%d requests of 3 ms do not fill 100 ms", s.Requests)
	}
	for i, x := range b.targets {
		if x.Writes < 1 {
			t.Errorf("worker %d did nothing", i)
		}
	}
}

func TestLoopOffsets(t *testing.T) {
	// Ten requests and a half, so that the last one of the device is partial.
	const req, size = 1000, 10*1000 + 512
	b := newBench(t, 3, LoopConfig{Op: Read, RequestBytes: req, SizeBytes: size})
	for _, x := range b.targets {
		x.LogOffsets = true
	}
	var got results.Sample
	for _, n := range []int64{12, 9} { // the second sample goes on where the first ended
		s, err := b.loop.Sample(context.Background(), Want{Requests: n})
		if err != nil {
			t.Fatal(err)
		}
		got.Requests += s.Requests
		got.PartialRequests += s.PartialRequests
		got.Bytes += s.Bytes
	}
	want := [][]int64{
		{0, 1000, 2000, 3000, 4000, 5000, 6000},
		{3000, 4000, 5000, 6000, 7000, 8000, 9000}, // from 3504
		{7000, 8000, 9000, 10000, 0, 1000, 2000},   // from 7008
	}
	for i, x := range b.targets {
		if !slices.Equal(x.Offsets, want[i]) {
			t.Errorf("worker %d went over %v, want %v", i, x.Offsets, want[i])
		}
	}
	if got.Requests != 21 || got.PartialRequests != 1 || got.Bytes != 20*1000+512 {
		t.Errorf("%d requests, %d of them partial, %d bytes; want 21, 1, 20512", got.Requests, got.PartialRequests, got.Bytes)
	}
}

func TestLoopStartsOfLargeDevice(t *testing.T) {
	b := newBench(t, 32, LoopConfig{Op: Read, RequestBytes: 1 << 20, SizeBytes: 1 << 60})
	for i := range b.targets {
		if want, off := int64(i)<<55, b.loop.Offset(i); off != want {
			t.Errorf("worker %d starts at %d, want %d", i, off, want)
		}
	}
}

func TestLoopRequestLargerThanDevice(t *testing.T) {
	b := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 1 << 20, SizeBytes: 4096})
	s, err := b.loop.Sample(context.Background(), Want{Requests: 5})
	if err != nil {
		t.Fatal(err)
	}
	b.check(t, s)
	if s.PartialRequests != 5 || s.Bytes != 5*4096 {
		t.Errorf("got %+v", s)
	}
}

// A device may turn out to be shorter than it said.
func TestLoopEarlyEnd(t *testing.T) {
	b := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 1000, SizeBytes: 10_000})
	x := b.targets[0]
	x.SizeBytes, x.LogOffsets = 2500, true
	s, err := b.loop.Sample(context.Background(), Want{Requests: 4})
	if err != nil {
		t.Fatal(err)
	}
	b.check(t, s)
	if want := []int64{0, 1000, 2000, 0}; !slices.Equal(x.Offsets, want) || s.Bytes != 3500 || s.PartialRequests != 1 {
		t.Errorf("went over %v with %+v, want %v", x.Offsets, s, want)
	}
	x.SizeBytes = 1000
	if _, err := b.loop.Sample(context.Background(), Want{Requests: 4}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("nothing at all at offset 1000: error %v", err)
	}
}

func TestLoopBuffers(t *testing.T) {
	b := newBench(t, 2, LoopConfig{Op: Read, RequestBytes: 512, SizeBytes: 1 << 20})
	if _, err := b.loop.Sample(context.Background(), Want{Requests: 2}); err != nil {
		t.Fatal(err)
	}
	p, q := b.targets[0].LastBuffer, b.targets[1].LastBuffer
	for _, buf := range [][]byte{p, q} {
		if at := uintptr(unsafe.Pointer(&buf[0])); at%uintptr(os.Getpagesize()) != 0 || len(buf) != 512 || cap(buf) != 512 {
			t.Errorf("buffer of %d bytes, capacity %d, at %#x", len(buf), cap(buf), at)
		}
	}
	if &p[0] == &q[0] {
		t.Error("two workers share a buffer")
	}
}

func TestLoopCancel(t *testing.T) {
	for _, workers := range []int{1, 3} {
		b := newBench(t, workers, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
		ctx, cancel := context.WithCancel(context.Background())
		b.targets[0].Before = func(n int, _ int64) error {
			if n == 5 {
				cancel()
			}
			return nil
		}
		s, err := b.loop.Sample(ctx, Want{Requests: 1 << 60})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		b.check(t, s)
		if s.Requests < 6 {
			t.Errorf("%d requests: the one under way was not ended", s.Requests)
		}
		before, _ := b.moved()
		s, err = b.loop.Sample(ctx, Want{Requests: 1})
		if after, _ := b.moved(); s.Requests != 0 || !errors.Is(err, context.Canceled) || after != before {
			t.Errorf("sample of an ended ctx: %+v, error %v", s, err)
		}
	}
}

func TestLoopTargetError(t *testing.T) {
	broken := errors.New("head crash")
	b := newBench(t, 2, LoopConfig{Op: Write, RequestBytes: 4096, SizeBytes: 1 << 20})
	b.targets[1].Before = func(n int, _ int64) error {
		if n == 3 {
			return broken
		}
		return nil
	}
	s, err := b.loop.Sample(context.Background(), Want{Requests: 1 << 60})
	if !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	if want := "worker 1: write of 4096 bytes at offset 536576: "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %q, want %q...", err, want)
	}
	b.check(t, s)
	if b.targets[1].Writes != 3 {
		t.Errorf("worker 1 did %d requests", b.targets[1].Writes)
	}
}

type lazyTarget struct{ n int }

func (l lazyTarget) ReadAt(p []byte, _ int64) (int, error)  { return l.n, nil }
func (l lazyTarget) WriteAt(p []byte, _ int64) (int, error) { return l.n, nil }

func TestLoopTargetMovesLess(t *testing.T) {
	for _, n := range []int{0, 100, 4097} {
		l, err := NewLoop(LoopConfig{Targets: []Target{lazyTarget{n}}, Op: Read, RequestBytes: 4096, SizeBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := l.Sample(context.Background(), Want{Requests: 2}); !errors.Is(err, ErrWrongLength) || s.Requests != 0 {
			t.Errorf("target that moves %d of 4096 bytes: %+v, error %v", n, s, err)
		}
	}
}

func TestLoopSetup(t *testing.T) {
	var set, undone atomic.Int64
	b := newBench(t, 3, LoopConfig{Op: Read, RequestBytes: 512, SizeBytes: 1 << 20})
	b.targets[0].Before = func(int, int64) error {
		if set.Load() != 3 {
			t.Error("a request ran before every worker was set up")
		}
		return nil
	}
	b.loop.SetSetup(func(int) (func(), error) {
		b.clock.Advance(time.Hour) // not timed
		set.Add(1)
		return func() { b.clock.Advance(time.Hour); b.clock.AdvanceCPU(time.Hour, 0); undone.Add(1) }, nil
	})
	s, err := b.loop.Sample(context.Background(), Want{Requests: 1})
	if err != nil || set.Load() != 3 || undone.Load() != 3 {
		t.Fatalf("%d set up, %d undone, error %v", set.Load(), undone.Load(), err)
	}
	if s.Requests != 1 {
		t.Errorf("got %+v", s)
	}
	b.targets[0].Before = nil

	no := errors.New("no such CPU")
	b.loop.SetSetup(func(worker int) (func(), error) {
		if worker == 1 {
			return nil, no
		}
		return func() { undone.Add(1) }, nil
	})
	before, _ := b.moved()
	s, err = b.loop.Sample(context.Background(), Want{Requests: 9})
	if !errors.Is(err, no) || !strings.Contains(err.Error(), "worker 1") || s.Requests != 0 {
		t.Errorf("got %+v, error %v", s, err)
	}
	if after, _ := b.moved(); after != before || undone.Load() != 5 {
		t.Errorf("%d bytes moved, %d undone", after-before, undone.Load()-3)
	}
}

func TestLoopUnknownCPUTime(t *testing.T) {
	b := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 512, SizeBytes: 1 << 20})
	b.clock.HideCPU()
	s, err := b.loop.Sample(context.Background(), Want{Requests: 3})
	if err != nil || s.UserNS != nil || s.SystemNS != nil {
		t.Errorf("got %+v, error %v", s, err)
	}
}

func TestLoopRefuses(t *testing.T) {
	x := []Target{&measuretest.Target{SizeBytes: 1}}
	for _, c := range []LoopConfig{
		{},
		{Op: Read, RequestBytes: 512, SizeBytes: 512},
		{Targets: x, Op: "erase", RequestBytes: 512, SizeBytes: 512},
		{Targets: x, Op: Read, RequestBytes: 0, SizeBytes: 512},
		{Targets: x, Op: Read, RequestBytes: 512, SizeBytes: 0},
	} {
		if _, err := NewLoop(c); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	b := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 512, SizeBytes: 1 << 20})
	for _, w := range []Want{{}, {Requests: -1}, {Time: -1, Requests: 1}} {
		if _, err := b.loop.Sample(context.Background(), w); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: error %v", w, err)
		}
	}
}

func TestLoopAllocatesNothingPerRequest(t *testing.T) {
	b := newBench(t, 2, LoopConfig{Op: Write, RequestBytes: 512, SizeBytes: 1 << 20})
	allocs := func(requests int64) float64 {
		return testing.AllocsPerRun(20, func() {
			if _, err := b.loop.Sample(context.Background(), Want{Requests: requests}); err != nil {
				t.Fatal(err)
			}
		})
	}
	// The runtime may allocate for itself now and then, a request may not.
	if few, many := allocs(2), allocs(2002); many > few+20 {
		t.Errorf("%v allocations in a sample of 2 requests, %v in one of 2002", few, many)
	}
}

// The real clocks, for a moment: they move, and forwards. (A timer need not run
// by the very clock that Now reads, so it may seem a little early.)
func TestSystemClocks(t *testing.T) {
	clock, cpu := SystemClock(), ProcessCPU()
	x := &measuretest.Target{SizeBytes: 1 << 20, Before: func(int, int64) error {
		for i, b := 0, make([]byte, 1<<16); i < len(b); i++ {
			b[i]++
		}
		return nil
	}}
	l, err := NewLoop(LoopConfig{Targets: []Target{x}, Op: Read, RequestBytes: 4096, SizeBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	before := clock.Now()
	s, err := l.Sample(context.Background(), Want{Time: 30 * ms})
	around := clock.Now() - before
	if err != nil {
		t.Fatal(err)
	}
	if got := time.Duration(s.ElapsedNS); got < 29*ms || got > around {
		t.Errorf("elapsed %v of 30 ms, within %v", got, around)
	}
	if s.Bytes != x.BytesRead || s.Requests != x.Reads {
		t.Errorf("sample %+v, target counted %d bytes in %d", s, x.BytesRead, x.Reads)
	}
	user, system, ok := cpu.CPUTime()
	if ok != (s.UserNS != nil) {
		t.Errorf("CPU time known: %v, in the sample: %v", ok, s.UserNS != nil)
	}
	if ok {
		if used := *s.UserNS + *s.SystemNS; used <= 0 || time.Duration(used) > user+system {
			t.Errorf("CPU time %d ns of %v", used, user+system)
		}
	}
}

// A sample of the empty loop: what the harness itself costs per request.
func BenchmarkLoop(b *testing.B) {
	l, err := NewLoop(LoopConfig{Targets: []Target{lazyTarget{4096}}, Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	if _, err := l.Sample(context.Background(), Want{Requests: int64(b.N)}); err != nil {
		b.Fatal(err)
	}
}
