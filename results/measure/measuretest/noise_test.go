package measuretest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gelibench/results/measure"
)

// Each noise has the size that it is said to have.
func TestNoises(t *testing.T) {
	const step, n = 100 * time.Millisecond, 100_000
	for _, test := range []struct {
		name         string
		noise        func(r *rand.Rand) Noise
		mean, spread float64 // of the speed in stretches of a tenth of a second
	}{
		{"white", func(r *rand.Rand) Noise { return White(r, 0.01) }, 1, 0.01},
		{"drift", func(*rand.Rand) Noise { return Drift(0.05, n*step) }, 0.975, 0.05 / math.Sqrt(12)},
		// Dwell times so long that stretches lie within them.
		{"steal", func(r *rand.Rand) Noise { return Steal(r, 0.3, 0.5, 20*time.Second) }, 0.85, 0.5 * math.Sqrt(0.3*0.7)},
		{"levels", func(r *rand.Rand) Noise { return Levels(r, 0.08, 20*time.Second) }, 0.96, 0.04},
		{"two", func(r *rand.Rand) Noise { return All(Drift(0, time.Second), White(r, 0.02)) }, 1, 0.02},
	} {
		noise := test.noise(rand.New(rand.NewPCG(3, 3)))
		var sum, squares float64
		for i := range n {
			v := noise(time.Duration(i)*step, step)
			sum += v
			squares += v * v
		}
		mean := sum / n
		spread := math.Sqrt(squares/n - mean*mean)
		if math.Abs(mean-test.mean) > 0.03 || math.Abs(spread/test.spread-1) > 0.08 {
			t.Errorf("%s: speed %.4f, standard deviation %.4f; want %.4f, %.4f", test.name, mean, spread, test.mean, test.spread)
		}
	}
}

// What a sample says is what the clock was wound by.
func TestSampler(t *testing.T) {
	half := func(_, _ time.Duration) float64 { return 0.5 }
	clock := new(Clock)
	s := &Sampler{Clock: clock, RequestBytes: 1000, RequestTime: time.Millisecond, Noise: half}
	x, err := s.Sample(context.Background(), measure.Want{Time: 21 * time.Millisecond, LeadIn: 5 * time.Millisecond})
	if err != nil || x.Requests != 11 || x.ElapsedNS != 22e6 || x.LeadInNS != 6e6 || x.LeadInBytes != 3000 || x.Bytes != 11000 {
		t.Errorf("%+v, error %v", x, err)
	}
	if clock.Now() != 28*time.Millisecond || s.MovedBytes != 14000 || s.Taken != 1 {
		t.Errorf("clock at %v, %d bytes in %d samples", clock.Now(), s.MovedBytes, s.Taken)
	}
	if x, err := s.Sample(context.Background(), measure.Want{Requests: 3, Time: time.Hour}); err != nil || x.Requests != 3 || x.ElapsedNS != 6e6 {
		t.Errorf("%+v, error %v", x, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if x, err := s.Sample(ctx, measure.Want{Time: time.Hour}); err != ctx.Err() || x.Requests != 1 {
		t.Errorf("%+v, error %v", x, err)
	}
}
