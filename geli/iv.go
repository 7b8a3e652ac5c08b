package geli

import (
	"encoding/binary"
	"math/bits"

	"gelibench/geli/engine"
	"gelibench/geli/hasher/portable"
)

// ivMaker makes the IVs and tweaks of a run. Each worker has its own copy.
type ivMaker struct {
	kind      ivKind
	hasher    engine.Hasher
	state     [8]uint32 // SHA-256 after the IV-Key, which is one block
	bigEndian bool      // offset bytes; only for versions 0 to 3 of such a host
}

type ivKind uint8

const (
	ivNone   ivKind = iota // null
	ivOffset               // XTS: the byte offset is the tweak
	ivHashed               // CBC
)

func newIVMaker(alg engine.Alg, h engine.Hasher, ivKey []byte, bigEndian bool) ivMaker {
	m := ivMaker{bigEndian: bigEndian}
	switch alg {
	case engine.Null:
	case engine.AESXTS:
		m.kind = ivOffset
	default:
		m.kind, m.hasher, m.state = ivHashed, h, portable.State(ivKey)
	}
	return m
}

// fill writes an IV for each engine.IVBytes of ivs: sector i of the run lies at
// byte off+i*step.
func (m *ivMaker) fill(ivs []byte, off, step uint64) {
	switch m.kind {
	case ivOffset:
		for ; len(ivs) >= engine.IVBytes; ivs = ivs[engine.IVBytes:] {
			binary.LittleEndian.PutUint64(ivs, off) // XTS came with version 5: always little-endian
			binary.LittleEndian.PutUint64(ivs[8:], 0)
			off += step
		}
	case ivHashed:
		if !m.bigEndian {
			m.hasher.IVs(ivs, &m.state, off, step)
			return
		}
		for ; len(ivs) >= engine.IVBytes; ivs = ivs[engine.IVBytes:] {
			m.hasher.IVs(ivs[:engine.IVBytes], &m.state, bits.ReverseBytes64(off), 0)
			off += step
		}
	}
}

func (m *ivMaker) wipe() { clear(m.state[:]) }
