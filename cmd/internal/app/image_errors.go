package app

import (
	"errors"
	"io/fs"

	"gelibench/cmd/internal/image"
	"gelibench/geli"
)

// imageError gives the errors of opening an image their exit codes and hints:
// what the file is not, 1 or 2; what this program, as today's FreeBSD, does not
// open, 3.
func imageError(err error) error {
	known := func(code int, hint string) error { return &failure{code, trimInvalid(err), hint} }
	var f *failure
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return known(exitUsage, "gelibench init makes a scratch image")
	case errors.Is(err, geli.ErrTooNew):
		return known(exitUnavailable, "a later gelibench may know it")
	case errors.Is(err, geli.ErrUnknownAlg):
		return known(exitUnavailable, "a later gelibench may know it; gelibench dump shows the metadata")
	case errors.Is(err, geli.ErrRemovedAlg):
		return known(exitUnavailable, "FreeBSD 12 still opens it; the cipher alone can be measured by gelibench onetime")
	case errors.Is(err, geli.ErrLabelSum):
		return known(exitFailed, "a backup of the metadata, if there is one, can be put back by geli restore")
	case errors.Is(err, geli.ErrBadLabel):
		return known(exitFailed, "gelibench dump shows the metadata; a backup of it, if there is one, can be put back by geli restore")
	case errors.Is(err, geli.ErrNoLabel):
		return known(exitFailed, "the last sector, of 512 or 4096 bytes, holds none")
	case errors.Is(err, geli.ErrSize):
		return known(exitFailed, "the file was cut or grew, or is only a part of the provider; gelibench dump shows its metadata")
	case errors.Is(err, geli.ErrNoSlot):
		return known(exitFailed, "geli delkey or geli kill removed them all")
	case errors.Is(err, geli.ErrWrongKey):
		return known(exitFailed, "-j and -k take what init's -J and -K, or geli's, took; keyfiles count in their order")
	case errors.Is(err, geli.ErrIntegrity):
		return known(exitFailed, "a sector that was never written has no valid MAC: --op write over the whole image, or init --fill, gives it one")
	case errors.Is(err, image.ErrDisk):
		return known(exitUsage, "gelibench init makes a scratch image in a file")
	case errors.Is(err, fs.ErrPermission):
		return known(exitFailed, "")
	case errors.Is(err, fs.ErrInvalid):
		return known(exitUsage, "")
	case errors.Is(err, fs.ErrExist):
		return known(exitUsage, "--force makes a new image in its place; what is in it is lost")
	}
	return err
}
