package engine_test

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"gelibench/geli/engine"
)

// TestCheckRun goes through the contract of a run, at its edges.
func TestCheckRun(t *testing.T) {
	buf := make([]byte, 4096)
	ivs := make([]byte, 64*engine.IVBytes)
	a, b := buf[:1024:1024], buf[1024:2048:2048]
	for _, c := range []struct {
		what     string
		dst, src []byte
		ivBytes  int
		g        engine.Geometry
		n        int
		err      error
	}{
		{"packed", a, b, 32, engine.Packed(512), 2, nil},
		{"in place", a, a, 32, engine.Packed(512), 2, nil},
		{"room to spare", a, b, 16, engine.Packed(16), 1, nil},
		{"strides", a, b, 48, engine.Geometry{Unit: 16, DstStride: 504, SrcStride: 500}, 3, nil},
		{"last gap is not needed", a[:528], b, 32, engine.Geometry{Unit: 16, DstStride: 512, SrcStride: 16}, 2, nil},
		{"a byte too short for that", a[:527], b, 32, engine.Geometry{Unit: 16, DstStride: 512, SrcStride: 16}, 0, engine.ErrGeometry},
		{"one sector needs no stride", a[:16], b[:16], 16, engine.Geometry{Unit: 16, DstStride: math.MaxInt, SrcStride: math.MaxInt}, 1, nil},
		{"two sectors, stride beyond counting", a, b, 32, engine.Geometry{Unit: 16, DstStride: math.MaxInt, SrcStride: math.MaxInt}, 0, engine.ErrGeometry},
		{"empty", nil, nil, 0, engine.Packed(16), 0, nil},
		{"empty, same buffers shifted", a, a[1:], 0, engine.Packed(16), 0, nil},
		{"empty, but no unit", a, b, 0, engine.Packed(0), 0, engine.ErrGeometry},
		{"17 IV bytes", a, b, 17, engine.Packed(16), 0, engine.ErrGeometry},
		{"unit of 8", a, b, 16, engine.Packed(8), 0, engine.ErrGeometry},
		{"unit of -16", a, b, 16, engine.Packed(-16), 0, engine.ErrGeometry},
		{"stride under unit", a, b, 16, engine.Geometry{Unit: 32, DstStride: 16, SrcStride: 32}, 0, engine.ErrGeometry},
		{"negative stride", a, b, 16, engine.Geometry{Unit: 32, DstStride: 32, SrcStride: -32}, 0, engine.ErrGeometry},
		{"dst too short", a[:1023], b, 32, engine.Packed(512), 0, engine.ErrGeometry},
		{"src too short", a, b[:1023], 32, engine.Packed(512), 0, engine.ErrGeometry},
		{"no dst", nil, b, 16, engine.Packed(16), 0, engine.ErrGeometry},
		{"shifted by a byte", buf[1:], buf, 32, engine.Packed(512), 0, engine.ErrOverlap},
		{"shifted back by a unit", buf, buf[512:], 32, engine.Packed(512), 0, engine.ErrOverlap},
		{"touching", buf[1024:], buf, 32, engine.Packed(512), 2, nil},
		{"same start, other strides", a, a, 32, engine.Geometry{Unit: 16, DstStride: 16, SrcStride: 32}, 0, engine.ErrOverlap},
		{"same start, other strides, one sector", a, a, 16, engine.Geometry{Unit: 16, DstStride: 16, SrcStride: 32}, 1, nil},
		{"in each other's gaps", buf, buf[16:], 32, engine.Geometry{Unit: 16, DstStride: 32, SrcStride: 32}, 0, engine.ErrOverlap},
	} {
		n, err := c.g.CheckRun(16, c.dst, c.src, ivs[:c.ivBytes])
		if n != c.n || !errors.Is(err, c.err) {
			t.Errorf("%s: %d sectors, error %v; want %d, %v", c.what, n, err, c.n, c.err)
		}
	}
}

// TestSentinels: callers need not know this package to tell what went wrong.
func TestSentinels(t *testing.T) {
	for _, err := range []error{engine.ErrGeometry, engine.ErrOverlap, engine.ErrKey} {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v does not wrap fs.ErrInvalid", err)
		}
	}
	if !errors.Is(engine.ErrClosed, fs.ErrClosed) {
		t.Errorf("%v does not wrap fs.ErrClosed", engine.ErrClosed)
	}
}
