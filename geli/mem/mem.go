// Package mem makes aligned buffers and wipes secrets.
package mem

import (
	"runtime"
	"unsafe"
)

// CacheLine is the alignment, in bytes, that key schedules and data buffers
// get: a 64-byte load that crosses a line runs at half rate.
const CacheLine = 64

// Pad at the ends of a struct keeps what one worker writes for every sector off
// the cache lines that another reads. Objects of one size lie side by side.
type Pad [CacheLine]byte

// Page is the alignment, in bytes, of buffers that stand for a request.
const Page = 4096

// Aligned returns n zero bytes whose first is at a multiple of align, a power
// of two. Go's collector does not move heap objects, so it stays there.
func Aligned(n, align int) []byte {
	buf := make([]byte, n+align-1)
	shift := -int(uintptr(unsafe.Pointer(unsafe.SliceData(buf)))) & (align - 1)
	return buf[shift : shift+n : shift+n]
}

// Wipe overwrites b with zeros in a way that is not optimised away.
//
//go:noinline
func Wipe(b []byte) {
	clear(b)
	runtime.KeepAlive(b)
}

// Overlap reports whether two slices share a byte.
func Overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	a0 := uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	b0 := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return a0 < b0+uintptr(len(b)) && b0 < a0+uintptr(len(a))
}
