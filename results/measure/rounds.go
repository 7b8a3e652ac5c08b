package measure

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"time"

	"gelibench/results"
	"gelibench/results/stats"
)

// Defaults of Config.
const (
	DefaultBudget    = 30 * time.Second
	DefaultPrecision = 0.01
	DefaultLeadIn    = 10 * time.Millisecond
	FewestRounds     = stats.FewestSamples
)

// Entry is one case of a run in rounds.
type Entry struct {
	Case    results.Case
	Sampler Sampler
	// Group names what the case will be compared with. Cases of one group end
	// together, so that every round pairs them. A case with an empty one is on
	// its own.
	Group string
}

// Config says how to take samples in rounds. Its zero values are defaults.
type Config struct {
	Clock Clock // the samplers' one; nil: SystemClock
	// Resolution is the step of the clock; 0: found out first.
	Resolution time.Duration

	// Budget is the time for everything, the warm-up included. 0 is
	// DefaultBudget, or no bound if Samples is set.
	Budget time.Duration
	// Samples is the number of rounds, if not 0; Precision does not count then.
	Samples int
	// Precision is the half-width of the 95 % interval of a median, as a share
	// of it, that ends a case. 0 is DefaultPrecision.
	Precision float64
	// MinRounds is how many rounds there are at least, as long as the time
	// lasts: FewestRounds or more; what is lower stands for that. See
	// stats.RoundsFor.
	MinRounds int

	// SampleTime is the length of a sample without its lead-in; 0: as fits the
	// budget, 10 to 100 ms. It is never less than 1000 steps of the clock. The
	// warm-up may show that MinRounds of them do not fit into the budget; then
	// they are shortened, to no less than 10 ms.
	SampleTime time.Duration
	LeadIn     time.Duration // 0: DefaultLeadIn; below 0: none
	Seed       int64         // of the order; JSON readers keep 53 bits of it

	// Stop, when closed, ends the run with the sample that is under way.
	Stop <-chan struct{}

	// The hooks are called between samples, from the goroutine of Rounds.
	// Their time is part of the budget. Each may be nil. AfterSample may mark
	// the sample as spoiled, and add notes and cycles; the round's hooks may
	// fill in its core clock. Entry is an index into the entries.
	BeforeRound, AfterRound func(*results.Round)
	BeforeSample            func(entry int)
	AfterSample             func(entry int, s *results.Sample)
	Progress                func(Progress)
}

// Progress is where a run in rounds stands, right after a sample.
type Progress struct {
	Entry   int  // whose sample it was
	Round   int  // from 1; 0 in the warm-up
	Ended   int  // entries that have ended
	Spoiled bool // the sample was
	Samples int  // of the entry so far that are not spoiled
	// Rate is that of the entry so far, in bytes a second; in the warm-up only
	// its value is set, to that of the sample, and as long as all samples are
	// spoiled, to their median.
	Rate    stats.Interval
	Elapsed time.Duration
	Left    time.Duration // until the budget is used up, which may not be needed; 0 without one
}

// Report is what a run in rounds has to say. The parts belong into a
// results.Run.
type Report struct {
	Series    []results.Series // of the entries with samples, in their order
	Entries   []int            // which entry each series is of
	Measuring results.Measuring
	Grade     results.Grade // the worst of the series; empty without any
	// Interrupted says that Stop or the context ended the run early.
	Interrupted bool
	// MovedBytes is what each entry moved in all: warm-up, lead-ins, and
	// samples, those cut short included. Devices should have counted the same.
	MovedBytes []int64
}

