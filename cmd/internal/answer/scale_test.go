package answer

import (
	"math"
	"strings"
	"testing"

	"gelibench/results"
	"gelibench/results/pin"
)

// workers adds counts of workers that wait for each other in a share.
func (m *madeUp) workers(serial float64, counts ...int) {
	for _, n := range counts {
		law := 2e9 * float64(n) / (1 + serial*float64(n-1))
		m.add(results.Case{Alg: xts, SectorBytes: 4096, Workers: n}, law)
		m.add(results.Case{Alg: xts, SectorBytes: 4096, Workers: n, Path: pathBatch}, 1.5*law)
	}
}

// smt is two cores of two threads, and two slow ones.
var smt = []pin.CPU{{ID: 0, Core: 0}, {ID: 1, Core: 0}, {ID: 2, Core: 2}, {ID: 3, Core: 2}, {ID: 4, Core: 4, Kind: 1}, {ID: 5, Core: 5, Kind: 1}}

func TestScale(t *testing.T) {
	m := newMadeUp(1, 0.004, 12)
	m.workers(0.05, 1, 2, 3, 4, 5, 6)
	a := Scale(m.run, smt, 0.05)
	golden(t, "scale", m.run, a)
	if f := figure(t, a, "serial_fraction", "aes-xts-128 read"); !holds(f, 0.05) || math.Abs(f.Value-0.05) > 0.01 {
		t.Errorf("serial fraction %v", f.Value)
	}
	if f := figure(t, a, "efficiency", "aes-xts-128 read 6 workers"); math.Abs(f.Value-0.8) > 0.02 {
		t.Errorf("efficiency %v", f.Value)
	}
}

func TestScaleChoice(t *testing.T) {
	for _, test := range []struct {
		serial float64
		counts []int
		n      float64
		words  string
	}{
		{0, []int{1, 2, 4}, 4, "serial fraction 0.0 %"},
		{0.9, []int{1, 2, 4}, 2, "at most 1.11 times one worker"}, // 1.05 of 1.08
		{1.2, []int{1, 2, 4}, 1, "more workers are slower together than one"},
		{-0.1, []int{1, 2, 3}, 3, "more workers are faster each"},
		{0.1, []int{2}, 2, "one number of workers tells nothing"},
	} {
		m := newMadeUp(1, 0, 6)
		m.workers(test.serial, test.counts...)
		a := Scale(m.run, nil, 0.05)
		if f := figure(t, a, "workers", "aes-xts-128 read"); f.Value != test.n {
			t.Errorf("%v: %v workers, want %v", test.serial, f.Value, test.n)
		}
		if text := strings.Join(a.Lines, "\n"); !strings.Contains(text, test.words) {
			t.Errorf("%v: %q is missing in\n%s", test.serial, test.words, text)
		}
	}
}

// Of 2000 runs, the stated interval holds the serial fraction in 95 %.
func TestScaleIntervals(t *testing.T) {
	const trials = 2000
	held := 0
	for seed := range uint64(trials) {
		m := newMadeUp(seed, 0.01, 9)
		m.workers(0.05, 1, 2, 3, 4, 6, 8)
		if holds(figure(t, Scale(m.run, nil, 0.05), "serial_fraction", "aes-xts-128 read"), 0.05) {
			held++
		}
	}
	if float64(held) < trials*0.95-3*10 {
		t.Errorf("%d of %d runs hold the serial fraction", held, trials)
	}
}
