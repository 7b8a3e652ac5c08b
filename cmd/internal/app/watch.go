package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gelibench/cmd/internal/plan"
	"gelibench/results"
	"gelibench/results/measure"
)

// status is what SIGUSR1 and SIGINFO print. It is written between samples only.
type status struct {
	mu       sync.Mutex
	clock    measure.Clock
	what     string
	at, of   int
	began    time.Duration
	total    results.Series
	hasBegun bool
}

func (s *status) begin(clock measure.Clock, at, of int, c plan.Case) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock, s.what, s.at, s.of, s.began = clock, c.String(), at, of, clock.Now()
	s.total, s.hasBegun = results.Series{}, true
}

func (s *status) add(x results.Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.Samples = append(s.total.Samples, x)
}

// line is one line for people.
func (s *status) line() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hasBegun {
		return "status: nothing is being measured yet"
	}
	rate := "no sample yet"
	if n := len(s.total.Samples); n > 0 {
		rate = fmt.Sprintf("%d samples so far, %.1f MB/s", n, s.total.BytesPerSecond()/1e6)
	}
	return fmt.Sprintf("status: case %d of %d (%s): %s, %.1f s", s.at+1, s.of, s.what, rate, (s.clock.Now() - s.began).Seconds())
}

// watch returns a context that the first interrupt ends; from then on a second
// one ends the program, as the system has it. Requests for the status are
// answered on stderr. done ends the watch.
func (b *bench) watch(parent context.Context) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(parent)
	signals, stop := b.env.Signals()
	end := make(chan struct{})
	var gone sync.WaitGroup
	gone.Go(func() {
		for {
			select {
			case <-signals.Interrupt:
				select {
				case <-signals.Status: // asked before, most likely
					fmt.Fprintln(b.env.Stderr, b.status.line())
				default:
				}
				stop()
				cancel()
				return
			case <-signals.Status:
				fmt.Fprintln(b.env.Stderr, b.status.line())
			case <-end:
				return
			}
		}
	})
	return ctx, func() {
		close(end)
		gone.Wait()
		stop()
		cancel()
	}
}
