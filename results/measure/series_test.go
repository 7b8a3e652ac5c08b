package measure_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gelibench/results"
	. "gelibench/results/measure"
)

// take runs a series over one worker whose requests last as long as said, and
// returns the samples and the time it took by the clock.
func take(t *testing.T, request time.Duration, b Budget) (*bench, []results.Sample, time.Duration) {
	t.Helper()
	x := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	x.targets[0].RequestTime = request
	var seen []results.Sample
	samples, warmup, err := Series(context.Background(), x.clock, x.loop, b, func(s results.Sample) { seen = append(seen, s) })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(samples, seen); diff != "" {
		t.Errorf("what was shown (-samples +shown):\n%s", diff)
	}
	total := results.Series{Samples: samples}.Total()
	if bytes, requests := x.moved(); bytes != warmup.Bytes+total.Bytes || requests != warmup.Requests+total.Requests {
		t.Errorf("warm-up %+v and samples %+v; the target counted %d bytes in %d requests", warmup, total, bytes, requests)
	}
	for i, s := range samples {
		if s.Requests < 1 || s.Bytes != s.Requests*4096 || time.Duration(s.ElapsedNS) != time.Duration(s.Requests)*request {
			t.Errorf("sample %d: %+v with requests of %v", i, s, request)
		}
	}
	return x, samples, x.clock.Now()
}

func TestSeriesRequestsOnly(t *testing.T) {
	x, samples, _ := take(t, ms, Budget{Requests: 256})
	bytes, requests := x.moved()
	if len(samples) != 1 || requests != 256 || samples[0].Bytes != bytes {
		t.Errorf("got %+v; the target counted %d requests", samples, requests)
	}
}

func TestSeriesTime(t *testing.T) {
	const µs = time.Microsecond
	for _, test := range []struct {
		request, time     time.Duration
		fewest, most      int
		shortest, longest time.Duration // of a sample
	}{
		{10 * µs, 3 * time.Second, 10, 10, 295 * ms, 295 * ms},
		{10 * µs, 100 * ms, 6, 10, 10 * ms, 15 * ms},
		{7 * µs, 100 * ms, 6, 10, 10 * ms, 15 * ms},
		{ms, 200 * ms, 6, 10, 10 * ms, 30 * ms},
		{20 * ms, 500 * ms, 6, 10, 20 * ms, 80 * ms},
		{10 * µs, 50 * ms, 4, 4, 10 * ms, 15 * ms},
		{µs, ms, 1, 1, 900 * µs, 900 * µs},
		{200 * ms, time.Second, 4, 4, 200 * ms, 200 * ms},       // a VIA, 1 MiB
		{700 * ms, time.Second, 1, 1, 700 * ms, 700 * ms},       // warm-up, then one
		{1500 * ms, time.Second, 1, 1, 1500 * ms, 1500 * ms},    // the warm-up is it
		{10 * µs, time.Nanosecond, 1, 1, 10 * µs, 10 * µs},      // likewise
		{999 * ms, 1000 * ms, 1, 1, 999 * ms, 999 * ms},         // a second one, late
		{10 * ms, 100 * ms, 6, 10, 10 * ms, 20 * ms},            // one request a sample
		{40 * ms, 10 * time.Second, 6, 10, 960 * ms, 1040 * ms}, // many
	} {
		_, samples, took := take(t, test.request, Budget{Time: test.time})
		if len(samples) < test.fewest || len(samples) > test.most {
			t.Errorf("requests of %v for %v: %d samples, want %d to %d", test.request, test.time, len(samples), test.fewest, test.most)
		}
		for _, s := range samples {
			if d := time.Duration(s.ElapsedNS); d < test.shortest || d > test.longest {
				t.Errorf("requests of %v for %v: a sample of %v, want %v to %v", test.request, test.time, d, test.shortest, test.longest)
			}
		}
		if over := took - test.time; over >= test.request || over < -ShortSample {
			t.Errorf("requests of %v for %v: ended after %v", test.request, test.time, took)
		}
	}
}

