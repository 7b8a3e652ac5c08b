package geli

import (
	"errors"
	"io/fs"
	"testing"

	"gelibench/geli/engines"
)

func TestKeyCache(t *testing.T) {
	source := newKeySource(countingKey(), Metadata{Version: 7}.policy(), false)
	c := newKeyCache(source, 3)
	var want, got derivedKey
	get := func(keyno uint64) {
		t.Helper()
		source.derive(&want, keyno)
		if err := c.get(&got, keyno); err != nil || got != want {
			t.Fatalf("key %d is wrong (%v)", keyno, err)
		}
	}
	for _, keyno := range []uint64{0, 1, 2, 0, 3, 1 << 31, 0, 1} {
		get(keyno)
	}
	if c.len() != 3 {
		t.Errorf("%d keys in a cache of 3", c.len())
	}
	for keyno := range uint64(100) {
		get(keyno)
	}
	if c.len() != 3 {
		t.Errorf("%d keys in a cache of 3", c.len())
	}
	c.wipe()
	if err := c.get(&got, 99); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a wiped cache answers: %v", err)
	}
	if source.base != (derivedKey{}) {
		t.Error("the base key is still there")
	}
}

// TestKeyCacheLRU: the key used last stays, the one unused longest goes.
func TestKeyCacheLRU(t *testing.T) {
	c := newKeyCache(newKeySource(countingKey(), Metadata{Version: 7}.policy(), false), 2)
	var key derivedKey
	for _, keyno := range []uint64{1, 2, 1, 3} {
		c.get(&key, keyno)
	}
	for keyno, want := range map[uint64]bool{1: true, 2: false, 3: true} {
		if _, held := c.byNo[keyno]; held != want {
			t.Errorf("key %d held: %v, want %v", keyno, held, want)
		}
	}
}

func TestHostByteOrder(t *testing.T) {
	// A version 3 provider from a big-endian host puts the offset's bytes the
	// other way round: 0x200 is then what a little-endian host calls 2<<48.
	h := engines.AutoHasher(1)
	little := newIVMaker(11, h, countingKey().ivKey(), false)
	big := newIVMaker(11, h, countingKey().ivKey(), true)
	a, b := make([]byte, 48), make([]byte, 48)
	big.fill(a, 0x200, 0x200)
	for i, off := range []uint64{0x0002 << 48, 0x0004 << 48, 0x0006 << 48} {
		little.fill(b[16*i:16*i+16], off, 0)
	}
	if string(a) != string(b) {
		t.Errorf("big-endian IVs\n%x, want\n%x", a, b)
	}
}

// len is the number of keys held.
func (c *keyCache) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recent.Len()
}
