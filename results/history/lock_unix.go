//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package history

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock asks once for the lock on file and does not wait for it.
func tryLock(file *os.File, kind lockKind) (held bool, err error) {
	how := unix.LOCK_SH
	if kind == exclusive {
		how = unix.LOCK_EX
	}
	for {
		switch err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, unix.EINTR):
		default:
			return false, err
		}
	}
}

// syncFolder makes a new name in a folder last.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) { // no such thing there
		return err
	}
	return nil
}
