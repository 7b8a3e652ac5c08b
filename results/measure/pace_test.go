package measure_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"testing"
	"time"

	. "gelibench/results/measure"
	"gelibench/results/measure/measuretest"
)

// A paced loop keeps to its rate where its target is faster, at any rate and
// bound, and goes as fast as the target where that is slower.
func TestPaced(t *testing.T) {
	for _, test := range []struct {
		request time.Duration
		rate    float64 // of requests of 1000 bytes
		want    Want
		reached float64
		worked  float64 // share of the time that the target worked
	}{
		{ms, 1e5, Want{Requests: 50}, 1e5, 0.1},
		{ms, 1e5, Want{Time: 500 * ms}, 1e5, 0.1},
		{ms, 1e5, Want{Time: 500 * ms, LeadIn: 10 * ms}, 1e5, 0.1},
		{ms, 999999, Want{Requests: 1000}, 999999, 0.999999},
		{ms, 2e6, Want{Requests: 50}, 1e6, 1},
		{ms, 10, Want{Time: ms}, 10, 1e-5}, // a single request has its whole time
	} {
		clock := new(measuretest.Clock)
		target := &measuretest.Target{SizeBytes: 1 << 40, Clock: clock, RequestTime: test.request, UserTime: test.request}
		l, err := NewLoop(LoopConfig{Targets: []Target{target}, Op: Read, RequestBytes: 1000, SizeBytes: target.SizeBytes, Clock: clock, CPU: clock, BytesPerSecond: test.rate})
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Sample(context.Background(), test.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.BytesPerSecond(); math.Abs(got/test.reached-1) > 1e-6 {
			t.Errorf("%v at %v bytes a second: %v", test.want, test.rate, got)
		}
		if got, ok := s.CPUPercent(); !ok || math.Abs(got/100/test.worked-1) > 1e-5 {
			t.Errorf("%v at %v bytes a second: CPU %v %%", test.want, test.rate, got)
		}
	}
}

// Who is behind makes up for it.
func TestPacedCatchesUp(t *testing.T) {
	clock := new(measuretest.Clock)
	target := &measuretest.Target{SizeBytes: 1 << 40, Clock: clock, RequestTime: ms}
	target.Before = func(n int, _ int64) error {
		if n == 3 {
			clock.Advance(45 * ms)
		}
		return nil
	}
	l, err := NewLoop(LoopConfig{Targets: []Target{target}, Op: Read, RequestBytes: 1000, SizeBytes: target.SizeBytes, Clock: clock, BytesPerSecond: 1e5})
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Sample(context.Background(), Want{Requests: 20})
	if err != nil || s.ElapsedNS != int64(200*ms) {
		t.Errorf("20 requests of 10 ms with a pause of 45: %v, %v", time.Duration(s.ElapsedNS), err)
	}
}

// A context that ends wakes the workers up.
func TestPacedEnds(t *testing.T) {
	target := &measuretest.Target{SizeBytes: 1 << 40}
	l, err := NewLoop(LoopConfig{Targets: []Target{target}, Op: Read, RequestBytes: 1000, SizeBytes: target.SizeBytes, BytesPerSecond: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(context.Background(), 20*ms)
	defer end()
	s, err := l.Sample(ctx, Want{Requests: 5})
	if !errors.Is(err, context.DeadlineExceeded) || s.Requests != 1 || time.Duration(s.ElapsedNS) > 100*time.Second {
		t.Errorf("%+v, %v", s, err)
	}
	for _, rate := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := NewLoop(LoopConfig{Targets: []Target{target}, Op: Read, RequestBytes: 1000, SizeBytes: target.SizeBytes, BytesPerSecond: rate}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("a rate of %v: %v", rate, err)
		}
	}
}
