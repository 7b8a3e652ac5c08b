package zerodev

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"testing"
)

func TestReadAt(t *testing.T) {
	for _, c := range []struct {
		name string
		opt  Options
		want byte
	}{
		{"clear off leaves the buffer alone", Options{Byte: 7}, 0xaa},
		{"clear on fills with zeros", Options{Clear: true}, 0},
		{"clear on fills with the byte", Options{Clear: true, Byte: 0x5c}, 0x5c},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, length := range []int{0, 512, 1024, 1536, 1 << 20} {
				p := bytes.Repeat([]byte{0xaa}, length)
				n, err := New(c.opt).ReadAt(p, 4096)
				if n != length || err != nil {
					t.Fatalf("ReadAt of %d bytes = %d, %v", length, n, err)
				}
				if want := bytes.Repeat([]byte{c.want}, length); !bytes.Equal(p, want) {
					t.Fatalf("%d bytes read are not all %#x", length, c.want)
				}
			}
		})
	}
}

func TestEdges(t *testing.T) {
	d := New(Options{Clear: true, Byte: 1})
	for _, c := range []struct {
		length  int
		off     int64
		n       int
		read    error
		written error
	}{
		{1024, size - 1024, 1024, nil, nil},
		{1024, size - 512, 512, io.EOF, io.ErrShortWrite},
		{512, size, 0, io.EOF, io.ErrShortWrite},
		{0, size, 0, nil, nil},
		{512, size + 512, 0, io.EOF, io.ErrShortWrite},
		{511, 0, 0, ErrAlign, ErrAlign},
		{512, 1, 0, ErrAlign, ErrAlign},
		{512, -512, 0, fs.ErrInvalid, fs.ErrInvalid},
	} {
		p := make([]byte, c.length)
		if n, err := d.ReadAt(p, c.off); n != c.n || !errors.Is(err, c.read) {
			t.Errorf("ReadAt(%d bytes, %d) = %d, %v; want %d, %v", c.length, c.off, n, err, c.n, c.read)
		}
		want := append(bytes.Repeat([]byte{1}, c.n), make([]byte, c.length-c.n)...)
		if !bytes.Equal(p, want) {
			t.Errorf("ReadAt(%d bytes, %d) filled something else than its %d bytes", c.length, c.off, c.n)
		}
		if n, err := d.WriteAt(p, c.off); n != c.n || !errors.Is(err, c.written) {
			t.Errorf("WriteAt(%d bytes, %d) = %d, %v; want %d, %v", c.length, c.off, n, err, c.n, c.written)
		}
	}
}

func TestIdentity(t *testing.T) {
	d := New(Options{})
	if d.Name() != "gzero" || d.Size() != 1152921504606846976 || d.SectorSize() != 512 {
		t.Errorf("%s has %d bytes in sectors of %d", d.Name(), d.Size(), d.SectorSize())
	}
	if allocs := testing.AllocsPerRun(100, func() { d.ReadAt(make([]byte, 512), 0) }); allocs != 0 {
		t.Errorf("a read allocates %v times", allocs)
	}
}
