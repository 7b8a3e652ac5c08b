package app

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"gelibench/cmd/internal/plan"
	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/results/stats"
	"gelibench/results/units"
)

// status is where a run stands: what SIGUSR1 and SIGINFO print, and the
// progress line. It is written between samples only.
type status struct {
	mu    sync.Mutex
	clock measure.Clock
	began time.Duration
	text  string // of the case at hand
	total results.Series
	drawn bool                                                // a progress line is on the screen
	soFar func(patience time.Duration) (results.Sample, bool) // of a counted sample; nil: none
}

// patience is how long a status waits for workers whose requests take long.
const patience = 300 * time.Millisecond

// ask lets the status of a case without rounds show the sample under way; nil
// ends that.
func (s *status) ask(soFar func(time.Duration) (results.Sample, bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.soFar = soFar
}

// begin says that a case is being measured without rounds.
func (s *status) begin(clock measure.Clock, at, of int, c plan.Case) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock, s.began = clock, clock.Now()
	s.text = fmt.Sprintf("case %d of %d (%v): no sample yet", at+1, of, c)
	s.total = results.Series{Case: results.Case{Alg: fmt.Sprintf("case %d of %d (%v)", at+1, of, c)}}
}

// add takes a sample of the case that began.
func (s *status) add(x results.Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.Samples = append(s.total.Samples, x)
	s.text = fmt.Sprintf("%s: %s so far, %s", s.total.Case.Alg, units.Count(len(s.total.Samples), "sample"), units.Rate(s.total.BytesPerSecond()))
}

// progress takes note of a sample of a run in rounds, and draws the progress
// line where stderr is a terminal.
func (s *status) progress(env Env, texts func(entry int) (long, short string), of int, p measure.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clock == nil {
		s.clock, s.began = env.Clock, env.Clock.Now()-p.Elapsed
	}
	estimate := units.Rate(p.Rate.Value)
	if p.Rate.Bounded() && p.Rate.Lo > 0 {
		estimate += " " + p.Rate.PlusMinus()
	}
	samples := units.Count(p.Samples, "sample")
	if p.Samples == 0 {
		samples = "no sample yet"
		if p.Round > 0 {
			samples, estimate = "no good sample yet", estimate+" from spoiled ones"
		}
	}
	where := fmt.Sprintf("round %d, %d of %d cases done", p.Round, p.Ended, of)
	if p.Round == 0 {
		where = "warming up"
	}
	long, short := texts(p.Entry)
	s.text = fmt.Sprintf("%s; %s: %s, %s", where, long, samples, estimate)
	width, isTerminal := terminalWidth(env)
	if !isTerminal {
		return
	}
	line := fmt.Sprintf("%s; %s: %s, %s", where, short, samples, estimate)
	if p.Left > 0 {
		line += fmt.Sprintf("; at most %.0f s left", p.Left.Seconds())
	}
	if r := []rune(line); len(r) >= width {
		line = string(r[:width-1])
	}
	fmt.Fprintf(env.Stderr, "\r%s%s", line, eraseRest)
	s.drawn = true
}

// caseTexts are what a case of ours is called, with all that it is and in short.
func caseTexts(c plan.Case) (long, short string) {
	return c.String(), fmt.Sprintf("%v-%d %s %d", c.Params.Alg, c.Params.KeyBits, c.Op, c.SectorBytes)
}

// eraseRest is the terminal's code that clears to the end of the line.
const eraseRest = "\x1b[K"

// erase takes the progress line off the screen.
func (s *status) erase(env Env) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drawn {
		fmt.Fprint(env.Stderr, "\r"+eraseRest)
		s.drawn = false
	}
}

// terminalWidth is that of stderr, if it is a terminal that can erase.
func terminalWidth(env Env) (columns int, ok bool) {
	f, ok := env.Stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || env.Getenv("TERM") == "dumb" {
		return 0, false
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w, true
	}
	return screenWidth(env), true
}

// line is one line for people.
func (s *status) line() string {
	s.mu.Lock()
	soFar := s.soFar
	s.mu.Unlock()
	var moved results.Sample
	if soFar != nil {
		moved, _ = soFar(patience) // the lock is not held meanwhile
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	line := "status: nothing is being measured yet"
	switch {
	case moved.ElapsedNS > 0 && len(s.total.Samples) == 0:
		line = fmt.Sprintf("status: %s: %d+%d records, %d bytes, %s, %.1f s", s.total.Case.Alg, moved.Requests-moved.PartialRequests, moved.PartialRequests,
			moved.Bytes, units.Rate(moved.BytesPerSecond()), time.Duration(moved.ElapsedNS).Seconds())
	case s.text != "":
		line = fmt.Sprintf("status: %s, %.1f s", s.text, (s.clock.Now() - s.began).Seconds())
	}
	if s.drawn {
		s.drawn = false
		line = "\r" + eraseRest + line
	}
	return line
}

// watch listens to signals. The first interrupt closes stop, which ends a run
// in rounds with the sample under way; the second ends ctx, at the next request.
// A run that knows no stop is ended by the first. After that the system's own
// way is back. Requests for the status are answered on stderr. done ends the
// watch.
func (b *bench) watch(parent context.Context) (ctx context.Context, stop <-chan struct{}, done func()) {
	ctx, cancel := context.WithCancel(parent)
	signals, restore := b.env.Signals()
	end, stopping := make(chan struct{}), make(chan struct{})
	// Where a request takes long by intent, nobody waits for it.
	gentle := b.plan.InRounds() && !slices.ContainsFunc(b.jobs, func(j job) bool { return j.PacedSeconds() > 1 })
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
				if gentle {
					gentle = false
					close(stopping)
					continue
				}
				restore()
				cancel()
				return
			case <-signals.Status:
				fmt.Fprintln(b.env.Stderr, b.status.line())
			case <-end:
				return
			}
		}
	})
	return ctx, stopping, func() {
		close(end)
		gone.Wait()
		restore()
		cancel()
	}
}

// sureness says how sure the figure of a single case is, and why it is not,
// which dd's lines do not tell. It is empty for a counted run.
func sureness(run results.Run) []string {
	if run.Method != results.MethodRounds || len(run.Series) != 1 || len(run.Series[0].Samples) == 0 {
		return nil
	}
	s := run.Series[0]
	sum := stats.Summarize(s)
	lines := []string{fmt.Sprintf("median of %s: %s %s; grade: %s", units.Count(sum.Samples, "sample"), units.Rate(sum.Rate.Value), sum.Rate.PlusMinus(), run.Grade)}
	for _, n := range s.Notes {
		lines = append(lines, "note: "+strings.TrimSuffix(n.Text+"; "+n.Advice, "; "))
	}
	for _, f := range run.Findings {
		if f.Grade != results.Good {
			lines = append(lines, fmt.Sprintf("note: %s: %s", f.Name, strings.TrimSuffix(f.Text+"; "+f.Advice, "; ")))
		}
	}
	return lines
}
