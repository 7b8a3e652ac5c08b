package enginebench

import (
	"fmt"
	"testing"

	"gelibench/geli/engine"
)

// Bound is what the processor could do if AES had nothing around it: a loop
// over registers with, for each block, the key addition and the rounds of the
// real work, in chains enough to fill its pipes.
type Bound struct {
	WidthBits    int                     // register width
	BytesPerStep int                     // what one step stands for
	Probe        func() error            // nil where Run may be called
	Run          func(steps, rounds int) // rounds is 10, 12 or 14
}

// Benchmark reports the bound for each key length.
func (bound Bound) Benchmark(b *testing.B) {
	for _, bits := range []int{128, 192, 256} {
		b.Run(fmt.Sprintf("width=%d/bits=%d", bound.WidthBits, bits), func(b *testing.B) {
			if err := bound.Probe(); err != nil {
				b.Skip(err)
			}
			var s slicesOf
			for range b.N {
				s.time(b, func() error { bound.run(workingSet, bits); return nil })
			}
			ns := s.median()
			b.ReportMetric(ns, "ns/op")
			b.ReportMetric(workingSet/ns, "GB/s")
		})
	}
}

// run does the work of so many bytes.
func (bound Bound) run(bytes, keyBits int) {
	bound.Run(bytes/bound.BytesPerStep, keyBits/32+6)
}

// Sector reports, for every cipher, direction and sector size, the rate of an
// engine in GB/s and as a share of the bound, which is measured in turn with
// it. The path geli expands the key and calls for each sector; batch makes long
// runs under one key. All in place; IVs come ready.
func Sector(b *testing.B, e engine.Engine, bound Bound) {
	if !usable(b, "engine="+e.Name(), e.Probe()) {
		return
	}
	for _, p := range params {
		for _, op := range []string{"encrypt", "decrypt"} {
			for _, unit := range sectorBytes {
				for _, path := range []string{"geli", "batch"} {
					b.Run(fmt.Sprintf("engine=%s/alg=%v/op=%s/sector=%d/path=%s", e.Name(), p, op, unit, path), func(b *testing.B) {
						sector(b, e, bound, p, op, unit, path)
					})
				}
			}
		}
	}
}

func sector(b *testing.B, e engine.Engine, bound Bound, p engine.Params, op string, unit int, path string) {
	bytes := workingSet
	if p.Alg == engine.AESCBC && op == "encrypt" && unit == longSector {
		bytes = workingSetLong
	}
	w := newBench(b, e, p, unit, bytes)
	do := w.Decrypt
	if op == "encrypt" {
		do = w.Encrypt
	}
	work := w.batch
	if path == "geli" {
		work = w.geli
	}
	bounded := bound.Run != nil && bound.Probe() == nil
	var cipher slicesOf
	var limit slicesOf
	var shares []float64
	b.ResetTimer()
	for range b.N {
		d := cipher.time(b, func() error { return work(do, 0, w.sectors) })
		if bounded {
			l := limit.time(b, func() error { bound.run(bytes, p.KeyBits); return nil })
			shares = append(shares, float64(l)/float64(d))
		}
	}
	b.StopTimer()
	ns := cipher.median()
	b.ReportMetric(ns, "ns/op")
	b.ReportMetric(float64(bytes)/ns, "GB/s")
	b.ReportMetric(ns/float64(w.sectors), "ns/sector")
	if bounded {
		b.ReportMetric(median(shares), "share-of-bound")
	}
}
