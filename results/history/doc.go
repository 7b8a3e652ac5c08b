// Package history keeps runs in one file, a JSON line each, and finds them
// again.
//
// A line is the run as format.JSON has it, on one line, with one field more
// behind "schema": "entry", which names the run and sums it up, so that a
// listing need not read the rest. Any reader of runs skips that field. A tag is
// a line of its own. Files of several machines are merged by concatenating
// them: the same run twice is shown once, and of a tag set twice the later
// counts.
//
// A line is written by one write at the end of the file, under a lock, and
// synced. What a crash leaves of a line is reported as damage and skipped, with
// nothing else lost, and the next append begins a new line.
//
// The file holds command lines, names of providers and what the processor
// calls itself; nobody but its owner may read it.
package history
