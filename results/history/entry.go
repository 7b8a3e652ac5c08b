package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"gelibench/results"
	"gelibench/results/format"
)

// idBytes is how much of a run's SHA-256 names it: 48 bits, for which two of
// 10,000 runs share a name once in five million files.
const idBytes = 6

// Entry sums a run of the history up.
type Entry struct {
	// ID names the run: the first 12 hexadecimal digits of the SHA-256 of its
	// JSON on one line.
	ID string `json:"id"`
	// RunBytes is the length of that JSON; a line that is shorter was torn.
	RunBytes int64 `json:"run_bytes"`

	Start    time.Time `json:"start,omitzero"`
	Command  []string  `json:"command,omitempty"`
	CPUModel string    `json:"cpu_model,omitempty"`
	Cases    int       `json:"cases"`
	Samples  int       `json:"samples"`
	// The slowest and the fastest case, in bytes a second; 0 if none has a rate.
	LowBytesPerSecond  float64       `json:"low_bytes_per_second,omitempty"`
	HighBytesPerSecond float64       `json:"high_bytes_per_second,omitempty"`
	Interrupted        bool          `json:"interrupted,omitempty"`
	Grade              results.Grade `json:"grade,omitempty"`

	// Tags point at the run; they are lines of their own.
	Tags []string `json:"-"`

	offset, length int64 // of the line in the file, without its end
}

// summary sums run up, whose JSON is data.
func summary(run results.Run, data []byte) Entry {
	e := Entry{
		ID: idOf(data), RunBytes: int64(len(data)),
		Start: run.Start, Command: run.Command, CPUModel: run.Host.CPUModel,
		Cases: len(run.Series), Interrupted: run.Interrupted, Grade: run.Grade,
	}
	for _, s := range run.Series {
		e.Samples += len(s.Samples)
		rate := format.RateOf(s).Value
		if rate > 0 && (rate < e.LowBytesPerSecond || e.LowBytesPerSecond == 0) {
			e.LowBytesPerSecond = rate
		}
		e.HighBytesPerSecond = max(e.HighBytesPerSecond, rate)
	}
	return e
}

func idOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:idBytes])
}

// entryKey opens the field that a run's JSON has more in the history.
const entryKey = `"entry":`

// marshal makes the line of a run, without its end.
func marshal(run results.Run) (Entry, []byte, error) {
	data, err := compact(run)
	if err != nil {
		return Entry{}, nil, err
	}
	e := summary(run, data)
	head, err := compact(e)
	if err != nil {
		return Entry{}, nil, err
	}
	opening := schemaField(data)
	if opening == nil {
		return Entry{}, nil, fmt.Errorf("a run whose JSON does not begin with its schema: %.40s", data)
	}
	line := slices.Concat(opening, []byte(entryKey), head, []byte(","), data[len(opening):])
	e.length = int64(len(line))
	return e, line, nil
}

// compact is JSON on one line.
func compact(v any) ([]byte, error) {
	if run, ok := v.(results.Run); ok && run.Series == nil {
		run.Series = []results.Series{} // [], not null
		v = run
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// opening begins every line.
var opening = []byte(`{"schema":`)

// schemaField returns what a line begins with up to its first comma,
// `{"schema":1,`, or nil.
func schemaField(line []byte) []byte {
	rest, ok := bytes.CutPrefix(line, opening)
	if !ok {
		return nil
	}
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	if n == 0 || n == len(rest) || rest[n] != ',' {
		return nil
	}
	return line[:len(opening)+n+1]
}

// readHead reads the entry that line begins with, of which the first bytes are
// enough. total is how long a whole line with it is; ok is false if there is
// no entry.
func readHead(line []byte) (e Entry, total int64, ok bool) {
	opening := schemaField(line)
	rest, found := bytes.CutPrefix(line[len(opening):], []byte(entryKey))
	if opening == nil || !found {
		return e, 0, false
	}
	d := json.NewDecoder(bytes.NewReader(rest))
	if err := d.Decode(&e); err != nil {
		return e, 0, false
	}
	head := d.InputOffset()
	if head >= int64(len(rest)) || rest[head] != ',' || !isID(e.ID) || len(e.ID) != 2*idBytes || e.RunBytes < int64(len(opening)) {
		return e, 0, false
	}
	return e, e.RunBytes + int64(len(entryKey)) + head + 1, true
}

// body takes the entry out of a whole line: what is left is the run's JSON.
func body(line []byte) ([]byte, Entry, error) {
	e, total, ok := readHead(line)
	if !ok {
		return line, Entry{}, nil // a run from elsewhere
	}
	if total != int64(len(line)) {
		return nil, e, fmt.Errorf("%d bytes where there were %d: %w", len(line), total, fs.ErrInvalid)
	}
	opening := schemaField(line)
	data := slices.Concat(opening, line[int64(len(opening))+total-e.RunBytes:])
	if id := idOf(data); id != e.ID {
		return nil, e, fmt.Errorf("its bytes are not what was written (SHA-256 %s): %w", id, fs.ErrInvalid)
	}
	return data, e, nil
}

// tagLine is the line of a tag. An empty ID takes the tag away.
type tagLine struct {
	Schema int    `json:"schema"`
	Tag    string `json:"tag"`
	ID     string `json:"id"`
}

// CheckTag says whether a word can be a tag. Errors wrap fs.ErrInvalid.
func CheckTag(name string) error {
	bad := func(why string) error { return fmt.Errorf("tag %q: %s: %w", name, why, fs.ErrInvalid) }
	switch {
	case name == "":
		return bad("a tag has at least one letter")
	case len(name) > 64:
		return bad("longer than 64 bytes")
	case strings.ContainsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
	}) || strings.ContainsRune("-.", rune(name[0])):
		return bad("letters, digits, - _ and . make a tag, and it begins with none of - and .")
	case name == Last:
		return bad("the last run has that name already")
	case isID(name):
		return bad("it could be the name of a run, which has only the digits 0-9 and a-f")
	}
	return nil
}

// isID says whether a word can be the name of a run or the beginning of one.
func isID(word string) bool {
	if len(word) < minIDDigits || len(word) > 2*idBytes {
		return false
	}
	return !strings.ContainsFunc(word, func(r rune) bool { return !('0' <= r && r <= '9' || 'a' <= r && r <= 'f') })
}

// minIDDigits is how many digits of a name are enough, if they are unique.
const minIDDigits = 4
