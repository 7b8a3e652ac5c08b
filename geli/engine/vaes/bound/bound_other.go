//go:build !amd64 || purego

package bound

var run512, run256 func(steps, rounds int)
