package measure

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"gelibench/results"
)

// Budget bounds a series. Requests is the number in one sample, all workers
// together; Time is that of the whole series, the warm-up included. 0 means no
// bound; one of the two must be set.
type Budget struct {
	Requests int64
	Time     time.Duration
}

// How a budget of time is spent.
const (
	warmupShare   = 10                    // one part in ten of the time
	warmupLongest = 50 * time.Millisecond // enough for a clock to rise
	mostSamples   = 10
	shortSample   = 10 * time.Millisecond // shorter ones would show the timer
)

// Series takes the samples of one case, and calls each, if not nil, with every
// one of them right after it was taken, out of the time that is measured.
//
// With a number of requests and no time there is one sample of just that many
// and no warm-up: that is what dd does. With a time, a warm-up comes first, and
// then samples that share what is left: ten, or fewer so that each lasts 10 ms
// or more. The last one ends on time, or with the request that is under way.
// With both, samples have that number of requests each, and the series ends
// with the tenth or on time, whichever comes first.
//
// Where a single request takes long, there are fewer samples, down to one; and
// where the warm-up used the time up, or was all there was before an error or
// the end of ctx, then it is the sample, and warmup is empty. So warmup and
// samples together are all that was moved.
//
// When ctx ends or the sampler fails, all that was moved until then is
// returned beside the error, the sample cut short included. A bound that makes
// no sense gives an error that wraps fs.ErrInvalid. A nil clock is
// SystemClock; it should be the sampler's.
func Series(ctx context.Context, clock Clock, s Sampler, b Budget, each func(results.Sample)) (samples []results.Sample, warmup results.Sample, err error) {
	if b.Requests < 0 || b.Time < 0 || b.Requests == 0 && b.Time == 0 {
		return nil, warmup, fmt.Errorf("series: no bound in %d requests and %v: %w", b.Requests, b.Time, fs.ErrInvalid)
	}
	keep := func(x results.Sample) {
		if x.Requests == 0 {
			return // it was ended before it began
		}
		samples = append(samples, x)
		if each != nil {
			each(x)
		}
	}
	if b.Time == 0 {
		x, err := s.Sample(ctx, Want{Requests: b.Requests})
		keep(x)
		return samples, warmup, err
	}
	if clock == nil {
		clock = SystemClock()
	}
	end := clock.Now() + b.Time

	warmup, err = s.Sample(ctx, Want{Time: max(1, min(b.Time/warmupShare, warmupLongest))})
	if err != nil || clock.Now() >= end {
		keep(warmup)
		return samples, results.Sample{}, err
	}

	for {
		left := end - clock.Now()
		if len(samples) > 0 && left < shortSample || len(samples) == mostSamples {
			return samples, warmup, nil
		}
		want := Want{Requests: b.Requests, Time: max(1, left)}
		if b.Requests == 0 {
			more := min(mostSamples-len(samples), int(left/shortSample))
			want.Time = max(1, left/time.Duration(max(1, more)))
		}
		x, err := s.Sample(ctx, want)
		keep(x)
		if err != nil {
			return samples, warmup, err
		}
	}
}
