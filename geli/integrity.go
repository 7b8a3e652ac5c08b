package geli

import (
	"crypto/hmac"
	"crypto/sha512"
	"errors"
	"fmt"
	"io/fs"

	"gelibench/geli/engine"
)

// ErrIntegrity: a sub-sector's MAC is not that of its ciphertext and place.
var ErrIntegrity = errors.New("integrity check failed")

// IntegrityError says where. It wraps ErrIntegrity.
type IntegrityError struct {
	Device         string
	Offset         int64 // of the decrypted sector, bytes
	ProviderOffset int64 // of the sub-sector on the underlying provider, bytes
}

func (e *IntegrityError) Error() string {
	return fmt.Sprintf("%s: sector at %d: %v (sub-sector at %d of the underlying provider)", e.Device, e.Offset, ErrIntegrity, e.ProviderOffset)
}

func (e *IntegrityError) Unwrap() error { return ErrIntegrity }

// layout is where the bytes of a decrypted sector lie when each is followed by
// MACs (g_eli_integrity.c). A decrypted sector takes subs underlying sectors,
// each of which holds a digest, then ciphertext, then padding.
type layout struct {
	under  int // E: bytes of an underlying sector
	sector int // S: bytes of a decrypted one
	digest int // A: bytes of a MAC
	data   int // D: ciphertext bytes of all sub-sectors but the last
	last   int // ciphertext bytes of the last
	subs   int // N
	bytes  int // B: underlying bytes of a decrypted sector
}

// newLayout works the layout out: D is E-A rounded down to a multiple of 16,
// N = floor((S-1)/D)+1, B = N*E, and the last sub-sector holds S mod D.
func newLayout(a AAlg, under, sector int) (layout, error) {
	l := layout{under: under, sector: sector, digest: a.DigestBytes()}
	l.data = (under - l.digest) / 16 * 16
	l.subs = (sector-1)/l.data + 1
	l.last = sector % l.data
	l.bytes = l.subs * under
	if l.last == 0 {
		return l, fmt.Errorf("sector size %d with %v would leave a last sub-sector without data (each holds %d bytes): take a power of two: %w", sector, a, l.data, fs.ErrInvalid)
	}
	return l, nil
}

// ProviderRange is where a decrypted sector lies on the underlying provider:
// the bytes from start up to start+length. off is the sector's own offset.
func (d *Device) ProviderRange(off int64) (start, length int64) {
	sector := int64(d.md.SectorSize)
	length = sector
	if d.auth {
		length = int64(d.layout.bytes)
	}
	return off / sector * length, length
}

// unit is the number of ciphertext bytes in sub-sector i.
func (l layout) unit(i int) int {
	if i == l.subs-1 {
		return l.last
	}
	return l.data
}

// DigestBytes is the length of the algorithm's MAC, or 0 if there is no such
// algorithm.
func (a AAlg) DigestBytes() int {
	switch a {
	case HMACMD5:
		return 16
	case HMACSHA1, HMACRIPEMD160:
		return 20
	case HMACSHA256:
		return 32
	case HMACSHA384:
		return 48
	case HMACSHA512:
		return 64
	}
	return 0
}

// authKey is akey = HMAC-SHA512(Data-Key, 0x11), from which every MAC key comes.
func authKey(k *MasterKey) [sha512.Size]byte { return macByte(k.dataKey(), 0x11) }

// macByte is HMAC-SHA512 of one byte.
func macByte(key []byte, b byte) (sum [sha512.Size]byte) {
	mac := hmac.New(sha512.New, key)
	mac.Write([]byte{b})
	mac.Sum(sum[:0])
	return sum
}

// readAuth reads count decrypted sectors at byte off to p: the underlying
// sectors come into the scratch buffer, every MAC is verified, and what passed
// is decrypted.
func (w *Worker) readAuth(p []byte, off int64) (int, error) {
	l := w.d.layout
	for done := 0; done < len(p); {
		n := min(w.authSectors(), (len(p)-done)/l.sector)
		at := off + int64(done)
		underAt := at / int64(l.sector) * int64(l.bytes)
		raw := w.room(n * l.bytes)
		// READ. A reader may report the end together with the last bytes.
		if got, err := w.d.provider.ReadAt(raw, underAt); got < len(raw) {
			return done, fmt.Errorf("%s: read of %d bytes at %d: %w", w.d.provider.Name(), len(raw), underAt, short(err, errShortProvider))
		}
		// VERIFY, all of it, before anything is decrypted.
		if bad := w.macs.verify(raw, l, uint64(underAt), n); bad >= 0 {
			return done, &IntegrityError{
				Device:         w.d.Name(),
				Offset:         at + int64(bad/l.bytes*l.sector),
				ProviderOffset: underAt + int64(bad),
			}
		}
		// DECRYPT, sub-sector i of all sectors as a run.
		if err := w.cryptAuth(p[done:done+n*l.sector], raw, uint64(underAt), n, false); err != nil {
			return done, err
		}
		done += n * l.sector
	}
	return len(p), nil
}

// writeAuth encrypts p, makes the MACs, and writes the underlying sectors.
func (w *Worker) writeAuth(p []byte, off int64) (int, error) {
	l := w.d.layout
	for done := 0; done < len(p); {
		n := min(w.authSectors(), (len(p)-done)/l.sector)
		underAt := (off + int64(done)) / int64(l.sector) * int64(l.bytes)
		raw := w.room(n * l.bytes)
		if err := w.cryptAuth(p[done:done+n*l.sector], raw, uint64(underAt), n, true); err != nil {
			return done, err
		}
		w.macs.sign(raw, l, uint64(underAt), n)
		for i := range l.subs {
			first := i * l.under
			for k := range n { // PADDING is zeros
				clear(raw[k*l.bytes+first+l.digest+l.unit(i) : k*l.bytes+first+l.under])
			}
		}
		if put, err := w.d.provider.WriteAt(raw, underAt); put < len(raw) {
			return done, fmt.Errorf("%s: write of %d bytes at %d: %w", w.d.provider.Name(), len(raw), underAt, short(err, errShortProvider))
		}
		done += n * l.sector
	}
	return len(p), nil
}

// authSectors is how many decrypted sectors are worked on at once.
func (w *Worker) authSectors() int {
	if w.d.piece == 0 {
		return maxAuthBytes / w.d.layout.bytes
	}
	return max(1, min(w.d.path.RunSectors, runBytes/w.d.layout.bytes))
}

// maxAuthBytes bounds what is read of a provider that wants whole requests: no
// request of FreeBSD's is longer.
const maxAuthBytes = 2 * MaxSectorSize

// cryptAuth moves n sectors between plain (decrypted, packed) and raw (the
// underlying layout). IVs and keys go by the underlying offset.
func (w *Worker) cryptAuth(plain, raw []byte, underAt uint64, n int, encrypt bool) error {
	l := w.d.layout
	for i := range l.subs {
		first := i * l.under
		sub, cipher := plain[i*l.data:], raw[first+l.digest:]
		dst, src := sub, cipher
		g := engine.Geometry{Unit: l.unit(i), DstStride: l.sector, SrcStride: l.bytes}
		if encrypt {
			dst, src = cipher, sub
			g.DstStride, g.SrcStride = l.bytes, l.sector
		}
		if err := w.crypt(dst, src, underAt+uint64(first), uint64(l.bytes), n, g, encrypt); err != nil {
			return err
		}
	}
	return nil
}
