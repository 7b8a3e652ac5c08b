//go:build !amd64 || purego

package aesni

import "gelibench/geli/engine"

// New returns an engine whose Probe says that it needs another build.
func New() engine.Engine { return engine.Absent(name, info, "amd64") }
