//go:build !purego

package cpu

import "golang.org/x/sys/cpu"

func detect() map[Feature]bool {
	return map[Feature]bool{AES: cpu.ARM64.HasAES, SHA: cpu.ARM64.HasSHA2}
}

// Model is the processor's own name, or "" if it does not tell.
func Model() string { return "" }
