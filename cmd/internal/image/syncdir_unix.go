//go:build unix

package image

import (
	"errors"
	"os"
	"syscall"
)

// syncDir brings a folder's entries to stable storage, where the file system
// knows how to.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
