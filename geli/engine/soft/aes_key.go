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
		k.dec.invert(&k.enc)
		k.hasDec = true
	}
	return &k.dec
}

// invert makes the decryption schedule from the encryption schedule, as
// aeskey.DecryptWords does, but in half the time: the decryption tables hold
// InvMixColumns behind the inverse S-box, which the S-box undoes.
func (s *aesSchedule) invert(enc *aesSchedule) {
	s.rounds, s.tables = enc.rounds, &decTables
	t, box := s.tables, &enc.tables.box
	s.keys[0], s.keys[s.rounds&15] = enc.keys[s.rounds&15], enc.keys[0]
	for i := 1; i < s.rounds; i++ {
		to, from := &s.keys[i&15], &enc.keys[(s.rounds-i)&15]
		for j, w := range from {
			to[j] = t.t[0][box[uint8(w)]] ^ t.t[1][box[uint8(w>>8)]] ^ t.t[2][box[uint8(w>>16)]] ^ t.t[3][box[w>>24]]
		}
	}
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
