package geli

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding"
	"encoding/binary"
	"hash"

	//lint:ignore SA1019 GELI has HMAC/RIPEMD160
	"golang.org/x/crypto/ripemd160"

	"gelibench/geli/engine"
	"gelibench/geli/hasher/portable"
	"gelibench/geli/mem"
)

// macMaker makes the MACs of sub-sectors:
//
//	mac key = SHA-256(akey || le64(o))
//	MAC     = HMAC-hash(mac key, ciphertext)
//
// where o is the sub-sector's offset on the underlying provider. The IV, the
// offset and the padding are not in the message; the offset enters through the
// key. It belongs to one worker and does not allocate after newMACMaker.
type macMaker struct {
	lanes   engine.Authenticator // HMAC/SHA256 side by side; nil: one by one
	state   [8]uint32            // SHA-256 after akey, which is one block
	longest int                  // most MACs in a call

	keyed      []byte // the same state for keyHash, as it marshals it
	keyHash    hash.Hash
	inner      hash.Hash
	pad        [128]byte // the MAC key, as long as the hash's block
	keyMessage [8]byte
	sums       []byte // MACs of one call
}

// macSums bounds how many MACs are made in one call.
const macSums = 64

// newMACMaker makes a macMaker with runs of up to run MACs, as the path has
// them: one, on GELI's.
func newMACMaker(a AAlg, h engine.Hasher, akey []byte, run int) *macMaker {
	m := &macMaker{
		longest: min(run, macSums),
		state:   portable.State(akey),
		keyHash: sha256.New(),
		inner:   hmacHash(a)(),
		sums:    mem.Aligned(macSums*a.DigestBytes(), mem.CacheLine),
	}
	if a == HMACSHA256 {
		m.lanes, _ = h.(engine.Authenticator)
	}
	m.keyHash.Write(akey)
	// Neither can fail: sha256 marshals, and takes back what it marshalled.
	m.keyed, _ = m.keyHash.(encoding.BinaryMarshaler).MarshalBinary()
	return m
}

func hmacHash(a AAlg) func() hash.Hash {
	switch a {
	case HMACMD5:
		return md5.New
	case HMACSHA1:
		return sha1.New
	case HMACRIPEMD160:
		return ripemd160.New
	case HMACSHA384:
		return sha512.New384
	case HMACSHA512:
		return sha512.New
	}
	return sha256.New
}

// sign puts the MAC of every sub-sector of n decrypted sectors before its
// ciphertext. raw holds the sectors in the underlying layout, from byte off of
// the provider on.
func (m *macMaker) sign(raw []byte, l layout, off uint64, n int) {
	m.all(raw, l, off, n, func(stored, sum []byte) bool {
		copy(stored, sum)
		return true
	})
}

// verify compares the MACs of every sub-sector of n decrypted sectors. It
// returns where in raw one lies that is wrong, or -1.
func (m *macMaker) verify(raw []byte, l layout, off uint64, n int) int {
	return m.all(raw, l, off, n, func(stored, sum []byte) bool {
		return subtle.ConstantTimeCompare(stored, sum) == 1
	})
}

// all makes the MACs of n sectors and calls f with the stored and the computed
// one until it says no; then it returns where in raw that sub-sector lies,
// otherwise -1. A call makes those of the full sub-sectors of a sector, or, if
// it then makes more at once, of the same one of all sectors; the last ones of
// the sectors are shorter.
func (m *macMaker) all(raw []byte, l layout, off uint64, n int, f func(stored, sum []byte) bool) int {
	full := l.subs - 1
	if full >= min(n, m.longest) {
		for k := range n {
			if bad := m.each(raw, l, k*l.bytes, l.under, l.data, off, full, f); bad >= 0 {
				return bad
			}
		}
	} else {
		for i := range full {
			if bad := m.each(raw, l, i*l.under, l.bytes, l.data, off, n, f); bad >= 0 {
				return bad
			}
		}
	}
	return m.each(raw, l, full*l.under, l.bytes, l.last, off, n, f)
}

// each is all for n sub-sectors of unit bytes that lie in raw from first on,
// apart bytes from one to the next.
func (m *macMaker) each(raw []byte, l layout, first, apart, unit int, off uint64, n int, f func(stored, sum []byte) bool) int {
	for n > 0 {
		count := min(m.longest, n)
		m.sum(raw[first+l.digest:], apart, unit, off+uint64(first), count)
		for k := range count {
			at := first + k*apart
			if !f(raw[at:at+l.digest], m.sums[k*l.digest:(k+1)*l.digest]) {
				return at
			}
		}
		first, n = first+count*apart, n-count
	}
	return -1
}

// sum writes the MACs of n stretches of unit bytes of src, stride apart, to
// m.sums.
func (m *macMaker) sum(src []byte, stride, unit int, off uint64, n int) {
	if m.lanes != nil {
		m.lanes.HMACs(m.sums[:n*sha256.Size], src, stride, unit, &m.state, off, uint64(stride))
		return
	}
	size := m.inner.Size()
	for k := range n {
		m.one(m.sums[k*size:k*size], src[k*stride:k*stride+unit], off+uint64(k*stride))
	}
}

// one appends a MAC to dst: HMAC written out, since crypto/hmac allocates for
// each key.
func (m *macMaker) one(dst, message []byte, off uint64) {
	m.keyHash.(encoding.BinaryUnmarshaler).UnmarshalBinary(m.keyed)
	binary.LittleEndian.PutUint64(m.keyMessage[:], off)
	m.keyHash.Write(m.keyMessage[:])
	pad := m.pad[:m.inner.BlockSize()]
	clear(pad)
	m.keyHash.Sum(pad[:0])
	subtle.XORBytes(pad, pad, ipad)
	m.inner.Reset()
	m.inner.Write(pad)
	m.inner.Write(message)
	sum := m.inner.Sum(dst)
	subtle.XORBytes(pad, pad, ipadToOpad)
	m.inner.Reset()
	m.inner.Write(pad)
	m.inner.Write(sum)
	m.inner.Sum(dst)
}

// The pads of HMAC, and the way from one to the other.
var (
	ipad       = bytes.Repeat([]byte{0x36}, 128)
	ipadToOpad = bytes.Repeat([]byte{0x36 ^ 0x5c}, 128)
)

// wipe forgets the keys. The hashes' own states are reset.
func (m *macMaker) wipe() {
	clear(m.state[:])
	mem.Wipe(m.keyed)
	mem.Wipe(m.pad[:])
	m.keyHash.Reset()
	m.inner.Reset()
}
