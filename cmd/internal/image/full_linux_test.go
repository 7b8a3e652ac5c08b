package image

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gelibench/geli"
)

// On a disk that fills up, a new image is not there, and an old one stays.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("no small disk can be mounted here, which takes root (TestFailureLeavesTheOldFile covers the same by an error of its own): %v", err)
	}
	defer syscall.Unmount(dir, 0)

	path := filepath.Join(dir, "disk")
	l, master := sealed(t, 1<<20)
	full := Scratch{Path: path, Label: l, SectorBytes: 512, Fill: func(p geli.Provider) error {
		d, err := geli.Attach(p, l, master, geli.Options{})
		if err != nil {
			return err
		}
		defer d.Close()
		for off := int64(0); off < d.Size(); off += 4096 {
			if _, err := d.WriteAt(make([]byte, 4096), off); err != nil {
				return err
			}
		}
		return nil
	}}
	if err := full.Create(); !errors.Is(err, syscall.ENOSPC) || entries(t, dir) != "" {
		t.Errorf("new: %v, there are %q", err, entries(t, dir))
	}

	// Not even room for the label.
	if err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Scratch{Path: path, Label: l, SectorBytes: 512}).Create(); !errors.Is(err, syscall.ENOSPC) || entries(t, dir) != "ballast" {
		t.Errorf("no room at all: %v, there are %q", err, entries(t, dir))
	}
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}

	old := bytes.Repeat([]byte("old "), 4<<10)
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	full.Replace = true
	if err := full.Create(); !errors.Is(err, syscall.ENOSPC) || entries(t, dir) != "disk" {
		t.Errorf("replaced: %v, there are %q", err, entries(t, dir))
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, old) {
		t.Errorf("the old file: %v, or other bytes", err)
	}
}
