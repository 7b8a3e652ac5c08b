//go:build amd64 && !purego

package lanes

import (
	"math/bits"
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// group is the memory of a kernel for one register's worth of up to 16 lanes:
// word t of each lane at t*laneWords.
type group [16 * 16]uint32

// memory is what a call works in. It lies on the stack, in room enough to
// align it.
type memory struct {
	words [2]group
	ivs   [32 * engine.IVBytes]byte // of a last batch that does not fill its kernel
}

type room [unsafe.Sizeof(memory{}) + mem.CacheLine]byte

func (r *room) aligned() *memory {
	shift := -uintptr(unsafe.Pointer(r)) & (mem.CacheLine - 1)
	return (*memory)(unsafe.Pointer(&r[shift]))
}

// fill writes the words 0 and 1 of the messages of lanes digests, from off on.
func (g *group) fill(lanes int, off, step uint64) {
	quarter := lanes / 4 // the lanes of 128 bits
	for i := range lanes {
		element := 4*(i%quarter) + i/quarter
		g[element] = bits.ReverseBytes32(uint32(off))
		g[lanes+element] = bits.ReverseBytes32(uint32(off >> 32))
		off += step
	}
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
		m.words[0].fill(16, off, step)
		if lanes == 16 {
			digests16AVX512(&out[0], &state[0], &m.words[0][0])
		} else {
			m.words[1].fill(16, off+16*step, step)
			digests32AVX512(&out[0], &state[0], &m.words[0][0])
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
		m.words[0].fill(lanes, off, step)
		digests8AVX2(&out[0], &state[0], &m.words[0][0])
		if n < lanes {
			copy(ivs[:n*engine.IVBytes], out)
			return
		}
		ivs, off = ivs[lanes*engine.IVBytes:], off+lanes*step
	}
}
