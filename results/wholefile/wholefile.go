// Package wholefile writes files that are there whole or not at all.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write makes the file at path of what write writes. It is written beside its
// place, synced, and put there at once, so that nobody ever sees a part of it,
// and an error leaves what was there before. A link is followed, and a file
// that is replaced hands its permissions on. A pipe or a device is written to
// as it is.
func Write(path string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0) // as the system has it
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder: %w", path, fs.ErrInvalid)
	case !info.Mode().IsRegular():
		return writeTo(path, write)
	default:
		mode = info.Mode().Perm()
	}
	file, err := create(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if mode != 0 {
		if err := file.Chmod(mode); err != nil {
			return err
		}
	}
	if err := write(file); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// create makes a file of a new name in a folder, hidden and with an ending that
// nobody looks for. Unlike os.CreateTemp it leaves the permissions to the
// system.
func create(folder, name string) (*os.File, error) {
	for range 100 {
		file, err := os.OpenFile(filepath.Join(folder, fmt.Sprintf(".%s.%08x.tmp", name, rand.Uint32())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
	return nil, fmt.Errorf("no free name beside %s: %w", filepath.Join(folder, name), fs.ErrExist)
}

func writeTo(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