// Rounds measures entries in rounds. Each round visits every entry once, in a
// random order, so that what happens to the machine happens to all alike. A
// round goes like this:
//
//	ORDER    the entries that have not ended are shuffled
//	VISIT    each gives one sample, after a lead-in that is not counted
//	REPEAT   those whose sample was spoiled give another, while time is left
//	         beside that of the rounds to come, up to MinRounds
//	END      entries that are precise enough, or whose time is up
//
// The warm-up comes first: samples of each entry until two agree.
//
// An entry ends when the interval of its median is within the precision, and
// that of all others of its group, after MinRounds; or when its fair share of
// the budget is used up. What an entry leaves over goes to the others. The
// rule never looks at differences between entries. Each entry has one sample
// at least, even where the budget is too small for that.
//
// When Stop is closed, everything finished is in the report, and there is no
// error; an entry that had no sample yet shows those of its warm-up. When ctx
// ends, the sample under way is cut short and left out, and the error is
// ctx's. An error of a sampler ends the run likewise, and names the entry. A
// configuration that makes no sense gives an error that wraps fs.ErrInvalid.
func Rounds(ctx context.Context, c Config, entries []Entry) (Report, error) {
	if err := c.fill(entries); err != nil {
		return Report{}, err
	}
	r := &run{
		Config: c, ctx: ctx,
		random: rand.New(rand.NewPCG(uint64(c.Seed), 0x67656c69)),
		begin:  c.Clock.Now(),
	}
	r.enroll(entries)

	err := r.warmUp()
	if err == nil {
		r.shorten()
	}
	for err == nil && !r.stopped() && len(r.active()) > 0 {
		err = r.round()
	}
	rep := r.report()
	if err == errStopped {
		err = nil
	}
	return rep, err
}

// fill checks the configuration, and puts in the defaults.
func (c *Config) fill(entries []Entry) error {
	switch {
	case len(entries) == 0:
		return fmt.Errorf("rounds: no cases: %w", fs.ErrInvalid)
	case c.Budget < 0 || c.Samples < 0 || c.SampleTime < 0 || c.Precision < 0 || c.Resolution < 0:
		return fmt.Errorf("rounds: a bound below 0: %w", fs.ErrInvalid)
	}
	if c.Clock == nil {
		c.Clock = SystemClock()
	}
	if c.Budget == 0 && c.Samples == 0 {
		c.Budget = DefaultBudget
	}
	if c.Precision == 0 {
		c.Precision = DefaultPrecision
	}
	c.MinRounds = max(c.MinRounds, FewestRounds)
	switch {
	case c.LeadIn == 0:
		c.LeadIn = DefaultLeadIn
	case c.LeadIn < 0:
		c.LeadIn = 0
	}
	if c.Resolution == 0 {
		c.Resolution, _ = Resolution(c.Clock)
	}
	if c.SampleTime == 0 {
		c.SampleTime = c.fittingSample(len(entries))
	}
	c.SampleTime = max(c.SampleTime, stepsInSample*c.Resolution+1)
	return nil
}

// Lengths of samples, where the caller has no opinion.
const (
	longSample = 100 * time.Millisecond
	visits     = 24 // that a budget should hold of each case: rounds, warm-up, repeats
)

// fittingSample is a length of samples with which the budget holds enough.
func (c *Config) fittingSample(cases int) time.Duration {
	if c.Budget == 0 {
		return longSample
	}
	n := max(visits, c.Samples+c.Samples/8+3, c.MinRounds+c.MinRounds/4+3)
	fits := c.Budget/time.Duration(cases*n) - c.LeadIn
	return max(shortSample, min(longSample, fits))
}

// FittingRequest is the request size, in bytes, that a slow machine should use
// by default: requestBytes, or a half, a quarter and so on of it, but no less
// than a sector, so that ten requests fit into sampleTime where one of
// requestBytes takes requestTime.
func FittingRequest(requestBytes int64, requestTime, sampleTime time.Duration, sectorBytes int) int64 {
	for requestTime > sampleTime/requestsInSample && requestBytes/2 >= int64(sectorBytes) && requestBytes/2%int64(sectorBytes) == 0 {
		requestBytes /= 2
		requestTime /= 2
	}
	return requestBytes
}

// requestsInSample is how many a sample should hold of each worker.
const requestsInSample = 10
