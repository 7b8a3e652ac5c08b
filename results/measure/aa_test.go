package measure_test

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/results/measure/measuretest"
	"gelibench/results/stats"
)

// noises are those that the whole of measuring has to bear: each beside white
// noise of 1 %, without which there would be nothing to judge.
var noises = []struct {
	name string
	make func(r *rand.Rand) measuretest.Noise
}{
	{"white 1 %", func(r *rand.Rand) measuretest.Noise {
		return measuretest.White(r, 0.01)
	}},
	{"drift 5 % over the run", func(r *rand.Rand) measuretest.Noise {
		return measuretest.All(measuretest.White(r, 0.01), measuretest.Drift(0.05, measure.DefaultBudget))
	}},
	{"steal bursts 30 % of the time", func(r *rand.Rand) measuretest.Noise {
		return measuretest.All(measuretest.White(r, 0.01), measuretest.Steal(r, 0.3, 0.5, 200*time.Millisecond))
	}},
	{"a clock of two levels 8 % apart", func(r *rand.Rand) measuretest.Noise {
		return measuretest.All(measuretest.White(r, 0.01), measuretest.Levels(r, 0.08, time.Second))
	}},
}

// trial measures two cases, of which A is faster by the share more, and
// returns what the comparison says.
func trial(t testing.TB, seed int64, noise func(*rand.Rand) measuretest.Noise, more float64, after func(int, *results.Sample)) (stats.Comparison, measure.Report) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], uint64(seed))
	r := rand.New(rand.NewChaCha8(key))
	clock := new(measuretest.Clock)
	speed := noise(r)
	entry := func(requestTime float64) measure.Entry {
		return measure.Entry{Group: "AB", Sampler: &measuretest.Sampler{
			Clock: clock, RequestBytes: 128 << 10, RequestTime: time.Duration(requestTime), Noise: speed,
		}}
	}
	rep, err := measure.Rounds(context.Background(), measure.Config{
		Clock: clock, Resolution: 30 * time.Nanosecond, Seed: seed, AfterSample: after,
	}, []measure.Entry{entry(1e5 / (1 + more)), entry(1e5)})
	if err != nil {
		t.Fatal(err)
	}
	if took := clock.Now(); took > measure.DefaultBudget*11/10 {
		t.Errorf("seed %d: took %v", seed, took)
	}
	return stats.Paired(rep.Series[0], rep.Series[1]), rep
}

// standardError is that of a share p seen in n trials.
func standardError(p float64, n int) float64 { return math.Sqrt(p * (1 - p) / float64(n)) }

func trials() int {
	if testing.Short() {
		return 200
	}
	return 2000
}

// The same case under two labels: the whole of order, stopping and verdict
// says "faster" or "slower" in 5 % of the runs at most.
func TestSameCaseTwice(t *testing.T) {
	n := trials()
	bound := 0.05 + 3*standardError(0.05, n)
	for _, noise := range noises {
		t.Run(noise.name, func(t *testing.T) {
			t.Parallel()
			wrong, rounds := map[stats.Verdict]int{}, 0
			for seed := range n {
				c, _ := trial(t, int64(seed), noise.make, 0, nil)
				wrong[c.Verdict]++
				rounds += c.NA
			}
			rate := 1 - float64(wrong[stats.NoDifference])/float64(n)
			t.Logf("%d trials: %.2f %% wrong (%d faster, %d slower), %.1f rounds", n, 100*rate, wrong[stats.Faster], wrong[stats.Slower], float64(rounds)/float64(n))
			if rate > bound {
				t.Errorf("a difference was claimed in %.2f %% of %d trials, at most %.2f %% is allowed", 100*rate, n, 100*bound)
			}
		})
	}
}

// So too where something watches the machine, and spoils the samples that
// bursts of steal fall into: they are taken again.
func TestSameCaseTwiceWatched(t *testing.T) {
	n := trials()
	bound := 0.05 + 3*standardError(0.05, n)
	wrong, rounds, spoiled := 0, 0, 0
	for seed := range n {
		c, rep := trial(t, int64(seed), noises[2].make, 0, func(_ int, s *results.Sample) {
			s.Spoiled = s.BytesPerSecond() < 0.95*(128<<10)/1e-4
		})
		if c.Verdict != stats.NoDifference {
			wrong++
		}
		rounds += c.NA
		for _, s := range rep.Series {
			for _, x := range s.Samples {
				if x.Spoiled {
					spoiled++
				}
			}
		}
	}
	rate := float64(wrong) / float64(n)
	t.Logf("%d trials: %.2f %% wrong, %.1f rounds, %.1f samples spoiled", n, 100*rate, float64(rounds)/float64(n), float64(spoiled)/float64(n))
	if rate > bound {
		t.Errorf("a difference was claimed in %.2f %% of %d trials, at most %.2f %% is allowed", 100*rate, n, 100*bound)
	}
	if spoiled < n {
		t.Errorf("%d samples spoiled in %d trials: this test shows nothing", spoiled, n)
	}
}

