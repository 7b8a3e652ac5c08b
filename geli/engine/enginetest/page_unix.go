//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package enginetest

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"

	"gelibench/geli/engine"
)

// fence is a mapping of its own between two pages that cannot be touched: a
// load or store outside faults, which guard bytes cannot show for loads.
type fence struct {
	whole, inside []byte
}

func newFence(t testing.TB, bytes int) *fence {
	t.Helper()
	page := os.Getpagesize()
	bytes = (bytes + page - 1) / page * page
	whole, err := unix.Mmap(-1, 0, bytes+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("mmap: %v", err)
	}
	f := &fence{whole, whole[page : page+bytes : page+bytes]}
	f.protect(t, whole[:page], unix.PROT_NONE)
	f.protect(t, whole[page+bytes:], unix.PROT_NONE)
	return f
}

func (f *fence) protect(t testing.TB, pages []byte, prot int) {
	t.Helper()
	if err := unix.Mprotect(pages, prot); err != nil {
		t.Fatalf("mprotect: %v", err)
	}
}

// with puts content at the start or the end of the fence, and makes it
// read-only if asked.
func (f *fence) with(t testing.TB, content []byte, atEnd, readOnly bool) []byte {
	t.Helper()
	f.protect(t, f.inside, unix.PROT_READ|unix.PROT_WRITE)
	at := 0
	if atEnd {
		at = len(f.inside) - len(content)
	}
	buf := f.inside[at : at+len(content) : at+len(content)]
	copy(buf, content)
	if readOnly {
		f.protect(t, f.inside, unix.PROT_READ)
	}
	return buf
}

func (f *fence) close() { unix.Munmap(f.whole) }

// testPageEnd puts key, source, IVs and destination against pages that cannot
// be touched, at both ends, and the first three on read-only pages.
func testPageEnd(t testing.TB, e engine.Engine) {
	t.Helper()
	units, counts := []int{16, 32, 48, 64, 80, 112, 128, 144, 512, 528, 4096}, []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 37, 70}
	if short() {
		units, counts = []int{16, 48, 64, 80, 144, 528}, []int{1, 2, 3, 5, 8, 9, 17, 33}
	}
	src, dst, ivs := newFence(t, maxSectors*4096), newFence(t, maxSectors*4096), newFence(t, maxSectors*engine.IVBytes)
	defer src.close()
	defer dst.close()
	defer ivs.close()
	each(t, e, "page end", func(b *bed) {
		for _, atEnd := range []bool{true, false} {
			key := b.draw.bytes(b.p.KeyBytes())
			if len(key) > 0 { // the null cipher's is nowhere
				fenced := src.with(t, key, atEnd, true)
				if err := b.faulting("SetKey", func() error { return b.s.SetKey(fenced) }); err != nil {
					b.fatalf("SetKey: %v", err)
				}
			}
			if err := b.o.SetKey(key); err != nil {
				b.fatalf("oracle: SetKey: %v", err)
			}
			for _, unit := range units {
				a := b.ask(unit, counts[len(counts)-1])
				for _, n := range counts {
					if n*unit > 1<<15 && !(isAES(b.p) && !short()) {
						continue
					}
					a := a.first(n)
					b.fenced("encrypt", b.s.Encrypt, a, a.plain, a.cipher, atEnd, dst, src, ivs)
					b.fenced("decrypt", b.s.Decrypt, a, a.cipher, a.plain, atEnd, dst, src, ivs)
				}
			}
		}
	})
}

func (b *bed) fenced(direction string, run runFunc, a answer, from, want []byte, atEnd bool, dst, src, ivs *fence) {
	b.Helper()
	what := fmt.Sprintf("%s, run of %d sectors of %d bytes against the page's end: %v", direction, a.sectors(), a.unit, atEnd)
	g := engine.Packed(a.unit)
	ivBuf := ivs.with(b, a.ivs, atEnd, true)
	for _, place := range []string{"out of place", "in place"} {
		in := src.with(b, from, atEnd, place == "out of place")
		out := in
		if place == "out of place" {
			out = dst.with(b, make([]byte, len(want)), atEnd, false)
		}
		if err := b.faulting(what+", "+place, func() error { return run(out, in, ivBuf, g) }); err != nil {
			b.fatalf("%s, %s: %v", what, place, err)
		}
		if !bytes.Equal(out, want) {
			b.fatalf("%s, %s: wrong bytes", what, place)
		}
	}
}

// faulting turns a fault inside f into a failure of the test.
func (b *bed) faulting(what string, f func() error) error {
	b.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		b.Helper()
		if r := recover(); r != nil {
			b.fatalf("%s: faulted, by touching memory outside or writing to what is only to be read: %v", what, r)
		}
	}()
	return f()
}
