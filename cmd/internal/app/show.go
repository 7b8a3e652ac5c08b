package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"gelibench/results"
	"gelibench/results/figures"
	"gelibench/results/format"
	importer "gelibench/results/report"
)

func showVerb(env Env) *cli.Command {
	const groupWhat = "what"
	return &cli.Command{
		Name:      "show",
		Category:  wantResults,
		Usage:     "read the figures in any text: dd, openssl, cryptsetup, ...",
		ArgsUsage: "[FILE ...]",
		Flags: []cli.Flag{
			toggle("fit", groupWhat, "what a call costs: a fixed part, and a part for each byte,\nwhere a tool printed several block sizes"),
			text("format", groupOutput, "`NAME` table (default), csv, json, jsonl, markdown; or benchfmt,\nopenssl, openssl-mr, cryptsetup, prometheus, dd"),
			toggle("json", groupOutput, "the same as --format json"),
		},
		Description: `
A FILE is a text with the output of dd, openssl speed, cryptsetup benchmark,
cryptotest, fio and some twenty more tools in it, several at once, as it was
pasted into a mail, a ticket or a wiki; or what gelibench printed or wrote
itself. Without a FILE, or for -, it is read from standard input.

Of gelibench's own it reads every --format of a run, pasted too, but for JSON
and CSV, which are read as files; and the CSV, JSON and JSONL of show and
machines, field by field. Tables of answers (tune, scale, accel, headroom,
peers, compare) hold no figure to be taken: it says so, and where they are.

What a text doesn't state stays unknown. What was repaired (units, clocks, key
lengths) is named beside the figure; a row that can't be read is a warning with
its line on stderr, and no figure. Rates are recomputed from the most exact
numbers that were printed.

A text without a figure is named on stderr; the exit code is 1 if none has one,
or if a file cannot be read. The figures of the others are printed all the same.
A table is as wide as the terminal, or COLUMNS, or 80 characters.

examples
  gelibench show mail.txt
  gelibench show --fit mail.txt
  gelibench show --format csv reports/*.txt >figures.csv
  openssl speed -evp aes-256-cbc 2>&1 | gelibench show
`,
		Action: func(c *cli.Context) error { return show(c, env) },
	}
}

// showFormats are the formats of figures; the others are those of runs, into
// which figures are made.
var showFormats = []string{"table", "markdown", "csv", "json", "jsonl"}

func show(c *cli.Context, env Env) error {
	// READ the command line.
	name, asRun, err := showFormat(c)
	if err != nil {
		return err
	}
	fit := c.Bool("fit")
	if fit && !slices.Contains([]string{"table", "csv", "jsonl"}, name) {
		return usage("--format table, csv or jsonl", "--fit is not written as %s", name)
	}
	files := c.Args().Slice()
	if len(files) == 0 {
		if fromTerminal(env) {
			return usage("gelibench show FILE, or a program's output | gelibench show", "which file?")
		}
		files = []string{"-"}
	}

	// SHOW one text after the other; a bad one keeps none of the others back.
	s := shower{env: env, format: name, asRun: asRun, fit: fit, csv: figures.NewCSV(env.Stdout), width: screenWidth(env)}
	var failed, empty []error
	for _, file := range files {
		rep, err := readReport(env, file)
		if rep != nil {
			warnOf(env, rep)
			if err := s.show(rep); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, importer.ErrNoResults):
			empty = append(empty, err)
		case err != nil:
			failed = append(failed, err)
		}
	}
	if err := s.end(); err != nil {
		return err
	}
	if len(empty)+len(failed) == len(files) {
		return onlyCode(env, append(empty, failed...))
	}
	// As with grep, a text without a figure fails nothing where others have some.
	for _, err := range empty {
		fmt.Fprintf(env.Stderr, "warning: %s\n", strings.TrimSpace(err.Error()))
	}
	return onlyCode(env, failed)
}

// showFormat reads --format and --json. asRun is set for a format of runs.
func showFormat(c *cli.Context) (name string, asRun format.Format, err error) {
	name = "table"
	if c.Bool("json") {
		name = "json"
		if c.IsSet("format") && c.String("format") != name {
			return "", asRun, usage("", "--json and --format %s exclude each other", c.String("format"))
		}
	} else if c.IsSet("format") {
		name = c.String("format")
	}
	if slices.Contains(showFormats, name) {
		return name, asRun, nil
	}
	asRun, err = readFormat(c)
	return name, asRun, err
}

// shower writes reports.
type shower struct {
	env    Env
	format string
	asRun  format.Format // of runs; none: a format of figures
	fit    bool
	width  int

	csv     *figures.CSV
	reports []*importer.Report
	runs    []results.Run
	shown   int
	fits    int
}

