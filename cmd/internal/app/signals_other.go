//go:build !unix

package app

import "os"

// statusSignals: there is none here.
var statusSignals []os.Signal
