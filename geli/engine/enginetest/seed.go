package enginetest

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// SeedVar repeats a failure: it holds the seed that the failure named.
const SeedVar = "GELIBENCH_SEED"

// sessionSeed is one seed for the whole test binary.
var sessionSeed = sync.OnceValues(func() (uint64, error) {
	if text := os.Getenv(SeedVar); text != "" {
		return strconv.ParseUint(text, 0, 64)
	}
	return rand.Uint64(), nil
})

func seedOf(t testing.TB) uint64 {
	t.Helper()
	seed, err := sessionSeed()
	if err != nil {
		t.Fatalf("%s: %v", SeedVar, err)
	}
	return seed
}

// stream draws numbers and fills buffers, the same on every machine.
type stream struct {
	*rand.Rand
	chacha *rand.ChaCha8
}

// newStream gives each purpose a stream of its own, so that one test's draws
// do not depend on which tests ran before.
func newStream(seed uint64, purpose string) *stream {
	var wide [32]byte
	binary.LittleEndian.PutUint64(wide[:], seed)
	for i := range len(purpose) {
		wide[8+i%24] = wide[8+i%24]*31 + purpose[i]
	}
	chacha := rand.NewChaCha8(wide)
	return &stream{rand.New(chacha), chacha}
}

func (s *stream) fill(b []byte) { s.chacha.Read(b) }

func (s *stream) bytes(n int) []byte {
	b := make([]byte, n)
	s.fill(b)
	return b
}
