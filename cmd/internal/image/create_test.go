package image

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gelibench/geli"
	"gelibench/geli/engine"
)

var _ geli.Provider = (*Image)(nil)

// sealed is a label that opens with a keyfile of one byte.
func sealed(t *testing.T, size int64) (*geli.Label, *geli.MasterKey) {
	t.Helper()
	l := &geli.Label{
		Metadata:      geli.Metadata{Version: 7, Alg: engine.AESXTS, KeyBits: 128, SectorSize: 4096, Flags: geli.FlagAutoresize},
		ProviderBytes: size, Iterations: -1,
	}
	l.NewSalt()
	user, err := geli.NewUserKey([][]byte{{1}}, nil, nil, -1)
	if err != nil {
		t.Fatal(err)
	}
	master := geli.NewMasterKey()
	if err := l.Seal(user, master, 0); err != nil {
		t.Fatal(err)
	}
	return l, master
}

// entries are the names in a folder.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// The file is zeros with the label in its last sector, and nothing else.
func TestImageIsByteExact(t *testing.T) {
	for _, sector := range []int{512, 4096} {
		dir := t.TempDir()
		path := filepath.Join(dir, "disk")
		l, _ := sealed(t, 1<<20)
		if err := (Scratch{Path: path, Label: l, SectorBytes: sector, Backup: filepath.Join(dir, "backup")}).Create(); err != nil {
			t.Fatal(err)
		}
		last := make([]byte, sector)
		copy(last, l.Encode())
		want := append(make([]byte, 1<<20-sector), last...)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("sectors of %d: %v, or other bytes", sector, err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "backup")); err != nil || !bytes.Equal(got, last) {
			t.Errorf("sectors of %d: backup: %v, or other bytes", sector, err)
		}
		if got := entries(t, dir); got != "backup disk disk.gelibench" {
			t.Errorf("there are %s", got)
		}
		img, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer img.Close()
		if img.SectorSize() != sector || img.Size() != 1<<20 || !img.Marked() || img.Disk || img.Label.Salt != l.Salt {
			t.Errorf("%d bytes in sectors of %d, marked %v", img.Size(), img.SectorSize(), img.Marked())
		}
		if _, err := img.WriteAt(make([]byte, 512), 0); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("write through an image opened for reading: %v", err)
		}
	}
}

// Whatever fails, there is what was there before.
func TestFailureLeavesTheOldFile(t *testing.T) {
	broken := errors.New("no space")
	dir := t.TempDir()
	path := filepath.Join(dir, "disk")
	l, _ := sealed(t, 1<<20)
	s := Scratch{Path: path, Label: l, SectorBytes: 512, Fill: func(p geli.Provider) error {
		if _, err := p.WriteAt(make([]byte, 4096), 0); err != nil {
			t.Error(err)
		}
		return broken
	}}
	if err := s.Create(); !errors.Is(err, broken) || entries(t, dir) != "" {
		t.Errorf("new: %v, there are %q", err, entries(t, dir))
	}
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	s.Replace = true
	if err := s.Create(); !errors.Is(err, broken) || entries(t, dir) != "disk" {
		t.Errorf("replaced: %v, there are %q", err, entries(t, dir))
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the old file holds %q", got)
	}
	s.Fill = nil
	if err := s.Create(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 1<<20 || os.PathSeparator == '/' && info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
	s.Replace = false
	if err := s.Create(); !errors.Is(err, fs.ErrExist) || entries(t, dir) != "disk disk.gelibench" {
		t.Errorf("a second time: %v, there are %q", err, entries(t, dir))
	}
	// A file that comes up between the check and the end is left alone.
	other := filepath.Join(dir, "other")
	s = Scratch{Path: other, Label: l, SectorBytes: 512, Fill: func(geli.Provider) error { return os.WriteFile(other, []byte("mine"), 0o600) }}
	if err := s.Create(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that came up: %v", err)
	}
	if got, _ := os.ReadFile(other); string(got) != "mine" {
		t.Errorf("it holds %q now", got)
	}
}

// The image has a name, and the backup has one of its own, however it is
// written; otherwise nothing is made at all.
func TestNamesOfTheFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	l, _ := sealed(t, 1<<20)
	for _, s := range []Scratch{
		{Path: ""}, {Path: "", Backup: "backup"},
		{Path: "disk", Backup: "disk"}, {Path: "disk", Backup: "disk.gelibench"},
		{Path: "disk", Backup: filepath.Join(dir, "sub", "..", "disk")}, {Path: "disk", Backup: "./disk.gelibench"},
	} {
		s.Label, s.SectorBytes = l, 512
		for _, s.Replace = range []bool{false, true} {
			if err := s.Create(); !errors.Is(err, fs.ErrInvalid) || entries(t, dir) != "sub" {
				t.Errorf("%q with backup %q: %v, there are %q", s.Path, s.Backup, err, entries(t, dir))
			}
		}
	}
	s := Scratch{Path: "disk", Label: l, SectorBytes: 512, Replace: true}
	if err := s.Create(); err != nil {
		t.Fatal(err)
	}
	s.Backup = "disk" // as a file that is there
	if err := s.Create(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a backup over the image: %v", err)
	}
	if err := os.Link("disk", "other"); err != nil {
		t.Skipf("no hard links here: %v", err)
	}
	s.Backup = "other" // another name of the old image
	if err := s.Create(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a backup over another name of the image: %v", err)
	}
}

// A mark belongs to one image.
func TestMarkOfAnotherImage(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		l, _ := sealed(t, 1<<20)
		if err := (Scratch{Path: filepath.Join(dir, name), Label: l, SectorBytes: 512}).Create(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	img, err := OpenForWriting(filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	if img.Marked() {
		t.Error("an image in the place of a scratch image is taken for one")
	}
}

// Writes never reach the label.
func TestLabelIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "disk")
	l, _ := sealed(t, 1<<20)
	if err := (Scratch{Path: path, Label: l, SectorBytes: 4096}).Create(); err != nil {
		t.Fatal(err)
	}
	img, err := OpenForWriting(path)
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	for _, c := range []struct {
		off, n int64
		ok     bool
	}{{0, 4096, true}, {1<<20 - 8192, 4096, true}, {1<<20 - 8192, 4608, false}, {1<<20 - 4096, 512, false}, {1 << 20, 512, false}, {-512, 512, false}} {
		n, err := img.WriteAt(make([]byte, c.n), c.off)
		if c.ok != (err == nil) || !c.ok && (n != 0 || !errors.Is(err, fs.ErrInvalid)) {
			t.Errorf("%d bytes at %d: %d, %v", c.n, c.off, n, err)
		}
	}
	if !img.Blank(0, 1<<20-4096) || img.Blank(1<<20-4096, 512) || img.Blank(1<<20, 512) {
		t.Error("blank is not told from written")
	}
	if err := img.Sync(); err != nil {
		t.Error(err)
	}
}

func ExampleMarkPath() {
	fmt.Println(MarkPath("scratch.img"))
	// Output: scratch.img.gelibench
}
