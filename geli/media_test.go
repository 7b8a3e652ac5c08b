package geli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"testing"

	"gelibench/geli/engine"
)

func TestDecryptedBytes(t *testing.T) {
	for _, c := range []struct {
		md    Metadata
		bytes int64
		own   int
		want  int64
	}{
		{Metadata{Flags: FlagOnetime, SectorSize: 512}, 1 << 60, 512, 1 << 60},
		{Metadata{Flags: FlagOnetime, SectorSize: 4096}, 10000, 512, 8192},
		{Metadata{SectorSize: 512}, 1 << 20, 512, 1<<20 - 512},
		{Metadata{SectorSize: 4096}, 1 << 20, 512, 1<<20 - 4096},
		{Metadata{SectorSize: 4096}, 1 << 20, 4096, 1<<20 - 4096},
		{Metadata{SectorSize: 512}, 512, 512, 0},
		{Metadata{SectorSize: 4096}, 4096, 512, 0},
		// g_eli.h's sizes: 9 sub-sectors for 4096 bytes, 2 for 512.
		{Metadata{Flags: FlagAuth, AAlg: HMACSHA256, SectorSize: 4096}, 512 + 3*9*512, 512, 3 * 4096},
		{Metadata{Flags: FlagAuth, AAlg: HMACSHA256, SectorSize: 4096}, 3 * 9 * 512, 512, 2 * 4096},
		{Metadata{Flags: FlagAuth | FlagOnetime, AAlg: HMACSHA512, SectorSize: 512}, 1 << 60, 512, 1 << 59},
		{Metadata{Flags: FlagAuth, AAlg: HMACSHA256, SectorSize: 4096}, 1 << 20, 4096, 127 * 4096},
	} {
		got, err := c.md.DecryptedBytes(c.bytes, c.own)
		if err != nil || got != c.want {
			t.Errorf("%+v on %d bytes in sectors of %d: %d, %v, want %d", c.md, c.bytes, c.own, got, err, c.want)
		}
	}
	for _, md := range []Metadata{{SectorSize: 1000}, {SectorSize: 0}, {Flags: FlagAuth, SectorSize: 512}, {Flags: FlagAuth, AAlg: HMACSHA256, SectorSize: 7680}} {
		if n, err := md.DecryptedBytes(1<<20, 512); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %d, %v", md, n, err)
		}
	}
}

// ram is a provider of bytes.
type ram struct {
	bytes  []byte
	sector int
}

func (m ram) Name() string                             { return "memory" }
func (m ram) Size() int64                              { return int64(len(m.bytes)) }
func (m ram) SectorSize() int                          { return m.sector }
func (m ram) ReadAt(p []byte, off int64) (int, error)  { return bytes.NewReader(m.bytes).ReadAt(p, off) }
func (m ram) WriteAt(p []byte, off int64) (int, error) { return copy(m.bytes[off:], p), nil }

// Every offset and length near the sectors' ends, against a plain copy.
func TestUnalignedWriter(t *testing.T) {
	m := ram{make([]byte, 16<<10), 512}
	d, err := Onetime(m, Options{Alg: engine.AESCBC, SectorSize: 1024})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	want := make([]byte, d.Size())
	if _, err := d.WriteAt(want, 0); err != nil {
		t.Fatal(err)
	}
	w := UnalignedWriter(d, nil)
	edges := []int64{0, 1, 1023, 1024, 1025, 3000, 4096, 5119}
	for i, off := range edges {
		for j, length := range edges {
			data := bytes.Repeat([]byte{byte(1 + i*8 + j)}, int(length))
			if n, err := w.WriteAt(data, off); n != len(data) || err != nil {
				t.Fatalf("%d bytes at %d: %d, %v", length, off, n, err)
			}
			copy(want[off:], data)
			got := make([]byte, len(want))
			if _, err := d.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("after %d bytes at %d: %v, or other bytes", length, off, err)
			}
		}
	}
	if n, err := w.WriteAt(make([]byte, 1500), d.Size()-1000); n != 1000 || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("over the end: %d, %v", n, err)
	}
	if n, err := w.WriteAt([]byte{1}, d.Size()); n != 0 || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("behind the end: %d, %v", n, err)
	}
	if _, err := w.WriteAt([]byte{1}, -1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("before the start: %v", err)
	}
}

// A sector without valid MACs is not written over in part, unless it is blank.
func TestUnalignedWriterAuth(t *testing.T) {
	m := ram{make([]byte, 32<<10), 512}
	d, err := Onetime(m, Options{SectorSize: 4096, AAlg: HMACSHA256})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if n, err := UnalignedWriter(d, nil).WriteAt([]byte("x"), 5000); n != 0 || !errors.Is(err, ErrIntegrity) {
		t.Errorf("without a word on blanks: %d, %v", n, err)
	}
	asked := int64(-1)
	blank := func(off int64) bool {
		asked = off
		start, length := d.ProviderRange(off)
		return bytes.Equal(m.bytes[start:start+length], make([]byte, length))
	}
	if n, err := UnalignedWriter(d, blank).WriteAt([]byte("x"), 5000); n != 1 || err != nil || asked != 4096 {
		t.Fatalf("in a blank sector: %d, %v, asked of %d", n, err, asked)
	}
	got := make([]byte, 4096)
	want := make([]byte, 4096)
	want[5000-4096] = 'x'
	if _, err := d.ReadAt(got, 4096); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, or other bytes", err)
	}
	if start, length := d.ProviderRange(4096); start != 9*512 || length != 9*512 {
		t.Errorf("it lies at %d, %d bytes", start, length)
	}
	m.bytes[9*512+40] ^= 1 // in the first sub-sector's ciphertext
	if n, err := UnalignedWriter(d, blank).WriteAt([]byte("y"), 5001); n != 0 || !errors.Is(err, ErrIntegrity) {
		t.Errorf("in a damaged sector: %d, %v", n, err)
	}
}
