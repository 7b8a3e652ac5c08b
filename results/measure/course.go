package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gelibench/results"
	"gelibench/results/stats"
)

// run is a run in rounds, under way.
type run struct {
	Config
	ctx     context.Context
	random  *rand.Rand
	begin   time.Duration // by the clock
	courses []*course
	groups  []*group
	rounds  []results.Round
	cut     bool
}

// course is one entry on its way.
type course struct {
	Entry
	index     int
	group     *group
	samples   []results.Sample
	warm      []results.Sample // the warm-up's, which count only if there are no others
	rates     []float64        // of those not spoiled, in ascending order
	cost      time.Duration
	moved     int64 // bytes
	unsettled bool  // the warm-up ended without two that agree
}

// group is the courses that end together.
type group struct {
	courses []*course
	rounds  int
	used    time.Duration
	done    bool
}

// cost is how long the next round of the group will take.
func (g *group) cost() time.Duration {
	var sum time.Duration
	for _, c := range g.courses {
		sum += c.cost
	}
	return sum
}

func (r *run) enroll(entries []Entry) {
	named := map[string]*group{}
	for i, e := range entries {
		g := named[e.Group]
		if g == nil || e.Group == "" {
			g = new(group)
			named[e.Group] = g
			r.groups = append(r.groups, g)
		}
		c := &course{Entry: e, index: i, group: g}
		g.courses = append(g.courses, c)
		r.courses = append(r.courses, c)
	}
}

func (r *run) elapsed() time.Duration { return r.Clock.Now() - r.begin }

// errStopped is the way out after Stop.
var errStopped = errors.New("stopped")

func (r *run) stopped() bool {
	select {
	case <-r.Stop:
		r.cut = true
		return true
	default:
		return false
	}
}

// active are the courses that have not ended.
func (r *run) active() []*course {
	var out []*course
	for _, c := range r.courses {
		if !c.group.done {
			out = append(out, c)
		}
	}
	return out
}

// shuffled is the same courses in a random order.
func (r *run) shuffled(cs []*course) []*course {
	cs = slices.Clone(cs)
	r.random.Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
	return cs
}

// Bounds of the warm-up of each case.
const (
	warmSamples = 10
	warmShare   = 8    // one part in eight of its time
	warmAgree   = 0.02 // two samples that differ by no more
)

// warmUp takes samples of each course, which do not count, until two of them
// agree.
func (r *run) warmUp() error {
	for _, c := range r.shuffled(r.courses) {
		begin := r.elapsed()
		before := 0.0
		c.unsettled = true
		for range warmSamples {
			s, err := r.sample(c, Want{Time: r.SampleTime})
			if err != nil {
				return err
			}
			c.warm = append(c.warm, s)
			rate := s.BytesPerSecond()
			r.tell(c, 0, s, stats.Interval{Value: rate, Lo: math.Inf(-1), Hi: math.Inf(1)})
			if math.Abs(rate-before) <= warmAgree*rate {
				c.unsettled = false
				break
			}
			before = rate
			if used := r.elapsed() - begin; r.Budget > 0 && (used+c.cost)*time.Duration(len(r.courses)*warmShare) > r.Budget {
				break
			}
		}
		c.cost += r.LeadIn
	}
	return nil
}

// sample takes a sample of a course, and keeps account of it.
func (r *run) sample(c *course, want Want) (results.Sample, error) {
	if r.stopped() {
		return results.Sample{}, errStopped
	}
	begin := r.elapsed()
	s, err := c.Sampler.Sample(r.ctx, want)
	c.moved += s.Bytes + s.LeadInBytes
	c.cost = r.elapsed() - begin
	c.group.used += c.cost
	s.StartNS = int64(begin) + s.LeadInNS
	switch {
	case err != nil && r.ctx.Err() != nil && errors.Is(err, r.ctx.Err()):
		r.cut = true
		return s, err
	case err != nil:
		return s, fmt.Errorf("case %d of %d: %w", c.index+1, len(r.courses), err)
	}
	if err := CheckTimes(s, max(1, c.Case.Workers)); err != nil {
		return s, fmt.Errorf("case %d of %d: %w", c.index+1, len(r.courses), err)
	}
	return s, nil
}

// round is one round.
func (r *run) round() error {
	r.rounds = append(r.rounds, results.Round{Order: []int{}})
	this := &r.rounds[len(r.rounds)-1]
	if r.BeforeRound != nil {
		r.BeforeRound(this)
	}

	var spoiled []*course
	for _, c := range r.shuffled(r.active()) {
		switch ok, err := r.visit(c, this); {
		case err != nil:
			return err
		case !ok:
			spoiled = append(spoiled, c)
		}
	}
	for _, c := range spoiled {
		if !r.mayRepeat(c) {
			continue
		}
		if _, err := r.visit(c, this); err != nil {
			return err
		}
	}

	if r.AfterRound != nil {
		r.AfterRound(this)
	}
	r.end()
	return nil
}

