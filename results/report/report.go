package report

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"

	"gelibench/results"
)

// ErrNoResults says that a text holds no figure that this package knows. It
// wraps fs.ErrInvalid.
var ErrNoResults error = noResults{}

type noResults struct{}

func (noResults) Error() string { return "no benchmark output found" }

func (noResults) Unwrap() error { return fs.ErrInvalid }

// Limits that keep any input within a few MB; what lies behind them is counted.
const (
	maxResults  = 50_000
	maxWarnings = 1_000
)

// Report is what one text says.
type Report struct {
	Name      string     `json:"name,omitempty"`
	Results   []Result   `json:"results"`
	Providers []Provider `json:"providers,omitempty"`
	// Recipes are the measurements that the text gives the commands for.
	Recipes  []Recipe  `json:"recipes,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`
	// Left is how many results and warnings were not kept for their number.
	Left int `json:"left_out,omitempty"`
	// Own are the runs, samples and all, where the file was gelibench's own.
	Own []results.Run `json:"-"`

	saved bool // the figures were read back from a file of figures
}

// Read reads a text, or a file in gelibench's own JSON, CSV or benchmark format,
// which fills Report.Own too, or a file of figures, as package figures writes
// them as JSON, JSONL or CSV, whose results come back as they were; name is the file's name, for messages. The Report is
// never nil. The error wraps ErrNoResults if the text holds no figure, whatever
// else it says (Report.Providers and Warnings are filled all the same), and r's
// error if reading failed.
//
// A line is looked at up to 1 MiB; memory does not grow with the text beyond
// the results themselves, of which 50 000 are kept.
func Read(r io.Reader, name string) (*Report, error) {
	rd := newReader(name)
	b := decoded(bufio.NewReaderSize(r, 64<<10))
	own, err := readOwn(b, rd.report)
	if !own {
		own, err = readFigures(b, rd.report)
	}
	if own {
		if err == nil && len(rd.report.Results) == 0 {
			err = fmt.Errorf("%s: %w", name, ErrNoResults)
		}
		return rd.report, err
	}
	src := newLines(b)
	var u unwrapper
	var batch []line
	for {
		p, err := src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			rd.finish()
			return rd.report, fmt.Errorf("%s: %w", name, err)
		}
		if p.cut {
			rd.warnAt(p.no, fmt.Sprintf("longer than %d MiB: only the beginning was read", maxLine>>20))
		}
		batch = u.line(p, batch[:0])
		for _, l := range batch {
			rd.take(l)
		}
	}
	for _, l := range u.flush(batch[:0]) {
		rd.take(l)
	}
	rd.finish()
	if len(rd.report.Results) == 0 {
		return rd.report, fmt.Errorf("%s: %w", name, ErrNoResults)
	}
	return rd.report, nil
}
