package soft

import (
	"gelibench/geli/internal/aeskey"
)

// aesKey is the key of the data cipher in both directions. The decryption
// schedule is made when it is first used: GELI sets a key for each sector and
// then goes one way only.
type aesKey struct {
	enc, dec aesSchedule
	hasDec   bool
}

func (k *aesKey) set(key []byte) {
	k.enc.set(key)
	k.hasDec = false
}

func (s *aesSchedule) set(key []byte) {
	s.rounds, s.tables = aeskey.Rounds(len(key)), &encTables
	aeskey.EncryptWords(s.keys[:], key)
}

// decryption returns the decryption schedule.
func (k *aesKey) decryption() *aesSchedule {
	if !k.hasDec {
		n := k.enc.rounds + 1
		aeskey.DecryptWords(k.dec.keys[:n], k.enc.keys[:n])
		k.dec.rounds, k.dec.tables = k.enc.rounds, &decTables
		k.hasDec = true
	}
	return &k.dec
}

// aesCBC is AES in CBC mode.
type aesCBC struct{ key aesKey }

func (c *aesCBC) setKey(key []byte) error { c.key.set(key); return nil }
func (c *aesCBC) wipe()                   { wipe(c) }

// aesXTS is AES in XTS mode, IEEE 1619, on whole blocks. The key is the data
// key followed by the tweak key.
type aesXTS struct {
	key   aesKey
	tweak aesSchedule
}

func (c *aesXTS) setKey(key []byte) error {
	c.key.set(key[:len(key)/2])
	c.tweak.set(key[len(key)/2:])
	return nil
}

func (c *aesXTS) wipe() { wipe(c) }

// wipe zeroes what p points to, in a way that is not optimised away.
//
//go:noinline
func wipe[T any](p *T) {
	var zero T
	*p = zero
}
