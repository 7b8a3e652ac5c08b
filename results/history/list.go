package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"gelibench/results/format"
)

// Listing is what a history holds.
type Listing struct {
	Entries []Entry // in the order of the file, each run once
	Damaged []Damage
	tags    map[string]string // tag -> ID
}

// Damage is a stretch of the file that is no run and no tag: most likely a line
// that was torn by a crash.
type Damage struct {
	Line          int // from 1
	Offset, Bytes int64
	Reason        string
}

// String is one line for people.
func (d Damage) String() string {
	return fmt.Sprintf("line %d: %s (%d bytes at %d)", d.Line, d.Reason, d.Bytes, d.Offset)
}

// List reads what the history holds. Of each run it looks at the first few
// hundred bytes and at the length. No file is an empty history.
func (f *File) List() (Listing, error) {
	unlock, err := f.lock(shared)
	if err != nil {
		return Listing{}, err
	}
	defer unlock()
	return f.scan()
}

// headBytes is how much of a line is kept while it is passed over; the entry of
// a run with an ordinary command line fits.
const headBytes = 16 << 10

// scan is List without the lock.
func (f *File) scan() (Listing, error) {
	s := scanner{seen: map[string]bool{}, Listing: Listing{tags: map[string]string{}}}
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.Listing, nil
	}
	if err != nil {
		return s.Listing, err
	}
	defer file.Close()
	s.file = file

	r := bufio.NewReaderSize(file, 256<<10)
	head := make([]byte, 0, headBytes)
	var offset, length int64 // of the line
	line := 1
	for {
		chunk, err := r.ReadSlice('\n')
		if len(head) < headBytes {
			head = append(head, chunk[:min(len(chunk), headBytes-len(head))]...)
		}
		length += int64(len(chunk))
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return s.Listing, err
		}
		if err := s.line(line, offset, head, length); err != nil {
			return s.Listing, err
		}
		if err == io.EOF {
			break
		}
		offset, length, head = offset+length, 0, head[:0]
		line++
	}
	s.finish()
	return s.Listing, nil
}

type scanner struct {
	Listing
	file *os.File
	seen map[string]bool
}

// line takes in one line of length bytes, its end included, of which head is
// the beginning.
func (s *scanner) line(number int, offset int64, head []byte, length int64) error {
	if int64(len(head)) == length { // all of it
		head = bytes.TrimRight(head, "\r\n")
		length = int64(len(head))
		if length == 0 {
			return nil
		}
	} else if length > 0 {
		// Only the last one has no end.
		var last [2]byte
		if _, err := s.file.ReadAt(last[:], offset+length-2); err != nil {
			return err
		}
		length -= int64(2 - len(bytes.TrimRight(last[:], "\r\n")))
	}
	if e, total, ok := readHead(head); ok && total == length {
		s.add(e, offset, length)
		return nil
	}
	text := head
	if int64(len(head)) != length {
		text = make([]byte, length)
		if _, err := s.file.ReadAt(text, offset); err != nil {
			return err
		}
	}
	s.pieces(number, offset, text)
	return nil
}

// pieces takes in a line that is not simply a run: a tag, a run from elsewhere,
// or several runs with damage between them. Inside of a run nothing looks like
// the opening of one, since quotes in strings are escaped.
func (s *scanner) pieces(number int, offset int64, text []byte) {
	for len(text) > 0 {
		if e, total, ok := readHead(text); ok && total <= int64(len(text)) {
			if _, _, err := body(text[:total]); err == nil {
				s.add(e, offset, total)
				offset, text = offset+total, text[total:]
				continue
			}
		}
		end := len(text)
		if next := bytes.Index(text[1:], opening); next >= 0 {
			end = next + 1
		}
		if err := s.piece(offset, text[:end]); err != nil {
			s.Damaged = append(s.Damaged, Damage{number, offset, int64(end), err.Error()})
		}
		offset, text = offset+int64(end), text[end:]
	}
}

// piece takes in a tag, or a run that has no entry.
func (s *scanner) piece(offset int64, text []byte) error {
	if _, _, ok := readHead(text); ok || !json.Valid(text) {
		return errors.New("a torn or overwritten line")
	}
	var tag struct {
		tagLine
		Series json.RawMessage `json:"series"`
	}
	if err := json.Unmarshal(text, &tag); err == nil && tag.Tag != "" && tag.Series == nil {
		s.tags[tag.Tag] = tag.ID
		return nil
	}
	run, err := format.ReadJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	s.add(summary(run, text), offset, int64(len(text)))
	return nil
}

func (s *scanner) add(e Entry, offset, length int64) {
	if s.seen[e.ID] {
		return
	}
	s.seen[e.ID] = true
	e.offset, e.length = offset, length
	s.Entries = append(s.Entries, e)
}

// finish hangs the tags on the runs.
func (s *scanner) finish() {
	for tag, id := range s.tags {
		i := slices.IndexFunc(s.Entries, func(e Entry) bool { return e.ID == id })
		if i < 0 {
			delete(s.tags, tag) // its run is gone
			continue
		}
		s.Entries[i].Tags = append(s.Entries[i].Tags, tag)
	}
	for i := range s.Entries {
		slices.Sort(s.Entries[i].Tags)
	}
}
