//go:build unix && !(darwin || dragonfly || freebsd || netbsd || openbsd)

package app

import (
	"os"
	"syscall"
)

// statusSignals: as GNU dd has it.
var statusSignals = []os.Signal{syscall.SIGUSR1}
