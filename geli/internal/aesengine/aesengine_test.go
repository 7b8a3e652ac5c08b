package aesengine

import (
	"bytes"
	"errors"
	"io/fs"
	"testing"
	"unsafe"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

var xts128 = engine.Params{Alg: engine.AESXTS, KeyBits: 128}

// TestEngine: a session comes from the function of its mode, and only where
// Probe and Supports have nothing against it.
func TestEngine(t *testing.T) {
	made := ""
	maker := func(mode string) func(engine.Params) engine.Session {
		return func(engine.Params) engine.Session { made = mode; return nil }
	}
	everywhere := New("x", engine.Info{}, maker("xts"), maker("cbc"))
	nowhere := New("x", engine.Info{Needs: []cpu.Feature{"no-such"}}, maker("xts"), maker("cbc"))
	for _, c := range []struct {
		e    engine.Engine
		p    engine.Params
		made string
		err  error
	}{
		{everywhere, xts128, "xts", nil},
		{everywhere, engine.Params{Alg: engine.AESCBC, KeyBits: 192}, "cbc", nil},
		{everywhere, engine.Params{Alg: engine.AESXTS, KeyBits: 192}, "", fs.ErrInvalid},
		{everywhere, engine.Params{Alg: engine.CamelliaCBC, KeyBits: 128}, "", engine.ErrUnavailable},
		{nowhere, xts128, "", engine.ErrUnavailable},
	} {
		made = ""
		if _, err := c.e.NewSession(c.p); made != c.made || !errors.Is(err, c.err) {
			t.Errorf("%v: made %q, want %q; error %v, want %v", c.p, made, c.made, err, c.err)
		}
	}
}

// TestSession goes through the states: keyless, keyed, closed.
func TestSession(t *testing.T) {
	s, more := NewSchedules("x", xts128, 48)
	key, buf, ivs := bytes.Repeat([]byte{7}, xts128.KeyBytes()), make([]byte, 64), make([]byte, 2*engine.IVBytes)
	run := func(sectors int, want error) {
		t.Helper()
		if n, err := s.CheckRun(buf, buf, ivs, engine.Packed(32)); n != sectors || !errors.Is(err, want) {
			t.Errorf("a run of %d sectors, error %v; want %d, %v", n, err, sectors, want)
		}
	}
	run(0, engine.ErrKey)
	if err := s.Accept(key[1:]); !errors.Is(err, engine.ErrKey) {
		t.Errorf("a short key: %v", err)
	}
	run(0, engine.ErrKey)
	s.Inverted = true
	if err := s.Accept(key); err != nil || s.Inverted {
		t.Errorf("a key: %v, inverted %v", err, s.Inverted)
	}
	run(2, nil)
	buf = buf[:63]
	run(0, engine.ErrGeometry)
	buf = buf[:64]
	if s.Rounds() != 10 {
		t.Errorf("%d rounds", s.Rounds())
	}

	parts := [][]byte{s.Enc[:], s.Dec[:], more}
	for i, part := range parts {
		if uintptr(unsafe.Pointer(&part[0]))%mem.CacheLine != 0 {
			t.Errorf("part %d of the memory is not aligned", i)
		}
		for j := range part {
			part[j] |= 1 << i
		}
	}
	for i, part := range parts {
		if bytes.Count(part, []byte{1 << i}) != len(part) {
			t.Errorf("part %d of the memory overlaps another", i)
		}
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for i, part := range append(parts, s.Secrets()) {
		if bytes.Count(part, []byte{0}) != len(part) {
			t.Errorf("part %d of the memory is not wiped", i)
		}
	}
	run(0, fs.ErrClosed)
	if err := s.Accept(key); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a key after Close: %v", err)
	}
}
