package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/results/report"
)

// Sample takes a sample. want is not looked at: how long a tool measures was
// settled before. A failure of the tool is no error, as it must not end a run:
// it is a sample without bytes, which Entry.Finish takes out again, and the
// process is not started again.
func (e *Entry) Sample(ctx context.Context, _ measure.Want) (results.Sample, error) {
	if s := e.slot; s != nil {
		e.slot = nil
		return *s, nil
	}
	p := e.call.program
	if e.fault == nil {
		e.fault = p.gaveUp
	}
	if e.fault != nil {
		return results.Sample{Spoiled: true}, nil
	}
	if err := e.call.fill(ctx); err != nil {
		return results.Sample{}, err
	}
	s := e.slot
	e.slot = nil
	if s == nil {
		return results.Sample{Spoiled: true}, nil
	}
	return *s, nil
}

// Fault is why the cell could not be measured any more; nil if it could.
func (e *Entry) Fault() error { return e.fault }

// fill runs the process, and hands its figures to the cells. The error is
// ctx's alone.
func (c *call) fill(ctx context.Context) error {
	out, err := c.run(ctx, c.program.machine)
	c.program.CPU += out.cpu
	if cut := ctx.Err(); cut != nil {
		return cut
	}
	if errors.Is(err, errOverran) || errors.Is(err, errTooMuch) {
		c.program.gaveUp = err // the next one would take as long
	}
	if err != nil {
		for _, e := range c.entries {
			e.slot, e.fault = nil, err
		}
		return nil
	}
	figures := c.read(out.text)
	for _, e := range c.entries {
		e.slot = nil
		r, err := c.find(figures, e.Cell)
		if err != nil {
			e.fault = err
			continue
		}
		if out.between > 0 && refine(&r, out.between) {
			e.note(results.Note{Kind: clockSteps, Text: "its clock moves in steps of 10 ms: taken is the time between its lines, which agrees"})
		}
		e.keepRepairs(r)
		s := sampleOf(r, e.Cell)
		e.slot = &s
	}
	return nil
}

// read reads what a process printed under its command, which tells the reader
// of clocks and directions.
func (c *call) read(text []byte) []report.Result {
	rep, _ := report.Read(io.MultiReader(bytes.NewBufferString("$ "+c.command+"\n"), bytes.NewReader(text)), c.program.Name)
	return rep.Results
}

var errNoFigure = errors.New("what it printed holds no figure of the case")

// find is the figure of a cell.
func (c *call) find(figures []report.Result, cell Cell) (report.Result, error) {
	for _, r := range figures {
		if !c.is(r, cell) || r.Summary {
			continue
		}
		if ok, why := r.Comparable(); !ok {
			return r, fmt.Errorf("its figure can't be used: %s", why)
		}
		if r.BytesPerSecond > implausible {
			return r, fmt.Errorf("its figure can't be true: %s", clip(r.AsPrinted))
		}
		return r, nil
	}
	return report.Result{}, errNoFigure
}

// implausible is more than any cache of a processor delivers, in bytes a second.
const implausible = 10e12

// clockSteps is the kind of note of a time that is not the tool's own.
const clockSteps = "clock-steps"

// tick is the step of times(2), which openssl speed's clock is on most systems.
const tick = 10 * time.Millisecond

// refine puts the time between the lines of a tool, as we saw them come, in the
// place of its own, where that is a whole number of ticks: a step is a tenth of
// a short sample, but lines come within a fraction of a millisecond. The two
// must agree within a tick and a little.
func refine(r *report.Result, between time.Duration) bool {
	its := time.Duration(math.Round(r.Seconds * 1e9))
	if r.Bytes <= 0 || its <= 0 || its%tick != 0 || (its-between).Abs() > tick+tick/5 {
		return false
	}
	r.Seconds = between.Seconds()
	r.BytesPerSecond = float64(r.Bytes) / r.Seconds
	return true
}

// note adds a note, unless there is one of its kind.
func (e *Entry) note(n results.Note) {
	if !slices.ContainsFunc(e.Notes, func(x results.Note) bool { return x.Kind == n.Kind }) {
		e.Notes = append(e.Notes, n)
	}
}

// keepRepairs notes what is to be doubted about the figures of a tool.
func (e *Entry) keepRepairs(r report.Result) {
	for _, x := range r.Repairs {
		if x.Fix != report.HalfKey { // our own key lengths are halves
			e.note(results.Note{Kind: string(x.Fix), Text: x.Text})
		}
	}
	if r.Seconds <= 0 {
		e.note(results.Note{Kind: "rate-only", Text: "the tool prints a rate and no time: the samples are what it makes of one second"})
	}
}

// sampleOf makes a sample of a figure.
func sampleOf(r report.Result, c Cell) results.Sample {
	seconds := r.Seconds
	if seconds < 1e-6 {
		seconds = 1
	}
	s := results.Sample{
		Bytes:     int64(math.Round(r.BytesPerSecond * seconds)),
		ElapsedNS: int64(math.Round(seconds * 1e9)),
		Requests:  r.Ops,
	}
	if s.Requests <= 0 {
		s.Requests = max(1, s.Bytes/int64(c.UnitBytes))
	}
	return s
}

// Finish takes the samples of failures out of a series, and adds what is known
// of how it was measured.
func (e *Entry) Finish(s *results.Series) {
	kept := s.Samples[:0:0]
	for _, x := range s.Samples {
		if x.Bytes > 0 {
			kept = append(kept, x)
		}
	}
	s.Samples = kept
	if len(kept) == 0 {
		s.Notes, s.Grade = nil, ""
	}
	s.Notes = append(s.Notes, e.Notes...)
	if e.fault != nil {
		s.Notes = append(s.Notes, results.Note{Kind: "failed", Text: e.fault.Error()})
		if len(kept) > 0 {
			s.Grade = results.Worst(s.Grade, results.Fair)
		}
	}
}

// RunOnce runs a tool that does its own list once, and gives its figures as
// series with stated rates: those of the cells, and those of other ciphers.
func (p *Program) RunOnce(ctx context.Context, cells []Cell) (of, apart []results.Series, err error) {
	c := p.calls(p.Tool, p.path, cells, 0)[0]
	c.program = p
	out, err := c.run(ctx, p.machine)
	p.CPU += out.cpu
	if cut := ctx.Err(); cut != nil {
		return nil, nil, cut
	}
	figures := c.read(out.text)
	if len(figures) == 0 {
		if err == nil {
			err = errNoFigure
		}
		return nil, nil, err
	}
	for _, r := range figures {
		if r.Kind != report.Cipher || !r.HasRate() || r.BytesPerSecond > implausible {
			continue
		}
		s := r.Series()
		at := -1
		for i, cell := range cells {
			if c.is(r, cell) {
				at = i
			}
		}
		if at < 0 {
			s.Case.Engine, s.Case.Path = p.Name, p.Path
			if s.Case.Alg == "" {
				s.Case.Alg = r.Name
			}
			s.Notes = append([]results.Note{{Kind: nameKind, Text: clip(r.Name)}, {Kind: "tool", Text: p.Label() + ": " + c.command}}, s.Notes...)
			apart = append(apart, s)
			continue
		}
		s.Case = p.record(cells[at])
		s.Notes = append(p.notes(c, cells[at]), results.Note{Kind: "one-run", Text: "one run of the tool, so nothing is known of its spread"})
		of = append(of, s)
	}
	// What it printed before it was ended stays.
	return of, apart, err
}
