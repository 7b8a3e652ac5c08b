package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// errNotFigures is of a file that gelibench wrote and that holds figures in no
// form from which they could be taken. It wraps fs.ErrInvalid.
type errNotFigures struct{ what, instead string }

func (e errNotFigures) Error() string {
	return "it holds " + e.what + " that gelibench made of figures, not the figures: " + e.instead
}

func (errNotFigures) Unwrap() error { return fs.ErrInvalid }

var (
	comparisonFile = errNotFigures{"a comparison", "read the files that were compared"}
	fitFile        = errNotFigures{"lines fitted (--fit)", "read what show read, or write it without --fit"}
)

// figuresFile is a form in which gelibench writes figures of reports, beside
// the runs of its own.
type figuresFile struct {
	name string // for messages
	is   func(head, first []byte) bool
	read func(io.Reader, *Report) error
}

// figuresFiles are the forms, each told by how a file begins.
var figuresFiles = []figuresFile{
	{"JSON", beginsJSON("report_schema"), readReports},
	{"JSON of machines", beginsJSON("machines_schema"), readMachines},
	{"JSON", beginsJSON("comparison_schema"), comparisonFile.refuse},
	{"JSON", beginsJSON("hosts_schema"), comparisonFile.refuse},
	{"JSONL", func(_, first []byte) bool {
		return bytes.HasPrefix(first, []byte("{")) && bytes.Contains(first, []byte(`"fixed_ns":`)) && bytes.Contains(first, []byte(`"lines":`))
	}, fitFile.refuse},
	{"JSONL", func(_, first []byte) bool {
		return bytes.HasPrefix(first, []byte("{")) && bytes.Contains(first, []byte(`"line":`)) && bytes.Contains(first, []byte(`"kind":"`))
	}, readFigureLines},
	{"CSV", beginsCSV("file,line,kind,name,cipher,"), readFiguresCSV},
	{"CSV of machines", beginsCSV("machine,cpu,clock_mhz,"), readMachinesCSV},
	{"CSV", beginsCSV("file,lines,tool,cpu,algorithm,"), fitFile.refuse},
	{"CSV", beginsCSV("case,base,base_label,"), comparisonFile.refuse},
}

func beginsCSV(names string) func(head, first []byte) bool {
	return func(_, first []byte) bool { return bytes.HasPrefix(first, []byte(names)) }
}

// beginsJSON tells objects whose first field is name.
func beginsJSON(name string) func(head, first []byte) bool {
	return func(head, _ []byte) bool {
		rest, ok := bytes.CutPrefix(head, []byte("{"))
		return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"`+name+`"`))
	}
}

func (e errNotFigures) refuse(io.Reader, *Report) error { return e }

// readFigures reads a file of figures into a report. ok is false if it is none;
// nothing has been read then.
func readFigures(b *bufio.Reader, rep *Report) (ok bool, err error) {
	head, _ := b.Peek(4096)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	first, _, _ := bytes.Cut(head, []byte("\n"))
	for _, f := range figuresFiles {
		if !f.is(head, first) {
			continue
		}
		rep.saved = true
		limited := &io.LimitedReader{R: skipMark(b), N: maxOwn}
		err := f.read(limited, rep)
		switch {
		case limited.N <= 0:
			err = fmt.Errorf("larger than %d MiB", maxOwn>>20)
		case err == nil:
			err = rep.check()
		}
		if refused := (errNotFigures{}); errors.As(err, &refused) {
			return true, fmt.Errorf("%s: %w", rep.Name, refused)
		}
		if err != nil {
			return true, fmt.Errorf("%s: as gelibench's %s of figures: %w", rep.Name, f.name, err)
		}
		return true, nil
	}
	return false, nil
}

// skipMark passes over a byte order mark.
func skipMark(b *bufio.Reader) *bufio.Reader {
	if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		b.Discard(3)
	}
	return b
}

// check says what no report holds: such a file was not written by gelibench, or
// was changed. What is more than a report keeps is left out and counted.
func (rep *Report) check() error {
	for i, r := range rep.Results {
		const fastest, longest = 1e14, 255 // characters of a file's name
		if n := utf8.RuneCountInString(r.File); n > longest {
			return fmt.Errorf("figure %d is of a file whose name has %d characters: %w", i+1, n, fs.ErrInvalid)
		}
		if !(r.BytesPerSecond >= 0 && r.BytesPerSecond <= fastest) || r.Line < 1 || r.Seconds < 0 || r.Bytes < 0 || r.KeyBits < 0 || r.Threads < 0 || r.BlockBytes < 0 || r.Sector < 0 || r.Quoted < 0 {
			return fmt.Errorf("figure %d can be none: %w", i+1, fs.ErrInvalid)
		}
	}
	if n := len(rep.Results) - maxResults; n > 0 {
		rep.Results = rep.Results[:maxResults]
		rep.Left += n
	}
	if n := len(rep.Warnings) - maxWarnings; n > 0 {
		rep.Warnings = rep.Warnings[:maxWarnings]
		rep.Left += n
	}
	return nil
}

// readReports reads what show --format json writes; several reports become one.
func readReports(r io.Reader, rep *Report) error {
	var x struct {
		Schema  int      `json:"report_schema"`
		Reports []Report `json:"reports"`
	}
	if err := decodeWhole(r, &x); err != nil {
		return err
	}
	if err := known(x.Schema); err != nil {
		return err
	}
	for _, one := range x.Reports {
		rep.Results = append(rep.Results, one.Results...)
		rep.Providers = append(rep.Providers, one.Providers...)
		rep.Recipes = append(rep.Recipes, one.Recipes...)
		rep.Warnings = append(rep.Warnings, one.Warnings...)
		rep.Left += one.Left
	}
	return nil
}

// readMachines reads what machines --json writes.
func readMachines(r io.Reader, rep *Report) error {
	var x struct {
		Schema  int      `json:"machines_schema"`
		Figures []Result `json:"figures"`
	}
	if err := decodeWhole(r, &x); err != nil {
		return err
	}
	rep.Results = x.Figures
	return known(x.Schema)
}

// figuresSchema is the newest form of figures that is known.
const figuresSchema = 1

func known(schema int) error {
	if schema != figuresSchema {
		return fmt.Errorf("schema %d is not known, only %d: %w", schema, figuresSchema, fs.ErrInvalid)
	}
	return nil
}

// decodeWhole decodes one JSON value behind which nothing else stands.
func decodeWhole(r io.Reader, v any) error {
	d := json.NewDecoder(r)
	if err := d.Decode(v); err != nil {
		return notJSON(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something stands behind its end: %w", fs.ErrInvalid)
	}
	return nil
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it is cut off: %w", fs.ErrInvalid)
	}
	return fmt.Errorf("%w: %w", err, fs.ErrInvalid)
}

// readFigureLines reads what show and machines write with --format jsonl.
func readFigureLines(r io.Reader, rep *Report) error {
	d := json.NewDecoder(r)
	for n := 1; len(rep.Results) <= maxResults; n++ {
		var x Result
		switch err := d.Decode(&x); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("figure %d: %w", n, notJSON(err))
		}
		rep.Results = append(rep.Results, x)
	}
	rest, err := io.ReadAll(io.MultiReader(d.Buffered(), r))
	rep.Left += strings.Count(string(rest), "\n") // one figure a line
	return err
}
