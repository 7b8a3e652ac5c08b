//go:build race && arm64 && !purego

package armv8

import (
	"runtime"
	"unsafe"

	"gelibench/geli/engine"
)

const raceEnabled = true

// raceRun tells the race detector, which does not see into assembly, what a
// run reads and writes.
func raceRun(dst, src, ivs []byte, n int, g engine.Geometry) {
	for i := range n {
		runtime.RaceReadRange(unsafe.Pointer(&ivs[i*block]), block)
		runtime.RaceReadRange(unsafe.Pointer(&src[i*g.SrcStride]), g.Unit)
		runtime.RaceWriteRange(unsafe.Pointer(&dst[i*g.DstStride]), g.Unit)
	}
}
