//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package history

import "os"

// tryLock does nothing here: a line is still one write at the end of the file,
// but a removal must not meet an append.
func tryLock(*os.File, lockKind) (held bool, err error) { return true, nil }

func syncFolder(string) error { return nil }
