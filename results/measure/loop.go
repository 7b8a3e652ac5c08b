package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"gelibench/results"
)

// Op is the direction of a request.
type Op string

// The two directions. On an encrypted device, reading decrypts and writing
// encrypts.
const (
	Read  Op = "read"
	Write Op = "write"
)

// Target is what one worker sends its requests to, with the rules of
// io.ReaderAt and io.WriterAt. Each worker has a target of its own and calls
// it from one goroutine at a time, though not always from the same one.
type Target interface {
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
}

// LoopConfig says what a Loop does.
type LoopConfig struct {
	Targets      []Target // one for each worker, all of the same device
	Op           Op
	RequestBytes int
	SizeBytes    int64 // of the device

	// BytesPerSecond, if above 0, holds all workers together to that rate: each
	// rests after a request until the time is over that the request has. Who
	// is behind makes up for it. A request ends with its rest, also the last.
	BytesPerSecond float64

	// Buffers are the workers', of RequestBytes each; nil: new ones. Loops that
	// never sample at the same time may share them.
	Buffers [][]byte

	Clock Clock // nil: SystemClock
	// CPU is ProcessCPU, if nil. If it is a ThreadCPUClock, too, each worker
	// keeps to one thread during a sample, and has its CPU time told.
	CPU CPUClock

	// Setup, if set, runs in each worker's goroutine before the workers start
	// together, and undo, if not nil, in the same goroutine after they have
	// ended. Neither is timed. An error stops the sample before it starts.
	// The goroutine ends with the sample: a Setup that pins its thread leaves
	// it locked, so that the thread ends too.
	Setup func(worker int) (undo func(), err error)
}

// Loop is the Sampler of the request loop: as many goroutines as targets, each
// of which walks over the device, request by request, as fast as it can. It
// takes one sample at a time.
//
// Worker i of n starts at the multiple of RequestBytes at or below i/n of the
// device, reads or writes on from there, and goes on at offset 0 behind the
// end. The next sample goes on where the last one ended. A request that would
// reach beyond the end is shortened, and counted as partial.
//
// What is timed is the stretch from the release of all workers to the end of
// the last one. They are released together, after the lead-in again, in which
// each goes its own way until the time is up and its request done. For a bound in
// time, GOMAXPROCS should be above the number of workers: otherwise the timer
// waits, 10 ms or so, for a worker to be preempted.
type Loop struct {
	clock   Clock
	cpu     CPUClock
	threads ThreadCPUClock // nil: not known
	setup   func(worker int) (undo func(), err error)
	op      Op
	size    int64
	pace    float64 // ns that a byte of one worker has; 0: no bound
	workers []*worker
	now     atomic.Pointer[gate] // of the sample under way; nil: none
}

// NewLoop checks the configuration and allocates the workers' buffers. Its
// errors wrap fs.ErrInvalid.
func NewLoop(c LoopConfig) (*Loop, error) {
	switch {
	case len(c.Targets) == 0:
		return nil, fmt.Errorf("request loop: no targets: %w", fs.ErrInvalid)
	case c.Op != Read && c.Op != Write:
		return nil, fmt.Errorf("request loop: unknown operation %q (known: read, write): %w", c.Op, fs.ErrInvalid)
	case c.RequestBytes < 1:
		return nil, fmt.Errorf("request loop: requests of %d bytes: %w", c.RequestBytes, fs.ErrInvalid)
	case c.Buffers != nil && (len(c.Buffers) != len(c.Targets) || slices.ContainsFunc(c.Buffers, func(b []byte) bool { return len(b) != c.RequestBytes })):
		return nil, fmt.Errorf("request loop: buffers that are not one of %d bytes for each of %d workers: %w", c.RequestBytes, len(c.Targets), fs.ErrInvalid)
	case c.SizeBytes < 1:
		return nil, fmt.Errorf("request loop: a device of %d bytes: %w", c.SizeBytes, fs.ErrInvalid)
	case c.BytesPerSecond < 0 || math.IsNaN(c.BytesPerSecond) || math.IsInf(c.BytesPerSecond, 0):
		return nil, fmt.Errorf("request loop: a rate of %v bytes a second: %w", c.BytesPerSecond, fs.ErrInvalid)
	}
	l := &Loop{clock: c.Clock, cpu: c.CPU, setup: c.Setup, op: c.Op, size: c.SizeBytes}
	if l.clock == nil {
		l.clock = SystemClock()
	}
	if l.cpu == nil {
		l.cpu = ProcessCPU()
	}
	l.threads, _ = l.cpu.(ThreadCPUClock)
	if c.BytesPerSecond > 0 {
		l.pace = 1e9 * float64(len(c.Targets)) / c.BytesPerSecond
	}
	n := int64(len(c.Targets))
	for i, t := range c.Targets {
		i, req := int64(i), int64(c.RequestBytes)
		at := c.SizeBytes/n*i + c.SizeBytes%n*i/n // i*size/n, which may not fit
		l.workers = append(l.workers, &worker{
			target: t,
			buf:    c.buffer(int(i)),
			off:    at / req * req,
		})
	}
	return l, nil
}

func (c LoopConfig) buffer(worker int) []byte {
	if c.Buffers != nil {
		return c.Buffers[worker]
	}
	return pageAligned(c.RequestBytes)
}

