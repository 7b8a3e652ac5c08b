package history

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock asks once for the lock on file and does not wait for it.
func tryLock(file *os.File, kind lockKind) (held bool, err error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if kind == exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err = windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// syncFolder does nothing: Windows has no such call.
func syncFolder(string) error { return nil }