// A difference of 2 % is found in nine runs of ten, with the defaults.
func TestTwoPercentMore(t *testing.T) {
	n := trials()
	bound := 0.9 - 3*standardError(0.9, n)
	for _, noise := range noises[:2] {
		t.Run(noise.name, func(t *testing.T) {
			t.Parallel()
			found, within, rounds := 0, 0, 0
			for seed := range n {
				c, _ := trial(t, int64(seed), noise.make, 0.02, nil)
				if c.Verdict == stats.Faster {
					found++
				}
				if c.Ratio.Contains(1.02) {
					within++
				}
				rounds += c.NA
			}
			rate, coverage := float64(found)/float64(n), float64(within)/float64(n)
			t.Logf("%d trials: %.2f %% found, the interval right in %.2f %%, %.1f rounds", n, 100*rate, 100*coverage, float64(rounds)/float64(n))
			if rate < bound {
				t.Errorf("found in %.2f %% of %d trials, want %.2f %%", 100*rate, n, 100*bound)
			}
			if least := 0.95 - 3*standardError(0.95, n); coverage < least {
				t.Errorf("the interval of the ratio is right in %.2f %% of the trials, want %.2f %%", 100*coverage, 100*least)
			}
		})
	}
}

// copying is a target that copies, as a null cipher does.
type copying struct{ src []byte }

func (c copying) ReadAt(p []byte, _ int64) (int, error)  { return copy(p, c.src), nil }
func (c copying) WriteAt(p []byte, _ int64) (int, error) { return copy(c.src, p), nil }

// BenchmarkSameCaseTwice is TestSameCaseTwice on this machine as it is now, by
// the real loop and clock. It prints how often a difference was claimed that
// is none; 5 % may be. Say -benchtime 200x for a figure that means something;
// each of them takes a second at most.
//
// With memory of its own for each label, it also shows what the places in
// memory make: that difference is there, though it is none of the case, and
// the metric "%apart" is its median.
func BenchmarkSameCaseTwice(b *testing.B) {
	const size = 256 << 10
	_, restore := measure.FixProcs(1)
	defer restore()
	entry := func(target, buffer []byte) measure.Entry {
		loop, err := measure.NewLoop(measure.LoopConfig{
			Targets: []measure.Target{copying{target}}, Buffers: [][]byte{buffer},
			Op: measure.Write, RequestBytes: size, SizeBytes: 1 << 40,
		})
		if err != nil {
			b.Fatal(err)
		}
		return measure.Entry{Sampler: loop, Group: "AB"}
	}
	memory := func() []byte { return make([]byte, size) }
	target, buffer := memory(), memory()
	for _, kind := range []struct {
		name    string
		entries func() []measure.Entry
	}{
		{"memory shared", func() []measure.Entry {
			return []measure.Entry{entry(target, buffer), entry(target, buffer)}
		}},
		{"buffers shared", func() []measure.Entry {
			return []measure.Entry{entry(memory(), buffer), entry(memory(), buffer)}
		}},
		{"nothing shared", func() []measure.Entry {
			return []measure.Entry{entry(memory(), memory()), entry(memory(), memory())}
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			wrong, rounds := 0, 0
			var apart []float64
			var seed int64
			for b.Loop() {
				seed++
				rep, err := measure.Rounds(context.Background(), measure.Config{
					Budget: time.Second, SampleTime: 10 * time.Millisecond, LeadIn: time.Millisecond, Seed: seed,
				}, kind.entries())
				if err != nil {
					b.Fatal(err)
				}
				c := stats.Paired(rep.Series[0], rep.Series[1])
				if c.Verdict != stats.NoDifference {
					wrong++
				}
				rounds += c.NA
				apart = append(apart, math.Abs(c.Ratio.Value-1))
			}
			b.ReportMetric(100*float64(wrong)/float64(b.N), "%wrong")
			b.ReportMetric(float64(rounds)/float64(b.N), "rounds")
			b.ReportMetric(100*stats.Median(apart).Value, "%apart")
		})
	}
}