func (s *shower) show(rep *importer.Report) error {
	w := s.env.Stdout
	if s.fit {
		return s.showFit(rep)
	}
	if s.asRun.Write != nil {
		s.runs = append(s.runs, runsOf(rep)...)
		return nil
	}
	switch s.format {
	case "csv":
		return s.csv.Write(rep.Results)
	case "jsonl":
		return figures.JSONL(w, rep.Results)
	case "json":
		s.reports = append(s.reports, rep)
		return nil
	}
	if len(rep.Results)+len(rep.Providers) == 0 {
		return nil
	}
	if s.shown++; s.shown > 1 {
		fmt.Fprintln(w)
	}
	if s.format == "markdown" {
		return figures.Markdown(w, rep)
	}
	return figures.Table(w, rep, s.width)
}

func (s *shower) showFit(rep *importer.Report) error {
	fits := importer.FitResults(rep.Results)
	if len(fits) == 0 {
		return nil
	}
	first := s.fits == 0
	s.fits += len(fits)
	switch s.format {
	case "csv":
		return figures.FitsCSV(s.env.Stdout, fits, first)
	case "jsonl":
		return figures.FitsJSON(s.env.Stdout, fits)
	}
	if !first {
		fmt.Fprintln(s.env.Stdout)
	}
	return figures.Fits(s.env.Stdout, rep.Name, fits, s.width)
}

// end writes what had to wait for the last report.
func (s *shower) end() error {
	w := s.env.Stdout
	switch {
	case s.fit && s.fits == 0:
		return &failure{exitFailed, errors.New("there is nothing to fit: no figures of one series at three block sizes or more"), "--fit is for tables such as openssl speed's, with several block sizes"}
	case s.fit:
		return nil
	case s.asRun.WriteAll != nil:
		return s.asRun.WriteAll(w, s.runs)
	case s.asRun.Write != nil:
		for i, run := range s.runs {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if err := s.asRun.Write(w, run); err != nil {
				return err
			}
		}
	case s.format == "json":
		return figures.JSON(w, s.reports)
	}
	return nil
}

// runsOf are the runs of a report: those it holds, or those made of its figures.
func runsOf(rep *importer.Report) []results.Run {
	if rep.Own != nil {
		return rep.Own
	}
	return rep.Runs()
}

// readReport reads a file, or standard input for "-". The report is nil where
// nothing could be read; a text without figures has one, and an error.
func readReport(env Env, file string) (*importer.Report, error) {
	const hint = "gelibench show --help says what is read"
	if file == "-" {
		rep, err := importer.Read(env.Stdin, "")
		return rep, noFigures("standard input", err, hint)
	}
	f, err := os.Open(file)
	if err == nil {
		defer f.Close()
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil && info.IsDir() {
			return nil, usage("name the files: "+filepath.Join(file, "*"), "%s is a folder", file)
		}
	}
	if err != nil {
		return nil, noHint(err)
	}
	rep, err := importer.Read(f, filepath.Base(file))
	return rep, noFigures(file, err, hint)
}

// noFigures puts the error of a text without figures into words.
func noFigures(file string, err error, hint string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, importer.ErrNoResults):
		return &failure{exitFailed, fmt.Errorf("%s: %w", file, importer.ErrNoResults), hint}
	}
	return &failure{exitFailed, trimInvalid(err), ""}
}

// mostWarnings is how many warnings of a text are said one by one.
const mostWarnings = 20

// warnOf says what in a text looked like a figure and was not taken.
func warnOf(env Env, rep *importer.Report) {
	for i, w := range rep.Warnings {
		if i == mostWarnings && len(rep.Warnings) > mostWarnings+1 {
			fmt.Fprintf(env.Stderr, "warning: %s: %d warnings more (--format json has all)\n", where(rep.Name), len(rep.Warnings)-mostWarnings)
			break
		}
		fmt.Fprintf(env.Stderr, "warning: %s\n", format.Printable(figures.Where(cmp.Or(w.File, rep.Name), w.Line)+": "+w.Text))
	}
}

func where(name string) string {
	if name == "" {
		return "standard input"
	}
	return name
}

// onlyCode reports each of several errors but the last, which goes back to be
// reported with its hint. The worst exit code counts: that of the first which is
// not a plain failure.
func onlyCode(env Env, failed []error) error {
	if len(failed) == 0 {
		return nil
	}
	for _, err := range failed[:len(failed)-1] {
		fmt.Fprintf(env.Stderr, "gelibench: %s\n", strings.TrimSpace(err.Error()))
	}
	last := failed[len(failed)-1]
	code := exitCode(last)
	for _, err := range failed {
		if n := exitCode(err); n != exitFailed {
			code = n
			break
		}
	}
	return &failure{code, last, hintOf(last)}
}

// fromTerminal says that stdin is a person, who would have to type.
func fromTerminal(env Env) bool {
	f, ok := env.Stdin.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
