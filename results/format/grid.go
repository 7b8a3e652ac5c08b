package format

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// column is one column of a grid: two lines of heading, and its cells.
type column struct {
	heading [2]string
	right   bool // for numbers
	cells   []string
}

// grid sets columns side by side, with two blanks between them and none at the
// end of a line; the headings come first.
func grid(columns []column, rows int) []string {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = max(utf8.RuneCountInString(c.heading[0]), utf8.RuneCountInString(c.heading[1]))
		for _, s := range c.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(s))
		}
	}
	var lines []string
	add := func(cell func(c column) string) {
		var line strings.Builder
		for i, c := range columns {
			text := cell(c)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i > 0 {
				line.WriteString("  ")
			}
			if c.right {
				line.WriteString(pad + text)
			} else {
				line.WriteString(text + pad)
			}
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	for i := range 2 {
		add(func(c column) string { return c.heading[i] })
	}
	for row := range rows {
		add(func(c column) string { return c.cells[row] })
	}
	return lines
}

// writeLines writes lines. A record may come from anywhere, so that what would
// steer a terminal is shown as a question mark.
func writeLines(w io.Writer, lines []string) error {
	b := bufio.NewWriter(w)
	for _, line := range lines {
		b.WriteString(Printable(line))
		b.WriteByte('\n')
	}
	return b.Flush()
}

// Printable shows what would steer a terminal, or end a line, as a question mark.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
