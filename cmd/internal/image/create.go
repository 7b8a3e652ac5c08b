package image

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gelibench/geli"
)

// Scratch is a scratch image to be made.
type Scratch struct {
	Path        string
	Label       *geli.Label // sealed; its ProviderBytes is the size of the file
	SectorBytes int         // of the underlying provider: 512 or 4096
	Replace     bool        // a regular file of that name gives way
	// Fill, if set, writes the data area before anything is in place.
	Fill func(p geli.Provider) error
	// Backup, if set, is where a copy of the label's sector goes, as geli's -B.
	Backup string
}

// Check says what keeps the image from being made, as far as that shows before
// it is. The error wraps fs.ErrExist where Replace would help, and fs.ErrInvalid
// where nothing would.
func (s Scratch) Check() error {
	if s.Path == "" {
		return fmt.Errorf("the scratch image has no name: %w", fs.ErrInvalid)
	}
	if err := checkTarget(s.Path, s.Replace); err != nil {
		return err
	}
	if s.Backup != "" {
		for _, taken := range []string{s.Path, MarkPath(s.Path)} {
			if sameName(s.Backup, taken) {
				return fmt.Errorf("the backup of the metadata cannot be %s, which the scratch image takes: %w", taken, fs.ErrInvalid)
			}
		}
		if err := checkTarget(s.Backup, s.Replace); err != nil {
			return err
		}
	}
	return checkMark(s.Path)
}

// checkTarget looks at what has the name of a file to be made.
func checkTarget(path string, replace bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if dir := filepath.Dir(path); !isDir(dir) {
			return fmt.Errorf("there is no folder %s: %w", dir, fs.ErrInvalid)
		}
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link: name the file itself: %w", path, fs.ErrInvalid)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file; scratch images are never made on anything else: %w", path, fs.ErrInvalid)
	case !replace:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return nil
}

// sameName reports whether two paths name one file, which need not be there.
func sameName(a, b string) bool {
	if infoA, err := os.Stat(a); err == nil {
		infoB, err := os.Stat(b)
		return err == nil && os.SameFile(infoA, infoB)
	}
	dirA, errA := os.Stat(filepath.Dir(a))
	dirB, errB := os.Stat(filepath.Dir(b))
	if errA != nil || errB != nil || !os.SameFile(dirA, dirB) {
		return false
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.EqualFold(filepath.Base(a), filepath.Base(b))
	}
	return filepath.Base(a) == filepath.Base(b)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Create makes the image, its mark and its backup. Each is written whole under
// another name in the same folder, brought to stable storage, and only then
// given its own: after a crash or on a full disk there is what was there before,
// or the image. The mark comes last, so that nothing is marked that is not
// there.
func (s Scratch) Create() (err error) {
	if err := s.Check(); err != nil {
		return err
	}
	label := make([]byte, s.SectorBytes)
	copy(label, s.Label.Encode())
	var made []*pending
	defer func() {
		for _, p := range made {
			p.discard()
		}
	}()
	type file struct {
		path  string
		write func(*os.File) error
	}
	files := []file{
		{s.Path, func(f *os.File) error { return s.write(f, label) }},
		{MarkPath(s.Path), func(f *os.File) error { _, err := f.WriteString(markOf(s.Label)); return err }},
	}
	if s.Backup != "" {
		files = append([]file{{s.Backup, func(f *os.File) error { _, err := f.Write(label); return err }}}, files...)
	}
	for _, want := range files {
		p, err := prepare(want.path, want.write)
		if err != nil {
			return err
		}
		made = append(made, p)
	}
	for _, p := range made {
		if err := p.place(s.Replace || p.path == MarkPath(s.Path)); err != nil {
			return err
		}
	}
	return nil
}

// write makes the image's content: a sparse file with the label in its last
// sector, and the data where it is wanted.
func (s Scratch) write(f *os.File, label []byte) error {
	size := s.Label.ProviderBytes
	if err := f.Truncate(size); err != nil {
		return err
	}
	if s.Fill != nil {
		i := &Image{Label: s.Label, name: s.Path, size: size, sector: s.SectorBytes, in: f, out: f}
		if err := s.Fill(i); err != nil {
			return err
		}
	}
	_, err := f.WriteAt(label, size-int64(len(label)))
	return err
}

// pending is a file that is whole but does not have its name yet.
type pending struct {
	path, temp string
	placed     bool
}

// prepare writes a file beside path. Only its owner may read it, unless it
// takes the place of one with other permissions.
func prepare(path string, write func(*os.File) error) (*pending, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return nil, err
	}
	p := &pending{path: path, temp: f.Name()}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if old, serr := os.Stat(path); err == nil && serr == nil {
		err = os.Chmod(p.temp, old.Mode().Perm())
	}
	if err != nil {
		p.discard()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// place gives the file its name. Without replace, a file that came up under
// that name in the meantime is left alone.
func (p *pending) place(replace bool) error {
	if !replace {
		err := os.Link(p.temp, p.path) // unlike Rename, it replaces nothing
		if err == nil {
			return syncDir(filepath.Dir(p.path)) // discard takes the other name away
		}
		if _, serr := os.Lstat(p.path); serr == nil {
			return fmt.Errorf("%s: %w", p.path, fs.ErrExist)
		}
	}
	if err := os.Rename(p.temp, p.path); err != nil {
		return err
	}
	p.placed = true
	return syncDir(filepath.Dir(p.path))
}

// discard takes the temporary name away.
func (p *pending) discard() {
	if !p.placed {
		os.Remove(p.temp)
	}
}
