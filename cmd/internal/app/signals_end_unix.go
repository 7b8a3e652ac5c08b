//go:build unix

package app

import (
	"os"
	"syscall"
)

// endSignals end a run at its next request. SIGHUP comes when the terminal goes
// away.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
