//go:build amd64 && !purego

package shani

import (
	"encoding/binary"

	"gelibench/geli/engine"
	"gelibench/geli/internal/racetouch"
)

var _ engine.Authenticator = hasher{}

const (
	blockBytes  = 64
	digestBytes = 32
	lengthBytes = 8
)

// end is the last one or two blocks of a message with its padding. The inner
// digest's message stands behind a block of the key. There is nothing secret in
// it: the message is ciphertext.
type end [2 * blockBytes]byte

// fill takes the rest of a message, less than a block, into an end of zeros.
func (e *end) fill(rest []byte, blocks, unit int) {
	copy(e[:blockBytes], rest)
	e[len(rest)] = 0x80
	binary.BigEndian.PutUint64(e[blocks*blockBytes-lengthBytes:], uint64(blockBytes+unit)*8)
}

// HMACs implements engine.Authenticator.
func (hasher) HMACs(dst, src []byte, stride, unit int, state *[8]uint32, off, step uint64) {
	n := len(dst) / digestBytes
	if n == 0 {
		return
	}
	src = src[:(n-1)*stride+unit]
	racetouch.HMACs(dst[:n*digestBytes], src, stride, unit, state)
	whole, rest := unit/blockBytes, unit%blockBytes
	blocks := 1
	if rest+1+lengthBytes > blockBytes {
		blocks = 2
	}
	for i := 0; i < n; i += lanes {
		if n-i == 1 { // takes as long as two of four side by side
			var e end
			e.fill(src[i*stride+whole*blockBytes:], blocks, unit)
			hmacs1(&dst[i*digestBytes], state, off, 0, at(src, i*stride), whole, &e[0], blocks)
			return
		}
		var ends [lanes]end
		var messages [lanes]*byte
		for k := range lanes {
			from := min(i+k, n-1) * stride // idle lanes do the last one again
			messages[k] = at(src, from)
			ends[k].fill(src[from+whole*blockBytes:from+unit], blocks, unit)
		}
		if n-i < lanes {
			var macs [lanes * digestBytes]byte
			hmacs4(&macs[0], state, off, step, messages[0], messages[1], messages[2], messages[3], whole, &ends[0][0], blocks)
			copy(dst[i*digestBytes:n*digestBytes], macs[:])
			return
		}
		hmacs4(&dst[i*digestBytes], state, off, step, messages[0], messages[1], messages[2], messages[3], whole, &ends[0][0], blocks)
		off += lanes * step
	}
}

// at is the address of a message, if there is one: the last may be empty.
func at(src []byte, from int) *byte {
	if from < len(src) {
		return &src[from]
	}
	return nil
}
