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
var ErrBusy = errors.New("another program is writing it")

// How long a lock is waited for, which tests shorten, and how often it is asked
// for. Nobody holds it for longer than a write.
var lockPatience = 10 * time.Second

const lockInterval = 5 * time.Millisecond

type lockKind bool

const (
	shared    lockKind = false
	exclusive lockKind = true
)

// lock takes the lock of the history, which is on a file beside it: the history
// itself is replaced by removals. The system gives the lock of a process that
// ended back. Who only reads does so without a lock where none can be made, as
// in a folder that is read-only.
func (f *File) lock(kind lockKind) (unlock func(), err error) {
	name := f.path + ".lock"
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if kind == shared && (errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EROFS)) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(lockPatience); ; time.Sleep(lockInterval) {
		held, err := tryLock(file, kind)
		switch {
		case err != nil:
			file.Close()
			return nil, fmt.Errorf("locking %s: %w", name, err)
		case held:
			return func() { file.Close() }, nil // which gives the lock back
		case time.Now().After(deadline):
			file.Close()
			return nil, fmt.Errorf("%s: %w", f.path, ErrBusy)
		}
	}
}
