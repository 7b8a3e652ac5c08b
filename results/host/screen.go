package host

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gelibench/results"
)

// words are the grades as the screen has them; they need no colour.
var words = map[results.Grade]string{results.Good: "ok", results.Fair: "note", results.Unreliable: "problem"}

// minWidth keeps the text column wide enough to be read.
const minWidth = 50

// Screen writes a report for people, in lines of up to width columns: a line
// for each finding, remedies below it; then what is not known, the verdict,
// and the command that repeats the report.
func Screen(w io.Writer, r Report, again string, width int) error {
	width = max(width, minWidth)
	nameWidth, wordWidth := 0, len("problem")
	for _, f := range r.Findings {
		nameWidth = max(nameWidth, utf8.RuneCountInString(f.Name))
	}
	indent := nameWidth + 2 + wordWidth + 2
	var b strings.Builder
	for _, f := range r.Findings {
		if f.Grade == "" {
			continue
		}
		fmt.Fprintf(&b, "%-*s  %-*s  ", nameWidth, f.Name, wordWidth, words[f.Grade])
		hang(&b, f.Text, indent, width)
		if f.Advice != "" {
			b.WriteString(strings.Repeat(" ", indent))
			hang(&b, "-> "+f.Advice, indent, width)
		}
	}
	b.WriteByte('\n')
	if unknown := r.NotKnown(); len(unknown) > 0 {
		const label = "not known: "
		b.WriteString(label)
		hang(&b, strings.Join(unknown, ", "), len(label), width)
	}
	const label = "verdict: "
	b.WriteString(label)
	hang(&b, r.Verdict(), len(label), width)
	fmt.Fprintf(&b, "again: %s\n", again)
	_, err := io.WriteString(w, b.String())
	return err
}

// hang writes text that begins in column indent, broken at spaces so that it
// stays within width, every line indented alike.
func hang(b *strings.Builder, text string, indent, width int) {
	at := indent
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteByte('\n')
}
