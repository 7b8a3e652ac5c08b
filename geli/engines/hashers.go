package engines

import (
	"sync"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/hasher/armv8"
	"gelibench/geli/hasher/lanes"
	"gelibench/geli/hasher/portable"
	"gelibench/geli/hasher/shani"
	"gelibench/geli/hasher/std"
)

// hashers is the list of makers of CBC IVs, those first that are fastest for
// an IV at a time.
var hashers = []engine.Hasher{
	shani.New(),
	armv8.New(),
	std.New(),
	portable.New(),
	lanes.NewAVX512(),
	lanes.NewAVX2(),
}

// Hashers lists the makers of CBC IVs.
func Hashers() []engine.Hasher { return append([]engine.Hasher(nil), hashers...) }

// longRun is the number of sectors from which on lanes can be filled.
const longRun = 16

// AutoHasher chooses the hasher for runs of up to so many sectors: for short
// ones the first that can run, for long ones the one that is fastest here. On
// a Zen 4 that is SHA-NI (13.7 ns an IV against 17.6 in AVX-512 lanes), on
// processors without SHA-NI, or with wider units, the lanes; so it is found out
// once, in about a millisecond.
func AutoHasher(runSectors int) engine.Hasher {
	if runSectors >= longRun {
		return fastest()
	}
	for _, h := range hashers {
		if h.Probe() == nil {
			return h
		}
	}
	return portable.New()
}

// AutoMACHasher chooses the hasher for the MACs of the integrity mode: the first
// that makes them side by side, or else the first that can run.
func AutoMACHasher() engine.Hasher {
	for _, h := range hashers {
		if _, ok := h.(engine.Authenticator); ok && h.Probe() == nil {
			return h
		}
	}
	return AutoHasher(1)
}

// clearly is how much faster a hasher must be than one that stands before it,
// so that the choice does not change with the weather.
const clearly = 0.95

var fastest = sync.OnceValue(func() engine.Hasher {
	return fastestOf(hashers, timeIVs)
})

// tries is how often each hasher is timed. They take turns, so that a moment in
// which the processor is slow is no one's alone.
const tries = 20

// fastestOf is the usable hasher with the lowest time.
func fastestOf(list []engine.Hasher, timeOf func(engine.Hasher) time.Duration) engine.Hasher {
	least := make([]time.Duration, len(list))
	for try := range tries {
		for i, h := range list {
			if h.Probe() != nil {
				continue
			}
			if t := timeOf(h); try == 0 || t < least[i] {
				least[i] = t
			}
		}
	}
	best, lowest := portable.New(), time.Duration(0)
	for i, h := range list {
		if h.Probe() == nil && (lowest == 0 || float64(least[i]) < clearly*float64(lowest)) {
			best, lowest = h, least[i]
		}
	}
	return best
}

// timeIVs is how long the hasher takes for the IVs of a long run.
func timeIVs(h engine.Hasher) time.Duration {
	var ivs [4 * longRun * engine.IVBytes]byte
	var state [8]uint32
	start := time.Now()
	h.IVs(ivs[:], &state, 0, 512)
	return max(1, time.Since(start))
}
