package history

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Last refers to the last run of the file; Last~N to the one N before it.
const Last = "last"

// Find is the entry that ref refers to: "last", "last~2", a tag, or the name of a
// run, of which the first digits are enough. An error wraps fs.ErrNotExist if
// there is no such run, and fs.ErrInvalid if there are several.
func (l Listing) Find(ref string) (Entry, error) {
	if back, ok := strings.CutPrefix(ref, Last); ok && (back == "" || back[0] == '~') {
		n := 0
		if back != "" {
			var err error
			if n, err = strconv.Atoi(back[1:]); err != nil || n < 0 {
				return Entry{}, fmt.Errorf("%q: a count belongs behind the ~: %w", ref, fs.ErrInvalid)
			}
		}
		if n >= len(l.Entries) {
			return Entry{}, fmt.Errorf("%s: the history holds %d runs: %w", ref, len(l.Entries), fs.ErrNotExist)
		}
		return l.Entries[len(l.Entries)-1-n], nil
	}
	id, tagged := l.tags[ref]
	if !tagged {
		id = ref
	}
	var found []Entry
	if isID(id) {
		for _, e := range l.Entries {
			if strings.HasPrefix(e.ID, id) {
				found = append(found, e)
			}
		}
	}
	switch len(found) {
	case 0:
		return Entry{}, fmt.Errorf("no run of the history is called %q: %w", ref, fs.ErrNotExist)
	case 1:
		return found[0], nil
	}
	return Entry{}, fmt.Errorf("%d runs of the history begin with %q: %w", len(found), ref, fs.ErrInvalid)
}

// Tags are all tags with the runs that they point at.
func (l Listing) Tags() map[string]string {
	tags := map[string]string{}
	for tag, id := range l.tags {
		tags[tag] = id
	}
	return tags
}
