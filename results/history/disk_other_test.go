//go:build !linux

package history

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"
)

func smallDisk(t *testing.T) string {
	t.Helper()
	t.Skip("a small disk is only mounted on Linux")
	return ""
}

func isFull(error) bool { return false }

// readOnly calls do while folder is read-only.
func readOnly(t *testing.T, folder string, do func()) {
	t.Helper()
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("folders are not read-only for whoever tests")
	}
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(folder, 0o700)
	do()
}

func noWrite(err error) bool { return errors.Is(err, fs.ErrPermission) }
