package measure_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gelibench/results"
	. "gelibench/results/measure"
	"gelibench/results/measure/measuretest"
)

// machine is simulated samplers under one clock.
type machine struct {
	clock    *measuretest.Clock
	samplers []*measuretest.Sampler
	entries  []Entry
}

// newMachine has a case for each request time. All have requests of 64 KiB, and
// the same noise.
func newMachine(noise measuretest.Noise, requests ...time.Duration) *machine {
	m := &machine{clock: new(measuretest.Clock)}
	for i, d := range requests {
		s := &measuretest.Sampler{Clock: m.clock, RequestBytes: 64 << 10, RequestTime: d, Noise: noise}
		m.samplers = append(m.samplers, s)
		m.entries = append(m.entries, Entry{Case: results.Case{Engine: fmt.Sprint("engine", i), Workers: 1}, Sampler: s})
	}
	return m
}

// rounds runs them, and checks what holds of every report.
func (m *machine) rounds(t *testing.T, ctx context.Context, c Config) (Report, error) {
	t.Helper()
	c.Clock = m.clock
	if c.Resolution == 0 {
		c.Resolution = 30 * time.Nanosecond
	}
	rep, err := Rounds(ctx, c, m.entries)

	// Bytes: what the samplers moved, no more in the samples.
	for i, s := range m.samplers {
		if rep.MovedBytes[i] != s.MovedBytes {
			t.Errorf("case %d: %d bytes moved by the report, %d by the sampler", i, rep.MovedBytes[i], s.MovedBytes)
		}
	}
	// Orders and samples tell the same story.
	visited := make([]map[int]int, len(rep.Series)) // of each series: round -> samples
	for i, s := range rep.Series {
		if got := rep.Entries[i]; s.Case.Engine != m.entries[got].Case.Engine {
			t.Errorf("series %d is of %s, not of entry %d", i, s.Case.Engine, got)
		}
		if len(s.Samples) == 0 || s.Grade == "" {
			t.Errorf("series %d: %d samples, grade %q", i, len(s.Samples), s.Grade)
		}
		visited[i] = map[int]int{}
		last := int64(0)
		for _, x := range s.Samples {
			if x.Round == 0 { // of the warm-up, of a run that got no further
				if !rep.Interrupted || s.Grade != results.Unreliable || !strings.Contains(noteKinds(s.Notes), "warm-up") {
					t.Errorf("series %d: a sample of the warm-up, grade %q, notes %v", i, s.Grade, s.Notes)
				}
				continue
			}
			visited[i][x.Round]++
			if x.StartNS < last {
				t.Errorf("series %d: a sample begins at %d, the one before it ended at %d", i, x.StartNS, last)
			}
			last = x.StartNS + x.ElapsedNS
			if c.LeadIn == 0 && (x.LeadInNS < int64(10*ms) || x.LeadInBytes == 0) {
				t.Errorf("series %d: lead-in of %d ns, %d bytes", i, x.LeadInNS, x.LeadInBytes)
			}
			if x.Requests < 1 {
				t.Errorf("series %d: a sample without a request", i)
			}
		}
	}
	for n, round := range rep.Measuring.Rounds {
		for _, i := range round.Order {
			visited[i][n+1]--
		}
	}
	for i, v := range visited {
		for n, left := range v {
			if left != 0 {
				t.Errorf("series %d, round %d: %d more samples than visits", i, n, left)
			}
		}
	}
	return rep, err
}

func white(seed uint64, sd float64) measuretest.Noise {
	return measuretest.White(rand.New(rand.NewPCG(seed, 1)), sd)
}

func noteKinds(notes []results.Note) string {
	var k []string
	for _, n := range notes {
		k = append(k, n.Kind)
	}
	return strings.Join(k, " ")
}

func TestRoundsQuiet(t *testing.T) {
	m := newMachine(nil, ms, 2*ms, 5*ms)
	rep, err := m.rounds(t, context.Background(), Config{Seed: 7})
	if err != nil || rep.Interrupted || len(rep.Series) != 3 || rep.Grade != results.Good {
		t.Fatalf("%+v, error %v", rep, err)
	}
	for i, s := range rep.Series {
		if len(s.Samples) != 6 || s.Notes != nil {
			t.Errorf("series %d: %d samples, notes %v; a quiet machine takes six and has nothing to say", i, len(s.Samples), s.Notes)
		}
		if want := 65536 / m.samplers[i].RequestTime.Seconds(); math.Abs(s.BytesPerSecond()-want) > 1 {
			t.Errorf("series %d: %v bytes a second, want %v", i, s.BytesPerSecond(), want)
		}
	}
	w := rep.Measuring
	if len(w.Rounds) != 6 || w.Seed != 7 || w.Precision != 0.01 || w.BudgetNS != int64(30*time.Second) ||
		w.SampleNS != int64(100*ms) || w.LeadInNS != int64(10*ms) || w.ClockResolutionNS != 30 {
		t.Errorf("%+v", w)
	}
}

