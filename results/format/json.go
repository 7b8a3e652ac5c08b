package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"gelibench/results"
)

// ErrSchema says that a record was written by a later gelibench, in a form that
// this one does not know. It wraps errors.ErrUnsupported.
var ErrSchema = fmt.Errorf("record of a later schema than this program knows: %w", errors.ErrUnsupported)

// JSON writes a run as one indented JSON object with a newline behind it. Its
// fields are documented in results/SCHEMA.md: "schema" comes first, names are
// in snake case with their unit, times are whole nanoseconds, what is absent is
// unknown. The schema is only ever extended.
func JSON(w io.Writer, run results.Run) error {
	if run.Series == nil {
		run.Series = []results.Series{} // [], not null
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(run)
}

// ReadJSON reads a run that JSON wrote, or that another version did: fields that
// this one does not know are skipped, and those it misses are unknown. A record
// of a later schema is refused with ErrSchema. What is no record of a run, or
// holds impossible numbers, or has anything behind it, gives an error that
// wraps fs.ErrInvalid.
func ReadJSON(r io.Reader) (results.Run, error) {
	var none results.Run
	data, err := io.ReadAll(r)
	if err != nil {
		return none, err
	}

	// The schema first: it says whether the rest can be understood.
	var head struct {
		Schema *int `json:"schema"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err != nil:
		return none, notARun(err)
	case head.Schema == nil:
		return none, notARun(errors.New(`it has no field "schema"`))
	case *head.Schema < 1:
		return none, notARun(fmt.Errorf("schema %d", *head.Schema))
	case *head.Schema > results.SchemaVersion:
		return none, fmt.Errorf("schema %d, known are 1 to %d; use the gelibench that wrote it, or a later one: %w",
			*head.Schema, results.SchemaVersion, ErrSchema)
	}

	var run results.Run
	if err := json.Unmarshal(data, &run); err != nil {
		return none, notARun(err)
	}
	for i, s := range run.Series {
		for k, x := range s.Samples {
			if err := possible(x); err != nil {
				return none, notARun(fmt.Errorf("series %d, sample %d: %w", i, k, err))
			}
		}
		if s.Stated != nil && s.Stated.BytesPerSecond < 0 {
			return none, notARun(fmt.Errorf("series %d: a stated rate of %v bytes a second", i, s.Stated.BytesPerSecond))
		}
	}
	if err := knownRounds(run); err != nil {
		return none, notARun(err)
	}
	return run, nil
}

func notARun(cause error) error {
	return fmt.Errorf("not a gelibench run: %w (%w)", cause, fs.ErrInvalid)
}

func possible(x results.Sample) error {
	switch {
	case x.Bytes < 0 || x.Requests < 0 || x.ElapsedNS < 0,
		x.Round < 0 || x.StartNS < 0 || x.LeadInNS < 0 || x.LeadInBytes < 0,
		below0(x.UserNS) || below0(x.SystemNS) || below0(x.Cycles):
		return errors.New("a negative number")
	case x.PartialRequests < 0 || x.PartialRequests > x.Requests:
		return fmt.Errorf("%d partial requests of %d", x.PartialRequests, x.Requests)
	}
	var bytes int64
	for _, w := range x.Workers {
		if w.Bytes < 0 || w.ElapsedNS < 0 || w.ElapsedNS > x.ElapsedNS || below0(w.UserNS) || below0(w.SystemNS) {
			return errors.New("a worker that did less than nothing, or took longer than the sample")
		}
		bytes += w.Bytes
	}
	if len(x.Workers) > 0 && bytes != x.Bytes {
		return fmt.Errorf("workers moved %d bytes of %d", bytes, x.Bytes)
	}
	return nil
}

func below0(n *int64) bool { return n != nil && *n < 0 }

// knownRounds says whether the rounds speak of series that are there.
func knownRounds(run results.Run) error {
	if run.Measuring == nil {
		return nil
	}
	for n, round := range run.Measuring.Rounds {
		for _, i := range round.Order {
			if i < 0 || i >= len(run.Series) {
				return fmt.Errorf("round %d visits series %d of %d", n+1, i, len(run.Series))
			}
		}
	}
	return nil
}
