// Package zerodev is gzero, FreeBSD's GEOM zero provider, in memory: 2^60 bytes
// of nothing in sectors of 512. Reads fill the buffer or leave it alone, as
// kern.geom.zero.clear says; writes succeed and are discarded.
package zerodev

import (
	"fmt"
	"io"
	"io/fs"
)

const (
	size       = 1 << 60 // bytes, as g_zero.c has it: shown as 1.0E
	sectorSize = 512
	// clearPiece is how much is filled at a time, small enough that whoever
	// works on it next still finds it in the first-level cache.
	clearPiece = 16 << 10
	anyPiece   = 1 << 30
)

// ErrAlign: an offset or a length is not a multiple of the sector size.
var ErrAlign = fmt.Errorf("not a multiple of the %d-byte sector: %w", sectorSize, fs.ErrInvalid)

// Options are gzero's two sysctls.
type Options struct {
	Clear bool // kern.geom.zero.clear: reads fill the buffer
	Byte  byte // kern.geom.zero.byte: with what
}

// Device is gzero. It has no state and is safe for concurrent use.
type Device struct{ opt Options }

// New makes the device.
func New(o Options) *Device { return &Device{o} }

// Name is "gzero".
func (*Device) Name() string { return "gzero" }

// Size is 2^60 bytes.
func (*Device) Size() int64 { return size }

// SectorSize is 512 bytes.
func (*Device) SectorSize() int { return sectorSize }

// PieceSize is the number of bytes in which a long read is best asked for.
func (d *Device) PieceSize() int {
	if d.opt.Clear {
		return clearPiece
	}
	return anyPiece
}

// ReadAt reads whole sectors. With Clear off it reports p as read without
// touching it, so that p keeps what it held before. At the end of the device
// it returns io.EOF, as io.ReaderAt asks.
func (d *Device) ReadAt(p []byte, off int64) (int, error) {
	n, err := clip(len(p), off)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	if d.opt.Clear && n > 0 {
		fill(p[:n], d.opt.Byte)
	}
	return n, err
}

// WriteAt takes whole sectors and discards them. Beyond the end it returns
// io.ErrShortWrite.
func (d *Device) WriteAt(p []byte, off int64) (int, error) {
	n, err := clip(len(p), off)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

// clip checks a request and says how many of its bytes the device has.
func clip(length int, off int64) (int, error) {
	switch {
	case off < 0:
		return 0, fmt.Errorf("gzero: offset %d is negative: %w", off, fs.ErrInvalid)
	case off%sectorSize != 0:
		return 0, fmt.Errorf("gzero: offset %d: %w", off, ErrAlign)
	case length%sectorSize != 0:
		return 0, fmt.Errorf("gzero: length %d: %w", length, ErrAlign)
	case off >= size:
		return 0, nil
	}
	return int(min(int64(length), size-off)), nil
}

func fill(p []byte, b byte) {
	if b == 0 {
		clear(p)
		return
	}
	// Doubling copies run at memmove's speed; a byte loop would not.
	p[0] = b
	for n := 1; n < len(p); n *= 2 {
		copy(p[n:], p[:n])
	}
}
