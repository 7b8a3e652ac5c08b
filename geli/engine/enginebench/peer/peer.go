// Package peer lets a Go program take part in a comparison of cipher libraries
// that runs one child process for each of them and asks them in turn. A child
// reads lines from its standard input:
//
//	OP BITS SECTOR BUFBYTES MS          answer: GB/s, measured for MS milliseconds
//	check OP BITS SECTOR BUFBYTES       answer: a hash of the whole result
//
// OP is cbcenc, cbcdec, xtsenc or xtsdec; the answer NA says that the library
// cannot do this. Keys and contents are fixed, and the IV or tweak of sector i
// is le64(i), zero-extended, so that the hashes of all children agree.
package peer

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// Job is what is asked for.
type Job struct {
	engine.Params
	Encrypt     bool
	SectorBytes int
	BufferBytes int
}

// Run works on a whole buffer, in place; IVs included.
type Run func(buf []byte) error

// Serve answers lines until in ends. setup makes the Run of a job under a key.
func Serve(in io.Reader, out io.Writer, setup func(Job, []byte) (Run, error)) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		answer, err := serve(lines.Text(), setup)
		if err != nil {
			return fmt.Errorf("%q: %w", lines.Text(), err)
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func serve(line string, setup func(Job, []byte) (Run, error)) (string, error) {
	rest, check := strings.CutPrefix(line, "check ")
	var op string
	var bits, sector, size, ms int
	want := 5
	if check {
		want = 4
	}
	if n, err := fmt.Sscan(rest, &op, &bits, &sector, &size, &ms); n < want {
		return "", err
	}
	alg, ok := map[string]engine.Alg{"cbc": engine.AESCBC, "xts": engine.AESXTS}[op[:min(3, len(op))]]
	direction := op[min(3, len(op)):]
	if !ok || direction != "enc" && direction != "dec" || sector <= 0 || size < sector {
		return "", fmt.Errorf("not a job")
	}
	job := Job{engine.Params{Alg: alg, KeyBits: bits}, direction == "enc", sector, size}
	if job.Check() != nil {
		return "NA", nil
	}
	run, err := setup(job, key(job.Params))
	if err != nil {
		return "NA", nil
	}
	buf := contents(size)
	if err := run(buf); err != nil {
		return "", err
	}
	if check {
		return fmt.Sprintf("%016x", digest(buf)), nil
	}
	rounds, start, limit := 0, time.Now(), time.Duration(ms)*time.Millisecond
	var elapsed time.Duration
	for elapsed == 0 || elapsed < limit {
		if err := run(buf); err != nil {
			return "", err
		}
		rounds++
		elapsed = time.Since(start)
	}
	return fmt.Sprintf("%.6f", float64(rounds)*float64(size/sector*sector)/float64(elapsed.Nanoseconds())), nil
}

// key is the data key and, for XTS, the tweak key behind it.
func key(p engine.Params) []byte {
	k := make([]byte, p.KeyBytes())
	for i := range k {
		if half := p.KeyBits / 8; i < half {
			k[i] = byte(i*7 + 1)
		} else {
			k[i] = byte((i-half)*11 + 3)
		}
	}
	return k
}

func contents(n int) []byte {
	buf := mem.Aligned(n, 2<<20) // where a large page may lie
	for i := range buf {
		buf[i] = byte(i*131 + (i>>8)*7 + i>>16)
	}
	return buf
}

func digest(buf []byte) uint64 {
	h := uint64(1469598103934665603)
	for ; len(buf) >= 8; buf = buf[8:] {
		h = (h ^ binary.LittleEndian.Uint64(buf)) * 1099511628211
		h ^= h >> 29
	}
	return h
}
