package report

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"
)

// repeated hands out a line over and over until n bytes are read.
type repeated struct {
	line string
	n    int64
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n <= 0 {
		return 0, io.EOF
	}
	k := copy(p, r.line[r.at:])
	k = int(min(int64(k), r.n))
	r.at = (r.at + k) % len(r.line)
	r.n -= int64(k)
	return k, nil
}

// memory runs f and tells by how much the heap grew at most, roughly.
func memory(f func()) uint64 {
	runtime.GC()
	var before, m runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	peak := make(chan uint64)
	go func() {
		var top uint64
		for {
			select {
			case <-done:
				peak <- top
				return
			case <-time.After(20 * time.Millisecond):
				runtime.ReadMemStats(&m)
				top = max(top, m.HeapAlloc)
			}
		}
	}()
	f()
	close(done)
	top := <-peak
	if top < before.HeapAlloc {
		return 0
	}
	return top - before.HeapAlloc
}

// Whatever comes in, reading ends with a clear message and in bounded memory.
// The full sizes (a log of 100 MB, a line of 1 GB) run without -short.
func TestLimits(t *testing.T) {
	scale := int64(1)
	if testing.Short() {
		scale = 20
	}
	random := make([]byte, 1<<20)
	rng := rand.NewChaCha8([32]byte{1})
	rng.Read(random)
	for i := range random {
		random[i] = " \n0123456789abcdefghijklmnopqrstuvwxyz.,:;/()-k%"[int(random[i])%48]
	}
	long := "Nov 30 18:45:01 host kernel: [ 1234.567890] usb 1-1: new high-speed USB device number 7 using xhci_hcd\n" +
		"2024-11-30T18:45:01Z INFO request path=/api/v1/items status=200 bytes=18234 duration=12.5ms client=10.0.0.7\n"
	for _, c := range []struct {
		name string
		r    io.Reader
		long bool
	}{
		{"1 MB of random text", bytes.NewReader(random), false},
		{"a log", &repeated{line: long, n: 100e6 / scale}, false},
		{"one line", &repeated{line: "the quick brown fox 12345 MB/s jumps ", n: 1e9 / scale}, true},
		{"one line of zeros", &repeated{line: strings.Repeat("\x00", 4096), n: 1e8 / scale}, true},
		{"one line of quotes", &repeated{line: "> ", n: 1e8 / scale}, true},
		{"one line of numbers", &repeated{line: "1.00k ", n: 1e8 / scale}, true},
		{"soft line ends", &repeated{line: "=3D=\n", n: 1e7 / scale}, false},
		{"carriage returns", &repeated{line: "x\r", n: 4e6 / scale}, false},
		{"half rows", &repeated{line: "aes-256-cbc 1.00k 2.00k\n", n: 2e7 / scale}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rep *Report
			var err error
			start := time.Now()
			grew := memory(func() { rep, err = Read(c.r, "input") })
			t.Logf("%.1f s, %d MB", time.Since(start).Seconds(), grew>>20)
			if !errors.Is(err, ErrNoResults) {
				t.Errorf("error %v, %d results", err, len(rep.Results))
			}
			if c.long && len(rep.Warnings) == 0 {
				t.Error("no warning that the line was too long")
			}
			if grew > 48<<20 {
				t.Errorf("the heap grew by %d MB", grew>>20)
			}
		})
	}
}

// A log full of figures keeps the first ones and counts the rest.
func TestManyResults(t *testing.T) {
	line := "104857600 bytes transferred in 3.317718 secs (31605338 bytes/sec)\n"
	rep, err := Read(&repeated{line: line, n: int64(len(line)) * (maxResults + 100)}, "log")
	if err != nil || len(rep.Results) != maxResults || rep.Left != 100 {
		t.Errorf("%d results, %d left out, error %v", len(rep.Results), rep.Left, err)
	}
}

// errReader fails in the middle.
type errReader struct{ io.Reader }

var errDisk = errors.New("disk on fire")

func (e errReader) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}

func TestReadError(t *testing.T) {
	text := "104857600 bytes transferred in 3.317718 secs (31605338 bytes/sec)\n"
	rep, err := Read(errReader{strings.NewReader(text)}, "f")
	if !errors.Is(err, errDisk) || len(rep.Results) != 1 {
		t.Errorf("error %v, %d results", err, len(rep.Results))
	}
}
