package geli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// Worker is one goroutine's way through a device. Its requests take no lock
// while they stay within one data key (2^20 sectors) and allocate nothing once
// the buffer for writes has its size.
type Worker struct {
	_       mem.Pad
	d       *Device
	session engine.Session
	maker   ivMaker
	macs    *macMaker // with -a
	ivs     []byte    // one run's
	scratch []byte    // what a write hands down

	// The data key in use serves byte offsets keyFrom up to keyTo. The session has
	// it if keyed.
	key            derivedKey
	keyFrom, keyTo uint64
	keyed          bool

	counters Counters
	closed   bool
	_        mem.Pad
}

// Counters tell what a worker moved, in bytes of the decrypted provider.
type Counters struct {
	Reads, Writes           int64 // requests
	BytesRead, BytesWritten int64
	Sectors                 int64 // data units en- or decrypted; with -a these are sub-sectors
	Keys                    int64 // expansions asked of the engine
}

// NewWorker makes a worker with a cipher session of its own.
func (d *Device) NewWorker() (*Worker, error) {
	d.mu.Lock()
	closed, maker, akey := d.closed, d.ivs, d.akey
	d.mu.Unlock()
	defer mem.Wipe(akey[:])
	if closed {
		return nil, fmt.Errorf("%s: %w", d.Name(), fs.ErrClosed)
	}
	session, err := d.engine.NewSession(d.params)
	if err != nil {
		return nil, err
	}
	w := &Worker{
		d:       d,
		session: session,
		maker:   maker,
		ivs:     mem.Aligned(d.path.RunSectors*engine.IVBytes, mem.CacheLine),
	}
	if d.auth {
		w.macs = newMACMaker(d.md.AAlg, d.macs, akey[:], d.path.RunSectors)
	}
	return w, nil
}

// Reserve allocates now what a write of so many bytes will need, so that the
// first write does not.
func (w *Worker) Reserve(requestBytes int) {
	switch {
	case w.macs != nil:
		n := min(w.authSectors(), requestBytes/w.d.md.SectorSize)
		w.room(n * w.d.layout.bytes)
	default:
		w.room(min(w.writePiece(), requestBytes))
	}
}

// writePiece is how many bytes a write encrypts and hands down at once: as
// many as suit the caches, or whole requests.
func (w *Worker) writePiece() int {
	if w.d.piece == 0 {
		return math.MaxInt
	}
	return max(runBytes-runBytes%w.d.md.SectorSize, w.d.md.SectorSize)
}

// Counters tells what the worker moved so far.
func (w *Worker) Counters() Counters { return w.counters }

// Close wipes the worker's keys. Later requests fail with fs.ErrClosed.
func (w *Worker) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	mem.Wipe(w.key[:])
	w.maker.wipe()
	if w.macs != nil {
		w.macs.wipe()
	}
	return w.session.Close()
}

// ReadAt reads len(p) bytes at byte off of the device: from the provider into
// p, then decrypted in place (with -a through a buffer, and only what was
// authentic). Both must be multiples of the sector size. At the device's end it
// returns what there is, and io.EOF.
func (w *Worker) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.clip(len(p), off)
	if err != nil {
		return 0, err
	}
	if w.macs != nil {
		n, err = w.readAuth(p[:n], off)
	} else {
		n, err = w.read(p[:n], off)
	}
	w.counters.Reads++
	w.counters.BytesRead += int64(n)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// WriteAt encrypts p and writes it at byte off of the device. p is only read.
// A write that goes beyond the end writes what fits and returns
// io.ErrShortWrite.
func (w *Worker) WriteAt(p []byte, off int64) (int, error) {
	n, err := w.clip(len(p), off)
	if err != nil {
		return 0, err
	}
	if w.macs != nil {
		n, err = w.writeAuth(p[:n], off)
	} else {
		n, err = w.write(p[:n], off)
	}
	w.counters.Writes++
	w.counters.BytesWritten += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

// read fills p, piece by piece.
func (w *Worker) read(p []byte, off int64) (int, error) {
	piece := w.d.piece
	if piece == 0 {
		piece = len(p)
	}
	for done := 0; done < len(p); {
		part := p[done:min(done+piece, len(p))]
		at := off + int64(done)
		// A reader may report the end together with the last bytes.
		if got, err := w.d.provider.ReadAt(part, at); got < len(part) {
			return done, fmt.Errorf("%s: read of %d bytes at %d: %w", w.d.provider.Name(), len(part), at, short(err, errShortProvider))
		}
		if err := w.cryptPacked(part, part, at, false); err != nil {
			return done, err
		}
		done += len(part)
	}
	return len(p), nil
}

// write hands p down encrypted, piece by piece.
func (w *Worker) write(p []byte, off int64) (int, error) {
	piece := min(w.writePiece(), len(p))
	for done := 0; done < len(p); {
		part := p[done:min(done+piece, len(p))]
		at := off + int64(done)
		// Encrypting from the caller's slice makes the copy that GELI makes.
		out := w.room(len(part))
		if err := w.cryptPacked(out, part, at, true); err != nil {
			return done, err
		}
		if put, err := w.d.provider.WriteAt(out, at); put < len(out) {
			return done, fmt.Errorf("%s: write of %d bytes at %d: %w", w.d.provider.Name(), len(out), at, short(err, errShortProvider))
		}
		done += len(part)
	}
	return len(p), nil
}

// room returns n bytes of the worker's scratch buffer.
func (w *Worker) room(n int) []byte {
	if len(w.scratch) < n {
		w.scratch = mem.Aligned(n, mem.Page)
		for i := 0; i < n; i += mem.Page { // have the system give the pages now
			w.scratch[i] = 1
		}
	}
	return w.scratch[:n]
}

// errShortProvider: the underlying provider moved less than it says it holds.
var errShortProvider = fmt.Errorf("the provider ended early: %w", io.ErrUnexpectedEOF)

// short is the reason of a request that moved less than asked.
func short(err, otherwise error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return otherwise
	}
	return err
}

