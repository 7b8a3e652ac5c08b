package geli

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"encoding/binary"

	"gelibench/geli/mem"
)

// MasterKey is IV-Key || Data-Key, 64 bytes each.
type MasterKey [128]byte

// NewMasterKey returns 128 random bytes, as geli onetime draws them.
func NewMasterKey() *MasterKey {
	k := new(MasterKey)
	rand.Read(k[:]) // never fails: it crashes the program instead
	return k
}

// Wipe overwrites the key.
func (k *MasterKey) Wipe() { mem.Wipe(k[:]) }

func (k *MasterKey) ivKey() []byte   { return k[:64] }
func (k *MasterKey) dataKey() []byte { return k[64:] }

// dataKeyBytes is the length of a derived data key, of which a cipher takes
// the first part.
const dataKeyBytes = sha512.Size

// sectorsPerKeyShift: a data key serves 2^20 sectors.
const sectorsPerKeyShift = 20

type derivedKey [dataKeyBytes]byte

// keySource derives data keys by number. It is read-only and so safe for
// concurrent use.
type keySource struct {
	base      derivedKey
	singleKey bool // base is the key itself
}

// newKeySource makes the source; with -a, ekey0 is HMAC-SHA512(Data-Key, 0x10)
// instead of the Data-Key itself.
func newKeySource(k *MasterKey, p policy, auth bool) *keySource {
	s := &keySource{singleKey: p.singleKey}
	switch {
	case p.ivKeyBase && !p.singleKey:
		copy(s.base[:], k.ivKey())
	case auth:
		s.base = macByte(k.dataKey(), 0x10)
	default:
		copy(s.base[:], k.dataKey())
	}
	return s
}

// derive writes data key number keyno to dst.
func (s *keySource) derive(dst *derivedKey, keyno uint64) {
	if s.singleKey {
		*dst = s.base
		return
	}
	var message [12]byte
	copy(message[:], "ekey")
	binary.LittleEndian.PutUint64(message[4:], keyno)
	mac := hmac.New(sha512.New, s.base[:])
	mac.Write(message[:])
	mac.Sum(dst[:0])
}

func (s *keySource) wipe() { mem.Wipe(s.base[:]) }
