package geli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// Worker is one goroutine's way through a device. Its requests take no lock
// while they stay within one data key (2^20 sectors) and allocate nothing once
// the buffer for writes has its size.
type Worker struct {
	d       *Device
	session engine.Session
	maker   ivMaker
	ivs     []byte // one run's
	scratch []byte // what a write hands down

	// The data key in use serves byte offsets keyFrom up to keyTo. The session has
	// it if keyed.
	key            derivedKey
	keyFrom, keyTo uint64
	keyed          bool

	counters Counters
	closed   bool
}

// Counters tell what a worker moved, in bytes of the decrypted provider.
type Counters struct {
	Reads, Writes           int64 // requests
	BytesRead, BytesWritten int64
	Sectors                 int64 // en- or decrypted
	Keys                    int64 // expansions asked of the engine
}

// NewWorker makes a worker with a cipher session of its own.
func (d *Device) NewWorker() (*Worker, error) {
	d.mu.Lock()
	closed, maker := d.closed, d.ivs
	d.mu.Unlock()
	if closed {
		return nil, fmt.Errorf("%s: %w", d.Name(), fs.ErrClosed)
	}
	session, err := d.engine.NewSession(d.params)
	if err != nil {
		return nil, err
	}
	return &Worker{
		d:       d,
		session: session,
		maker:   maker,
		ivs:     mem.Aligned(d.path.RunSectors*engine.IVBytes, mem.CacheLine),
	}, nil
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
	return w.session.Close()
}

// ReadAt reads len(p) bytes at byte off of the device: from the provider into
// p, then decrypted in place. Both must be multiples of the sector size. At
// the device's end it returns what there is, and io.EOF.
func (w *Worker) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.clip(len(p), off)
	if err != nil {
		return 0, err
	}
	piece := w.d.piece
	if piece == 0 {
		piece = n
	}
	for done := 0; done < n; {
		part := p[done:min(done+piece, n)]
		at := off + int64(done)
		// A reader may report the end together with the last bytes.
		if got, err := w.d.provider.ReadAt(part, at); got < len(part) {
			return done, fmt.Errorf("%s: read of %d bytes at %d: %w", w.d.provider.Name(), len(part), at, short(err, io.ErrUnexpectedEOF))
		}
		if err := w.crypt(part, part, uint64(at), false); err != nil {
			return done, err
		}
		done += len(part)
	}
	w.counters.Reads++
	w.counters.BytesRead += int64(n)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt encrypts p and writes it at byte off of the device. p is only read.
// A write that goes beyond the end writes what fits and returns
// io.ErrShortWrite.
func (w *Worker) WriteAt(p []byte, off int64) (int, error) {
	n, err := w.clip(len(p), off)
	if err != nil {
		return 0, err
	}
	piece := n
	if w.d.piece != 0 {
		piece = min(n, max(runBytes-runBytes%w.d.md.SectorSize, w.d.md.SectorSize))
	}
	if len(w.scratch) < piece {
		w.scratch = mem.Aligned(piece, mem.Page)
	}
	for done := 0; done < n; {
		part := p[done:min(done+piece, n)]
		at := off + int64(done)
		// Encrypting from the caller's slice makes the copy that GELI makes.
		if err := w.crypt(w.scratch[:len(part)], part, uint64(at), true); err != nil {
			return done, err
		}
		if put, err := w.d.provider.WriteAt(w.scratch[:len(part)], at); put < len(part) {
			return done, fmt.Errorf("%s: write of %d bytes at %d: %w", w.d.provider.Name(), len(part), at, short(err, io.ErrShortWrite))
		}
		done += len(part)
	}
	w.counters.Writes++
	w.counters.BytesWritten += int64(n)
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

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

// crypt en- or decrypts src to dst, whole sectors at byte off, run by run. A
// run stays within one data key.
func (w *Worker) crypt(dst, src []byte, off uint64, encrypt bool) error {
	sector := w.d.md.SectorSize
	geometry := engine.Packed(sector)
	perSector := w.d.path.Rekey == RekeyPerSector
	longest := w.d.path.RunSectors
	key := w.key[:w.d.params.KeyBytes()]
	left := len(src) / sector // sectors; the loop itself must not divide
	for left > 0 {
		if off-w.keyFrom >= w.keyTo-w.keyFrom {
			if err := w.lookUp(off); err != nil {
				return err
			}
		}
		n := min(longest, left)
		if uint64(n)*uint64(sector) > w.keyTo-off {
			n = int((w.keyTo - off) / uint64(sector))
		}
		if perSector || !w.keyed {
			if err := w.session.SetKey(key); err != nil {
				return err
			}
			w.keyed = true
			w.counters.Keys++
		}
		ivs := w.ivs[:n*engine.IVBytes]
		w.maker.fill(ivs, off, uint64(sector))
		var err error
		if encrypt {
			err = w.session.Encrypt(dst, src, ivs, geometry)
		} else {
			err = w.session.Decrypt(dst, src, ivs, geometry)
		}
		if err != nil {
			return err
		}
		w.counters.Sectors += int64(n)
		left -= n
		dst, src, off = dst[n*sector:], src[n*sector:], off+uint64(n*sector)
	}
	return nil
}

// lookUp makes the data key of the sector at byte off the current one:
// keyno = (off >> 20) / sector size.
func (w *Worker) lookUp(off uint64) error {
	bytesPerKey := uint64(w.d.md.SectorSize) << sectorsPerKeyShift
	keyno := off / bytesPerKey
	if err := w.d.keys.get(&w.key, keyno); err != nil {
		return fmt.Errorf("%s: data key %d: %w", w.d.Name(), keyno, err)
	}
	w.keyFrom, w.keyTo = keyno*bytesPerKey, (keyno+1)*bytesPerKey
	w.keyed = false
	return nil
}
