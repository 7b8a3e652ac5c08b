package app

import (
	"math"
	"strings"
	"testing"
	"time"

	"gelibench/cmd/internal/plan"
	"gelibench/results/measure"
	"gelibench/results/measure/measuretest"
	"gelibench/results/stats"
)

// What the status says while there is nothing but a warm-up or spoiled samples.
func TestStatusLine(t *testing.T) {
	env := System()
	env.Clock = &measuretest.Clock{}
	env.Stderr = &strings.Builder{}
	texts := func(int) (long, short string) { return "a case", "a case" }
	rate := stats.Interval{Value: 2e9, Lo: math.Inf(-1), Hi: math.Inf(1)}
	for _, test := range []struct {
		p    measure.Progress
		want string
	}{
		{measure.Progress{Rate: rate}, "status: warming up; a case: no sample yet, "},
		{measure.Progress{Round: 1, Rate: rate, Spoiled: true}, "a case: no good sample yet, 2 GB/s from spoiled ones, "},
		{measure.Progress{Round: 1, Rate: rate, Samples: 1}, "a case: 1 sample, 2 GB/s, "},
		{measure.Progress{Round: 2, Rate: rate, Samples: 2, Elapsed: time.Second}, "a case: 2 samples, 2 GB/s, "},
	} {
		var s status
		s.progress(env, texts, 1, test.p)
		if line := s.line(); !strings.Contains(line, test.want) || strings.Contains(line, "NaN") {
			t.Errorf("%q, want %q in it", line, test.want)
		}
	}
}

func TestAnnouncement(t *testing.T) {
	for _, test := range []struct {
		p    plan.Plan
		want string
	}{
		{plan.Plan{Requests: 1}, "1 case of 1 request"},
		{plan.Plan{Requests: 7}, "1 case of 7 requests"},
		{plan.Plan{Samples: 1}, "1 case, 1 sample each"},
		{plan.Plan{Budget: 3 * time.Millisecond}, "1 case, at most about 3ms in all"},
		{plan.Plan{Budget: 1234567890}, "1 case, at most about 1.23s in all"},
	} {
		b := bench{plan: test.p, jobs: make([]job, 1)}
		if got := b.announcement(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
