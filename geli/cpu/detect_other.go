//go:build purego || !(amd64 || 386 || arm64 || s390x)

package cpu

// detect knows of no instructions that an engine here could use.
func detect() map[Feature]bool { return nil }

// Model is the processor's own name, or "" if it does not tell.
func Model() string { return "" }
