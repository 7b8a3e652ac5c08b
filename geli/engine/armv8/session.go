//go:build arm64 && !purego

package armv8

import (
	"fmt"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

const block = 16 // bytes

// keyed is what the sessions of both modes are built on: one AES key.
type keyed struct {
	secrets []byte // all key-dependent memory of the session, aligned

	enc, dec *[240]byte // schedules, in secrets
	rounds   int        // 10, 12 or 14
	keyBytes int        // what SetKey takes
	decReady bool       // dec belongs to enc
	state    state
}

type state uint8

const (
	keyless state = iota
	ready
	closed
)

// scheduleBytes is the room of a schedule in secrets: a multiple of the cache
// line that takes 15 round keys.
const scheduleBytes = 4 * mem.CacheLine

func newKeyed(p engine.Params, moreBytes int) keyed {
	secrets := mem.Aligned(2*scheduleBytes+moreBytes, mem.CacheLine)
	return keyed{
		secrets:  secrets,
		enc:      (*[240]byte)(secrets),
		dec:      (*[240]byte)(secrets[scheduleBytes:]),
		rounds:   p.KeyBits/32 + 6, // FIPS 197, figure 4
		keyBytes: p.KeyBytes(),
	}
}

// more is the memory in secrets behind the two schedules.
func (k *keyed) more() []byte { return k.secrets[2*scheduleBytes:] }

// checkKey is the contract of SetKey.
func (k *keyed) checkKey(key []byte) error {
	if k.state == closed {
		return engine.ErrClosed
	}
	if len(key) != k.keyBytes {
		return fmt.Errorf("%s: key of %d bytes, want %d: %w", name, len(key), k.keyBytes, engine.ErrKey)
	}
	return nil
}

// checkRun is the contract of Encrypt and Decrypt; it returns the number of
// sectors.
func (k *keyed) checkRun(dst, src, ivs []byte, g engine.Geometry) (int, error) {
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
	return fmt.Errorf("%s: %w", name, engine.ErrKey)
}

// decryption returns the decryption schedule, made at its first use.
func (k *keyed) decryption() *[240]byte {
	if !k.decReady {
		invert(k.dec, k.enc, k.rounds)
		k.decReady = true
	}
	return k.dec
}

// Close wipes the schedules and everything made with them.
func (k *keyed) Close() error {
	if k.state != closed {
		mem.Wipe(k.secrets)
		k.state = closed
	}
	return nil
}
