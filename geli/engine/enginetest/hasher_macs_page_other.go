//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package enginetest

import (
	"testing"

	"gelibench/geli/engine"
)

func testMACPageEnd(t testing.TB, _ engine.Hasher) {
	t.Helper()
	t.Skip("no pages to protect on this system")
}
