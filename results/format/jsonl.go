package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"

	"gelibench/results"
)

// JSONL writes runs as JSON objects, as JSON does, but each on one line.
func JSONL(w io.Writer, runs []results.Run) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, run := range runs {
		if run.Series == nil {
			run.Series = []results.Series{} // [], not null
		}
		if err := e.Encode(run); err != nil {
			return err
		}
	}
	return nil
}

// ReadJSONL reads runs, one a line, as ReadJSON reads one; a file of the
// history is such a file, too, and its tags are passed over. An error names the
// line, and the runs before it come with it.
func ReadJSONL(r io.Reader) ([]results.Run, error) {
	var runs []results.Run
	b := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return runs, err
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && !isTag(text) {
			run, err := ReadJSON(bytes.NewReader(text))
			if err != nil {
				return runs, fmt.Errorf("line %d: %w", number, err)
			}
			runs = append(runs, run)
		}
		if err == io.EOF {
			break
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no run in it: %w", fs.ErrInvalid)
	}
	return runs, nil
}

// isTag says whether a line is a tag of the history.
func isTag(line []byte) bool {
	if len(line) > 512 {
		return false
	}
	var t struct {
		Schema int             `json:"schema"`
		Tag    string          `json:"tag"`
		Series json.RawMessage `json:"series"`
	}
	return json.Unmarshal(line, &t) == nil && t.Schema > 0 && t.Tag != "" && t.Series == nil
}
