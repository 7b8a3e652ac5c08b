package enginetest

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"gelibench/geli/engine"
)

// testParallel runs sessions with keys of their own side by side. The race
// detector sees more in it than the bytes tell.
func testParallel(t testing.TB, e engine.Engine) {
	t.Helper()
	const workers, unit, sectors = 4, 528, 6
	rounds := 100
	if short() {
		rounds = 8
	}
	each(t, e, "parallel", func(b *bed) {
		if !isAES(b.p) {
			rounds = min(rounds, 20)
		}
		errs := make([]error, workers)
		var wg sync.WaitGroup
		for w := range workers {
			key := b.draw.bytes(b.p.KeyBytes())
			if err := b.o.SetKey(key); err != nil {
				b.fatalf("oracle: SetKey: %v", err)
			}
			a := b.ask(unit, sectors)
			wg.Go(func() { errs[w] = oneWorker(e, b.p, key, a, rounds) })
		}
		wg.Wait()
		for w, err := range errs {
			if err != nil {
				b.fatalf("worker %d of %d: %v", w, workers, err)
			}
		}
	})
}

func oneWorker(e engine.Engine, p engine.Params, key []byte, a answer, rounds int) error {
	s, err := e.NewSession(p)
	if err != nil {
		return err
	}
	defer s.Close()
	dst, g := make([]byte, len(a.plain)), engine.Packed(a.unit)
	for i := range rounds {
		if i%4 == 0 {
			if err := s.SetKey(key); err != nil {
				return err
			}
		}
		if err := s.Encrypt(dst, a.plain, a.ivs, g); err != nil {
			return err
		}
		if !bytes.Equal(dst, a.cipher) {
			return fmt.Errorf("round %d: wrong ciphertext beside other sessions", i)
		}
		if err := s.Decrypt(dst, dst, a.ivs, g); err != nil {
			return err
		}
		if !bytes.Equal(dst, a.plain) {
			return fmt.Errorf("round %d: wrong plaintext beside other sessions", i)
		}
	}
	return nil
}

// testAllocations: neither a run nor a new key allocates, unless the engine
// says so. New keys of 3DES and Blowfish may: no package expands them in place.
func testAllocations(t testing.TB, e engine.Engine) {
	t.Helper()
	if e.Info().Allocates {
		t.Skipf("engine %s says that it allocates", e.Name())
	}
	each(t, e, "allocations", func(b *bed) {
		const runs = 10
		key := b.draw.bytes(b.p.KeyBytes())
		if b.p.Alg != engine.TripleDESCBC && b.p.Alg != engine.BlowfishCBC {
			b.noAllocations("SetKey", testing.AllocsPerRun(runs, func() { b.s.SetKey(key) }))
		}
		b.setKey(key)
		for _, unit := range []int{16, 512} {
			for _, n := range []int{1, 37} {
				a := b.ask(unit, n)
				g, dst := engine.Packed(unit), make([]byte, len(a.plain))
				what := fmt.Sprintf("run of %d sectors of %d bytes", n, unit)
				b.noAllocations("encrypt, "+what, testing.AllocsPerRun(runs, func() { b.s.Encrypt(dst, a.plain, a.ivs, g) }))
				b.noAllocations("decrypt, "+what, testing.AllocsPerRun(runs, func() { b.s.Decrypt(dst, a.cipher, a.ivs, g) }))
				b.noAllocations("in place, "+what, testing.AllocsPerRun(runs, func() { b.s.Encrypt(dst, dst, a.ivs, g) }))
			}
		}
	})
}

func (b *bed) noAllocations(what string, perCall float64) {
	b.Helper()
	if perCall != 0 {
		b.fatalf("%s: %v allocations a call, and Info.Allocates is false", what, perCall)
	}
}
