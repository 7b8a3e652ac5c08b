package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// ErrBusy says that another program held the lock of the history for as long
// as anybody waits.
var ErrBusy = errors.New("another gelibench holds its lock")

// ErrNotFile says that the history is a device, a pipe or a folder. It wraps
// fs.ErrInvalid.
var ErrNotFile = fmt.Errorf("not a regular file: %w", fs.ErrInvalid)

// How long a lock is waited for in silence and in all, which tests shorten, and
// how often it is asked for. Hardly anybody holds it for longer than a write.
var (
	lockSilence  = time.Second
	lockPatience = 10 * time.Second
)

const lockInterval = 5 * time.Millisecond

type lockKind bool

const (
	shared    lockKind = false
	exclusive lockKind = true
)

// lock takes the lock of the history, which is on a file beside it: the history
// itself is replaced by removals. The system gives the lock of a process that
// ended back. Who only reads does so without a lock where none can be made, as
// in a folder that is read-only. What is there and is no regular file is
// refused before anything is made beside it or opened: a pipe would block.
func (f *File) lock(kind lockKind) (unlock func(), err error) {
	if info, err := os.Stat(f.path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", f.path, ErrNotFile)
	}
	name := f.path + ".lock"
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if kind == shared && (errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EROFS)) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	told := f.Waiting == nil
	for from := time.Now(); ; time.Sleep(lockInterval) {
		held, err := tryLock(file, kind)
		switch {
		case err != nil:
			file.Close()
			return nil, fmt.Errorf("locking %s: %w", name, err)
		case held:
			return func() { file.Close() }, nil // which gives the lock back
		case time.Since(from) >= lockPatience:
			file.Close()
			return nil, fmt.Errorf("%s: %w", f.path, ErrBusy)
		case !told && time.Since(from) >= lockSilence:
			told = true
			f.Waiting()
		}
	}
}
