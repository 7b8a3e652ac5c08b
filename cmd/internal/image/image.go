// Package image opens GELI images, which are regular files or disks whose last
// sector holds a label, and makes scratch images.
package image

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"gelibench/cmd/internal/provider"
	"gelibench/geli"
)

// Image is a provider that carries a GELI label. It satisfies geli.Provider,
// over the whole file, label included, and is safe for concurrent use.
type Image struct {
	Label *geli.Label
	// Disk says that this is no regular file.
	Disk bool

	name   string
	size   int64 // bytes
	sector int   // bytes
	in     io.ReaderAt
	out    io.WriterAt // nil: open for reading only
	close  func() error
}

// ErrDisk: scratch images are regular files.
var ErrDisk = fmt.Errorf("only regular files are ever written, never disks: %w", fs.ErrInvalid)

// Open opens an image for reading. Errors about the file wrap fs.ErrNotExist,
// fs.ErrPermission or fs.ErrInvalid, those about its label are geli's.
func Open(path string) (*Image, error) {
	p, err := provider.Open(path)
	if err != nil {
		return nil, err
	}
	i := &Image{name: path, size: p.Size(), sector: p.SectorSize(), Disk: p.Kind == "disk", in: p, close: p.Close}
	if err := i.readLabel(); err != nil {
		p.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return i, nil
}

// OpenForWriting opens an image for reading and writing. What is no regular
// file is refused with ErrDisk.
func OpenForWriting(path string) (*Image, error) {
	// Before it is opened, since a pipe would wait for its other end; and again
	// after, since the name may have come to mean something else.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrDisk)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, ErrDisk)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	// As in a file that is only read, what is behind its whole sectors is not there.
	i := &Image{name: path, size: info.Size() &^ 511, in: f, out: f, close: f.Close}
	if err := i.readLabel(); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return i, nil
}

// readLabel finds the label and, in a file, the sector size that follows from
// where it lies; a disk has a sector size of its own.
func (i *Image) readLabel() (err error) {
	if !i.Disk {
		i.Label, i.sector, err = geli.ReadLabel(whole{i})
		return err
	}
	last := make([]byte, i.sector)
	if _, err := whole.ReadAt(whole{i}, last, i.size-int64(i.sector)); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	i.Label, err = geli.DecodeLabel(last)
	return err
}

// whole reads the file as it is, before its sector size is known.
type whole struct{ i *Image }

func (w whole) Size() int64                             { return w.i.size }
func (w whole) ReadAt(p []byte, off int64) (int, error) { return w.i.in.ReadAt(p, off) }

// Name is the path that the image was opened by.
func (i *Image) Name() string { return i.name }

// Size is in bytes, the label's sector included.
func (i *Image) Size() int64 { return i.size }

// SectorSize is that of the underlying provider, in bytes.
func (i *Image) SectorSize() int { return i.sector }

// ReadAt keeps the rules of io.ReaderAt.
func (i *Image) ReadAt(p []byte, off int64) (int, error) { return i.in.ReadAt(p, off) }

// WriteAt keeps the rules of io.WriterAt. Neither the label's sector nor what
// lies behind the end is ever written.
func (i *Image) WriteAt(p []byte, off int64) (int, error) {
	switch {
	case i.out == nil:
		return 0, fmt.Errorf("%s is only read: %w", i.name, fs.ErrPermission)
	case off < 0 || off > i.size-int64(i.sector)-int64(len(p)):
		return 0, fmt.Errorf("%s: write of %d bytes at %d would reach the metadata: %w", i.name, len(p), off, fs.ErrInvalid)
	}
	return i.out.WriteAt(p, off)
}

// Blank reports whether a stretch of the file holds zeros only, as what was
// never written does.
func (i *Image) Blank(off, length int64) bool {
	buf := make([]byte, length)
	if _, err := i.in.ReadAt(buf, off); err != nil {
		return false
	}
	for _, b := range buf {
		if b != 0 {
			return false
		}
	}
	return true
}

// Sync brings what was written to stable storage.
func (i *Image) Sync() error {
	if f, ok := i.out.(*os.File); ok {
		return f.Sync()
	}
	return nil
}

// Close closes the file.
func (i *Image) Close() error { return i.close() }
