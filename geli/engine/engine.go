// Package engine says what a cipher engine is: something that encrypts and
// decrypts runs of whole sectors.
//
// A sector is one data unit with an IV (for XTS: a tweak) of its own, so
// sectors are independent of each other. One call takes a run of them; an
// engine may work on as many at once as the processor has room for. A run of
// one sector, with SetKey before each, is how GELI calls its driver.
//
// The engines live in the folders beside this file, one package each, and are
// listed once, in package engines. Every engine passes enginetest.
package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"math/bits"

	"gelibench/geli/cpu"
	"gelibench/geli/mem"
)

// IVBytes is the room one sector takes in the ivs of a run, whatever the
// cipher: XTS and the 128-bit block ciphers use all 16, the 64-bit block
// ciphers the first 8, the null cipher none.
const IVBytes = 16

// Errors of the contract. The run errors wrap fs.ErrInvalid.
var (
	// ErrUnavailable: this engine, cipher or mode cannot run here.
	ErrUnavailable = errors.New("not available here")
	// ErrGeometry: a run's lengths or strides do not fit together.
	ErrGeometry = fmt.Errorf("run does not fit its geometry: %w", fs.ErrInvalid)
	// ErrOverlap: dst and src overlap without being the same run.
	ErrOverlap = fmt.Errorf("destination and source overlap: %w", fs.ErrInvalid)
	// ErrKey: the key has the wrong length, or none was set.
	ErrKey = fmt.Errorf("no key, or a key of the wrong length: %w", fs.ErrInvalid)
	// ErrClosed: the session was closed. It wraps fs.ErrClosed.
	ErrClosed = fmt.Errorf("cipher session: %w", fs.ErrClosed)
)

// Engine makes cipher sessions. Engines are stateless values, safe for
// concurrent use.
type Engine interface {
	// Name is what --engine takes and the record holds: "vaes-avx512".
	Name() string
	// Info says what the engine is, for people and for the record.
	Info() Info
	// Probe returns nil if the engine can run on this CPU, otherwise an error
	// that wraps ErrUnavailable and names what is missing.
	Probe() error
	// Supports returns nil for ciphers and key lengths the engine has,
	// otherwise an error that wraps ErrUnavailable (or fs.ErrInvalid where
	// GELI itself has no such thing).
	Supports(Params) error
	// NewSession makes a keyless session. It fails where Probe or Supports do.
	NewSession(Params) (Session, error)
}

// Info describes an engine.
type Info struct {
	About        string        // one line: what does the work
	WidthBits    int           // register width of the data path; 0: no fixed one
	Needs        []cpu.Feature // CPU features it needs, all of them
	ConstantTime bool          // no secret-dependent table look-ups or branches
	// Allocates says that SetKey or a run may allocate (the standard library's
	// do), so that conformance and the path benchmarks know.
	Allocates bool
}

// Geometry lays out the sectors of one run. All are bytes. Sector i of the
// source starts at i*SrcStride and of the destination at i*DstStride; a stride
// is at least Unit. Strides differ from Unit in GELI's integrity layout.
type Geometry struct {
	Unit, DstStride, SrcStride int
}

// Packed is the geometry of sectors that follow each other without gaps.
func Packed(unit int) Geometry { return Geometry{unit, unit, unit} }

// Session is one keyed cipher context. It belongs to one goroutine at a time.
//
// A run has len(ivs)/IVBytes sectors. dst and src must hold them all under the
// geometry (bytes behind the last sector and between sectors are left alone).
// Either the run works in place (dst and src start at the same byte and have
// equal strides) or the two spans do not overlap; src is then left unchanged.
// ivs is only read. An empty run does nothing.
type Session interface {
	// SetKey expands a key of Params.KeyBytes bytes and keeps no reference to
	// it. Engines may put off the schedule of a direction until it is used.
	SetKey(key []byte) error
	Encrypt(dst, src, ivs []byte, g Geometry) error
	Decrypt(dst, src, ivs []byte, g Geometry) error
	// Close wipes the key material that is in the session's own memory. Every
	// later call returns ErrClosed; closing twice is harmless.
	Close() error
}

// Hasher makes the short SHA-256 digests of GELI's CBC IVs, many side by side.
// Hashers are stateless values, safe for concurrent use. They are chosen and
// recorded apart from the cipher engine.
type Hasher interface {
	Name() string
	Info() Info
	Probe() error
	// Lanes is how many digests are in flight at once.
	Lanes() int
	// IVs writes IV i of n = len(ivs)/IVBytes to ivs[16*i:16*i+16]: the first
	// 16 bytes of SHA-256(prefix || le64(off+i*step)), where state is the
	// chaining value after the 64-byte prefix. One compression for each IV.
	// It does not allocate. The sum off+i*step is taken modulo 2^64.
	IVs(ivs []byte, state *[8]uint32, off, step uint64)
}

// Authenticator is what a Hasher may offer beyond IVs: the HMAC/SHA256 MACs of
// GELI's integrity mode, side by side.
type Authenticator interface {
	// HMACs writes MAC i of n = len(dst)/32 to dst[32*i:32*i+32]:
	// HMAC-SHA256(key i, src[i*stride:i*stride+unit]) with key i =
	// SHA-256(prefix || le64(off+i*step)), where state is the chaining value
	// after the 64-byte prefix. unit is at most stride and not a multiple of
	// anything. It does not allocate.
	HMACs(dst, src []byte, stride, unit int, state *[8]uint32, off, step uint64)
}

// CheckRun checks the contract of a run and returns its number of sectors.
// Sessions call it first; the kernels beneath rely on it. blockBytes is a power
// of two. It divides nothing, since GELI's path comes here for every sector.
func (g Geometry) CheckRun(blockBytes int, dst, src, ivs []byte) (int, error) {
	n := len(ivs) / IVBytes
	switch {
	case len(ivs)%IVBytes != 0:
		return 0, fmt.Errorf("%d IV bytes are not a multiple of %d: %w", len(ivs), IVBytes, ErrGeometry)
	case g.Unit <= 0 || g.Unit&(blockBytes-1) != 0:
		return 0, fmt.Errorf("data unit of %d bytes is not a multiple of the %d-byte block: %w", g.Unit, blockBytes, ErrGeometry)
	case g.DstStride < g.Unit || g.SrcStride < g.Unit:
		return 0, fmt.Errorf("strides %d and %d are less than the data unit of %d bytes: %w", g.DstStride, g.SrcStride, g.Unit, ErrGeometry)
	case n == 0:
		return 0, nil
	case !fits(n, g.SrcStride, g.Unit, len(src)):
		return 0, fmt.Errorf("source of %d bytes is too short for %d sectors of %d bytes: %w", len(src), n, g.Unit, ErrGeometry)
	case !fits(n, g.DstStride, g.Unit, len(dst)):
		return 0, fmt.Errorf("destination of %d bytes is too short for %d sectors of %d bytes: %w", len(dst), n, g.Unit, ErrGeometry)
	}
	dstSpan := dst[:(n-1)*g.DstStride+g.Unit]
	srcSpan := src[:(n-1)*g.SrcStride+g.Unit]
	inPlace := &dst[0] == &src[0] && (g.DstStride == g.SrcStride || n == 1)
	if !inPlace && mem.Overlap(dstSpan, srcSpan) {
		return 0, ErrOverlap
	}
	return n, nil
}

// fits reports whether (n-1)*stride+unit <= length, for n >= 1, without
// overflow.
func fits(n, stride, unit, length int) bool {
	high, low := bits.Mul64(uint64(n-1), uint64(stride))
	return high == 0 && length >= unit && low <= uint64(length-unit)
}
