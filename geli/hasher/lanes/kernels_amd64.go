//go:build amd64 && !purego

package lanes

import (
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// memory is what a call works in. It lies on the stack, in room enough to
// align it.
type memory struct {
	words [32 * 16]uint32           // 16 of each lane
	ivs   [32 * engine.IVBytes]byte // of a last batch that does not fill its kernel
}

type room [unsafe.Sizeof(memory{}) + mem.CacheLine]byte

func (r *room) aligned() *memory {
	shift := -uintptr(unsafe.Pointer(r)) & (mem.CacheLine - 1)
	return (*memory)(unsafe.Pointer(&r[shift]))
}

func ivsAVX512(ivs []byte, state *[8]uint32, off, step uint64) {
	var r room
	m := r.aligned()
	for n := len(ivs) / engine.IVBytes; n > 0; {
		lanes := 32
		if n <= 16 {
			lanes = 16
		}
		out := m.ivs[:]
		if n >= lanes {
			out = ivs
		}
		if lanes == 16 {
			digests16AVX512(&out[0], &state[0], &m.words[0], off, step)
		} else {
			digests32AVX512(&out[0], &state[0], &m.words[0], off, step)
		}
		if n < lanes {
			copy(ivs[:n*engine.IVBytes], out)
			return
		}
		ivs, off, n = ivs[lanes*engine.IVBytes:], off+uint64(lanes)*step, n-lanes
	}
}

func ivsAVX2(ivs []byte, state *[8]uint32, off, step uint64) {
	const lanes = 8
	var r room
	m := r.aligned()
	for n := len(ivs) / engine.IVBytes; n > 0; n -= lanes {
		out := m.ivs[:]
		if n >= lanes {
			out = ivs
		}
		digests8AVX2(&out[0], &state[0], &m.words[0], off, step)
		if n < lanes {
			copy(ivs[:n*engine.IVBytes], out)
			return
		}
		ivs, off = ivs[lanes*engine.IVBytes:], off+lanes*step
	}
}
