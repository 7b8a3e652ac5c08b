package host

import (
	"io/fs"
	"strconv"
	"strings"
)

// tree is the files of a machine. The zero tree is empty.
type tree struct{ fs fs.FS }

// text reads a file, without the white space around. ok is false if there is
// no such file, or it cannot be read.
func (t tree) text(path string) (text string, ok bool) {
	if t.fs == nil {
		return "", false
	}
	b, err := fs.ReadFile(t.fs, path)
	return strings.TrimSpace(string(b)), err == nil
}

// number reads a file that holds one integer.
func (t tree) number(path string) (n int64, ok bool) {
	text, ok := t.text(path)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// names lists a folder; nil if there is none.
func (t tree) names(path string) []string {
	if t.fs == nil {
		return nil
	}
	entries, err := fs.ReadDir(t.fs, path)
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// has says whether there is such a file or folder.
func (t tree) has(path string) bool {
	if t.fs == nil {
		return false
	}
	_, err := fs.Stat(t.fs, path)
	return err == nil
}

// fields reads a file of lines "key value" or "key: value" into a map; the
// first line of a key counts.
func (t tree) fields(path string) map[string]string {
	text, _ := t.text(path)
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			key, value, _ = strings.Cut(strings.TrimSpace(line), " ")
		}
		if key = strings.TrimSpace(key); fields[key] == "" {
			fields[key] = strings.TrimSpace(value)
		}
	}
	return fields
}
