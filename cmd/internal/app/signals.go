package app

import (
	"os"
	"os/signal"
	"syscall"
)

// systemSignals catches the signals of a run. The channels hold one signal
// each, so that none is lost between two looks.
func systemSignals() (Signals, func()) {
	interrupt, status := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
	if len(statusSignals) > 0 {
		signal.Notify(status, statusSignals...)
	}
	return Signals{interrupt, status}, func() {
		signal.Stop(interrupt)
		signal.Stop(status)
	}
}
