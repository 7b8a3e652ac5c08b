//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package enginetest

import (
	"testing"

	"gelibench/geli/engine"
)

// testPageEnd needs mmap.
func testPageEnd(t testing.TB, e engine.Engine) {
	t.Helper()
	t.Skip("no mmap here: reads past the end of a buffer are not looked for")
}
