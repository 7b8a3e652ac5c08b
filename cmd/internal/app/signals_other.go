//go:build !unix

package app

import (
	"os"
	"syscall"
)

// endSignals end a run at its next request. On Windows SIGTERM comes when the
// console is closed.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// statusSignals: there is none here.
var statusSignals []os.Signal
