package enginetest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/internal/racetouch"
)

// AllAuthenticator is the conformance of a hasher that is an
// engine.Authenticator too, by name of test.
var AllAuthenticator = map[string]func(testing.TB, engine.Hasher){
	"MACs, allocations":        testMACAllocations,
	"MACs, every count":        testMACCounts,
	"MACs, every misalignment": testMACMisalignment,
	"MACs, every unit":         testMACUnits,
	"MACs, offsets and steps":  testMACOffsets,
	"MACs, page end":           testMACPageEnd,
	"MACs, parallel calls":     testMACParallel,
	"MACs, strides":            testMACStrides,
}

const macBytes = sha256.Size

// macBed has an authenticator with a random key and the buffers that it uses
// again and again.
type macBed struct {
	testing.TB
	name             string
	lanes            int
	a                engine.Authenticator
	draw             *stream
	prefix           [64]byte
	dst, src         arena
	dstWant, srcWant []byte
}

func newMACBed(t testing.TB, h engine.Hasher, purpose string) *macBed {
	t.Helper()
	q, draw := aQuestion(t, h, "MACs "+purpose)
	return &macBed{TB: t, name: h.Name(), lanes: h.Lanes(), a: h.(engine.Authenticator), draw: draw, prefix: q.prefix}
}

// macRun is one call of HMACs.
type macRun struct {
	n, unit, stride  int // stride 0: the unit
	off, step        uint64
	dstPast, srcPast int // bytes past a cache line
}

func (r macRun) String() string {
	return fmt.Sprintf("%d MACs of %d bytes, %d apart, from offset %#x in steps of %#x, destination and source %d and %d bytes past a cache line", r.n, r.unit, r.stride, r.off, r.step, r.dstPast, r.srcPast)
}

// span is the bytes of the source.
func (r macRun) span() int {
	if r.n == 0 {
		return 0
	}
	return (r.n-1)*r.stride + r.unit
}

// want is MAC i of the messages of src, by the standard library.
func (b *macBed) want(r macRun, src []byte, i int) []byte {
	key := sha256.Sum256(binary.LittleEndian.AppendUint64(bytes.Clone(b.prefix[:]), r.off+uint64(i)*r.step))
	mac := hmac.New(sha256.New, key[:])
	mac.Write(src[i*r.stride : i*r.stride+r.unit])
	return mac.Sum(nil)
}

// check asks for the MACs of random bytes, with guard bytes around both
// buffers, and compares every byte of them with what should be there.
func (b *macBed) check(r macRun) {
	b.Helper()
	r.stride = max(r.stride, r.unit)
	src, srcWhole := b.src.lay(r.srcPast, r.span())
	b.draw.fill(src)
	b.srcWant = append(b.srcWant[:0], srcWhole...)
	dst, dstWhole := b.dst.lay(r.dstPast, r.n*macBytes)
	b.dstWant = append(b.dstWant[:0], dstWhole...)
	for i := range r.n {
		copy(b.dstWant[guardBytes+r.dstPast+i*macBytes:], b.want(r, src, i))
	}
	state := stateAfter(b.prefix)
	b.a.HMACs(dst, src, r.stride, r.unit, &state, r.off, r.step)
	if state != stateAfter(b.prefix) {
		b.Fatalf("hasher %s, %v: changed the state it was given", b.name, r)
	}
	if !bytes.Equal(srcWhole, b.srcWant) {
		b.Fatalf("hasher %s, %v: changed its source", b.name, r)
	}
	for i, got := range dstWhole {
		if want := b.dstWant[i]; got != want {
			at := i - guardBytes - r.dstPast
			b.Fatalf("hasher %s, %v: byte %d (of MAC %d) is %#02x, not %#02x", b.name, r, at, floorDiv(at, macBytes), got, want)
		}
	}
}

// testMACCounts asks for 0 to 20 MACs, and a sample of longer runs, of units
// about the ends of a block and of its padding.
func testMACCounts(t testing.TB, h engine.Hasher) {
	t.Helper()
	b := newMACBed(t, h, "counts")
	counts := []int{31, 32, 33, 64, 67, 2*b.lanes + 1}
	for n := range 21 {
		counts = append(counts, n)
	}
	for _, n := range counts {
		for _, unit := range []int{1, 32, 55, 56, 63, 64, 65, 128, 256, 480} {
			if !short() || n < 9 || unit < 57 {
				b.check(macRun{n: n, unit: unit, stride: 512, off: b.draw.Uint64(), step: 512})
			}
		}
	}
}