func TestSeriesWarmup(t *testing.T) {
	// A tenth of the time, at most 50 ms; not among the samples.
	for _, test := range []struct{ time, warmup time.Duration }{
		{200 * ms, 20 * ms}, {3 * time.Second, 50 * ms},
	} {
		_, samples, took := take(t, ms, Budget{Time: test.time})
		total := results.Series{Samples: samples}.Total()
		if got := took - time.Duration(total.ElapsedNS); got != test.warmup {
			t.Errorf("%v: warm-up of %v, want %v", test.time, got, test.warmup)
		}
	}
}

func TestSeriesBothBounds(t *testing.T) {
	for _, test := range []struct {
		requests int64
		samples  []int64 // requests in each
		took     time.Duration
	}{
		{1, []int64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 60 * ms}, // ten are enough
		{50, []int64{50, 50, 50, 50, 50, 50, 50, 50, 50, 50}, 550 * ms},
		{400, []int64{400, 400, 150}, time.Second},
		{475, []int64{475, 475}, time.Second},
		{1 << 40, []int64{950}, time.Second},
	} {
		_, samples, took := take(t, ms, Budget{Requests: test.requests, Time: time.Second})
		var got []int64
		for _, s := range samples {
			got = append(got, s.Requests)
		}
		if !slices.Equal(got, test.samples) || took != test.took {
			t.Errorf("%d requests of 1 ms in 1 s: samples of %v after %v, want %v after %v", test.requests, got, took, test.samples, test.took)
		}
	}
}

func TestSeriesCancel(t *testing.T) {
	for _, test := range []struct {
		name    string
		request int // at which ctx ends
		budget  Budget
		samples int // whole ones
	}{
		{"in the only sample", 3, Budget{Requests: 1 << 60}, 0},
		{"in the warm-up", 3, Budget{Time: time.Second}, 0},
		{"in the third sample", 50 + 95*2 + 10, Budget{Time: time.Second}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
			ctx, cancel := context.WithCancel(context.Background())
			x.targets[0].RequestTime = ms
			x.targets[0].Before = func(n int, _ int64) error {
				if n == test.request {
					cancel()
				}
				if n >= test.request {
					time.Sleep(ms) // the flag is set in a goroutine
				}
				return nil
			}
			samples, warmup, err := Series(ctx, x.clock, x.loop, test.budget, nil)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v", err)
			}
			if len(samples) != test.samples+1 {
				t.Fatalf("%d samples, want %d whole ones and a cut one: %+v", len(samples), test.samples, samples)
			}
			for _, s := range samples[:test.samples] {
				if s.Requests != 95 {
					t.Errorf("a whole sample of %d requests, want 95", s.Requests)
				}
			}
			if last := samples[test.samples]; last.Requests < 1 || last.Bytes != last.Requests*4096 {
				t.Errorf("cut sample %+v", last)
			}
			total := results.Series{Samples: samples}.Total()
			if bytes, _ := x.moved(); bytes != warmup.Bytes+total.Bytes {
				t.Errorf("warm-up %+v and samples %+v; the target counted %d bytes", warmup, total, bytes)
			}
		})
	}

	x := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if samples, _, err := Series(ctx, x.clock, x.loop, Budget{Time: time.Second}, nil); len(samples) != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("ctx that had ended: %+v, error %v", samples, err)
	}
}

func TestSeriesError(t *testing.T) {
	broken := errors.New("head crash")
	x := newBench(t, 1, LoopConfig{Op: Read, RequestBytes: 4096, SizeBytes: 1 << 60})
	x.targets[0].RequestTime = ms
	x.targets[0].Before = func(n int, _ int64) error {
		if n == 50+95+7 {
			return broken
		}
		return nil
	}
	samples, _, err := Series(context.Background(), x.clock, x.loop, Budget{Time: time.Second}, nil)
	if !errors.Is(err, broken) || len(samples) != 2 || samples[0].Requests != 95 || samples[1].Requests != 7 {
		t.Errorf("got %+v, error %v", samples, err)
	}
}

func TestSeriesRefuses(t *testing.T) {
	for _, b := range []Budget{{}, {Requests: -1}, {Time: -1}} {
		if _, _, err := Series(context.Background(), nil, nil, b, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: error %v", b, err)
		}
	}
}
