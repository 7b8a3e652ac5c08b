package image

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"gelibench/geli"
)

// markSuffix behind an image's name gives that of its mark: the file that says
// that gelibench made the image and may overwrite what is in it. The image
// itself stays as FreeBSD would have made it.
const markSuffix = ".gelibench"

// markHead opens a mark.
const markHead = "gelibench init made this scratch image; its content may be overwritten.\n"

// MarkPath is where the mark of an image lies.
func MarkPath(path string) string { return path + markSuffix }

// markOf is a mark's content. The salt ties it to one image: a file that took
// the scratch image's place is not marked.
func markOf(l *geli.Label) string { return fmt.Sprintf("%ssalt %x\n", markHead, l.Salt) }

// Marked reports whether the image is a scratch image that Create made.
func (i *Image) Marked() bool {
	text, err := os.ReadFile(MarkPath(i.name))
	return err == nil && string(text) == markOf(i.Label)
}

// checkMark refuses a file that has the mark's name and is none.
func checkMark(path string) error {
	text, err := os.ReadFile(MarkPath(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !strings.HasPrefix(string(text), markHead):
		return fmt.Errorf("%s is in the way of the scratch image's mark and is none: %w", MarkPath(path), fs.ErrExist)
	}
	return nil
}
