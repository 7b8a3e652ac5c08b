package app

import (
	"os"
	"os/signal"
)

// systemSignals catches the signals of a run. The channels hold one signal
// each, so that none is lost between two looks.
func systemSignals() (Signals, func()) {
	interrupt, status := make(chan os.Signal, 1), make(chan os.Signal, 1)
	for _, s := range endSignals {
		if s == os.Interrupt || !signal.Ignored(s) { // nohup has SIGHUP ignored
			signal.Notify(interrupt, s)
		}
	}
	if len(statusSignals) > 0 {
		signal.Notify(status, statusSignals...)
	}
	return Signals{interrupt, status}, func() {
		signal.Stop(interrupt)
		signal.Stop(status)
	}
}
