package measure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// gate is where the workers of one sample wait for each other.
type gate struct {
	ready  sync.WaitGroup // set up, waiting for open
	open   chan struct{}
	closed bool           // read behind open: go home, nothing to do
	ended  sync.WaitGroup // all requests done
	gone   sync.WaitGroup // undone, too
	stop   stopFlag
}

// stopFlag asks the workers to end with the request they are at. They look at
// it after every request, so it has its cache lines to itself.
type stopFlag struct {
	_    [128]byte
	flag atomic.Bool
	_    [128]byte
}

func (s *stopFlag) set() { s.flag.Store(true) }

// worker is what one goroutine needs, kept from sample to sample.
type worker struct {
	target Target
	buf    []byte // one request
	off    int64  // of the next request

	did tally // in this sample
	err error
}

// tally is what one worker did in one sample.
type tally struct {
	bytes, requests, partial int64
	end                      time.Duration // by the clock
}

// run is the life of a worker's goroutine.
func (w *worker) run(l *Loop, i int, quota int64, g *gate) {
	w.did, w.err = tally{}, nil
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
	if quota > 0 {
		if err := w.stream(do, l.size, quota, &g.stop); err != nil {
			g.stop.set()
			w.err = fmt.Errorf("worker %d: %s of %d bytes at offset %d: %w",
				i, l.op, min(int64(len(w.buf)), l.size-w.off), w.off, err)
		}
	}
	w.did.end = l.clock.Now()
}

// stream is the timed loop: requests, one after the other, until quota or the
// stop flag ends it, but at least one. After an error, w.off is its request's.
func (w *worker) stream(do func([]byte, int64) (int, error), size, quota int64, stop *stopFlag) error {
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
		if did.requests == quota || stop.flag.Load() {
			break
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
