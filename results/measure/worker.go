package measure

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"gelibench/results"
)

// gate is where the workers of one sample wait for each other.
type gate struct {
	ready  sync.WaitGroup // set up, waiting for open
	open   chan struct{}
	closed bool           // read behind open: go home, nothing to do
	ended  sync.WaitGroup // all requests done
	gone   sync.WaitGroup // undone, too
	stop   sign
	wake   <-chan struct{} // ends the rest of paced workers

	// Between the lead-in and what counts they meet a second time.
	want     Want
	led      sign          // ends the lead-in
	leading  atomic.Int64  // workers still in it
	counting chan struct{} // closed when all are through

	// Set by begin, before the workers go on.
	start        time.Duration // by the clock
	user, system time.Duration // CPU, of the process
	known        bool
	cancel       func() // of the timer
}

// begin starts the clocks, right before the workers are let go.
func (g *gate) begin(l *Loop) {
	g.user, g.system, g.known = l.cpu.CPUTime()
	g.start = l.clock.Now()
	if g.want.Time > 0 {
		g.cancel = l.clock.AfterFunc(g.want.Time, g.stop.set)
	}
}

// through is the end of a worker's lead-in. The last one lets all go on.
func (g *gate) through(l *Loop) {
	if g.leading.Add(-1) > 0 {
		<-g.counting
		return
	}
	g.begin(l)
	close(g.counting)
}

// sign is what the workers look at after every request, so it has its cache
// lines to itself.
type sign struct {
	_    [128]byte
	bits atomic.Uint32
	_    [128]byte
}

const (
	signEnd  = 1 << iota // the loop ends with the request that was under way
	signTell             // how far is it?
)

func (s *sign) set() { s.bits.Or(signEnd) }

// told is what a worker has told of itself while its loop runs.
type told struct {
	requests, partial, bytes atomic.Int64
	heard                    atomic.Bool // since it was asked
	over                     atomic.Bool // these are the last
}

func (t *told) tell(did tally) {
	t.requests.Store(did.requests)
	t.partial.Store(did.partial)
	t.bytes.Store(did.bytes)
	t.heard.Store(true)
}

// worker is what one goroutine needs, kept from sample to sample.
type worker struct {
	target Target
	buf    []byte // one request
	off    int64  // of the next request

	led  tally // in the lead-in of this sample
	did  tally // in this sample
	told told  // of did, before its end
	err  error

	// CPU time of its thread in this sample.
	user, system time.Duration
	known        bool
}

// share is what the worker did in a sample that began at start.
func (w *worker) share(start time.Duration) results.WorkerShare {
	s := results.WorkerShare{Bytes: w.did.bytes}
	if w.did.requests > 0 {
		s.ElapsedNS = int64(w.did.end - start)
	}
	if w.known {
		u, sys := int64(w.user), int64(w.system)
		s.UserNS, s.SystemNS = &u, &sys
	}
	return s
}

// tally is what one worker did in one sample.
type tally struct {
	bytes, requests, partial int64
	end                      time.Duration // by the clock
}

// run is the life of a worker's goroutine.
func (w *worker) run(l *Loop, i int, quota int64, g *gate) {
	w.led, w.did, w.err, w.known = tally{}, tally{}, nil, false
	w.told.tell(w.did)
	w.told.over.Store(false)
	if l.threads != nil {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread() // one that Setup locked stays so
	}
	if l.setup != nil {
		undo, err := l.setup(i)
		if err != nil {
			w.err = fmt.Errorf("worker %d: set-up: %w", i, err)
		}
		if undo != nil {
			defer undo()
		}
	}
	do := w.target.ReadAt
	if l.op == Write {
		do = w.target.WriteAt
	}
	touch(w.buf)

	g.ready.Done()
	<-g.open
	defer g.ended.Done()
	if g.closed {
		return
	}
	if quota == 0 {
		w.told.over.Store(true)
		return
	}
	if g.want.LeadIn > 0 {
		w.fail(l, i, g, w.stream(l.paced(do, g), l.size, math.MaxInt64, &g.led))
		w.led, w.did = w.did, tally{}
	}
	user, system, known := w.cpuTime(l)
	if g.want.LeadIn > 0 {
		g.through(l)
	}
	if w.err == nil {
		w.fail(l, i, g, w.stream(l.paced(do, g), l.size, quota, &g.stop))
	}
	w.did.end = l.clock.Now()
	w.told.tell(w.did)
	w.told.over.Store(true)
	user1, system1, known1 := w.cpuTime(l)
	w.user, w.system, w.known = user1-user, system1-system, known && known1
}

// fail ends the sample of all workers, if err is an error.
func (w *worker) fail(l *Loop, i int, g *gate, err error) {
	if err == nil {
		return
	}
	g.led.set()
	g.stop.set()
	w.err = fmt.Errorf("worker %d: %s of %d bytes at offset %d: %w",
		i, l.op, min(int64(len(w.buf)), l.size-w.off), w.off, err)
}

func (w *worker) cpuTime(l *Loop) (user, system time.Duration, known bool) {
	if l.threads == nil {
		return 0, 0, false
	}
	return l.threads.ThreadCPUTime()
}

// stream is the timed loop: requests, one after the other, until quota or the
// sign ends it, but at least one. After an error, w.off is its request's.
func (w *worker) stream(do func([]byte, int64) (int, error), size, quota int64, sign *sign) error {
	var did tally
	var err error
	off := w.off
	for {
		p := w.buf
		if int64(len(p)) > size-off {
			p = p[:size-off]
		}
		var n int
		if n, err = do(p, off); n != len(p) || err != nil {
			// A full read up to the end may come with io.EOF; a device that
			// ends earlier than it said has its last bytes counted.
			if err = verdict(n, len(p), err); err != nil {
				break // not counted
			}
		}
		did.bytes += int64(n)
		did.requests++
		if n < len(w.buf) {
			did.partial++
		}
		if off += int64(n); off >= size || n < len(p) {
			off = 0
		}
		if did.requests == quota {
			break
		}
		if bits := sign.bits.Load(); bits != 0 {
			if bits&signEnd != 0 {
				break
			}
			if !w.told.heard.Load() { // once, so that it can be read
				w.told.tell(did)
			}
		}
	}
	w.off, w.did = off, did
	return err
}

// errWrongLength is what a target deserves that moves more or less than it was
// asked for, and gives no error.
var errWrongLength = errors.New("target moved another number of bytes than asked for, without an error")

// verdict says whether a request that moved n of want bytes, or came with an
// error, ends the sample.
func verdict(n, want int, err error) error {
	switch {
	case err == io.EOF && n > 0 && n <= want:
		return nil
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case err == nil:
		return errWrongLength
	}
	return err
}

// pageAligned returns n zero bytes that start at a page, as a kernel's buffers
// do. (Heap objects do not move.)
func pageAligned(n int) []byte {
	page := os.Getpagesize()
	b := make([]byte, n+page-1)
	shift := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	return b[shift : shift+n : shift+n]
}

// touch writes to every page of b, so that none is given by the system, or
// shared with other pages of zeros, while the clock runs.
func touch(b []byte) {
	for i := 0; i < len(b); i += 4096 {
		b[i] = 0
	}
}
