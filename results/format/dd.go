package format

import (
	"fmt"
	"io"
	"time"

	"gelibench/results"
)

// DD writes what FreeBSD's dd(1) would have written about a series, all of its
// samples together: the same three lines, to the letter (bin/dd/misc.c), which
// know no singular. The rate is that of the exact time, not of the one shown; a
// time of nothing counts as 1 ns, as dd raises it to the step of its clock. An
// empty series is one that moved nothing.
//
//	4096+0 records in
//	4096+0 records out
//	4294967296 bytes transferred in 9.834502 secs (436724409 bytes/sec)
func DD(w io.Writer, s results.Series) error {
	t := s.Total()
	full := t.Requests - t.PartialRequests
	seconds := float64(max(t.ElapsedNS, 1)) / float64(time.Second)
	_, err := fmt.Fprintf(w, "%d+%d records in\n%d+%d records out\n%d bytes transferred in %.6f secs (%.0f bytes/sec)\n",
		full, t.PartialRequests, full, t.PartialRequests, t.Bytes, seconds, float64(t.Bytes)/seconds)
	return err
}

// DDRun writes DD of every series; of several, each under a line that says what
// it is.
func DDRun(w io.Writer, run results.Run) error {
	switch len(run.Series) {
	case 0:
		return DD(w, results.Series{})
	case 1:
		return DD(w, run.Series[0])
	}
	for i, s := range run.Series {
		separator := "\n"
		if i == 0 {
			separator = ""
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", separator, Heading(s)); err != nil {
			return err
		}
		if err := DD(w, s); err != nil {
			return err
		}
	}
	return nil
}
