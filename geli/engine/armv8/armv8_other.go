//go:build !arm64 || purego

package armv8

import "gelibench/geli/engine"

// New returns an engine whose Probe says that it needs another build.
func New() engine.Engine { return engine.Absent(name, info, "arm64") }