// mayRepeat says whether there is time to repeat a spoiled sample: rounds that
// are still to come go before.
func (r *run) mayRepeat(c *course) bool {
	if r.Budget == 0 {
		return true
	}
	if r.elapsed()+c.cost > r.Budget {
		return false
	}
	toCome := time.Duration(r.wantedRounds() - len(r.rounds))
	return toCome <= 0 || c.group.used+c.cost+toCome*c.group.cost() <= r.share(c.group)
}

// wantedRounds is how many there should be in any case.
func (r *run) wantedRounds() int {
	if r.Samples > 0 {
		return r.Samples
	}
	return r.MinRounds
}

// share is the time that a group which has not ended may use in all: its part
// of what is left to all that have not, and of what these used.
func (r *run) share(g *group) time.Duration {
	left, sharers := r.Budget-r.elapsed(), 0
	for _, other := range r.groups {
		if !other.done {
			left += other.used
			sharers += len(other.courses)
		}
	}
	return left / time.Duration(sharers) * time.Duration(len(g.courses))
}

// shorten makes the samples shorter, where those of the warm-up took so long
// that the rounds there should be would not fit into what is left.
func (r *run) shorten() {
	if r.Budget == 0 || r.Samples > 0 {
		return
	}
	var round time.Duration
	for _, c := range r.courses {
		round += c.cost
	}
	rounds := r.MinRounds + r.MinRounds/4 // some repeats
	over := round - (r.Budget-r.elapsed())/time.Duration(rounds)
	if over > 0 {
		shortest := min(r.SampleTime, max(shortSample, stepsInSample*r.Resolution+1))
		r.SampleTime = max(shortest, r.SampleTime-over/time.Duration(len(r.courses)))
	}
}

// visit takes one sample of a course that counts, unless it is spoiled.
func (r *run) visit(c *course, this *results.Round) (ok bool, err error) {
	if r.stopped() {
		return false, errStopped
	}
	begin := r.elapsed()
	if r.BeforeSample != nil {
		r.BeforeSample(c.index)
	}
	s, err := r.sample(c, Want{Time: r.SampleTime, LeadIn: r.LeadIn})
	if err != nil {
		return false, err
	}
	if r.AfterSample != nil {
		r.AfterSample(c.index, &s)
	}
	s.Round = len(r.rounds)
	this.Order = append(this.Order, c.index)
	c.samples = append(c.samples, s)
	if !s.Spoiled {
		rate := s.BytesPerSecond()
		at, _ := slices.BinarySearch(c.rates, rate)
		c.rates = slices.Insert(c.rates, at, rate)
	}
	r.tell(c, s.Round, s, c.estimate())

	// The hooks' time is the case's, too.
	whole := r.elapsed() - begin
	c.group.used += whole - c.cost
	c.cost = whole
	return !s.Spoiled, nil
}

// estimate is the rate of a course so far, after at least one sample.
func (c *course) estimate() stats.Interval {
	if len(c.rates) > 0 {
		return stats.MedianSorted(c.rates)
	}
	var spoiled []float64
	for _, s := range c.samples {
		spoiled = append(spoiled, s.BytesPerSecond())
	}
	return stats.Interval{Value: stats.Median(spoiled).Value, Lo: math.Inf(-1), Hi: math.Inf(1)}
}

func (r *run) tell(c *course, round int, s results.Sample, rate stats.Interval) {
	if r.Progress == nil {
		return
	}
	p := Progress{
		Entry: c.index, Round: round, Spoiled: s.Spoiled, Samples: len(c.rates),
		Rate: rate, Elapsed: r.elapsed(),
	}
	for _, c := range r.courses {
		if c.group.done {
			p.Ended++
		}
	}
	if r.Budget > 0 {
		p.Left = max(0, r.Budget-p.Elapsed)
	}
	r.Progress(p)
}

// end ends the groups that are precise enough, or whose time is up.
func (r *run) end() {
	for _, g := range r.groups {
		if g.done {
			continue
		}
		g.rounds++
		if r.Samples > 0 {
			g.done = g.rounds >= r.Samples
		} else {
			g.done = g.rounds >= r.MinRounds && !slices.ContainsFunc(g.courses, func(c *course) bool { return !r.precise(c) })
		}
	}
	if r.Budget == 0 {
		return
	}
	// What is left is shared by the courses that go on. A round that would be
	// over before its end by less than half is made, so that on the whole the
	// run ends on time.
	var over []*group
	for _, g := range r.groups {
		if !g.done && g.used+g.cost()/2 > r.share(g) {
			over = append(over, g)
		}
	}
	for _, g := range over {
		g.done = true
	}
}

// precise says whether the median of a course is known well enough.
func (r *run) precise(c *course) bool {
	return len(c.rates) >= stats.FewestSamples && stats.MedianSorted(c.rates).Relative() <= r.Precision
}