// Sample moves want.Requests requests, divided among the workers, of which the
// first ones get the remainder; or, bounded by time, as many as there is time
// for, with at least one for each worker. It allocates nothing per request.
//
// When ctx ends, every worker ends with the request it is at, and the sample
// is returned beside ctx's error; it is empty if ctx had ended before. An
// error of a target ends the sample likewise, and says which worker had it,
// and where. A bound that makes no sense gives an error that wraps
// fs.ErrInvalid.
func (l *Loop) Sample(ctx context.Context, want Want) (results.Sample, error) {
	if want.Requests < 0 || want.Time < 0 || want.Requests == 0 && want.Time == 0 {
		return results.Sample{}, fmt.Errorf("request loop: no bound in %d requests and %v: %w", want.Requests, want.Time, fs.ErrInvalid)
	}
	if err := ctx.Err(); err != nil {
		return results.Sample{}, err
	}

	// PREPARE the workers, who wait at the gate.
	g := &gate{open: make(chan struct{}), counting: make(chan struct{}), want: want, wake: ctx.Done()}
	g.ready.Add(len(l.workers))
	g.ended.Add(len(l.workers))
	for i, w := range l.workers {
		quota := share(want.Requests, len(l.workers), i)
		if quota > 0 {
			g.leading.Add(1)
		}
		g.gone.Go(func() { w.run(l, i, quota, g) })
	}
	defer g.gone.Wait()
	g.ready.Wait()
	if err := l.firstError(); err != nil {
		g.closed = true
		close(g.open)
		return results.Sample{}, err
	}

	// TIME them.
	forget := context.AfterFunc(ctx, func() { g.led.set(); g.stop.set() })
	defer forget()
	l.now.Store(g)
	defer l.now.Store(nil)
	leadIn := l.clock.Now()
	if want.LeadIn > 0 {
		cancel := l.clock.AfterFunc(want.LeadIn, g.led.set)
		defer cancel()
	} else {
		g.begin(l)
	}
	close(g.open)
	g.ended.Wait()
	user1, system1, known1 := l.cpu.CPUTime()
	if g.cancel != nil {
		g.cancel()
	}

	// ADD UP what they did.
	var s results.Sample
	end := g.start
	for _, w := range l.workers {
		s.Bytes += w.did.bytes
		s.Requests += w.did.requests
		s.PartialRequests += w.did.partial
		s.LeadInBytes += w.led.bytes
		end = max(end, w.did.end)
	}
	s.ElapsedNS = int64(end - g.start)
	if want.LeadIn > 0 {
		s.LeadInNS = int64(g.start - leadIn)
	}
	if g.known && known1 {
		u, sys := int64(user1-g.user), int64(system1-g.system)
		s.UserNS, s.SystemNS = &u, &sys
	}
	if len(l.workers) > 1 {
		for _, w := range l.workers {
			s.Workers = append(s.Workers, w.share(g.start))
		}
	}
	if err := l.firstError(); err != nil {
		return s, err
	}
	if err := CheckTimes(s, len(l.workers)); err != nil {
		return s, err
	}
	return s, ctx.Err()
}

// SoFar tells how far the sample under way has got since its lead-in, as dd does
// when it is asked: it asks the workers, who answer with the request they are at
// and are held up by a few ns only. Where some have not answered in time, ok is
// false, and the sample holds what is known. It may be called beside Sample, by
// one goroutine at a time.
func (l *Loop) SoFar(patience time.Duration) (s results.Sample, ok bool) {
	g := l.now.Load()
	if g == nil {
		return s, false
	}
	for _, w := range l.workers {
		w.told.heard.Store(false)
	}
	g.stop.bits.Or(signTell)
	defer g.stop.bits.And(^uint32(signTell))
	for began := time.Now(); !ok && time.Since(began) < patience; time.Sleep(time.Millisecond) {
		ok = !slices.ContainsFunc(l.workers, func(w *worker) bool { return !w.told.heard.Load() && !w.told.over.Load() })
	}
	for _, w := range l.workers {
		s.Requests += w.told.requests.Load()
		s.PartialRequests += w.told.partial.Load()
		s.Bytes += w.told.bytes.Load()
	}
	if s.Requests > 0 { // whoever told something had seen the start
		s.ElapsedNS = int64(l.clock.Now() - g.start)
	}
	return s, ok
}

// cpuTick is by how much a system may be wrong about the CPU time of a thread
// that it counts in ticks.
const cpuTick = 10 * time.Millisecond

// CheckTimes holds a sample to what is possible: no worker takes longer than
// the sample, and their times, on the wall and on the CPU, add up to no more
// than wall time times workers. The error says which clock is wrong.
func CheckTimes(s results.Sample, workers int) error {
	wall := time.Duration(s.ElapsedNS) * time.Duration(workers)
	var elapsed, cpu time.Duration
	for _, w := range s.Workers {
		if w.ElapsedNS < 0 || w.ElapsedNS > s.ElapsedNS {
			return fmt.Errorf("%w: a worker took %v of a sample of %v", errClock, time.Duration(w.ElapsedNS), time.Duration(s.ElapsedNS))
		}
		elapsed += time.Duration(w.ElapsedNS)
		if w.UserNS != nil && w.SystemNS != nil {
			cpu += time.Duration(*w.UserNS + *w.SystemNS)
		}
	}
	switch {
	case s.ElapsedNS < 0 || elapsed > wall:
		return fmt.Errorf("%w: workers took %v together, wall time times workers is %v", errClock, elapsed, wall)
	case cpu > wall+time.Duration(workers)*cpuTick:
		return fmt.Errorf("%w: workers used %v of CPU, wall time times workers is %v", errClock, cpu, wall)
	}
	return nil
}

// errClock is about a machine whose clocks contradict each other.
var errClock = errors.New("the clocks contradict each other, no figure is right")

func (l *Loop) firstError() error {
	for _, w := range l.workers {
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// share is the part of requests that worker i of n gets. Without a bound it is
// a number that no loop reaches.
func share(requests int64, n, i int) int64 {
	if requests == 0 {
		return math.MaxInt64
	}
	q, r := requests/int64(n), requests%int64(n)
	if int64(i) < r {
		q++
	}
	return q
}
