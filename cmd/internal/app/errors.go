package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"gelibench/geli/engine"
	"gelibench/results/format"
)

// The exit codes, all of them. Scripts rely on them; none changes its meaning.
const (
	exitDone        = 0   // done
	exitFailed      = 1   // something went wrong on the way
	exitUsage       = 2   // the command line asks for something that makes no sense
	exitUnavailable = 3   // not available on this machine, or not yet
	exitMismatch    = 4   // self-test: an engine's answers are wrong
	exitUnreliable  = 5   // --strict: the figures are not to be relied on
	exitSlower      = 6   // slower than allowed
	exitInterrupted = 130 // ended by a signal: SIGINT, SIGTERM or SIGHUP; what was finished was printed
)

// failure is an error with an exit code of its own and, where there is one, a
// hint that says what to do instead.
type failure struct {
	code int
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// usage makes an error of the command line, exit code 2. The hint may be empty.
func usage(hint, format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...), hint}
}

// unavailable makes an error of exit code 3.
func unavailable(hint, format string, args ...any) error {
	return &failure{exitUnavailable, fmt.Errorf(format, args...), hint}
}

// in puts a place, such as a flag's name, before an error and keeps its code
// and hint.
func in(place string, err error) error {
	if err == nil {
		return nil
	}
	f := &failure{exitCode(err), fmt.Errorf("%s: %w", place, err), hintOf(err)}
	return f
}

// errInterrupted ends a run that a signal ended; its results are out already.
var errInterrupted = &failure{exitInterrupted, context.Canceled, ""}

// exitCode is the one place where errors become exit codes.
func exitCode(err error) int {
	var f *failure
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &f):
		return f.code
	case errors.Is(err, engine.ErrMismatch):
		return exitMismatch
	case errors.Is(err, engine.ErrUnavailable):
		return exitUnavailable
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailed
}

func hintOf(err error) string {
	var f *failure
	if errors.As(err, &f) {
		return f.hint
	}
	if errors.Is(err, fs.ErrPermission) {
		return "providers are only read; reading a disk takes the right to do so"
	}
	return ""
}

// report writes an error and its hint. Nothing is said of an interruption: the
// person knows.
func report(w io.Writer, err error) {
	if err == nil || exitCode(err) == exitInterrupted {
		return
	}
	fmt.Fprintf(w, "gelibench: %s\n", printable(err.Error()))
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", printable(hint))
	}
}

// printable keeps the control characters of a file's name, or of anything else
// that comes from outside, from a terminal. Further lines are indented, so that
// none of them passes for a message of its own.
func printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = format.Printable(line)
	}
	return strings.Join(lines, "\n  ")
}
