package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"gelibench/results"
	"gelibench/results/format"
	"gelibench/results/reference"
	"gelibench/results/wholefile"
)

const formatNames = "`NAME` table, dd, markdown, json, jsonl, csv, benchfmt, openssl,\nopenssl-mr, cryptsetup, prometheus."

// outputFlags say in which forms a run goes out.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		text("format", groupOutput, formatNames+" Default: dd for one\ncase, a table for more"),
		files("export", groupOutput, "`FILE` also write the run to a file, whose suffix is the name\nof the format or one of .txt .md .ndjson .bench .mr .prom.\nMay be given again"),
		toggle("json", groupOutput, "the same as --format json"),
		toggle("no-history", groupOutput, "don't keep the run (see gelibench history --help)"),
	}
}

// output is where a run goes.
type output struct {
	format  format.Format // none: what suits the number of cases
	exports []export
	keep    bool // in the history
	like    []reference.Machine
	named   bool // like were named, and not all that there are
	// show writes the run where no format was asked for; nil: as deliver has it.
	show func(io.Writer, results.Run) error
}

type export struct {
	path   string
	format format.Format
}

// readOutput reads outputFlags, and refuses what cannot work before anything is
// measured.
func readOutput(c *cli.Context) (o output, err error) {
	if o.format, err = readFormat(c); err != nil {
		return o, err
	}
	paths, _ := c.Generic("export").(*fileList)
	if paths == nil {
		paths = new(fileList)
	}
	for _, path := range *paths {
		f, err := format.ByFile(path)
		if err != nil {
			return o, in("--export", asUsage(err))
		}
		for _, other := range o.exports {
			if filepath.Clean(other.path) == filepath.Clean(path) {
				return o, usage("", "--export %s is given twice", path)
			}
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return o, usage("", "--export %s: there is no folder %s", path, filepath.Dir(path))
		}
		o.exports = append(o.exports, export{path, f})
	}
	o.keep = !c.Bool("no-history")
	o.like, err = readLike(c)
	o.named = len(o.like) < len(reference.Machines())
	return o, err
}

// readFormat reads --format and --json; the zero Format if there is neither.
func readFormat(c *cli.Context) (format.Format, error) {
	name := c.String("format")
	if c.Bool("json") {
		if c.IsSet("format") && name != "json" {
			return format.Format{}, usage("--export r.json writes a second form to a file", "--json and --format %s exclude each other", name)
		}
		name = "json"
	}
	if name == "" && !c.IsSet("format") {
		return format.Format{}, nil
	}
	f, err := format.ByName(name)
	if err != nil {
		hint := ""
		if n := nearest(name, format.Names()); n != "" {
			hint = fmt.Sprintf("did you mean %s?", n)
		}
		return f, in("--format", usage(hint, "%v", trimInvalid(err)))
	}
	return f, nil
}

// names says whether what goes to stdout names the cases, and notes whether it
// holds the remarks on them. Where it doesn't, stderr does.
func (o output) names(cases int) bool {
	switch o.format.Name {
	case "":
		return cases > 1
	case "dd":
		return false
	}
	return true
}

// machine says whether stdout is for a program.
func (o output) machine() bool {
	switch o.format.Name {
	case "", "table", "dd", "markdown":
		return false
	}
	return true
}

func (o output) notes(cases int) bool {
	switch o.format.Name {
	case "":
		return cases > 1
	case "table", "markdown":
		return true
	}
	return false
}

// deliver prints a run, exports it and keeps it. What fails keeps nothing else
// from being done.
func (o output) deliver(env Env, run results.Run, cases int, screen bool) error {
	f := o.format
	if f.Write == nil {
		f.Write = format.DDRun
		switch {
		case o.show != nil:
			f.Write = o.show
		case screen:
			f.Write = format.Answers
		case cases > 1:
			f.Write = format.Table
		}
	}
	var failed []error
	if err := f.Write(env.Stdout, run); err != nil {
		failed = append(failed, fmt.Errorf("writing the results: %w", err))
	}
	if o.like != nil {
		w := env.Stdout
		if o.format.Name != "" && !o.notes(cases) {
			w = env.Stderr // stdout is in a form of its own
		}
		like(w, shownAt(env, w), run, o.like, o.named)
	}
	for _, e := range o.exports {
		if err := wholefile.Write(e.path, func(w io.Writer) error { return e.format.Write(w, run) }); err != nil {
			failed = append(failed, in("--export "+e.path, noHint(trimInvalid(err))))
		}
	}
	if o.keep {
		if err := keepRun(env, run); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// noHint keeps hints that are about something else away from an error.
func noHint(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return &failure{exitFailed, err, ""}
	}
	return err
}
