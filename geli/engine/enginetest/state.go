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
		rounds := rounds
		if !isAES(b.p) {
			rounds = min(rounds, 20)
		}
		// Every session has its key before the first one runs, so that state
		// they share shows even if the goroutines happen to take turns.
		runners := make([]*runner, workers)
		for w := range runners {
			key := b.draw.bytes(b.p.KeyBytes())
			if err := b.o.SetKey(key); err != nil {
				b.fatalf("oracle: SetKey: %v", err)
			}
			s, err := e.NewSession(b.p)
			if err != nil {
				b.fatalf("NewSession: %v", err)
			}
			defer s.Close()
			if err := s.SetKey(key); err != nil {
				b.fatalf("SetKey: %v", err)
			}
			runners[w] = &runner{s: s, key: key, answer: b.ask(unit, sectors)}
		}
		var wg sync.WaitGroup
		for _, r := range runners {
			wg.Go(func() { r.err = r.run(rounds) })
		}
		wg.Wait()
		for w, r := range runners {
			if r.err != nil {
				b.fatalf("session %d of %d side by side: %v", w, workers, r.err)
			}
		}
	})
}

// runner is a session with a key of its own, and what that gives.
type runner struct {
	s   engine.Session
	key []byte
	answer
	err error
}

func (r *runner) run(rounds int) error {
	dst, g := make([]byte, len(r.plain)), engine.Packed(r.unit)
	for i := range rounds {
		if i%4 == 3 {
			if err := r.s.SetKey(r.key); err != nil {
				return err
			}
		}
		if err := r.s.Encrypt(dst, r.plain, r.ivs, g); err != nil {
			return err
		}
		if !bytes.Equal(dst, r.cipher) {
			return fmt.Errorf("round %d: wrong ciphertext", i)
		}
		if err := r.s.Decrypt(dst, dst, r.ivs, g); err != nil {
			return err
		}
		if !bytes.Equal(dst, r.plain) {
			return fmt.Errorf("round %d: wrong plaintext", i)
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
