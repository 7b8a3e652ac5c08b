// Package enginebench holds the benchmarks that all engines share, so that
// their figures can be laid side by side. An engine's own file needs:
//
//	func BenchmarkBound(b *testing.B)  { enginebench.Bound128.Benchmark(b) }
//	func BenchmarkSector(b *testing.B) { enginebench.Sector(b, New(), enginebench.Bound128) }
//	func BenchmarkParts(b *testing.B)  { enginebench.Parts(b, New(), shani.New()) }
//
// A processor's clock wanders, and in a virtual machine its neighbours are
// noisy. So everything that is compared is measured in turn, in slices of some
// ten microseconds, and the medians of the slices are reported. Run pinned to
// one core: taskset -c 1 go test -run '^$' -bench Sector.
package enginebench

import (
	"slices"
	"testing"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// Working sets in bytes: within the second-level cache; CBC encryption of long
// sectors gets a larger one, so that there are sectors enough to interleave.
const (
	workingSet     = 512 << 10
	workingSetLong = 4 << 20
	longSector     = 65536
)

var sectorBytes = []int{512, 4096, longSector}

// params are the ciphers that engines for AES have.
var params = []engine.Params{
	{Alg: engine.AESXTS, KeyBits: 128}, {Alg: engine.AESXTS, KeyBits: 256},
	{Alg: engine.AESCBC, KeyBits: 128}, {Alg: engine.AESCBC, KeyBits: 192}, {Alg: engine.AESCBC, KeyBits: 256},
}

// usable reports whether e can run; where it cannot, the output says so.
func usable(b *testing.B, name string, probe error) bool {
	if probe != nil {
		b.Run(name, func(b *testing.B) { b.Skip(probe) })
	}
	return probe == nil
}

// bench is one keyed session with a working set of sectors.
type bench struct {
	engine.Session
	key, buf, ivs []byte
	unit, sectors int // bytes; count
}

func newBench(b *testing.B, e engine.Engine, p engine.Params, unit, bytes int) *bench {
	b.Helper()
	s, err := e.NewSession(p)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	n := bytes / unit
	w := &bench{
		Session: s,
		key:     make([]byte, p.KeyBytes()),
		buf:     mem.Aligned(n*unit, mem.Page),
		ivs:     mem.Aligned(n*engine.IVBytes, mem.CacheLine),
		unit:    unit, sectors: n,
	}
	for i := range w.key {
		w.key[i] = byte(i)
	}
	for i := range w.ivs {
		w.ivs[i] = byte(i * 37)
	}
	if err := s.SetKey(w.key); err != nil {
		b.Fatal(err)
	}
	return w
}

// run is Encrypt or Decrypt of a session.
type run func(dst, src, ivs []byte, g engine.Geometry) error

// batch works on sectors i to j as one run, in place.
func (w *bench) batch(do run, i, j int) error {
	buf := w.buf[i*w.unit : j*w.unit]
	return do(buf, buf, w.ivs[i*engine.IVBytes:j*engine.IVBytes], engine.Packed(w.unit))
}

// geli works on sectors i to j one by one, with the key expanded for each, in
// place.
func (w *bench) geli(do run, i, j int) error {
	for ; i < j; i++ {
		if err := w.SetKey(w.key); err != nil {
			return err
		}
		if err := w.batch(do, i, i+1); err != nil {
			return err
		}
	}
	return nil
}

// slicesOf collects the durations of repeated slices of one kind.
type slicesOf []time.Duration

// time runs one slice.
func (s *slicesOf) time(b *testing.B, f func() error) time.Duration {
	start := time.Now()
	err := f()
	d := time.Since(start)
	if err != nil {
		b.Fatal(err)
	}
	*s = append(*s, d)
	return d
}

// median is in nanoseconds.
func (s slicesOf) median() float64 {
	slices.Sort(s)
	return float64(s[len(s)/2].Nanoseconds())
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
