package measure

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"gelibench/results"
)

// Budget bounds a series. Requests counts all workers together, over all its
// samples; Time covers the warm-up too. 0 means no bound; one of the two must
// be set, and whichever comes first ends the series.
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

// Series takes the samples of one case.
//
// With a number of requests and no time there is one sample of just that many
// and no warm-up: that is what dd does. With a time, a warm-up that is not
// returned is followed by samples that share what is left: ten, or fewer so
// that each lasts 10 ms or more. The last sample ends on time, or with the
// request that is under way. Where a single request takes that long, there are
// fewer samples, down to one; and where the warm-up used the time up, or was
// all there was before an error or the end of ctx, then it is the sample.
//
// When ctx ends or the sampler fails, all that was moved until then is
// returned beside the error, the sample cut short included. A bound that makes
// no sense gives an error that wraps fs.ErrInvalid. A nil clock is
// SystemClock; it should be the sampler's.
func Series(ctx context.Context, clock Clock, s Sampler, b Budget) ([]results.Sample, error) {
	if b.Requests < 0 || b.Time < 0 || b.Requests == 0 && b.Time == 0 {
		return nil, fmt.Errorf("series: no bound in %d requests and %v: %w", b.Requests, b.Time, fs.ErrInvalid)
	}
	if b.Time == 0 {
		x, err := s.Sample(ctx, Want{Requests: b.Requests})
		return keep(nil, x), err
	}
	if clock == nil {
		clock = SystemClock()
	}
	end := clock.Now() + b.Time

	warm, err := s.Sample(ctx, Want{
		Requests: b.Requests,
		Time:     max(1, min(b.Time/warmupShare, warmupLongest)),
	})
	if err != nil || clock.Now() >= end {
		return keep(nil, warm), err
	}

	var samples []results.Sample
	requests := b.Requests
	for {
		left := end - clock.Now()
		if len(samples) > 0 && left < shortSample {
			return samples, nil
		}
		more := min(mostSamples-len(samples), int(left/shortSample))
		x, err := s.Sample(ctx, Want{
			Requests: requests,
			Time:     max(1, left/time.Duration(max(1, more))),
		})
		samples = keep(samples, x)
		if err != nil {
			return samples, err
		}
		if b.Requests > 0 {
			if requests -= x.Requests; requests <= 0 {
				return samples, nil
			}
		}
	}
}

// keep appends a sample unless it is empty.
func keep(samples []results.Sample, x results.Sample) []results.Sample {
	if x.Requests == 0 {
		return samples
	}
	return append(samples, x)
}
