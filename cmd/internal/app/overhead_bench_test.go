package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/geli/mem"
	"gelibench/results/measure"
	"gelibench/zerodev"
)

// BenchmarkOverhead is what the harness costs: null writes through the request
// loop, the device and its worker, against a bare loop of the same copies from
// the same buffer into one of the same size. The two are measured in turn, and
// copy-share is the bare loop's time as a share of the harness's, the median of
// all turns: 0.98 means that the harness takes 2 %. On path geli every sector is
// a call of its own, which is the path's cost and not the harness's.
func BenchmarkOverhead(b *testing.B) {
	for _, path := range []geli.Path{geli.PathBatch, geli.PathGELI} {
		b.Run("path="+path.Name, func(b *testing.B) {
			const sector, request, piece, requests = 4096, 1 << 20, 256 << 10, 4000 // a sample of 0.1 s
			d, err := geli.Onetime(zerodev.New(zerodev.Options{}), geli.Options{Alg: engine.Null, SectorSize: sector, Path: path})
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			w, err := d.NewWorker()
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			w.Reserve(request)
			src, dst := mem.Aligned(request, mem.Page), mem.Aligned(piece, mem.Page)
			loop, err := measure.NewLoop(measure.LoopConfig{
				Targets: []measure.Target{w}, Op: measure.Write, RequestBytes: request, SizeBytes: d.Size(), Buffers: [][]byte{src},
			})
			if err != nil {
				b.Fatal(err)
			}
			var harness time.Duration
			var shares []float64
			for b.Loop() {
				s, err := loop.Sample(context.Background(), measure.Want{Requests: requests})
				if err != nil {
					b.Fatal(err)
				}
				harness += time.Duration(s.ElapsedNS)
				start := time.Now()
				for range requests {
					for at := 0; at < request; at += piece {
						copy(dst, src[at:at+piece])
					}
				}
				shares = append(shares, float64(time.Since(start))/float64(s.ElapsedNS))
			}
			slices.Sort(shares)
			b.ReportMetric(shares[len(shares)/2], "copy-share")
			b.ReportMetric(float64(b.N)*requests*request/harness.Seconds()/1e9, "GB/s")
			b.ReportMetric(0, "ns/op") // holds both turns
		})
	}
}
