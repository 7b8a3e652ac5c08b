// Package provider opens what lies under gzero.eli: gzero itself, or a regular
// file or disk, which is only ever opened for reading.
package provider

import (
	"fmt"
	"io/fs"
	"os"

	"gelibench/zerodev"
)

// Provider is an open provider. It satisfies geli.Provider.
type Provider struct {
	device
	// Zero says that this is gzero, so that Clear and Byte mean something.
	Zero  bool
	Clear bool
	Byte  byte
	// Kind is "gzero", "file" or "disk".
	Kind  string
	close func() error
}

type device interface {
	Name() string
	Size() int64     // bytes
	SectorSize() int // bytes
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
}

// ZeroName is the provider that needs no file.
const ZeroName = "gzero"

// Zero makes gzero.
func Zero(o zerodev.Options) *Provider {
	return &Provider{device: zerodev.New(o), Zero: true, Clear: o.Clear, Byte: o.Byte, Kind: ZeroName}
}

// Open opens a regular file or a disk for reading. Anything else is refused
// with an error that wraps fs.ErrInvalid.
func Open(path string) (*Provider, error) {
	// Stat first: opening a pipe would wait for its other end.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	mode := info.Mode()
	if !mode.IsRegular() && mode&fs.ModeDevice == 0 {
		return nil, fmt.Errorf("%s is neither a regular file nor a disk: %w", path, fs.ErrInvalid)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	d := &file{f: f, name: path, size: info.Size(), sector: defaultSectorBytes}
	kind := "file"
	if mode&fs.ModeDevice != 0 {
		kind = "disk"
		if d.size, d.sector, err = diskGeometry(f); err != nil {
			f.Close()
			return nil, fmt.Errorf("%s is no disk whose size can be read (%v): %w", path, err, fs.ErrInvalid)
		}
	}
	d.size -= d.size % int64(d.sector)
	if d.size == 0 {
		f.Close()
		return nil, fmt.Errorf("%s holds less than one sector of %d bytes: %w", path, d.sector, fs.ErrInvalid)
	}
	return &Provider{device: d, Kind: kind, close: f.Close}, nil
}

// Of makes a Provider of a file or disk that was opened elsewhere; closing it
// stays the opener's.
func Of(d device, kind string) *Provider {
	return &Provider{device: d, Kind: kind}
}

// Close closes the file, if there is one.
func (p *Provider) Close() error {
	if p.close == nil {
		return nil
	}
	return p.close()
}

// PieceSize is the number of bytes in which a long read is best asked for, or
// 0 for the whole request.
func (p *Provider) PieceSize() int {
	if d, ok := p.device.(interface{ PieceSize() int }); ok {
		return d.PieceSize()
	}
	return 0
}
