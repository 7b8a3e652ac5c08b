package vaes

import (
	"fmt"
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/internal/racetouch"
	"gelibench/geli/mem"
)

// compactSchedule has 32 bytes for each round key: that of the data, and for
// XTS that of the tweak behind it; one slot is over, for alignment.
type compactSchedule [16 * 32]byte

// wideSchedule has each round key in every lane of 512 bits.
type wideSchedule [15 * 64]byte

// keyed is what the sessions of both modes share: one key, expanded when it is
// first used, into the schedules that this use asks for.
type keyed struct {
	_        mem.Pad
	name     string // of the engine, for errors
	keyBytes int    // what SetKey takes
	rounds   int
	widen    func(compact, keys *byte, rounds int)
	secrets  []byte // the session's memory, all that depends on the key
	key      *[64]byte

	state state
	made  schedules
}

type state uint8

const (
	keyless state = iota
	ready
	closed
)

// schedules is the set of those that belong to the key.
type schedules uint8

const (
	encryption schedules = 1 << iota // compact
	decryption                       // compact
	wideEncryption
	wideDecryption
	wideTweak
)

func (s schedules) has(x schedules) bool { return s&x != 0 }

func newKeyed(v vaes, p engine.Params, secrets []byte, key *[64]byte) keyed {
	return keyed{
		name:     v.name,
		keyBytes: p.KeyBytes(),
		rounds:   p.KeyBits/32 + 6, // FIPS 197, figure 4
		widen:    v.kernels.widen,
		secrets:  secrets,
		key:      key,
	}
}

// aligned makes a T at a multiple of a cache line, and shows it as bytes. T
// holds no pointers.
func aligned[T any]() (*T, []byte) {
	var t T
	b := mem.Aligned(int(unsafe.Sizeof(t)), mem.CacheLine)
	return (*T)(unsafe.Pointer(unsafe.SliceData(b))), b
}

// SetKey keeps a copy of the key; the schedules are made when they are used,
// together with the first sector's tweak where there is one.
func (k *keyed) SetKey(key []byte) error {
	if k.state == closed {
		return engine.ErrClosed
	}
	if len(key) != k.keyBytes {
		return fmt.Errorf("%s: key of %d bytes, want %d: %w", k.name, len(key), k.keyBytes, engine.ErrKey)
	}
	switch len(key) { // of known length, a copy is a few moves
	case 64:
		*k.key = [64]byte(key)
	case 32:
		*(*[32]byte)(k.key[:]) = [32]byte(key)
	default:
		copy(k.key[:], key)
	}
	k.state, k.made = ready, 0
	return nil
}

// check is the contract of Encrypt and Decrypt; it returns the number of
// sectors.
func (k *keyed) check(dst, src, ivs []byte, g engine.Geometry) (int, error) {
	if k.state != ready {
		return 0, k.notReady()
	}
	n, err := g.CheckRun(block, dst, src, ivs)
	if racetouch.Enabled && err == nil {
		racetouch.Run(dst, src, ivs, n, g)
	}
	return n, err
}

func (k *keyed) notReady() error {
	if k.state == closed {
		return engine.ErrClosed
	}
	return fmt.Errorf("%s: SetKey comes first: %w", k.name, engine.ErrKey)
}

// wide returns the schedule that long runs read: wide, made from compact if
// need be, or compact itself.
func (k *keyed) wide(s schedules, compact, wide *byte) *byte {
	if k.widen == nil {
		return compact
	}
	if !k.made.has(s) {
		k.widen(compact, wide, k.rounds)
		k.made |= s
	}
	return wide
}

// Close wipes the key, the schedules and everything made with them.
func (k *keyed) Close() error {
	if k.state != closed {
		mem.Wipe(k.secrets)
		k.state = closed
	}
	return nil
}
