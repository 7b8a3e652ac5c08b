package history

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk mounts a disk that is soon full, which takes root.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("no small disk can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func isFull(err error) bool { return errors.Is(err, unix.ENOSPC) }

// readOnly calls do while folder is read-only. For root, who may write where
// nobody may, the folder is mounted over itself.
func readOnly(t *testing.T, folder string, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		if err := os.Chmod(folder, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(folder, 0o700)
		do()
		return
	}
	if err := unix.Mount(folder, folder, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("root writes everywhere, and nothing can be mounted: %v", err)
	}
	defer func() {
		if err := unix.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	}()
	if err := unix.Mount("", folder, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("root writes everywhere, and nothing can be mounted read-only: %v", err)
	}
	do()
}

func noWrite(err error) bool { return errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS) }
