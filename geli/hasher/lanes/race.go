//go:build race

package lanes

import (
	"runtime"
	"unsafe"
)

const raceEnabled = true

// raceRun tells the race detector, which does not see into assembly, what a
// call reads and writes.
func raceRun(ivs []byte, state *[8]uint32) {
	runtime.RaceReadRange(unsafe.Pointer(state), int(unsafe.Sizeof(*state)))
	runtime.RaceWriteRange(unsafe.Pointer(&ivs[0]), len(ivs))
}
