package format

import (
	"bufio"
	"io"
	"strings"
	"unicode"

	"gelibench/results/textgrid"
)

// column is one column of a grid: two lines of heading, and its cells.
type column struct {
	heading [2]string
	right   bool // for numbers
	cells   []string
}

// grid sets columns side by side under their two lines of headings.
func grid(columns []column) []string {
	cells, right := make([][]string, len(columns)), make([]bool, len(columns))
	for i, c := range columns {
		cells[i], right[i] = append(c.heading[:], c.cells...), c.right
	}
	return textgrid.Align(cells, right)
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
