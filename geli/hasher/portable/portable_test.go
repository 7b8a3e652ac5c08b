package portable

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"gelibench/geli/engine"
)

// FIPS 180-4 example "abc", whose only block is written out with its padding.
func TestKnownAnswer(t *testing.T) {
	block := make([]byte, 64)
	copy(block, "abc\x80")
	block[63] = 24
	want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	var got string
	for _, word := range State(block) {
		got += fmt.Sprintf("%08x", word)
	}
	if got != want {
		t.Errorf("SHA-256(abc) is %s, want %s", got, want)
	}
}

// State and one more compression make crypto/sha256's digest at any length of
// whole blocks.
func TestStateAgreesWithLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for blocks := range 9 {
		prefix := make([]byte, 64*blocks)
		for i := range prefix {
			prefix[i] = byte(random.Uint32())
		}
		padding := make([]byte, 64)
		padding[0] = 0x80
		binary.BigEndian.PutUint64(padding[56:], uint64(len(prefix)*8))
		want := sha256.Sum256(prefix)
		state := State(append(bytes.Clone(prefix), padding...))
		for i, word := range state {
			if word != binary.BigEndian.Uint32(want[4*i:]) {
				t.Fatalf("%d blocks: word %d is %08x, want %x", blocks, i, word, want[4*i:4*i+4])
			}
		}
	}
}

func TestIVsAgreeWithLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	prefix := make([]byte, 64)
	for round := range 200 {
		for i := range prefix {
			prefix[i] = byte(random.Uint32())
		}
		state := State(prefix)
		before := state
		off, step := random.Uint64()>>(round%64), uint64(512)<<(round%5)
		if round == 0 {
			off = 1<<64 - 1024 // runs over 2^64
		}
		n := random.IntN(8)
		ivs := make([]byte, n*engine.IVBytes)
		New().IVs(ivs, &state, off, step)
		for i := range n {
			want := sha256.Sum256(binary.LittleEndian.AppendUint64(bytes.Clone(prefix), off+uint64(i)*step))
			if got := ivs[16*i : 16*i+16]; !bytes.Equal(got, want[:16]) {
				t.Fatalf("IV %d of offset %#x, step %d is %x, want %x", i, off, step, got, want[:16])
			}
		}
		if state != before {
			t.Fatal("IVs changed the state")
		}
	}
}

func TestSelfTest(t *testing.T) {
	if err := engine.SelfTestHasher(New()); err != nil {
		t.Error(err)
	}
}

func TestIVsDoNotAllocate(t *testing.T) {
	state, ivs, h := State(make([]byte, 64)), make([]byte, 5*engine.IVBytes), New()
	if n := testing.AllocsPerRun(10, func() { h.IVs(ivs, &state, 0, 512) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestStateRefusesPartialBlocks(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a prefix of 63 bytes did not panic")
		}
	}()
	State(make([]byte, 63))
}

func BenchmarkIVs(b *testing.B) {
	state, ivs := State(make([]byte, 64)), make([]byte, 16*engine.IVBytes)
	for b.Loop() {
		New().IVs(ivs, &state, 0, 512)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/IV")
}

// BenchmarkLibrary is crypto/sha256 on one block, the peer of one IV where SHA
// instructions are switched off (GODEBUG=cpu.sha=off); it pads, so it does a
// little more.
func BenchmarkLibrary(b *testing.B) {
	h := sha256.New()
	block := make([]byte, 64)
	b.ResetTimer()
	for b.Loop() {
		_, _ = h.Write(block)
	}
}
