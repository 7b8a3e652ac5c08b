//go:build race && amd64 && !purego

package shani

import (
	"runtime"
	"unsafe"
)

// raceRun tells the race detector, which does not see into assembly, what the
// kernel reads and writes.
func raceRun(dst []byte, state *[8]uint32) {
	runtime.RaceReadRange(unsafe.Pointer(state), len(state)*4)
	runtime.RaceWriteRange(unsafe.Pointer(&dst[0]), len(dst))
}

// raceMACs is raceRun for HMACs.
func raceMACs(dst, src []byte, stride, unit int, state *[8]uint32) {
	raceRun(dst, state)
	for at := 0; at < len(src); at += stride {
		runtime.RaceReadRange(unsafe.Pointer(&src[at]), unit)
	}
}
