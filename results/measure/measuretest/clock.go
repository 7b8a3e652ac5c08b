// Package measuretest holds clocks that are wound by hand and targets that
// wind them, so that every figure of a measurement is known beforehand.
package measuretest

import (
	"sync"
	"time"
)

// Clock is a measure.Clock and a measure.CPUClock that moves only when it is
// told to. The zero Clock stands at 0 and is ready for use, by many goroutines.
type Clock struct {
	// Resolution, if set before the first use, rounds Now down to a multiple;
	// and each Now winds the clock on by ReadTime.
	Resolution, ReadTime time.Duration

	mu           sync.Mutex
	now          time.Duration
	user, system time.Duration
	noCPU        bool
	timers       []*timer
}

type timer struct {
	at time.Duration
	f  func()
}

// Now is how far the clock was wound.
func (c *Clock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += c.ReadTime
	if c.Resolution > 0 {
		return c.now / c.Resolution * c.Resolution
	}
	return c.now
}

// CPUTime is what AdvanceCPU was told.
func (c *Clock) CPUTime() (user, system time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noCPU {
		return 0, 0, false
	}
	return c.user, c.system, true
}

// HideCPU makes the CPU time unknown, as on some platforms.
func (c *Clock) HideCPU() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noCPU = true
}

// Advance winds the clock on. The functions of AfterFunc that are due are
// called before it returns.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	c.now += d
	var due []*timer
	rest := c.timers[:0]
	for _, t := range c.timers {
		if t.at <= c.now {
			due = append(due, t)
		} else {
			rest = append(rest, t)
		}
	}
	c.timers = rest
	c.mu.Unlock()
	for _, t := range due {
		t.f()
	}
}

// AdvanceCPU adds CPU time; the wall does not move.
func (c *Clock) AdvanceCPU(user, system time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.user += user
	c.system += system
}

// AfterFunc has f called by the Advance that reaches d from now.
func (c *Clock) AfterFunc(d time.Duration, f func()) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{at: c.now + d, f: f}
	c.timers = append(c.timers, t)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, x := range c.timers {
			if x == t {
				c.timers = append(c.timers[:i], c.timers[i+1:]...)
				return
			}
		}
	}
}

// Sleep winds the clock on, by which nobody waits.
func (c *Clock) Sleep(d time.Duration, _ <-chan struct{}) { c.Advance(d) }

// Timers is how many functions wait to be called.
func (c *Clock) Timers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}
