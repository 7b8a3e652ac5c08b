package app

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"gelibench/cmd/internal/image"
	"gelibench/geli"
	"gelibench/geli/engine"
)

// byteRange is a stretch of the decrypted provider.
type byteRange struct{ off, length int64 }

// parseRange reads OFF,LEN.
func parseRange(text string) (byteRange, error) {
	const hint = "OFF,LEN in bytes: --cat 0,512; k m g ... are powers of 1024"
	offText, lengthText, ok := strings.Cut(text, ",")
	if !ok {
		return byteRange{}, usage(hint, "%q is no offset and length", text)
	}
	off, err := parseNumber(offText)
	if err != nil {
		return byteRange{}, err
	}
	length, err := parseNumber(lengthText)
	if err == nil && off > math.MaxInt64-length {
		err = usage(hint, "%q is too large", text)
	}
	return byteRange{off, length}, err
}

// putFile is a file to write into the decrypted provider, and where.
type putFile struct {
	path string
	off  int64
}

// parsePut reads FILE or FILE@OFF. A name that holds a @ of its own needs the
// offset behind it.
func parsePut(text string) (putFile, error) {
	path, off := text, int64(0)
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		n, err := parseNumber(text[i+1:])
		if err != nil {
			return putFile{}, in("the offset behind @", err)
		}
		path, off = text[:i], n
	}
	if path == "" {
		return putFile{}, usage("--put FILE@OFF, or -@OFF for stdin", "%q names no file", text)
	}
	return putFile{path, off}, nil
}

// copyBytes is one read or write of cat and put.
const copyBytes = 1 << 20

// attachForCopy makes the device of cat and put: long runs, cached keys.
func attachForCopy(img *image.Image, master *geli.MasterKey, e engine.Engine) (*geli.Device, error) {
	return geli.Attach(img, img.Label, master, geli.Options{Engine: e, Path: geli.PathBatch})
}

// cat writes decrypted bytes to stdout, all of them or an error.
func cat(env Env, img *image.Image, master *geli.MasterKey, e engine.Engine, r byteRange) error {
	d, err := attachForCopy(img, master, e)
	if err != nil {
		return err
	}
	defer d.Close()
	if r.off+r.length > d.Size() {
		return usage("", "--cat %d,%d: %s has %d bytes", r.off, r.length, d.Name(), d.Size())
	}
	// Reads after the first begin at multiples of their size, and so of the sector.
	in := geli.Unaligned(d)
	buf := make([]byte, copyBytes)
	for end := r.off + r.length; r.off < end; {
		part := buf[:min(copyBytes-r.off%copyBytes, end-r.off)]
		n, err := in.ReadAt(part, r.off)
		if _, werr := env.Stdout.Write(part[:n]); werr != nil {
			return fmt.Errorf("writing to stdout: %w", werr)
		}
		if n < len(part) {
			return err
		}
		r.off += int64(n)
	}
	return nil
}

// put writes a file into the decrypted provider. What is longer than there is
// room for is refused before anything is written, where its length is known.
func put(env Env, img *image.Image, master *geli.MasterKey, e engine.Engine, what putFile) error {
	d, err := attachForCopy(img, master, e)
	if err != nil {
		return err
	}
	defer d.Close()
	source, length, err := openPut(env, what.path)
	if err != nil {
		return err
	}
	defer source.Close()
	full := usage("", "--put %s at %d: %s has only %d bytes", what.path, what.off, d.Name(), d.Size())
	if what.off > d.Size()-max(length, 0) {
		return full
	}
	out := geli.UnalignedWriter(d, func(off int64) bool {
		start, length := d.ProviderRange(off)
		return img.Blank(start, length)
	})
	buf := make([]byte, copyBytes)
	at := what.off
	for end := false; !end; {
		part := buf[:copyBytes-at%copyBytes]
		n, err := io.ReadFull(source, part)
		if end = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !end {
			return fmt.Errorf("%s: %w", what.path, err)
		}
		m, err := out.WriteAt(part[:n], at)
		at += int64(m)
		if errors.Is(err, io.ErrShortWrite) { // stdin, whose end nobody knew
			if err := img.Sync(); err != nil {
				return fmt.Errorf("%s: %w", img.Name(), err)
			}
			return &failure{exitFailed, fmt.Errorf("--put %s is longer than %s has room for: %d bytes are written at %d, up to its end, and the rest is not", what.path, d.Name(), at-what.off, what.off), "a file in its place is looked at before anything is written"}
		}
		if err != nil {
			return err
		}
	}
	if err := img.Sync(); err != nil {
		return fmt.Errorf("%s: %w", img.Name(), err)
	}
	fmt.Fprintf(env.Stdout, "%d bytes written at %d of %s\n", at-what.off, what.off, d.Name())
	return nil
}

// openPut opens a file, or stdin for "-". Its length is -1 where that is not
// known beforehand.
func openPut(env Env, path string) (io.ReadCloser, int64, error) {
	if path == "-" {
		return io.NopCloser(env.Stdin), -1, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, usage("", "--put: %v", err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, 0, err
	case info.Mode().IsRegular():
		return f, info.Size(), nil
	case info.IsDir():
		f.Close()
		return nil, 0, usage("", "--put: %s is a folder", path)
	}
	return f, -1, nil
}
