package engine

import (
	"bytes"
	"fmt"
)

// filler stands in the gaps between sectors, which a run must leave alone.
const filler = 0xa5

// trial is one run whose result is known: n packed plain sectors and their
// ciphertext. It is put to the session under the geometry g.
type trial struct {
	e             Engine
	s             Session
	p             Params
	what          string // where the answer is from
	ivs           []byte
	plain, cipher []byte
	g             Geometry
}

// all asks both directions, each in place and out of place.
func (t trial) all() error {
	for _, inPlace := range []bool{false, true} {
		if err := t.ask("encrypt", inPlace); err != nil {
			return err
		}
		if err := t.ask("decrypt", inPlace); err != nil {
			return err
		}
	}
	return nil
}

// ask runs one direction and compares every byte.
func (t trial) ask(direction string, inPlace bool) error {
	run, from, want := t.s.Encrypt, t.plain, t.cipher
	if direction == "decrypt" {
		run, from, want = t.s.Decrypt, t.cipher, t.plain
	}
	n, g := len(t.ivs)/IVBytes, t.g
	place := "out of place"
	if inPlace {
		place, g.DstStride = "in place", g.SrcStride
	}
	src := spread(from, n, g.Unit, g.SrcStride)
	dst := src
	if !inPlace {
		dst = bytes.Repeat([]byte{filler}, n*g.DstStride)
	}
	where := func(sector int) string {
		return fmt.Sprintf("engine %s, %v, %s %s, unit %d bytes, strides %d and %d, run of %d sectors, %s: sector %d",
			t.e.Name(), t.p, direction, place, g.Unit, g.DstStride, g.SrcStride, n, t.what, sector)
	}
	ivs := bytes.Clone(t.ivs)
	if err := run(dst, src, ivs, g); err != nil {
		return fmt.Errorf("%s: %w", where(0), err)
	}
	// The expected destination, gaps and all, makes one comparison enough.
	if at := firstDifference(dst, spread(want, n, g.Unit, g.DstStride)); at >= 0 {
		sector, in := at/g.DstStride, at%g.DstStride
		if in >= g.Unit {
			return fmt.Errorf("%s: wrote behind it, at byte %d: %w", where(sector), in, ErrMismatch)
		}
		return fmt.Errorf("%s, byte %d is %#02x, not %#02x: %w", where(sector), in, dst[at], want[sector*g.Unit+in], ErrMismatch)
	}
	if !inPlace {
		if at := firstDifference(src, spread(from, n, g.Unit, g.SrcStride)); at >= 0 {
			return fmt.Errorf("%s: changed its source, at byte %d: %w", where(at/g.SrcStride), at%g.SrcStride, ErrMismatch)
		}
	}
	if at := firstDifference(ivs, t.ivs); at >= 0 {
		return fmt.Errorf("%s: changed its IV, at byte %d: %w", where(at/IVBytes), at%IVBytes, ErrMismatch)
	}
	return nil
}

// spread lays n packed units out at a stride, with filler between them.
func spread(packed []byte, n, unit, stride int) []byte {
	out := bytes.Repeat([]byte{filler}, n*stride)
	for i := range n {
		copy(out[i*stride:], packed[i*unit:(i+1)*unit])
	}
	return out
}

// firstDifference returns the first index where the two differ, or -1.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
