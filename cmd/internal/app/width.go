package app

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"gelibench/results"
	"gelibench/results/format"
	"gelibench/results/textgrid"
)

// usualWidth is that of a terminal that doesn't say, and of what is written to
// no terminal for people, in columns.
const usualWidth = 80

// terminalColumns is the width of a terminal, 0 if it doesn't say, and whether w
// is one.
func terminalColumns(w io.Writer) (columns int, ok bool) {
	if s, sticky := w.(*stickyWriter); sticky {
		w = s.w
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		columns = 0
	}
	return columns, true
}

// shownAt is the width that something is shown at: that of the terminal that w
// is, or else COLUMNS, if somebody set it; 0 if there is neither.
func shownAt(env Env, w io.Writer) int {
	columns, ok := terminalColumns(w)
	if columns > 0 {
		return columns
	}
	if n, err := strconv.Atoi(env.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if ok {
		return usualWidth
	}
	return 0
}

// screenWidth is the width of what is for people alone, in columns.
func screenWidth(env Env) int { return cmp.Or(tableWidth(env), usualWidth) }

// tableWidth is the width of rows that scripts may read, too, in columns; 0 has
// no bounds.
func tableWidth(env Env) int { return shownAt(env, env.Stdout) }

// fit has the run's view for people fit the width that it is shown at. A table
// that was asked for by its name keeps its form, but on a terminal.
func (o *output) fit(env Env, cases int, screen bool) {
	width := tableWidth(env)
	_, terminal := terminalColumns(env.Stdout)
	switch {
	case o.format.Name == "table" && terminal:
		o.format.Write = func(w io.Writer, run results.Run) error { return format.TableIn(w, run, width) }
	case o.format.Name != "" || o.show != nil:
	case screen:
		o.show = func(w io.Writer, run results.Run) error { return format.AnswersIn(w, run, width) }
	case cases > 1:
		o.show = func(w io.Writer, run results.Run) error { return format.TableIn(w, run, width) }
	}
}

// say writes a line of words to stderr, folded where its width is known.
func say(env Env, text string) { sayTo(env.Stderr, shownAt(env, env.Stderr), text) }

// sayTo writes a line, folded at a width that is not 0.
func sayTo(w io.Writer, width int, text string) {
	lines := []string{text}
	if width > 0 {
		lines = textgrid.Wrap(text, width, "  ")
	}
	for _, l := range lines {
		fmt.Fprintln(w, l)
	}
}
