//go:build amd64 && !purego

package shani

import (
	"encoding/binary"
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

var _ engine.Authenticator = hasher{}

const (
	blockBytes  = 64
	digestBytes = 32
)

// HMAC (RFC 2104) with a key of 32 bytes is
//
//	SHA-256(key ^ opad || SHA-256(key ^ ipad || message))
//
// with key and pads filled up to a block, and the key is a digest itself. So a
// MAC takes, beside the message and its padding, four compressions: the key,
// the two pads (side by side), and the outer digest.
const (
	ipad = 0x3636363636363636
	opad = 0x5c5c5c5c5c5c5c5c
)

// chain is a chaining value as sha256rnds2 takes it: f, e, b, a, h, g, d, c,
// from the lowest of 32 bits up.
type chain = [4]uint64

// initial is H(0) of FIPS 180-4, section 5.3.3.
var initial = chain{
	0x510e527f<<32 | 0x9b05688c, 0x6a09e667<<32 | 0xbb67ae85,
	0x1f83d9ab<<32 | 0x5be0cd19, 0x3c6ef372<<32 | 0xa54ff53a,
}

func chainOf(state *[8]uint32) chain {
	pair := func(i int) uint64 { return uint64(state[i])<<32 | uint64(state[i+1]) }
	return chain{pair(4), pair(0), pair(6), pair(2)}
}

// block is a block of a message as eight big-endian pairs of words.
type block [blockBytes]byte

// put writes pair i of the block's words.
func (b *block) put(i int, pair uint64) { binary.BigEndian.PutUint64(b[8*i:], pair) }

// putDigest writes c as the first half of the block, its words xored with pad.
func (b *block) putDigest(c *chain, pad uint64) {
	b.put(0, c[1]^pad)
	b.put(1, c[3]^pad)
	b.put(2, c[0]^pad)
	b.put(3, c[2]^pad)
}

// memory is what a call works in. Chains and blocks of the inner digests come
// first, those of the outer behind them, at as many as there are lanes at work.
type memory struct {
	chains    [2 * lanes]chain
	schedules [lanes * blockBytes]byte
	blocks    [2 * lanes][2]block // those that are not in the source
}

// room has a memory at a multiple of 16 somewhere in it.
type room [unsafe.Sizeof(memory{}) + 16]byte

func (r *room) aligned() *memory {
	shift := -uintptr(unsafe.Pointer(r)) & 15
	return (*memory)(unsafe.Pointer(&r[shift]))
}

// HMACs implements engine.Authenticator.
func (hasher) HMACs(dst, src []byte, stride, unit int, state *[8]uint32, off, step uint64) {
	n := len(dst) / digestBytes
	if n == 0 {
		return
	}
	src = src[:(n-1)*stride+unit]
	raceMACs(dst[:n*digestBytes], src, stride, unit, state)
	var r room
	m := r.aligned()
	start := chainOf(state)
	for n > 0 {
		count := min(n, lanes)
		m.hmacs(dst, src, count, stride, unit, &start, off, step)
		n -= count
		if n > 0 {
			dst, src, off = dst[count*digestBytes:], src[count*stride:], off+uint64(count)*step
		}
	}
	mem.Wipe(r[:]) // the keys
}

// hmacs makes up to four MACs. Three take four lanes, of which two do the same.
func (m *memory) hmacs(dst, src []byte, count, stride, unit int, start *chain, off, step uint64) {
	width := count
	if count == 3 {
		width = 4
	}
	// The keys.
	for i := range width {
		m.chains[i] = *start
		b := &m.blocks[i][0]
		clear(b[8:])
		binary.LittleEndian.PutUint64(b[:], off+uint64(min(i, count-1))*step)
		b[8] = 0x80
		b.put(7, (blockBytes+8)*8)
	}
	m.compress(0, width, 1)
	// The pads.
	for i := range width {
		key := m.chains[i]
		for side, pad := range [2]uint64{ipad, opad} {
			b := &m.blocks[side*width+i][0]
			b.putDigest(&key, pad)
			for j := 4; j < 8; j++ {
				b.put(j, pad)
			}
			m.chains[side*width+i] = initial
		}
	}
	if width < lanes {
		m.compress(0, 2*width, 1)
	} else {
		m.compress(0, lanes, 1)
		m.compress(lanes, lanes, 1)
	}
	// The messages' whole blocks, and what is left of them.
	whole, rest := unit/blockBytes, unit%blockBytes
	if whole > 0 {
		at := func(i int) *byte { return &src[min(i, count-1)*stride] }
		switch width {
		case 1:
			blocks1(&m.chains[0], at(0), whole)
		case 2:
			blocks2(&m.chains[0], at(0), at(1), whole)
		case 4:
			blocks4(&m.chains[0], &m.schedules[0], at(0), at(1), at(2), at(3), whole)
		}
	}
	ends := 1
	if rest+1+8 > blockBytes {
		ends = 2
	}
	for i := range width {
		end := &m.blocks[i]
		flat := (*[2 * blockBytes]byte)(unsafe.Pointer(end))
		from := min(i, count-1)*stride + whole*blockBytes
		copy(flat[:rest], src[from:from+rest])
		clear(flat[rest:])
		flat[rest] = 0x80
		end[ends-1].put(7, uint64(blockBytes+unit)*8)
	}
	m.compress(0, width, ends)
	// The outer digests.
	for i := range width {
		b := &m.blocks[width+i][0]
		b.putDigest(&m.chains[i], 0)
		clear(b[digestBytes:])
		b[digestBytes] = 0x80
		b.put(7, (blockBytes+digestBytes)*8)
	}
	m.compress(width, width, 1)
	for i := range count {
		c := &m.chains[width+i]
		d := (*[digestBytes]byte)(dst[i*digestBytes:])
		binary.BigEndian.PutUint64(d[0:], c[1])
		binary.BigEndian.PutUint64(d[8:], c[3])
		binary.BigEndian.PutUint64(d[16:], c[0])
		binary.BigEndian.PutUint64(d[24:], c[2])
	}
}

// compress compresses n blocks of each of 1, 2 or 4 messages written here.
func (m *memory) compress(first, width, n int) {
	at := func(i int) *byte { return &m.blocks[first+i][0][0] }
	c := &m.chains[first]
	switch width {
	case 1:
		blocks1(c, at(0), n)
	case 2:
		blocks2(c, at(0), at(1), n)
	case 4:
		blocks4(c, &m.schedules[0], at(0), at(1), at(2), at(3), n)
	}
}
