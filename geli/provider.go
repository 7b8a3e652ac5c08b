package geli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Provider is what GEOM calls a provider: a run of whole sectors that can be
// read and written at any sector. Offsets and lengths are bytes and multiples
// of the sector size. ReadAt and WriteAt keep the rules of io.ReaderAt and
// io.WriterAt, concurrent use included.
//
// A provider may also have the method PieceSize() int. Without it, or if it
// gives 0, every request is handed down whole. Otherwise requests may be
// split, and reads are best asked for in pieces of that many bytes.
type Provider interface {
	io.ReaderAt
	io.WriterAt
	Name() string
	Size() int64     // bytes
	SectorSize() int // bytes
}

type piecewise interface{ PieceSize() int }

// ErrAlign: an offset or a length is not a multiple of the sector size.
var ErrAlign = fmt.Errorf("not a multiple of the sector size: %w", fs.ErrInvalid)

// Unaligned reads p at any offset and in any length, for readers that do not
// know sectors. It allocates up to two sectors for each read whose ends are
// not aligned, and is safe for concurrent use.
func Unaligned(p Provider) io.ReaderAt { return unaligned{p} }

type unaligned struct{ p Provider }

// ReadAt covers the request with whole sectors: a first one that is cut, a
// middle that lands in place, and a last one that is cut.
func (u unaligned) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: offset %d is negative: %w", u.p.Name(), off, fs.ErrInvalid)
	}
	sector := int64(u.p.SectorSize())
	done := 0
	for done < len(b) {
		at := off + int64(done)
		rest := b[done:]
		if whole := int64(len(rest)) / sector * sector; at%sector == 0 && whole > 0 {
			n, err := u.p.ReadAt(rest[:whole], at)
			done += n
			if err != nil {
				return done, err
			}
			continue
		}
		one := make([]byte, sector)
		n, err := u.p.ReadAt(one, at-at%sector)
		if n < len(one) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.EOF
			}
			return done, err
		}
		done += copy(rest, one[at%sector:])
	}
	return done, nil
}

// UnalignedWriter writes p at any offset and in any length: sectors that are
// written in part are read first. It is not safe for concurrent use where two
// writes share a sector. It allocates one sector for each cut end.
//
// A sector that cannot be read fails the write; with blank not nil, one that
// fails its integrity check counts as zeros if blank says so of its offset:
// a sector that was never written has no valid MAC.
func UnalignedWriter(p Provider, blank func(off int64) bool) io.WriterAt {
	return unalignedWriter{p, blank}
}

type unalignedWriter struct {
	p     Provider
	blank func(off int64) bool
}

func (u unalignedWriter) WriteAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: offset %d is negative: %w", u.p.Name(), off, fs.ErrInvalid)
	}
	sector := int64(u.p.SectorSize())
	for done := 0; done < len(b); {
		at, rest := off+int64(done), b[done:]
		if whole := int64(len(rest)) / sector * sector; at%sector == 0 && whole > 0 {
			n, err := u.p.WriteAt(rest[:whole], at)
			done += n
			if err != nil {
				return done, err
			}
			continue
		}
		one := make([]byte, sector)
		from := at - at%sector
		if n, err := u.p.ReadAt(one, from); n < len(one) {
			switch {
			case errors.Is(err, ErrIntegrity) && u.blank != nil && u.blank(from):
				clear(one)
			case err == nil || errors.Is(err, io.EOF):
				return done, io.ErrShortWrite
			default:
				return done, err
			}
		}
		n := copy(one[at-from:], rest)
		if _, err := u.p.WriteAt(one, from); err != nil {
			return done, err
		}
		done += n
	}
	return len(b), nil
}
