//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package enginetest

import (
	"bytes"
	"runtime/debug"
	"testing"

	"gelibench/geli/engine"
)

// testMACPageEnd puts source (on read-only pages) and destination against pages
// that cannot be touched, at both ends.
func testMACPageEnd(t testing.TB, h engine.Hasher) {
	t.Helper()
	b := newMACBed(t, h, "page end")
	const longest = 9
	src, dst := newFence(t, longest*512), newFence(t, longest*macBytes)
	defer src.close()
	defer dst.close()
	for _, unit := range []int{1, 15, 32, 63, 64, 65, 127, 480} {
		for n := 1; n <= longest; n++ {
			for _, atEnd := range []bool{true, false} {
				r := macRun{n: n, unit: unit, stride: 512, step: 512}
				in := src.with(t, b.draw.bytes(r.span()), atEnd, true)
				out := dst.with(t, make([]byte, n*macBytes), atEnd, false)
				state := stateAfter(b.prefix)
				b.faulting(r, func() { b.a.HMACs(out, in, r.stride, r.unit, &state, r.off, r.step) })
				for i := range n {
					if !bytes.Equal(out[i*macBytes:(i+1)*macBytes], b.want(r, in, i)) {
						t.Fatalf("hasher %s, %v, against the page's end: %v: MAC %d is wrong", h.Name(), r, atEnd, i)
					}
				}
			}
		}
	}
}

// faulting turns a fault inside f into a failure of the test.
func (b *macBed) faulting(r macRun, f func()) {
	b.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		b.Helper()
		if fault := recover(); fault != nil {
			b.Fatalf("hasher %s, %v: faulted, by touching memory outside or writing to what is only to be read: %v", b.name, r, fault)
		}
	}()
	f()
}
