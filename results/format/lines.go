package format

import (
	"bufio"
	"io"
	"strings"
	"unicode"

	"gelibench/results/textgrid"
)

// proseColumns is what lines of words are broken to where no width is known.
const proseColumns = 80

// fold breaks lines of words between words; all but the first of each begin
// with two blanks. A width of 0 leaves them as they are.
func fold(lines []string, width int) []string {
	if width == 0 {
		return lines
	}
	var folded []string
	for _, l := range lines {
		folded = append(folded, textgrid.Wrap(l, width, "  ")...)
	}
	return folded
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
