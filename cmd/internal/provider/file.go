package provider

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// defaultSectorBytes is the sector of a regular file, as mdconfig(8) has it.
const defaultSectorBytes = 512

// file reads a file or disk and never writes. It is safe for concurrent use.
type file struct {
	f      *os.File
	name   string
	size   int64 // bytes, a multiple of sector
	sector int   // bytes
}

func (d *file) Name() string    { return d.name }
func (d *file) Size() int64     { return d.size }
func (d *file) SectorSize() int { return d.sector }

// ReadAt reads within the whole sectors of the file; what lies behind them is
// not there.
func (d *file) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= d.size {
		if off < 0 {
			return 0, fmt.Errorf("%s: offset %d is negative: %w", d.name, off, fs.ErrInvalid)
		}
		return 0, io.EOF
	}
	cut := false
	if int64(len(p)) > d.size-off {
		p, cut = p[:d.size-off], true
	}
	n, err := d.f.ReadAt(p, off)
	if err == nil && cut {
		err = io.EOF
	}
	return n, err
}

// WriteAt always fails: the file is open for reading only.
func (d *file) WriteAt([]byte, int64) (int, error) {
	return 0, fmt.Errorf("%s is only read: %w", d.name, fs.ErrPermission)
}
