package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gelibench/results"
	"gelibench/results/format"
)

// maxOwn is the largest file of gelibench's own formats that is read. Unlike
// texts, these are read as a whole.
const maxOwn = 64 << 20

// benchFile is how a file of benchmarks begins; in a mail they are read as part
// of the text.
var benchFile = regexp.MustCompile(`^(?:# (?:tool|run|spoiled): |goos:|goarch:|pkg:|cpu:|Unit |BenchmarkGELI/)`)

// ownFormat finds which of gelibench's own formats a file is in, by its first
// bytes; nil if it is a text.
func ownFormat(head []byte) (name string, read func(io.Reader) ([]results.Run, error)) {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	first, _, _ := bytes.Cut(head, []byte("\n"))
	switch {
	case bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"schema"`)):
		if bytes.Contains(first, []byte(`"series"`)) || bytes.Contains(first, []byte(`"schema"`)) && bytes.Contains(head, []byte("\n{")) {
			return "jsonl", format.ReadJSONL
		}
		return "json", func(r io.Reader) ([]results.Run, error) {
			run, err := format.ReadJSON(r)
			if err != nil {
				return nil, err
			}
			return []results.Run{run}, nil
		}
	case bytes.HasPrefix(first, []byte("run,")) && bytes.Contains(first, []byte("series")), bytes.Contains(first, []byte(",elapsed_ns")) && bytes.Contains(first, []byte("alg")):
		return "csv", format.ReadCSV
	case bytes.Contains(head, []byte("BenchmarkGELI/")) && benchFile.Match(first):
		return "benchfmt", format.ReadBenchfmt
	}
	return "", nil
}

// readOwn reads a file of gelibench's own formats into a report. ok is false if
// it is none; nothing has been read then.
func readOwn(b *bufio.Reader, rep *Report) (ok bool, err error) {
	head, _ := b.Peek(4096)
	name, read := ownFormat(head)
	if read == nil {
		return false, nil
	}
	limited := &io.LimitedReader{R: b, N: maxOwn}
	runs, err := read(limited)
	if err == nil && limited.N <= 0 {
		err = fmt.Errorf("larger than %d MiB", maxOwn>>20)
	}
	if err != nil {
		return true, fmt.Errorf("%s: as gelibench's %s: %w", rep.Name, strings.ToUpper(name), err)
	}
	rep.Own = runs
	rep.Results = FromRuns(runs, rep.Name)
	return true, nil
}
