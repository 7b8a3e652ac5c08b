package geli

import (
	"fmt"
	"testing"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/engines"
	"gelibench/geli/mem"
)

const benchRequest = 1 << 20 // bytes, as dd bs=1m

// BenchmarkPath reads 1 MiB requests through a worker over a provider that
// does nothing, one worker. share-of-engine sets that beside the bare engine on
// the same bytes in the same run, turn by turn: its calls and its IVs, without
// the device around them.
func BenchmarkPath(b *testing.B) {
	for _, path := range []Path{PathGELI, PathBatch} {
		for _, p := range []engine.Params{{Alg: engine.AESXTS, KeyBits: 256}, {Alg: engine.AESCBC, KeyBits: 256}} {
			for _, sector := range []int{512, 4096, 65536} {
				for _, op := range []string{"read", "write"} {
					b.Run(fmt.Sprintf("path=%s/alg=%v/sector=%d/op=%s", path.Name, p, sector, op), func(b *testing.B) {
						d := onetime(b, nothing{}, Options{Alg: p.Alg, KeyBits: p.KeyBits, SectorSize: sector, Path: path})
						benchPath(b, d, op)
					})
				}
			}
		}
	}
}

func benchPath(b *testing.B, d *Device, op string) {
	w, err := d.NewWorker()
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	buf := mem.Aligned(benchRequest, mem.Page)
	request := w.ReadAt
	if op == "write" {
		request = w.WriteAt
	}
	bare := newBareEngine(b, d, op)
	var through, direct time.Duration
	for b.Loop() {
		t0 := time.Now()
		if _, err := request(buf, 1<<30); err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		bare.request(buf)
		direct += time.Since(t1)
		through += t1.Sub(t0)
	}
	rate := float64(b.N) * benchRequest / through.Seconds() / 1e9
	b.ReportMetric(rate, "GB/s")
	b.ReportMetric(direct.Seconds()/through.Seconds(), "share-of-engine")
	b.ReportMetric(through.Seconds()*1e9/float64(b.N*(benchRequest/d.SectorSize())), "ns/sector")
	b.ReportMetric(0, "ns/op") // holds both turns: of no use
}

// bareEngine calls a session as the device's path does, and nothing else.
type bareEngine struct {
	b       *testing.B
	d       *Device
	session engine.Session
	key     []byte
	maker   ivMaker
	ivs     []byte
	dst     []byte // for writes
	write   bool
}

func newBareEngine(b *testing.B, d *Device, op string) *bareEngine {
	session, err := d.engine.NewSession(d.params)
	if err != nil {
		b.Fatal(err)
	}
	e := &bareEngine{b: b, d: d, session: session, key: make([]byte, d.params.KeyBytes()), maker: d.ivs,
		ivs: mem.Aligned(d.path.RunSectors*engine.IVBytes, mem.CacheLine), write: op == "write"}
	if e.write {
		e.dst = mem.Aligned(runBytes, mem.Page)
	}
	if err := session.SetKey(e.key); err != nil {
		b.Fatal(err)
	}
	return e
}

func (e *bareEngine) request(buf []byte) {
	sector := e.d.SectorSize()
	for at := 0; at < len(buf); {
		n := min(e.d.path.RunSectors, (len(buf)-at)/sector)
		if e.d.path.Rekey == RekeyPerSector {
			e.session.SetKey(e.key)
		}
		run, ivs := buf[at:at+n*sector], e.ivs[:n*engine.IVBytes]
		e.maker.fill(ivs, uint64(at), uint64(sector))
		var err error
		if e.write {
			if len(run) > len(e.dst) {
				e.dst = mem.Aligned(len(run), mem.Page)
			}
			err = e.session.Encrypt(e.dst[:len(run)], run, ivs, engine.Packed(sector))
		} else {
			err = e.session.Decrypt(run, run, ivs, engine.Packed(sector))
		}
		if err != nil {
			e.b.Fatal(err)
		}
		at += len(run)
	}
}

// BenchmarkPathCost is what the device itself costs: the null cipher, which
// touches no data on reads and copies it on writes.
func BenchmarkPathCost(b *testing.B) {
	null, err := engines.Lookup("null")
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range []Path{PathGELI, PathBatch} {
		for _, sector := range []int{512, 4096} {
			for _, bytes := range []int{sector, benchRequest} {
				for _, op := range []string{"read", "write"} {
					b.Run(fmt.Sprintf("path=%s/sector=%d/request=%d/op=%s", path.Name, sector, bytes, op), func(b *testing.B) {
						d := onetime(b, nothing{}, Options{Alg: engine.Null, SectorSize: sector, Path: path, Engine: null})
						w, err := d.NewWorker()
						if err != nil {
							b.Fatal(err)
						}
						defer w.Close()
						buf := mem.Aligned(bytes, mem.Page)
						request := w.ReadAt
						if op == "write" {
							request = w.WriteAt
						}
						for b.Loop() {
							request(buf, 1<<30)
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(bytes/sector)), "ns/sector")
					})
				}
			}
		}
	}
}
