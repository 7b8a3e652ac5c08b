package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
)

// knownIVs are IVs under the IV-Key of bytes 00 to 3f: the first half of
// SHA-256(IV-Key || le64(offset)), computed with Python's hashlib.
// knownIVState is the chaining value behind that key.
var (
	knownIVState = [8]uint32{0xfc99a2df, 0x88f42a7a, 0x7bb9d180, 0x33cdc6a2, 0x0256755f, 0x9d5b9a50, 0x44a9cc31, 0x5abe84a7}
	knownIVs     = []struct {
		offset uint64 // bytes
		iv     string
	}{
		{0x0, "d17cf353aed507c38b1a44f6675bd28b"},
		{0x200, "eb8fdef092b9e8cfc5c9eb169f44e7ab"},
		{0x1000, "d1c1e22c767f8260999f3545b149ade5"},
		{0xfffffe00, "698caa4c9db62c8a5a447ab4c084b97a"},
		{0x100000000, "3d27059652a42104777803183b658e8b"},
		{0x1000000000000000, "98dbbb747e419fe110e75515bec315d7"},
		{0xfffffffffffff000, "113eddad6cfb56e5ba068d114f369883"},
	}
)

// SelfTestHasher checks a hasher: known IVs, then runs of every length that
// leaves a different rest in its lanes against crypto/sha256; and the same for
// the MACs of one that is an Authenticator. The error wraps ErrMismatch where
// bytes were wrong, and names the seed.
func SelfTestHasher(h Hasher) error {
	if err := h.Probe(); err != nil {
		return fmt.Errorf("hasher %s: %w", h.Name(), err)
	}
	for _, k := range knownIVs {
		var iv [IVBytes]byte
		state := knownIVState
		h.IVs(iv[:], &state, k.offset, 512)
		if got := hex.EncodeToString(iv[:]); got != k.iv {
			return fmt.Errorf("hasher %s, known IV of offset %#x is %s, not %s: %w", h.Name(), k.offset, got, k.iv, ErrMismatch)
		}
	}
	if err := agreeHasher(h, freshSeed()); err != nil {
		return err
	}
	if a, ok := h.(Authenticator); ok {
		return selfTestMACs(h, a, freshSeed())
	}
	return nil
}

func agreeHasher(h Hasher, seed uint64) error {
	chacha := seeded(seed)
	draw := rand.New(chacha)
	message := make([]byte, 72) // prefix || le64(offset)
	for n := range 2*h.Lanes() + 2 {
		chacha.Read(message[:64])
		state := sha256State(message[:64])
		kept := state
		off, step := draw.Uint64(), uint64(512)<<draw.IntN(8)
		ivs := bytes.Repeat([]byte{filler}, (n+1)*IVBytes)
		h.IVs(ivs[:n*IVBytes], &state, off, step)
		where := fmt.Sprintf("hasher %s, %d IVs from offset %#x in steps of %d, seed %#x", h.Name(), n, off, step, seed)
		for i := range n {
			binary.LittleEndian.PutUint64(message[64:], off+uint64(i)*step)
			want := sha256.Sum256(message)
			got := ivs[i*IVBytes : (i+1)*IVBytes]
			if at := firstDifference(got, want[:IVBytes]); at >= 0 {
				return fmt.Errorf("%s: IV %d, byte %d is %#02x, not %#02x: %w", where, i, at, got[at], want[at], ErrMismatch)
			}
		}
		if at := firstDifference(ivs[n*IVBytes:], bytes.Repeat([]byte{filler}, IVBytes)); at >= 0 {
			return fmt.Errorf("%s: wrote behind the last IV: %w", where, ErrMismatch)
		}
		if state != kept {
			return fmt.Errorf("%s: changed the state it was given: %w", where, ErrMismatch)
		}
	}
	return nil
}

// sha256State is the chaining value after one 64-byte prefix, read from the
// form in which crypto/sha256 saves itself: 4 bytes of magic, then the state.
func sha256State(prefix []byte) (state [8]uint32) {
	h := sha256.New()
	h.Write(prefix)
	saved, err := h.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("crypto/sha256 does not save its state: %v", err))
	}
	for i := range state {
		state[i] = binary.BigEndian.Uint32(saved[4+4*i:])
	}
	return state
}
