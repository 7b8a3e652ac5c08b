package measuretest

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"time"

	"gelibench/results"
	"gelibench/results/measure"
)

// Sampler is a measure.Sampler of a machine that is made up: its requests take
// a known time, which noise stretches, and wind the clock on. It serves one
// goroutine at a time. Several may share a clock and a noise.
type Sampler struct {
	Clock        *Clock
	RequestBytes int64
	RequestTime  time.Duration // without noise
	Noise        Noise         // nil: none
	// Before, if set, is called with the number of the sample, from 0. Its
	// error cuts the sample short: it ends with its first request.
	Before func(n int) error

	Taken      int   // samples
	MovedBytes int64 // in samples and lead-ins
}

// Sample works through the lead-in and the sample. If ctx has ended, the
// sample ends with its first request.
func (s *Sampler) Sample(ctx context.Context, want measure.Want) (results.Sample, error) {
	if want.Requests < 0 || want.Time < 0 || want.Requests == 0 && want.Time == 0 {
		return results.Sample{}, fmt.Errorf("simulated sampler: no bound in %d requests and %v: %w", want.Requests, want.Time, fs.ErrInvalid)
	}
	var err error
	if s.Before != nil {
		err = s.Before(s.Taken)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		want = measure.Want{Requests: 1}
	}
	s.Taken++

	var x results.Sample
	if want.LeadIn > 0 {
		requests, took := s.work(measure.Want{Time: want.LeadIn})
		x.LeadInBytes, x.LeadInNS = requests*s.RequestBytes, int64(took)
	}
	requests, took := s.work(want)
	x.Bytes, x.Requests, x.ElapsedNS = requests*s.RequestBytes, requests, int64(took)
	s.MovedBytes += x.Bytes + x.LeadInBytes
	return x, err
}

// work is requests until a bound, at least one, and the time they took.
func (s *Sampler) work(want measure.Want) (requests int64, took time.Duration) {
	stretch := want.Time
	if stretch == 0 || want.Requests > 0 && time.Duration(want.Requests)*s.RequestTime < stretch {
		stretch = time.Duration(want.Requests) * s.RequestTime
	}
	speed := 1.0
	if s.Noise != nil {
		speed = max(1e-3, s.Noise(s.Clock.Now(), stretch))
	}
	each := float64(s.RequestTime) / speed
	requests = want.Requests
	if want.Time > 0 {
		// As the loop: the request under way at the end is the last.
		if n := int64(math.Ceil(float64(want.Time) / each)); requests == 0 || n < requests {
			requests = n
		}
	}
	requests = max(1, requests)
	took = max(1, time.Duration(math.Round(float64(requests)*each)))
	s.Clock.Advance(took)
	return requests, took
}
