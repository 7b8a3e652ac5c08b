package engine

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
)

// knownMACs are MACs of the bytes 0, 1, 2 ... 250, 0, 1 ..., of which there are
// unit: HMAC-SHA256(SHA-256(prefix || le64(offset)), bytes), for the prefix
// behind knownIVState. Computed with Python's hashlib and hmac.
var knownMACs = []struct {
	offset uint64 // bytes
	unit   int    // bytes
	mac    string
}{
	{0x0, 480, "b6fd6d07156852d19e2f996f172dbdc34b0728e41229b595d7919e18589e51e5"},
	{0x200, 32, "baa26e630a127b3c6ca01aec95796e746c223f36315db3a9dbfbae715f5919b2"},
	{0x400, 64, "606910a3557b9219caeef119a48fe26831b5d48dd3ea6078808d98a6652ecede"},
	{0x1000, 55, "42264d2334d90fe51a0099531d281a30d4e75eb16c03d095fb17c63bd93c063c"},
	{0xfffffe00, 56, "66b97e18652dc7bb4254e28ccac862cf3818822595739d1a67fe608cac4956af"},
	{0x100000000, 448, "27d14e98981920c3ac0dce02abd49f3d2018cb8887c691a6eb79b280a13166b7"},
	{0xfffffffffffff000, 4064, "f473ad0d1da520ccf585649fc978036d41b5a6223db6835ee6f196c5b4e26116"},
}

const macBytes = sha256.Size

// selfTestMACs checks known MACs, then runs of every length that leaves a
// different rest in the lanes against crypto/hmac.
func selfTestMACs(h Hasher, a Authenticator, seed uint64) error {
	for _, k := range knownMACs {
		message := make([]byte, k.unit)
		for i := range message {
			message[i] = byte(i % 251)
		}
		var mac [macBytes]byte
		state := knownIVState
		a.HMACs(mac[:], message, k.unit, k.unit, &state, k.offset, 512)
		if got := hex.EncodeToString(mac[:]); got != k.mac {
			return fmt.Errorf("hasher %s, known MAC of %d bytes at offset %#x is %s, not %s: %w", h.Name(), k.unit, k.offset, got, k.mac, ErrMismatch)
		}
	}
	chacha := seeded(seed)
	draw := rand.New(chacha)
	prefix := make([]byte, 64)
	for n := range 2*h.Lanes() + 2 {
		unit := 1 + draw.IntN(128+1024/(n+1))
		stride := unit + draw.IntN(64)
		off, step := draw.Uint64(), uint64(512)<<draw.IntN(8)
		chacha.Read(prefix)
		state := sha256State(prefix)
		kept := state
		src := make([]byte, n*stride)
		chacha.Read(src)
		was := bytes.Clone(src)
		macs := bytes.Repeat([]byte{filler}, (n+1)*macBytes)
		a.HMACs(macs[:n*macBytes], src, stride, unit, &state, off, step)
		where := fmt.Sprintf("hasher %s, %d MACs of %d bytes, %d apart, from offset %#x in steps of %d, seed %#x", h.Name(), n, unit, stride, off, step, seed)
		for i := range n {
			key := sha256.Sum256(binary.LittleEndian.AppendUint64(bytes.Clone(prefix), off+uint64(i)*step))
			mac := hmac.New(sha256.New, key[:])
			mac.Write(was[i*stride : i*stride+unit])
			want, got := mac.Sum(nil), macs[i*macBytes:(i+1)*macBytes]
			if at := firstDifference(got, want); at >= 0 {
				return fmt.Errorf("%s: MAC %d, byte %d is %#02x, not %#02x: %w", where, i, at, got[at], want[at], ErrMismatch)
			}
		}
		switch {
		case firstDifference(macs[n*macBytes:], bytes.Repeat([]byte{filler}, macBytes)) >= 0:
			return fmt.Errorf("%s: wrote behind the last MAC: %w", where, ErrMismatch)
		case !bytes.Equal(src, was):
			return fmt.Errorf("%s: changed its source: %w", where, ErrMismatch)
		case state != kept:
			return fmt.Errorf("%s: changed the state it was given: %w", where, ErrMismatch)
		}
	}
	return nil
}
