package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// holds says what a folder holds: names and texts.
func holds(t *testing.T, folder string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil || want[e.Name()] != string(data) {
			t.Errorf("%s holds %q, error %v", e.Name(), data, err)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, not %d", len(entries), len(want))
	}
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	for _, s := range []string{"one", "twotwo", "3"} {
		if err := Write(path, text(s)); err != nil {
			t.Fatal(err)
		}
		holds(t, folder, map[string]string{"a": s})
	}

	// Until it is whole nobody sees it; an error leaves what was there.
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		if data, err := os.ReadFile(path); err != nil || string(data) != "3" {
			t.Errorf("while it is written: %q, error %v", data, err)
		}
		return fs.ErrClosed
	})
	if !errors.Is(err, fs.ErrClosed) {
		t.Errorf("error %v", err)
	}
	holds(t, folder, map[string]string{"a": "3"})

	if err := Write(folder, text("x")); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a folder: error %v", err)
	}
	if err := Write(filepath.Join(folder, "no", "b"), text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: error %v", err)
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions of that kind")
	}
	folder := t.TempDir()
	path, plain := filepath.Join(folder, "a"), filepath.Join(folder, "plain")
	if err := Write(path, text("1")); err != nil {
		t.Fatal(err)
	}
	// A new file has those that the system gives to any.
	if f, err := os.OpenFile(plain, os.O_CREATE, 0o666); err != nil {
		t.Fatal(err)
	} else {
		f.Close()
	}
	mode := func(path string) fs.FileMode {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	if mode(path) != mode(plain) {
		t.Errorf("%v, not %v", mode(path), mode(plain))
	}
	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("2")); err != nil || mode(path) != 0o604 {
		t.Errorf("replaced: %v, error %v", mode(path), err)
	}
	link := filepath.Join(folder, "link")
	if err := os.Symlink("a", link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, text("3")); err != nil || mode(link)&fs.ModeSymlink == 0 {
		t.Errorf("a link is %v, error %v", mode(link), err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "3" {
		t.Errorf("through the link: %q, error %v", data, err)
	}
	// A device is written to, and stays.
	if err := Write(os.DevNull, text("x")); err != nil || mode(os.DevNull)&fs.ModeDevice == 0 {
		t.Errorf("%s is %v, error %v", os.DevNull, mode(os.DevNull), err)
	}
}