// testMACUnits goes through every unit up to 512 bytes and the one of
// underlying sectors of 4096, in runs that fill lanes in every way.
func testMACUnits(t testing.TB, h engine.Hasher) {
	t.Helper()
	b := newMACBed(t, h, "units")
	for unit := 1; unit <= 512; unit++ {
		if short() && unit > 130 && unit%64 > 1 && unit%64 < 55 && unit%16 > 0 {
			continue
		}
		for _, n := range []int{1, 2, 3, 4, b.lanes, b.lanes + 1} {
			if n <= 4 || unit%16 == 0 {
				b.check(macRun{n: n, unit: unit, off: b.draw.Uint64(), step: 512})
			}
		}
	}
	for n := range 7 {
		b.check(macRun{n: n, unit: 4064, stride: 4096, off: b.draw.Uint64(), step: 4096})
	}
}

// testMACStrides puts gaps between the messages.
func testMACStrides(t testing.TB, h engine.Hasher) {
	t.Helper()
	b := newMACBed(t, h, "strides")
	for _, unit := range []int{16, 64, 448, 464, 480} {
		for _, gap := range []int{0, 1, 3, 8, 15, 16, 32, 48, 63, 64, 65, 4608 - unit} {
			b.check(macRun{n: 7, unit: unit, stride: unit + gap, step: 512})
		}
	}
	// One message has no stride to speak of.
	b.check(macRun{n: 1, unit: 480, stride: 1 << 30, step: 512})
}

// testMACOffsets is testOffsets for the keys of MACs.
func testMACOffsets(t testing.TB, h engine.Hasher) {
	t.Helper()
	b := newMACBed(t, h, "offsets")
	for _, step := range []uint64{512, 4608, 0, 1 << 32, 1<<63 + 512, b.draw.Uint64(), 1<<64 - 512} {
		for _, about := range []uint64{0, 1 << 32, 1 << 60, 1 << 63} {
			for back := range uint64(4) {
				b.check(macRun{n: 7, unit: 32, off: about - back*step, step: step})
			}
		}
	}
}

// testMACMisalignment moves destination and source through every place in a
// cache line.
func testMACMisalignment(t testing.TB, h engine.Hasher) {
	t.Helper()
	b := newMACBed(t, h, "misalignment")
	for past := range 64 {
		for _, n := range []int{1, 2, 4} {
			b.check(macRun{n: n, unit: 150, stride: 160, step: 512, dstPast: past})
			b.check(macRun{n: n, unit: 150, stride: 160, step: 512, srcPast: past})
		}
	}
}

// testMACParallel: calls beside each other do not disturb each other.
func testMACParallel(t testing.TB, h engine.Hasher) {
	t.Helper()
	b := newMACBed(t, h, "parallel")
	const workers, unit = 4, 100
	wrong := make([]bool, workers)
	var wg sync.WaitGroup
	for w := range workers {
		var prefix [64]byte
		b.draw.fill(prefix[:])
		n := b.lanes + w
		state, src := stateAfter(prefix), b.draw.bytes(n*unit)
		alone := make([]byte, n*macBytes)
		b.a.HMACs(alone, src, unit, unit, &state, 512, 512)
		wg.Go(func() {
			dst := make([]byte, n*macBytes)
			for range 200 {
				b.a.HMACs(dst, src, unit, unit, &state, 512, 512)
				wrong[w] = wrong[w] || !bytes.Equal(dst, alone)
			}
		})
	}
	wg.Wait()
	if slices.Contains(wrong, true) {
		t.Fatalf("hasher %s gives other MACs beside other calls", h.Name())
	}
}

func testMACAllocations(t testing.TB, h engine.Hasher) {
	t.Helper()
	if racetouch.Enabled {
		t.Skip("the race detector empties pools at random")
	}
	b := newMACBed(t, h, "allocations")
	state, src := stateAfter(b.prefix), b.draw.bytes(37*512)
	for _, n := range []int{1, 2, 3, 37} {
		dst := make([]byte, n*macBytes)
		if perCall := testing.AllocsPerRun(100, func() { b.a.HMACs(dst, src, 512, 480, &state, 512, 512) }); perCall != 0 {
			t.Fatalf("hasher %s: %v allocations for %d MACs", h.Name(), perCall, n)
		}
	}
}
