package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"gelibench/results"
	"gelibench/results/format"
)

// File is a history. Its methods may be called at once, by several goroutines
// and by several processes.
type File struct {
	path string
	// Waiting, if set, is called once by an operation that waits for another
	// program's lock for longer than a second; it gives up after ten.
	Waiting func()
}

// Open names the history in the file at path. Nothing need be there: the first
// Append makes the file and its folders.
func Open(path string) *File { return &File{path: path} }

// Path is where the history is.
func (f *File) Path() string { return f.path }

// Append adds a run at the end and returns its entry. The line is in the file
// and synced when Append returns, or the file is as it was before: on a full
// disk nothing of the line is left behind.
func (f *File) Append(run results.Run) (Entry, error) {
	e, line, err := marshal(run)
	if err != nil {
		return Entry{}, err
	}
	return e, f.appendLine(line)
}

func (f *File) appendLine(line []byte) error {
	created, err := f.prepare()
	if err != nil {
		return err
	}
	unlock, err := f.lock(exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	text := make([]byte, 0, len(line)+2)
	if size > 0 {
		var last [1]byte
		if _, err := file.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' { // a torn line, or another's file without an end
			text = append(text, '\n')
		}
	}
	text = append(append(text, line...), '\n')
	if _, err := file.Write(text); err != nil {
		return errors.Join(err, file.Truncate(size))
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if created {
		return syncFolder(filepath.Dir(f.path))
	}
	return nil
}

// prepare makes the folder, and says whether the file is still to be made.
func (f *File) prepare() (missing bool, err error) {
	_, err = os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, os.MkdirAll(filepath.Dir(f.path), 0o700)
	}
	return false, err
}

// Load reads the run of an entry that List gave. If the file was changed in the
// meantime it is looked for again.
func (f *File) Load(e Entry) (results.Run, error) {
	unlock, err := f.lock(shared)
	if err != nil {
		return results.Run{}, err
	}
	defer unlock()
	run, err := f.load(e)
	if err == nil {
		return run, nil
	}
	l, listErr := f.scan()
	if listErr != nil {
		return results.Run{}, listErr
	}
	for _, now := range l.Entries {
		if now.ID == e.ID && now.offset != e.offset {
			return f.load(now)
		}
	}
	return results.Run{}, err
}

func (f *File) load(e Entry) (results.Run, error) {
	var none results.Run
	wrong := func(err error) (results.Run, error) {
		return none, fmt.Errorf("run %s of %s: %w", e.ID, f.path, err)
	}
	file, err := os.Open(f.path)
	if err != nil {
		return none, err
	}
	defer file.Close()
	line := make([]byte, e.length)
	if _, err := file.ReadAt(line, e.offset); err != nil {
		return wrong(err)
	}
	data, head, err := body(line)
	if err != nil {
		return wrong(err)
	}
	if head.ID != e.ID && idOf(data) != e.ID {
		return wrong(fmt.Errorf("something else is in its place: %w", fs.ErrInvalid))
	}
	run, err := format.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return wrong(err)
	}
	return run, nil
}
