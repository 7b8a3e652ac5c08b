package history

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"gelibench/results"
)

// Tag gives the run that ref refers to a name, which leaves the run that had it
// before.
func (f *File) Tag(name, ref string) (Entry, error) {
	if err := CheckTag(name); err != nil {
		return Entry{}, err
	}
	l, err := f.List()
	if err != nil {
		return Entry{}, err
	}
	e, err := l.Find(ref)
	if err != nil {
		return Entry{}, err
	}
	return e, f.appendTag(tagLine{results.SchemaVersion, name, e.ID})
}

// Untag takes a tag away. The error wraps fs.ErrNotExist if there is none.
func (f *File) Untag(name string) error {
	l, err := f.List()
	if err != nil {
		return err
	}
	if _, ok := l.tags[name]; !ok {
		return fmt.Errorf("no run of the history has the tag %q: %w", name, fs.ErrNotExist)
	}
	return f.appendTag(tagLine{Schema: results.SchemaVersion, Tag: name})
}

func (f *File) appendTag(tag tagLine) error {
	line, err := compact(tag)
	if err != nil {
		return err
	}
	return f.appendLine(line)
}

// Rewrite removes runs, with their tags, and damaged stretches of the file;
// choose gets the listing and says what goes. What stays is copied as it is.
// The file is replaced at once: whatever goes wrong, the old or the new one is
// there whole.
func (f *File) Rewrite(choose func(Listing) (gone []Entry, damage bool, err error)) error {
	unlock, err := f.lock(exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	l, err := f.scan()
	if err != nil {
		return err
	}
	gone, damage, err := choose(l)
	if err != nil || len(gone) == 0 && !(damage && len(l.Damaged) > 0) {
		return err
	}
	leave := map[string]bool{}
	for _, e := range gone {
		leave[e.ID] = true
	}
	return f.replace(func(to io.Writer, from io.ReaderAt) error {
		copyOf := func(offset, length int64) error {
			if _, err := io.Copy(to, io.NewSectionReader(from, offset, length)); err != nil {
				return err
			}
			_, err := io.WriteString(to, "\n")
			return err
		}
		damaged := l.Damaged
		if damage {
			damaged = nil
		}
		for _, e := range l.Entries {
			for len(damaged) > 0 && damaged[0].Offset < e.offset {
				if err := copyOf(damaged[0].Offset, damaged[0].Bytes); err != nil {
					return err
				}
				damaged = damaged[1:]
			}
			if leave[e.ID] {
				continue
			}
			if err := copyOf(e.offset, e.length); err != nil {
				return err
			}
			for _, tag := range e.Tags {
				line, err := compact(tagLine{results.SchemaVersion, tag, e.ID})
				if err != nil {
					return err
				}
				if _, err := to.Write(append(line, '\n')); err != nil {
					return err
				}
			}
		}
		for _, d := range damaged {
			if err := copyOf(d.Offset, d.Bytes); err != nil {
				return err
			}
		}
		return nil
	})
}

// replace writes a new file beside the history and puts it in its place. Its
// name is always the same, so that what a crash leaves is overwritten.
func (f *File) replace(write func(to io.Writer, from io.ReaderAt) error) (err error) {
	path, err := filepath.EvalSymlinks(f.path) // a link stays one
	if err != nil {
		return err
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	temporary := path + ".new"
	to, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			to.Close()
			os.Remove(temporary)
		}
	}()
	if err := to.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	if err := write(to, from); err != nil {
		return err
	}
	if err := to.Sync(); err != nil {
		return err
	}
	if err := to.Close(); err != nil {
		return err
	}
	from.Close() // Windows replaces no open file
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// Keep is a choice for Rewrite: the last n runs stay, and so does every run
// that has a tag.
func Keep(n int) func(Listing) ([]Entry, bool, error) {
	return func(l Listing) (gone []Entry, damage bool, err error) {
		for i, e := range l.Entries {
			if i < len(l.Entries)-n && len(e.Tags) == 0 {
				gone = append(gone, e)
			}
		}
		return gone, false, nil
	}
}
