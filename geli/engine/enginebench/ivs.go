package enginebench

import (
	"fmt"
	"testing"

	"gelibench/geli/engine"
)

// IVs reports the nanoseconds that a hasher takes for one IV, alone and in
// runs.
func IVs(b *testing.B, h engine.Hasher) {
	if !usable(b, "hash="+h.Name(), h.Probe()) {
		return
	}
	state := [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}
	for _, run := range []int{1, 2, 3, 8, 64, 1024} {
		b.Run(fmt.Sprintf("hash=%s/run=%d", h.Name(), run), func(b *testing.B) {
			ivs := make([]byte, run*engine.IVBytes)
			repeats := max(1, 64/run)
			var s slicesOf
			for range b.N {
				s.time(b, func() error {
					for i := range repeats {
						h.IVs(ivs, &state, uint64(i), 512)
					}
					return nil
				})
			}
			ns := s.median() / float64(repeats*run)
			b.ReportMetric(ns, "ns/op")
			b.ReportMetric(ns, "ns/IV")
		})
	}
}
