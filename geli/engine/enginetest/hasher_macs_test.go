package enginetest

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"hash"
	"maps"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/hasher/std"
)

// macsCall is a call of HMACs.
type macsCall struct {
	dst, src     []byte
	stride, unit int
	state        *[8]uint32
	off, step    uint64
}

func (c macsCall) n() int { return len(c.dst) / macBytes }

// brokenAuthenticator makes MACs with something wrong; without the function it
// makes them one by one.
type brokenAuthenticator struct {
	engine.Hasher
	macs func(macsCall)
}

func (brokenAuthenticator) Name() string { return "broken" }

func (h brokenAuthenticator) HMACs(dst, src []byte, stride, unit int, state *[8]uint32, off, step uint64) {
	c := macsCall{dst, src, stride, unit, state, off, step}
	if h.macs != nil {
		h.macs(c)
		return
	}
	c.rightly()
}

// oneByOne makes MACs with the standard library and without allocations.
type oneByOne struct {
	h     hash.Hash
	saved []byte // h after a prefix, as it marshals itself: 4 bytes of magic, state, buffer, length
	block [sha256.BlockSize]byte
}

var oneByOnes = sync.Pool{New: func() any {
	o := &oneByOne{h: sha256.New()}
	o.h.Write(o.block[:])
	o.saved, _ = o.h.(encoding.BinaryMarshaler).MarshalBinary()
	return o
}}

func (c macsCall) rightly() {
	for i := range c.n() {
		c.one(i, c.off+uint64(i)*c.step)
	}
}

// one makes MAC i as if its offset were off.
func (c macsCall) one(i int, off uint64) {
	o := oneByOnes.Get().(*oneByOne)
	defer oneByOnes.Put(o)
	for i, word := range c.state {
		binary.BigEndian.PutUint32(o.saved[4+4*i:], word)
	}
	if err := o.h.(encoding.BinaryUnmarshaler).UnmarshalBinary(o.saved); err != nil {
		panic(err)
	}
	binary.LittleEndian.PutUint64(o.block[:], off)
	o.h.Write(o.block[:8])
	clear(o.block[:])
	o.h.Sum(o.block[:0])
	o.hash(0x36, c.src[i*c.stride:i*c.stride+c.unit])
	mac := c.dst[i*macBytes : (i+1)*macBytes]
	o.h.Sum(mac[:0])
	o.hash(0x36^0x5c, mac)
	o.h.Sum(mac[:0])
}

func (o *oneByOne) hash(flip byte, message []byte) {
	for i := range o.block {
		o.block[i] ^= flip
	}
	o.h.Reset()
	o.h.Write(o.block[:])
	o.h.Write(message)
}

var authenticatorAilments = []struct {
	what, test string
	macs       func(macsCall)
}{
	{"allocates", "MACs, allocations", func(c macsCall) {
		sink = make([]byte, 100)
		c.rightly()
	}},
	{"is wrong in the last of 17", "MACs, every count", func(c macsCall) {
		c.rightly()
		if c.n() == 17 {
			c.dst[len(c.dst)-1] ^= 1
		}
	}},
	{"writes behind its end", "MACs, every count", func(c macsCall) {
		c.rightly()
		*beyond(c.dst, len(c.dst)) = 0
	}},
	{"leaves its state changed", "MACs, every count", func(c macsCall) {
		c.rightly()
		c.state[7]++
	}},
	{"writes to its source", "MACs, every count", func(c macsCall) {
		c.rightly()
		if len(c.src) > 0 {
			c.src[0] ^= 1
		}
	}},
	{"reads behind its source", "MACs, page end", func(c macsCall) {
		c.rightly()
		sink = *beyond(c.src, len(c.src))
	}},
	{"has no room for the padding of 56 bytes", "MACs, every unit", func(c macsCall) {
		c.rightly()
		if c.unit%64 == 56 && c.n() > 0 {
			c.dst[0] ^= 1
		}
	}},
	{"has a length of 12 bits", "MACs, every unit", func(c macsCall) {
		c.rightly()
		if c.unit == 4064 && c.n() > 0 {
			c.dst[0] ^= 1
		}
	}},
	{"takes messages without gaps", "MACs, strides", func(c macsCall) {
		c.stride = c.unit
		c.rightly()
	}},
	{"takes the stride for the step", "MACs, offsets and steps", func(c macsCall) {
		c.step = uint64(c.stride)
		c.rightly()
	}},
	{"adds in 32 bits", "MACs, offsets and steps", func(c macsCall) {
		for i := range c.n() {
			c.one(i, c.off&^0xffffffff|uint64(uint32(c.off)+uint32(i)*uint32(c.step)))
		}
	}},
	{"is wrong for one place of the source in a cache line", "MACs, every misalignment", func(c macsCall) {
		c.rightly()
		if len(c.src) > 0 && uintptr(unsafe.Pointer(&c.src[0]))%64 == 33 {
			c.dst[0] ^= 1
		}
	}},
	{"has one state for all calls", "MACs, parallel calls", sharedMACState()},
}

// sharedMACState is sharedState for MACs.
func sharedMACState() func(macsCall) {
	var mu sync.Mutex
	var last [8]uint32
	calls := 0
	return func(c macsCall) {
		mu.Lock()
		defer mu.Unlock()
		own := *c.state
		if calls++; calls%3 == 0 {
			c.state = &last
		}
		c.rightly()
		last = own
	}
}

// TestAuthenticatorAilments is TestHasherAilments for the MACs.
func TestAuthenticatorAilments(t *testing.T) {
	alwaysShort = true
	defer func() { alwaysShort = false }()
	covered := map[string]bool{}
	for _, a := range authenticatorAilments {
		covered[a.test] = true
		t.Run(a.what, func(t *testing.T) {
			got := record(t, func(t testing.TB) { AllAuthenticator[a.test](t, brokenAuthenticator{std.New(), a.macs}) })
			switch {
			case got.skipped:
				t.Skipf("%q skips here: %s", a.test, got.said)
			case !got.failed:
				t.Errorf("an authenticator that %s passes %q", a.what, a.test)
			default:
				t.Logf("%s", got.said)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(AllAuthenticator)) {
		if !covered[name] {
			t.Errorf("nothing shows that %q can fail", name)
		}
		if got := record(t, func(t testing.TB) { AllAuthenticator[name](t, brokenAuthenticator{Hasher: std.New()}) }); got.failed {
			t.Errorf("%q fails for an authenticator without a fault: %s", name, got.said)
		}
	}
}
