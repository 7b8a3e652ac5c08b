package enginebench

import (
	"fmt"
	"testing"

	"gelibench/geli/engine"
)

// Parts reports what the parts of one sector cost on the path geli, in
// nanoseconds, for every cipher, direction and sector size:
//
//	expand-ns   SetKey
//	inverse-ns  the decryption schedule, where the engine puts it off until it
//	            is used
//	iv-ns       the IV by h, one at a time (CBC)
//	start-ns    call, tweak and the wait for the first block: the intercept of
//	            the time over the sector's size
//	data-ns     the rest: what grows with the sector's size
//	sector-ns   the whole, measured as a whole
//	batch-iv-ns the IV by h in runs of 64, for comparison
func Parts(b *testing.B, e engine.Engine, h engine.Hasher) {
	if !usable(b, "engine="+e.Name(), e.Probe()) || !usable(b, "hash="+h.Name(), h.Probe()) {
		return
	}
	for _, p := range params {
		for _, op := range []string{"encrypt", "decrypt"} {
			for _, unit := range sectorBytes[:2] {
				b.Run(fmt.Sprintf("engine=%s/hash=%s/alg=%v/op=%s/sector=%d", e.Name(), h.Name(), p, op, unit), func(b *testing.B) {
					parts(b, e, h, p, op == "encrypt", unit)
				})
			}
		}
	}
}

const partRepeats = 64 // of a part in one slice

func parts(b *testing.B, e engine.Engine, h engine.Hasher, p engine.Params, encrypt bool, unit int) {
	w := newBench(b, e, p, unit, partRepeats*unit)
	half := newBench(b, e, p, unit/2, partRepeats*unit/2)
	tiny := newBench(b, e, p, p.Alg.BlockBytes(), partRepeats*p.Alg.BlockBytes())
	direction := func(w *bench) run {
		if encrypt {
			return w.Encrypt
		}
		return w.Decrypt
	}
	oneByOne := func(w *bench) func() error {
		do := direction(w)
		return func() error {
			for i := range partRepeats {
				if err := w.batch(do, i, i+1); err != nil {
					return err
				}
			}
			return nil
		}
	}
	keyEach := func(w *bench) func() error {
		do := direction(w)
		return func() error { return w.geli(do, 0, partRepeats) }
	}
	state := [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}
	ivs := make([]byte, partRepeats*engine.IVBytes)

	var expand, tinyKeyed, tinyRun, halfRun, whole, full, iv, batchIV slicesOf
	b.ResetTimer()
	for range b.N {
		expand.time(b, func() error {
			for range partRepeats {
				if err := w.SetKey(w.key); err != nil {
					return err
				}
			}
			return nil
		})
		tinyKeyed.time(b, keyEach(tiny))
		tinyRun.time(b, oneByOne(tiny))
		halfRun.time(b, oneByOne(half))
		full.time(b, oneByOne(w))
		whole.time(b, keyEach(w))
		if p.Alg == engine.AESCBC {
			iv.time(b, func() error {
				for i := range partRepeats {
					h.IVs(ivs[i*engine.IVBytes:(i+1)*engine.IVBytes], &state, uint64(i*unit), uint64(unit))
				}
				return nil
			})
			batchIV.time(b, func() error { h.IVs(ivs, &state, 0, uint64(unit)); return nil })
		}
	}
	b.StopTimer()

	each := func(s slicesOf) float64 { return s.median() / partRepeats }
	data := 2 * (each(full) - each(halfRun))
	b.ReportMetric(each(whole), "ns/op")
	b.ReportMetric(each(expand), "expand-ns")
	if !encrypt {
		b.ReportMetric(each(tinyKeyed)-each(tinyRun)-each(expand), "inverse-ns")
	}
	b.ReportMetric(each(full)-data, "start-ns")
	b.ReportMetric(data, "data-ns")
	b.ReportMetric(each(whole), "sector-ns")
	if p.Alg == engine.AESCBC {
		b.ReportMetric(each(iv), "iv-ns")
		b.ReportMetric(each(batchIV), "batch-iv-ns")
	}
}
