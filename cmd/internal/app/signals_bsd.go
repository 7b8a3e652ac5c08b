//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package app

import (
	"os"
	"syscall"
)

// statusSignals: SIGINFO is what control-T sends.
var statusSignals = []os.Signal{syscall.SIGINFO, syscall.SIGUSR1}
