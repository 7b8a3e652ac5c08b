//go:build !purego

package cpu

import "golang.org/x/sys/cpu"

// detect looks for what the standard library's AES uses: no engine here has
// instructions of its own for this architecture.
func detect() map[Feature]bool {
	z := &cpu.S390X
	return map[Feature]bool{AES: z.HasAES && z.HasAESCBC, SHA: z.HasSHA256}
}

// Model is the processor's own name, or "" if it does not tell.
func Model() string { return "" }
