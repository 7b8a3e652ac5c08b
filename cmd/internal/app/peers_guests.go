package app

import (
	"time"

	"gelibench/results"
	"gelibench/results/measure"
)

// guests are cases that other programs measure, in the same rounds as ours.
type guests struct {
	entries []guest
	cpu     func() time.Duration // that their processes took so far
	// complete adds to a run what they say beside their samples.
	complete func(*results.Run)
}

// guest is one such case, with what it is called on the progress line.
type guest struct {
	measure.Entry
	text string
}

// count is how many cases a run measures.
func (b *bench) count() int { return len(b.jobs) + len(b.guests.entries) }

// ours says whether an entry of the rounds is a job and not a guest.
func (b *bench) ours(entry int) bool { return entry < len(b.jobs) }

// entryTexts are what a case is called in the status and on the progress line.
func (b *bench) entryTexts(entry int) (long, short string) {
	if b.ours(entry) {
		return caseTexts(b.jobs[entry].Case)
	}
	t := b.guests.entries[entry-len(b.jobs)].text
	return t, t
}
