package engine

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// agreeShapes are the runs that Agree always asks: the smallest unit in more
// sectors than any kernel has lanes, GELI's two usual sectors, the odd unit of
// its integrity mode, the largest. Zero is drawn at random.
var agreeShapes = []struct{ unit, sectors int }{
	{16, 70}, {512, 1}, {512, 37}, {528, 5}, {4096, 3}, {8192, 1}, {48, 19}, {0, 0}, {0, 0}, {0, 0},
}

// agreeRandomBytes bounds the runs whose shape is drawn.
const agreeRandomBytes = 8192

// Agree encrypts and decrypts random runs with both engines, under a new key
// for each and with gaps between the sectors of some, and compares every byte.
// The same seed asks the same runs; it is named in the error, which wraps
// ErrMismatch. About 60 KB pass through the oracle and twice that through e.
func Agree(e, oracle Engine, p Params, seed uint64) error {
	s, err := newSession(e, p)
	if err != nil {
		return err
	}
	defer s.Close()
	o, err := newSession(oracle, p)
	if err != nil {
		return fmt.Errorf("as oracle for %s: %w", e.Name(), err)
	}
	defer o.Close()

	chacha := seeded(seed)
	draw := rand.New(chacha)
	block := p.Alg.BlockBytes()
	for i, shape := range agreeShapes {
		unit, n := shape.unit, shape.sectors
		if unit == 0 {
			unit = (16 + draw.IntN(8192-15)) / block * block
			n = 1 + draw.IntN(min(70, max(1, agreeRandomBytes/unit)))
		}
		key := make([]byte, p.KeyBytes())
		t := trial{
			e: e, s: s, p: p, what: fmt.Sprintf("against engine %s with seed %#x", oracle.Name(), seed),
			ivs: make([]byte, n*IVBytes), plain: make([]byte, n*unit), cipher: make([]byte, n*unit),
			g: Packed(unit),
		}
		chacha.Read(key)
		chacha.Read(t.ivs)
		chacha.Read(t.plain)
		if p.Alg == AESXTS && (Tweak64Only(e) || Tweak64Only(oracle)) {
			for j := range n {
				clear(t.ivs[j*IVBytes+8 : (j+1)*IVBytes])
			}
		}
		if i%3 == 2 {
			t.g.DstStride += draw.IntN(70)
			t.g.SrcStride += draw.IntN(70)
		}
		if err := s.SetKey(key); err != nil {
			return fmt.Errorf("engine %s, %v: %w", e.Name(), p, err)
		}
		if err := o.SetKey(key); err != nil {
			return fmt.Errorf("engine %s, %v: %w", oracle.Name(), p, err)
		}
		if err := o.Encrypt(t.cipher, t.plain, t.ivs, Packed(unit)); err != nil {
			return fmt.Errorf("engine %s, %v: %w", oracle.Name(), p, err)
		}
		if err := t.ask("encrypt", i%2 == 0); err != nil {
			return err
		}
		// The oracle need not decrypt: e must take its ciphertext back.
		if err := t.ask("decrypt", i%2 == 1); err != nil {
			return err
		}
	}
	return nil
}

// seeded is a stream of bytes that is the same on every machine.
func seeded(seed uint64) *rand.ChaCha8 {
	var wide [32]byte
	binary.LittleEndian.PutUint64(wide[:], seed)
	return rand.NewChaCha8(wide)
}

func freshSeed() uint64 { return rand.Uint64() }
