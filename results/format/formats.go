package format

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gelibench/results"
)

// Format is one way to write runs, and maybe to read them.
type Format struct {
	Name     string
	Suffixes []string // of files, beside the name itself: "md"; without the point
	About    string   // a few words for people
	Write    func(io.Writer, results.Run) error
	// WriteAll writes several runs one after the other; nil where a file holds
	// only one.
	WriteAll func(io.Writer, []results.Run) error
	// Read reads what Write or WriteAll wrote; nil where a format doesn't keep
	// enough of a run.
	Read func(io.Reader) ([]results.Run, error)
}

// All are the formats, in the order in which they are listed for people. Those
// that a person reads come first.
func All() []Format {
	return []Format{
		{Name: "table", Suffixes: []string{"txt"}, About: "a row a case", Write: Table},
		{Name: "dd", About: "dd(1)'s three lines a case", Write: DDRun},
		{Name: "markdown", Suffixes: []string{"md"}, About: "a table for a ticket or a wiki", Write: Markdown},
		{Name: "json", About: "the run with all samples", Write: JSON, Read: readOne(ReadJSON)},
		{Name: "jsonl", Suffixes: []string{"ndjson"}, About: "the same, one line a run", Write: one(JSONL), WriteAll: JSONL, Read: ReadJSONL},
		{Name: "csv", About: "one sample a row", Write: one(CSV), WriteAll: CSV, Read: ReadCSV},
		{Name: "benchfmt", Suffixes: []string{"bench"}, About: "Go's benchmarks, for benchstat", Write: one(Benchfmt), WriteAll: Benchfmt, Read: ReadBenchfmt},
		{Name: "openssl", About: "openssl speed's table", Write: OpenSSL},
		{Name: "openssl-mr", Suffixes: []string{"mr"}, About: "openssl speed -mr", Write: OpenSSLMR},
		{Name: "cryptsetup", About: "cryptsetup benchmark's table", Write: Cryptsetup},
		{Name: "prometheus", Suffixes: []string{"prom"}, About: "for the textfile collector", Write: Prometheus},
	}
}

// Names are the names of all formats.
func Names() []string {
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
	}
	return names
}

// ByName finds a format. Errors wrap fs.ErrInvalid.
func ByName(name string) (Format, error) {
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("there is no format %q; there are %s: %w", name, list(Names(), "and"), fs.ErrInvalid)
}

// ByFile finds the format that the suffix of a file's name stands for, which is
// the name of a format or one of its usual suffixes. Errors wrap fs.ErrInvalid.
func ByFile(path string) (Format, error) {
	suffix := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	var all []string
	for _, f := range All() {
		if suffix == f.Name || slices.Contains(f.Suffixes, suffix) {
			return f, nil
		}
		all = append(all, "."+append(slices.Clone(f.Suffixes), f.Name)[0])
	}
	return Format{}, fmt.Errorf("the suffix of %q stands for no format; there are %s: %w", path, list(all, "and"), fs.ErrInvalid)
}

func one(all func(io.Writer, []results.Run) error) func(io.Writer, results.Run) error {
	return func(w io.Writer, run results.Run) error { return all(w, []results.Run{run}) }
}

func readOne(read func(io.Reader) (results.Run, error)) func(io.Reader) ([]results.Run, error) {
	return func(r io.Reader) ([]results.Run, error) {
		run, err := read(r)
		if err != nil {
			return nil, err
		}
		return []results.Run{run}, nil
	}
}
