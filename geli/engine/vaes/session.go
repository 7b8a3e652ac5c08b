package vaes

import (
	"fmt"
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// schedule has room for one round key a slot of up to 64 bytes.
type schedule [15 * 64]byte

func (s *schedule) ptr() *byte { return &s[0] }

// keyed is what the sessions of both modes share: one key, expanded when it is
// first used.
type keyed struct {
	name     string // of the engine, for errors
	keyBytes int    // what SetKey takes
	secrets  []byte // the session's memory, all that depends on the key
	key      *[64]byte

	state    state
	expanded bool // the schedule for encryption belongs to key
	inverted bool // that for decryption as well
}

type state uint8

const (
	keyless state = iota
	ready
	closed
)

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
	copy(k.key[:], key)
	k.state, k.expanded, k.inverted = ready, false, false
	return nil
}

// check is the contract of Encrypt and Decrypt; it returns the number of
// sectors.
func (k *keyed) check(dst, src, ivs []byte, g engine.Geometry) (int, error) {
	if k.state != ready {
		return 0, k.notReady()
	}
	n, err := g.CheckRun(block, dst, src, ivs)
	if raceEnabled && err == nil {
		raceRun(dst, src, ivs, n, g)
	}
	return n, err
}

func (k *keyed) notReady() error {
	if k.state == closed {
		return engine.ErrClosed
	}
	return fmt.Errorf("%s: SetKey comes first: %w", k.name, engine.ErrKey)
}

// Close wipes the key, the schedules and everything made with them.
func (k *keyed) Close() error {
	if k.state != closed {
		mem.Wipe(k.secrets)
		k.state = closed
	}
	return nil
}