// clip checks a request and says how many of its bytes the device has.
func (w *Worker) clip(length int, off int64) (int, error) {
	sector := w.d.md.SectorSize
	switch {
	case w.closed:
		return 0, fmt.Errorf("%s: worker: %w", w.d.Name(), fs.ErrClosed)
	case off < 0:
		return 0, fmt.Errorf("%s: offset %d is negative: %w", w.d.Name(), off, fs.ErrInvalid)
	case off%int64(sector) != 0:
		return 0, fmt.Errorf("%s: offset %d: %w (%d bytes)", w.d.Name(), off, ErrAlign, sector)
	case length%sector != 0:
		return 0, fmt.Errorf("%s: length %d: %w (%d bytes)", w.d.Name(), length, ErrAlign, sector)
	case off >= w.d.size:
		return 0, nil
	}
	return int(min(int64(length), w.d.size-off)), nil
}

// cryptPacked en- or decrypts src to dst, whole sectors at byte off.
func (w *Worker) cryptPacked(dst, src []byte, off int64, encrypt bool) error {
	sector := w.d.md.SectorSize
	return w.crypt(dst, src, uint64(off), uint64(sector), len(src)/sector, engine.Packed(sector), encrypt)
}

// crypt en- or decrypts count data units under the geometry, run by run. Unit i
// has the IV and the data key of byte off+i*step. A run stays within one data
// key. The loop does not divide: on GELI's path it turns once for every sector.
func (w *Worker) crypt(dst, src []byte, off, step uint64, count int, g engine.Geometry, encrypt bool) error {
	perSector := w.d.path.Rekey == RekeyPerSector
	longest := w.d.path.RunSectors
	key := w.key[:w.d.params.KeyBytes()]
	for {
		if off-w.keyFrom >= w.keyTo-w.keyFrom {
			if err := w.lookUp(off); err != nil {
				return err
			}
		}
		n := min(longest, count)
		if uint64(n)*step > w.keyTo-off { // n units may not all start before keyTo
			n = int((w.keyTo-off-1)/step) + 1
			n = min(n, longest, count)
		}
		if perSector || !w.keyed {
			if err := w.session.SetKey(key); err != nil {
				return err
			}
			w.keyed = true
			w.counters.Keys++
		}
		ivs := w.ivs[:n*engine.IVBytes]
		w.maker.fill(ivs, off, step)
		var err error
		if encrypt {
			err = w.session.Encrypt(dst, src, ivs, g)
		} else {
			err = w.session.Decrypt(dst, src, ivs, g)
		}
		if err != nil {
			return err
		}
		w.counters.Sectors += int64(n)
		if count -= n; count == 0 {
			return nil
		}
		dst, src, off = dst[n*g.DstStride:], src[n*g.SrcStride:], off+uint64(n)*step
	}
}

// lookUp makes the data key of byte off the current one: keyno = (off >> 20) /
// bytes of a data unit's sector, where both are the underlying ones with -a.
func (w *Worker) lookUp(off uint64) error {
	keyno, from, to := uint64(0), uint64(0), uint64(math.MaxUint64)
	if !w.d.oneKey {
		bytesPerKey := uint64(w.d.ivSector) << sectorsPerKeyShift
		keyno = off / bytesPerKey
		from, to = keyno*bytesPerKey, (keyno+1)*bytesPerKey
	}
	if err := w.d.keys.get(&w.key, keyno); err != nil {
		return fmt.Errorf("%s: data key %d: %w", w.d.Name(), keyno, err)
	}
	w.keyFrom, w.keyTo, w.keyed = from, to, false
	return nil
}
