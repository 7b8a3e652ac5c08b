// Package textgrid sets columns of text side by side so that they fit a width.
package textgrid

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Column is one column: its heading and a cell for each row.
type Column struct {
	Above   string // a first line of the heading, or nothing
	Heading string
	Right   bool // for numbers
	Cells   []string
	// Keep is how hard the column is to do without: of those that don't fit,
	// the lowest go first. Columns of MustKeep never go.
	Keep int
	// Cut says that cells longer than so many characters may be shortened
	// before a column goes; 0 means that they may not.
	Cut int
}

// MustKeep is the Keep of columns that stay, however narrow the screen.
const MustKeep = 1 << 20

// gap is the blanks between two columns.
const gap = 2

// Known tells whether any cell holds something.
func (c Column) Known() bool {
	for _, s := range c.Cells {
		if s != "" {
			return true
		}
	}
	return false
}

// Common is what all cells hold, where that is the same and not nothing.
func (c Column) Common() (text string, ok bool) {
	for i, s := range c.Cells {
		if s == "" || i > 0 && s != c.Cells[0] {
			return "", false
		}
	}
	if len(c.Cells) == 0 {
		return "", false
	}
	return c.Cells[0], true
}

// Name is the heading on one line.
func (c Column) Name() string {
	return strings.TrimSpace(strings.TrimSpace(c.Above) + " " + strings.TrimSpace(c.Heading))
}

// headingWidth is what the heading takes, in characters.
func (c Column) headingWidth() int {
	return max(utf8.RuneCountInString(c.Above), utf8.RuneCountInString(c.Heading))
}

// Width is what the column takes on a screen, in characters.
func (c Column) Width() int {
	w := c.headingWidth()
	for _, s := range c.Cells {
		w = max(w, utf8.RuneCountInString(s))
	}
	return w
}

// Width is what columns take side by side.
func Width(columns []Column) int {
	w := 0
	for i, c := range columns {
		if i > 0 {
			w += gap
		}
		w += c.Width()
	}
	return w
}

// Fit leaves columns out until the rest fits into width, cut as far as may be,
// and then cuts no more than it must; it returns the names of those that went. A width of 0 has no bounds.
func Fit(columns []Column, width int) (kept []Column, gone []string) {
	kept = append(kept, columns...)
	for width > 0 && leastWidth(kept) > width {
		least := -1
		for i, c := range kept {
			if c.Keep < MustKeep && (least < 0 || c.Keep <= kept[least].Keep) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		gone = append(gone, kept[least].Name())
		kept = append(kept[:least:least], kept[least+1:]...)
	}
	for width > 0 && Width(kept) > width {
		i := cuttable(kept)
		if i < 0 {
			break
		}
		kept[i] = shorten(kept[i], max(kept[i].Cut, kept[i].Width()-(Width(kept)-width)))
	}
	return kept, gone
}

// leastWidth is what columns take that are cut as far as may be.
func leastWidth(columns []Column) int {
	w := Width(columns)
	for _, c := range columns {
		if c.Cut > 0 {
			w -= max(0, c.Width()-max(c.Cut, c.headingWidth()))
		}
	}
	return w
}

// cuttable is the place of the widest column that can be shortened; -1 of none.
func cuttable(columns []Column) int {
	widest := -1
	for i, c := range columns {
		if c.Cut > 0 && c.Width() > max(c.Cut, c.headingWidth()) && (widest < 0 || c.Width() > columns[widest].Width()) {
			widest = i
		}
	}
	return widest
}

func shorten(c Column, width int) Column {
	width = max(width, c.headingWidth())
	cells := make([]string, len(c.Cells))
	for i, s := range c.Cells {
		cells[i] = Shorten(s, width)
	}
	c.Cells = cells
	return c
}

// Shorten cuts a text to so many characters, the last of which then is "…".
func Shorten(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	if width < 1 {
		return ""
	}
	return string([]rune(s)[:width-1]) + "…"
}

// Lines sets the columns side by side, under a line of headings, or two if one
// has an Above; an empty cell is a "-", and no line ends with a blank.
func Lines(columns []Column, rows int) []string {
	cells, right := make([][]string, len(columns)), make([]bool, len(columns))
	two := slices.ContainsFunc(columns, func(c Column) bool { return c.Above != "" })
	for i, c := range columns {
		right[i] = c.Right
		cells[i] = make([]string, 0, rows+2)
		if two {
			cells[i] = append(cells[i], c.Above)
		}
		cells[i] = append(cells[i], c.Heading)
		for _, cell := range c.Cells[:rows] {
			if cell == "" {
				cell = "-"
			}
			cells[i] = append(cells[i], cell)
		}
	}
	return Align(cells, right)
}

// Align sets columns of cells side by side, each as wide as its longest, those
// of numbers to the right. All have the same number of cells; no line ends with
// a blank.
func Align(columns [][]string, right []bool) []string {
	if len(columns) == 0 {
		return nil
	}
	widths := make([]int, len(columns))
	for i, cells := range columns {
		for _, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(columns[0]))
	for row := range lines {
		var b strings.Builder
		for i, cells := range columns {
			text := cells[row]
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i > 0 {
				b.WriteString(strings.Repeat(" ", gap))
			}
			if right[i] {
				b.WriteString(pad + text)
			} else {
				b.WriteString(text + pad)
			}
		}
		lines[row] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// Letter names the n-th remark of a page, from 0: a, b, … z, aa, ab, …
func Letter(n int) string {
	s := ""
	for n++; n > 0; n = (n - 1) / 26 {
		s = string(rune('a'+(n-1)%26)) + s
	}
	return s
}

// Printable shows what would steer a terminal, or end a line, as a question
// mark.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

// Wrap breaks a text at blanks into lines of at most width characters; all but
// the first, which keeps the blanks that it begins with, begin with indent. A
// word longer than that has a line of its own.
func Wrap(text string, width int, indent string) []string {
	var lines []string
	lead := text[:len(text)-len(strings.TrimLeft(text, " "))]
	line, n := "", 0
	for _, word := range strings.Fields(text) {
		w := utf8.RuneCountInString(word)
		switch {
		case line == "" && len(lines) == 0:
			line, n = lead+word, len(lead)+w
		case width > 0 && n+1+w > width:
			lines = append(lines, line)
			line, n = indent+word, utf8.RuneCountInString(indent)+w
		default:
			line, n = line+" "+word, n+1+w
		}
	}
	return append(lines, line)
}

// WrapBehind is Wrap of a line whose first characters, as many as head, stay as
// they are, blanks and all; the others line up behind them.
func WrapBehind(line string, head, width int) []string {
	r := []rune(line)
	if len(r) <= head {
		return []string{line}
	}
	room := 0
	if width > 0 {
		room = max(width-head, 10)
	}
	lines := Wrap(string(r[head:]), room, "")
	for i := range lines {
		if i == 0 {
			lines[i] = string(r[:head]) + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", head) + lines[i]
		}
	}
	return lines
}