// Each round visits every case once; the same seed gives the same orders,
// another one others, and every order comes about as often as every other.
func TestRoundsOrder(t *testing.T) {
	orders := func(seed int64) (out [][]int) {
		rep, err := newMachine(nil, ms, ms, ms).rounds(t, context.Background(), Config{Samples: 60, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rep.Measuring.Rounds {
			out = append(out, r.Order)
		}
		return out
	}
	seen := map[string]int{}
	for seed := range int64(20) {
		for _, o := range orders(seed) {
			if s := slices.Sorted(slices.Values(o)); !slices.Equal(s, []int{0, 1, 2}) {
				t.Fatalf("order %v", o)
			}
			seen[fmt.Sprint(o)]++
		}
	}
	for o, n := range seen { // 200 each on average, standard deviation 13
		if n < 150 || n > 250 {
			t.Errorf("order %s came %d times of 1200", o, n)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d orders of 6", len(seen))
	}
	if a, b := orders(5), orders(5); !cmp.Equal(a, b) {
		t.Error("one seed, two orders")
	}
	if a, b := orders(5), orders(6); cmp.Equal(a, b) {
		t.Error("two seeds, one order")
	}
}

// The run takes the time asked for, whatever the number of cases and the time
// of a request, where the noise is too great for the precision.
func TestRoundsBudget(t *testing.T) {
	for _, test := range []struct {
		budget   time.Duration
		requests []time.Duration
	}{
		{30 * time.Second, []time.Duration{ms}},
		{5 * time.Second, []time.Duration{ms, ms, 2 * ms, 10 * ms}},
		{15 * time.Second, slices.Repeat([]time.Duration{ms, 300 * time.Microsecond}, 8)},
		{20 * time.Second, slices.Repeat([]time.Duration{ms}, 30)},
		{2 * time.Second, slices.Repeat([]time.Duration{ms}, 12)},
		{10 * time.Second, []time.Duration{200 * ms, ms}},
		{20 * time.Second, []time.Duration{200 * ms, 100 * ms, 30 * ms}},
	} {
		m := newMachine(white(1, 0.2), test.requests...)
		rep, err := m.rounds(t, context.Background(), Config{Budget: test.budget})
		if err != nil {
			t.Fatal(err)
		}
		took := m.clock.Now()
		if d := (took - test.budget).Abs(); d > test.budget/10 {
			t.Errorf("%d cases in %v: took %v", len(test.requests), test.budget, took)
		}
		if n := len(rep.Measuring.Rounds); n < 6 {
			t.Errorf("%d cases in %v: %d rounds", len(test.requests), test.budget, n)
		}
		if rep.Grade == results.Good {
			t.Errorf("%d cases in %v: a good grade with 20 %% of noise", len(test.requests), test.budget)
		}
	}
}

// Cases that are precise early leave their time to those that are not.
func TestRoundsFair(t *testing.T) {
	m := newMachine(nil, ms, ms, ms, ms)
	m.samplers[2].Noise, m.samplers[3].Noise = white(2, 0.2), white(3, 0.2)
	rep, err := m.rounds(t, context.Background(), Config{Budget: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var n []int
	for _, s := range rep.Series {
		n = append(n, len(s.Samples))
	}
	// 20 s hold some 182 samples of 110 ms; six each are enough for the quiet two.
	if n[0] != 6 || n[1] != 6 || n[2] != n[3] || n[2] < 75 {
		t.Errorf("samples %v", n)
	}
	if rep.Series[0].Grade != results.Good || rep.Series[2].Grade != results.Unreliable {
		t.Errorf("grades %q, %q", rep.Series[0].Grade, rep.Series[2].Grade)
	}
	for i := range 2 { // a noisy case: the reason is given
		if !strings.Contains(noteKinds(rep.Series[2+i].Notes), "wide") {
			t.Errorf("notes %v", rep.Series[2+i].Notes)
		}
	}
}

// A case ends with the precision asked for, but its group with the last of them.
func TestRoundsPrecision(t *testing.T) {
	for _, precision := range []float64{0.02, 0.005, 0.002} {
		m := newMachine(nil, ms, ms, ms)
		m.samplers[1].Noise, m.samplers[2].Noise = white(2, 0.01), white(3, 0.01)
		m.entries[0].Group, m.entries[1].Group = "x", "x"
		rep, err := m.rounds(t, context.Background(), Config{Budget: time.Hour, Precision: precision})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range rep.Series {
			if s.Grade != results.Good {
				t.Errorf("precision %v, case %d: %s, %v", precision, i, s.Grade, s.Notes)
			}
		}
		a, b, c := len(rep.Series[0].Samples), len(rep.Series[1].Samples), len(rep.Series[2].Samples)
		// The median of n normal samples: 1.96 * 1.253 * 1 % / sqrt(n).
		want := math.Pow(1.96*1.253*0.01/precision, 2)
		if a != b || float64(b) > 3*want+10 || float64(b) < want/3 || float64(c) > 3*want+10 {
			t.Errorf("precision %v: %d, %d and %d samples, about %.0f are due", precision, a, b, c, want)
		}
	}
}

func TestRoundsCounts(t *testing.T) {
	m := newMachine(white(1, 0.01), ms, ms)
	rep, err := m.rounds(t, context.Background(), Config{MinRounds: 40})
	if err != nil || len(rep.Series[0].Samples) < 40 {
		t.Errorf("at least 40 rounds: %d samples, error %v", len(rep.Series[0].Samples), err)
	}
	m = newMachine(white(1, 0.3), ms, ms)
	rep, err = m.rounds(t, context.Background(), Config{Samples: 9})
	if err != nil || len(rep.Series[0].Samples) != 9 || len(rep.Series[1].Samples) != 9 || rep.Measuring.Samples != 9 || rep.Measuring.Precision != 0 {
		t.Errorf("nine samples: %+v, error %v", rep, err)
	}
	m = newMachine(nil, ms)
	rep, err = m.rounds(t, context.Background(), Config{Samples: 3})
	if err != nil || len(rep.Series[0].Samples) != 3 || rep.Grade != results.Unreliable || noteKinds(rep.Series[0].Notes) != "few-samples" {
		t.Errorf("three samples: %+v, error %v", rep, err)
	}
	m = newMachine(nil, ms)
	rep, err = m.rounds(t, context.Background(), Config{Samples: 1000, Budget: time.Second, SampleTime: 20 * ms, LeadIn: -1})
	if n := len(rep.Series[0].Samples); err != nil || n < 45 || n > 50 {
		t.Errorf("a thousand samples in a second: %d, error %v", n, err)
	}
	if got := rep.Series[0].Samples[0]; got.LeadInNS != 0 || got.LeadInBytes != 0 {
		t.Errorf("without lead-in: %+v", got)
	}
}

// A budget that is too small for the cases still gives each a figure, and
// grades it.
func TestRoundsTooLittleTime(t *testing.T) {
	m := newMachine(nil, 200*ms, 200*ms, 200*ms, ms)
	rep, err := m.rounds(t, context.Background(), Config{Budget: time.Second})
	if err != nil || len(rep.Series) != 4 || rep.Grade != results.Unreliable {
		t.Fatalf("%+v, error %v", rep, err)
	}
	for i, s := range rep.Series {
		if !strings.Contains(noteKinds(s.Notes), "few-samples") {
			t.Errorf("case %d: notes %v", i, s.Notes)
		}
	}
	if !strings.Contains(noteKinds(rep.Series[0].Notes), "long-requests") {
		t.Errorf("requests of 200 ms: notes %v", rep.Series[0].Notes)
	}
	if took := m.clock.Now(); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestRoundsWarmUp(t *testing.T) {
	// The speed rises for the first half second, as from a cold clock.
	rising := func(at, d time.Duration) float64 { return min(1, 0.5+(at+d/2).Seconds()) }
	m := newMachine(rising, ms)
	warm := 0
	rep, err := m.rounds(t, context.Background(), Config{Progress: func(p Progress) {
		if p.Round == 0 {
			warm++
		}
	}})
	if err != nil || warm != 7 || rep.Grade != results.Good || rep.Series[0].Samples[0].StartNS < int64(500*ms) {
		t.Errorf("%d samples of warm-up, then %+v; error %v", warm, rep.Series[0].Samples[0], err)
	}
	// One that never settles says so.
	up := 1.0
	m = newMachine(func(_, _ time.Duration) float64 { up *= 1.05; return up }, ms)
	rep, err = m.rounds(t, context.Background(), Config{Samples: 6})
	if err != nil || !strings.Contains(noteKinds(rep.Series[0].Notes), "unsettled") || rep.Grade == results.Good {
		t.Errorf("%+v, error %v", rep.Series[0].Notes, err)
	}
}

// A spoiled sample is kept, marked, and taken again at the end of its round.
func TestRoundsSpoiled(t *testing.T) {
	m := newMachine(nil, ms, ms)
	var calls []string
	n := 0
	rep, err := m.rounds(t, context.Background(), Config{
		BeforeRound:  func(r *results.Round) { calls = append(calls, "("); r.CoreHzBefore = 3e9 },
		AfterRound:   func(r *results.Round) { calls = append(calls, ")"); r.CoreHzAfter = 2.9e9 },
		BeforeSample: func(int) { calls = append(calls, "<") },
		AfterSample: func(entry int, s *results.Sample) {
			calls = append(calls, ">")
			if n++; n == 3 || n == 6 {
				s.Spoiled = true
				s.Notes = append(s.Notes, results.Note{Kind: "steal", Text: "10 % stolen"})
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(calls, ""), "(<><>)"+"(<><><>)"+"(<><><>)"+strings.Repeat("(<><>)", 3); got != want {
		t.Errorf("calls %s\nwant  %s", got, want)
	}
	spoiled := 0
	for _, s := range rep.Series {
		clean := map[int]bool{}
		for _, x := range s.Samples {
			if x.Spoiled {
				spoiled++
				if len(x.Notes) != 1 {
					t.Errorf("a spoiled sample with notes %v", x.Notes)
				}
			} else {
				clean[x.Round] = true
			}
		}
		if len(clean) != 6 {
			t.Errorf("clean samples in rounds %v, want 6", clean)
		}
	}
	if spoiled != 2 || rep.Measuring.Rounds[0].CoreHzBefore != 3e9 || rep.Measuring.Rounds[5].CoreHzAfter != 2.9e9 {
		t.Errorf("%d spoiled samples, rounds %+v", spoiled, rep.Measuring.Rounds)
	}

	// A machine that spoils everything uses up its time, and is called unreliable.
	m = newMachine(nil, ms)
	rep, err = m.rounds(t, context.Background(), Config{Budget: 5 * time.Second, AfterSample: func(_ int, s *results.Sample) { s.Spoiled = true }})
	if took := m.clock.Now(); err != nil || rep.Grade != results.Unreliable || took < 4500*ms || took > 5500*ms {
		t.Errorf("everything spoiled: %v after %v, error %v", rep.Grade, took, err)
	}
	if k := noteKinds(rep.Series[0].Notes); !strings.Contains(k, "spoiled") {
		t.Errorf("notes %s", k)
	}
}

// The rounds that there should be go before repeats, and before long samples,
// for every group: also for one of which all samples are spoiled.
func TestRoundsMinRoundsOnBusyMachine(t *testing.T) {
	entries := make([]time.Duration, 8)
	for i := range entries {
		entries[i] = ms
	}
	for _, sample := range []time.Duration{11 * ms, 60 * ms} {
		m := newMachine(white(5, 0.3), entries...)
		rep, err := m.rounds(t, context.Background(), Config{
			Budget: 3 * time.Second, MinRounds: 9, SampleTime: sample,
			AfterSample: func(i int, s *results.Sample) { s.Spoiled = i < 4; m.clock.Advance(5 * ms) },
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range rep.Series {
			rounds := map[int]bool{}
			for _, x := range s.Samples {
				rounds[x.Round] = true
			}
			if len(rounds) < 9 {
				t.Errorf("samples of %v: case %d has %d rounds, want 9", sample, i, len(rounds))
			}
		}
		if took := m.clock.Now(); took > 3300*ms {
			t.Errorf("samples of %v: took %v", sample, took)
		}
	}
}

// Hooks take time, too.
func TestRoundsSlowHooks(t *testing.T) {
	m := newMachine(white(4, 0.2), ms, ms)
	_, err := m.rounds(t, context.Background(), Config{Budget: 10 * time.Second,
		BeforeRound: func(*results.Round) { m.clock.Advance(20 * ms) },
		AfterSample: func(int, *results.Sample) { m.clock.Advance(30 * ms) },
	})
	if took := m.clock.Now(); err != nil || (took-10*time.Second).Abs() > time.Second {
		t.Errorf("took %v, error %v", took, err)
	}
}

func TestRoundsProgress(t *testing.T) {
	m := newMachine(white(4, 0.01), ms, 2*ms)
	var all []Progress
	rep, err := m.rounds(t, context.Background(), Config{Budget: 10 * time.Second, Progress: func(p Progress) {
		all = append(all, p)
		if p.Elapsed != m.clock.Now() || p.Left != 10*time.Second-p.Elapsed {
			t.Errorf("%v gone, %v left at %v", p.Elapsed, p.Left, m.clock.Now())
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	count := map[int]int{}
	for _, p := range all {
		if p.Round > 0 {
			count[p.Entry]++
			if p.Samples != count[p.Entry] {
				t.Errorf("sample %d of case %d is shown as %d", count[p.Entry], p.Entry, p.Samples)
			}
		}
		want := 65536 / m.samplers[p.Entry].RequestTime.Seconds()
		if math.Abs(p.Rate.Value/want-1) > 0.05 || p.Rate.Bounded() != (p.Round > 0 && p.Samples >= 6) {
			t.Errorf("rate %v after %d samples in round %d, want about %v", p.Rate, p.Samples, p.Round, want)
		}
	}
	for i, s := range rep.Series {
		if count[i] != len(s.Samples) {
			t.Errorf("case %d: %d samples shown, %d taken", i, count[i], len(s.Samples))
		}
	}
}

// While all samples are spoiled, progress shows what they say.
func TestRoundsProgressSpoiled(t *testing.T) {
	m := newMachine(white(4, 0.01), ms)
	shown := 0
	_, err := m.rounds(t, context.Background(), Config{Samples: 4,
		AfterSample: func(_ int, s *results.Sample) { s.Spoiled = true },
		Progress: func(p Progress) {
			shown++
			if want := 65536 / m.samplers[p.Entry].RequestTime.Seconds(); !(math.Abs(p.Rate.Value/want-1) < 0.05) || p.Samples != 0 || p.Rate.Bounded() {
				t.Errorf("rate %v after %d samples, want about %v without bounds", p.Rate, p.Samples, want)
			}
		}})
	if err != nil || shown < 8 {
		t.Errorf("%d samples shown, %v", shown, err)
	}
}

// The first signal: everything finished is reported, without an error; the
// warm-up, too, of cases that have nothing else.
func TestRoundsStop(t *testing.T) {
	// After so many calls of Progress; the warm-up has two for each of 3 cases.
	for after, want := range map[int]struct{ warm, samples int }{
		0: {0, 0}, 3: {3, 0}, 6: {6, 0}, 7: {4, 1}, 8: {2, 2}, 9: {0, 3}, 10: {0, 4},
	} {
		m := newMachine(nil, ms, ms, ms)
		stop := make(chan struct{})
		calls := 0
		if after == 0 {
			close(stop)
		}
		rep, err := m.rounds(t, context.Background(), Config{Stop: stop, Progress: func(Progress) {
			if calls++; calls == after {
				close(stop)
			}
		}})
		if err != nil || !rep.Interrupted || calls != after {
			t.Errorf("stopped after %d: %d calls, interrupted %v, error %v", after, calls, rep.Interrupted, err)
		}
		got := want
		got.warm, got.samples = 0, 0
		for _, s := range rep.Series {
			for _, x := range s.Samples {
				if x.Round == 0 {
					got.warm++
				} else {
					got.samples++
				}
			}
		}
		if got != want {
			t.Errorf("stopped after %d: %+v, want %+v", after, got, want)
		}
	}
}

// The second one, or any other end of the context: the sample is cut.
func TestRoundsCancel(t *testing.T) {
	m := newMachine(nil, ms, ms)
	ctx, cancel := context.WithCancel(context.Background())
	m.samplers[1].Before = func(n int) error {
		if n == 4 { // two of warm-up
			cancel()
		}
		return nil
	}
	rep, err := m.rounds(t, ctx, Config{})
	if !errors.Is(err, context.Canceled) || !rep.Interrupted || len(rep.Series[1].Samples) != 2 {
		t.Errorf("%+v, error %v", rep, err)
	}
}

func TestRoundsError(t *testing.T) {
	broken := errors.New("head crash")
	m := newMachine(nil, ms, ms)
	m.samplers[1].Before = func(n int) error {
		if n == 4 {
			return broken
		}
		return nil
	}
	rep, err := m.rounds(t, context.Background(), Config{})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "case 2 of 2") || rep.Interrupted || len(rep.Series[1].Samples) != 2 {
		t.Errorf("%+v, error %v", rep, err)
	}

	for _, c := range []Config{{Budget: -1}, {Samples: -1}, {Precision: -1}, {SampleTime: -1}, {Resolution: -1}} {
		if _, err := Rounds(context.Background(), c, m.entries); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	if _, err := Rounds(context.Background(), Config{}, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no cases: error %v", err)
	}
}

// Samples are long enough for the clock; one that nothing is long enough for,
// or that stands still, makes the figures unreliable.
func TestRoundsCoarseClock(t *testing.T) {
	m := newMachine(nil, ms)
	rep, err := m.rounds(t, context.Background(), Config{Resolution: ms, Budget: 30 * time.Second})
	if err != nil || rep.Grade != results.Good || rep.Series[0].Samples[0].ElapsedNS <= int64(time.Second) {
		t.Errorf("clock in steps of 1 ms: %+v, error %v", rep, err)
	}

	// A sampler that takes shorter samples than it is told.
	m = newMachine(nil, ms)
	m.entries[0].Sampler = single{m.samplers[0]}
	rep, err = m.rounds(t, context.Background(), Config{Resolution: 2 * time.Microsecond, LeadIn: -1})
	if err != nil || rep.Grade != results.Unreliable || noteKinds(rep.Series[0].Notes) != "clock-coarse" {
		t.Errorf("samples of 1 ms, steps of 2 us: %+v, error %v", rep.Series[0].Notes, err)
	}

	m = newMachine(nil, ms)
	rep, err = Rounds(context.Background(), Config{Clock: m.clock, Samples: 6}, m.entries)
	if err != nil || rep.Grade != results.Unreliable || noteKinds(rep.Series[0].Notes) != "clock-unknown" {
		t.Errorf("a clock that stands still: %+v, error %v", rep.Series[0].Notes, err)
	}
}

// single is a sampler that makes one request a sample.
type single struct{ s Sampler }

func (x single) Sample(ctx context.Context, w Want) (results.Sample, error) {
	w.Requests = 1
	return x.s.Sample(ctx, w)
}

func TestResolution(t *testing.T) {
	for _, test := range []struct {
		clock *measuretest.Clock
		want  time.Duration
	}{
		{&measuretest.Clock{ReadTime: 25}, 25},                                             // as fast as it is read
		{&measuretest.Clock{ReadTime: 25, Resolution: time.Microsecond}, time.Microsecond}, // in steps
		{&measuretest.Clock{ReadTime: time.Microsecond, Resolution: 15625 * time.Microsecond}, 15625 * time.Microsecond},
	} {
		if got, ok := Resolution(test.clock); got != test.want || !ok {
			t.Errorf("%v, %v; want %v", got, ok, test.want)
		}
		if took := test.clock.Now(); took > 100*ms {
			t.Errorf("step of %v: looked for %v", test.want, took)
		}
	}
	if got, ok := Resolution(new(measuretest.Clock)); ok {
		t.Errorf("a clock that stands still has a step of %v", got)
	}
	if got, ok := Resolution(SystemClock()); !ok || got <= 0 || got > 20*ms {
		t.Errorf("this machine's clock: %v, %v", got, ok)
	}
}

func TestFittingRequest(t *testing.T) {
	for _, test := range []struct {
		bytes  int64
		took   time.Duration
		sector int
		want   int64
	}{
		{1 << 20, ms, 4096, 1 << 20},
		{1 << 20, 200 * ms, 4096, 1 << 15}, // 5 MB/s: 6.25 ms
		{1 << 20, 200 * time.Second, 4096, 4096},
		{3 << 12, time.Second, 4096, 3 << 12}, // cannot be halved
		{1 << 20, 200 * ms, 65536, 65536},
	} {
		if got := FittingRequest(test.bytes, test.took, 100*ms, test.sector); got != test.want {
			t.Errorf("%d bytes in %v: %d, want %d", test.bytes, test.took, got, test.want)
		}
	}
}
