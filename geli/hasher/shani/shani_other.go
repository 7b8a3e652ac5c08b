//go:build !amd64 || purego

package shani

import "gelibench/geli/engine"

// New returns a hasher whose Probe says that it needs another build.
func New() engine.Hasher { return engine.AbsentHasher(name, info, lanes, "amd64") }
