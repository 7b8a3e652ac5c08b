//go:build race

package racetouch

import (
	"runtime"
	"unsafe"

	"gelibench/geli/engine"
)

// Enabled says whether this build has the race detector.
const Enabled = true

// Run is for the n sectors of an engine.Session's run.
func Run(dst, src, ivs []byte, n int, g engine.Geometry) {
	for i := range n {
		read(ivs[i*engine.IVBytes:][:engine.IVBytes])
		read(src[i*g.SrcStride:][:g.Unit])
		write(dst[i*g.DstStride:][:g.Unit])
	}
}

// IVs is for engine.Hasher's method; ivs is no longer than what is written.
func IVs(ivs []byte, state *[8]uint32) {
	runtime.RaceReadRange(unsafe.Pointer(state), int(unsafe.Sizeof(*state)))
	write(ivs)
}

// HMACs is for engine.Authenticator's method; dst is no longer than what is
// written, and src than what is read.
func HMACs(dst, src []byte, stride, unit int, state *[8]uint32) {
	IVs(dst, state)
	for at := 0; at < len(src); at += stride {
		read(src[at:][:unit])
	}
}

func read(b []byte)  { runtime.RaceReadRange(unsafe.Pointer(unsafe.SliceData(b)), len(b)) }
func write(b []byte) { runtime.RaceWriteRange(unsafe.Pointer(unsafe.SliceData(b)), len(b)) }
