//go:build !arm64 || purego

package armv8

import "gelibench/geli/engine"

// New returns a hasher whose Probe says that it needs another build.
func New() engine.Hasher { return engine.AbsentHasher(name, info, lanes, "arm64") }
