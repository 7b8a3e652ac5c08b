package provider

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"gelibench/geli"
	"gelibench/zerodev"
)

var _ geli.Provider = (*Provider)(nil)

func TestZero(t *testing.T) {
	p := Zero(zerodev.Options{Clear: true, Byte: 7})
	b := make([]byte, 512)
	if _, err := p.ReadAt(b, 1<<40); err != nil || b[511] != 7 {
		t.Errorf("%v, %d", err, b[511])
	}
	if p.Name() != ZeroName || p.Size() != 1<<60 || p.PieceSize() == 0 || p.Close() != nil {
		t.Errorf("%s, %d bytes, pieces of %d", p.Name(), p.Size(), p.PieceSize())
	}
}

func TestFileIsReadInWholeSectorsOnly(t *testing.T) {
	data := make([]byte, 3*512+100)
	for i := range data {
		data[i] = byte(i % 251)
	}
	path := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(path, data, 0o444); err != nil {
		t.Fatal(err)
	}
	p, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Size() != 3*512 || p.SectorSize() != 512 || p.Name() != path || p.Kind != "file" || p.Zero || p.PieceSize() != 0 {
		t.Errorf("%d bytes in sectors of %d, %q, %s", p.Size(), p.SectorSize(), p.Name(), p.Kind)
	}
	b := make([]byte, 1024)
	if n, err := p.ReadAt(b, 512); n != 1024 || err != nil || !bytes.Equal(b, data[512:1536]) {
		t.Errorf("read within: %d, %v", n, err)
	}
	if n, err := p.ReadAt(b, 1024); n != 512 || err != io.EOF || !bytes.Equal(b[:512], data[1024:1536]) {
		t.Errorf("read over the end: %d, %v", n, err)
	}
	if n, err := p.ReadAt(b, 1536); n != 0 || err != io.EOF {
		t.Errorf("read behind the end: %d, %v", n, err)
	}
	if _, err := p.ReadAt(b, -512); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("negative offset: %v", err)
	}
	if n, err := p.WriteAt(b, 0); n != 0 || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("write: %d, %v", n, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, data) {
		t.Errorf("the file changed, or %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	tiny := filepath.Join(dir, "tiny")
	if err := os.WriteFile(tiny, make([]byte, 511), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{tiny: fs.ErrInvalid, dir: fs.ErrInvalid, filepath.Join(dir, "nowhere"): fs.ErrNotExist} {
		if _, err := Open(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}
