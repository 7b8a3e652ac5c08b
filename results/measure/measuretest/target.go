package measuretest

import (
	"io"
	"time"
)

// Target is a measure.Target of a given size that holds nothing. Each request
// winds the clock on and is counted. Like a worker's target, it serves one
// goroutine at a time; several may share a clock.
type Target struct {
	SizeBytes int64

	Clock         *Clock // may be nil
	RequestTime   time.Duration
	UserTime      time.Duration // CPU, of each request
	SystemTime    time.Duration
	Before        func(n int, off int64) error // called with the request's number from 0; an error fails it
	LogOffsets    bool
	Offsets       []int64 // of each request, where LogOffsets is set
	Reads, Writes int64
	BytesRead     int64
	BytesWritten  int64
	LastBuffer    []byte // of the last request
}

// ReadAt keeps the rules of io.ReaderAt. It leaves p as it is.
func (t *Target) ReadAt(p []byte, off int64) (int, error) {
	n, err := t.request(p, off)
	if n > 0 {
		t.Reads++
		t.BytesRead += int64(n)
	}
	return n, err
}

// WriteAt keeps the rules of io.WriterAt.
func (t *Target) WriteAt(p []byte, off int64) (int, error) {
	n, err := t.request(p, off)
	if n > 0 {
		t.Writes++
		t.BytesWritten += int64(n)
	}
	return n, err
}

func (t *Target) request(p []byte, off int64) (int, error) {
	if t.Before != nil {
		if err := t.Before(int(t.Reads+t.Writes), off); err != nil {
			return 0, err
		}
	}
	if t.LogOffsets {
		t.Offsets = append(t.Offsets, off)
	}
	t.LastBuffer = p
	if t.Clock != nil {
		t.Clock.AdvanceCPU(t.UserTime, t.SystemTime)
		t.Clock.Advance(t.RequestTime)
	}
	if off < 0 || off >= t.SizeBytes {
		return 0, io.EOF
	}
	if rest := t.SizeBytes - off; int64(len(p)) > rest {
		return int(rest), io.EOF
	}
	return len(p), nil
}
