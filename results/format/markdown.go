package format

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"gelibench/results"
	"gelibench/results/textgrid"
)

// Markdown writes a run as a table in GitHub's markdown, with the same columns
// as Table, between the same heading and footer as lists; the command that
// repeats the run stands in a block of its own.
func Markdown(w io.Writer, run results.Run) error {
	var lines []string
	items := func(texts []string) {
		for _, t := range texts {
			lines = append(lines, "- "+escapeMarkdown(t))
		}
	}
	items(tableHeading(run))
	lines = append(lines, "")

	columns := tableColumns(run.Series)
	row := func(cell func(textgrid.Column) string) {
		var b strings.Builder
		for i, c := range columns {
			b.WriteString("| ")
			text := cell(c)
			pad := strings.Repeat(" ", widthMarkdown(c)-utf8.RuneCountInString(text))
			if c.Right {
				b.WriteString(pad + text)
			} else {
				b.WriteString(text + pad)
			}
			b.WriteByte(' ')
			if i == len(columns)-1 {
				b.WriteByte('|')
			}
		}
		lines = append(lines, b.String())
	}
	row(headMarkdown)
	row(func(c textgrid.Column) string {
		if c.Right {
			return strings.Repeat("-", widthMarkdown(c)-1) + ":"
		}
		return strings.Repeat("-", widthMarkdown(c))
	})
	for i := range run.Series {
		row(func(c textgrid.Column) string { return escapeMarkdown(strings.TrimSpace(c.Cells[i])) })
	}

	command, block := run.Command, answerLines(run, proseColumns)
	run.Command = nil
	// The lines of answers stand in a block, their texts in the list.
	run.Answers = slices.Clone(run.Answers)
	for i := range run.Answers {
		run.Answers[i].Lines = nil
	}
	if footer := tableFooter(run, 0); len(footer) > 0 {
		lines = append(lines, "")
		items(footer)
	}
	if block = slices.DeleteFunc(block, func(l string) bool { return strings.Contains(l, "```") }); len(block) > 0 {
		lines = append(lines, "", "```text")
		for i, l := range block {
			if i > 0 || l != "" {
				lines = append(lines, Printable(l))
			}
		}
		lines = append(lines, "```")
	}
	if len(command) > 0 {
		lines = append(lines, "", "```sh", ShellLine(command), "```")
	}
	return writeLines(w, lines)
}

func headMarkdown(c textgrid.Column) string {
	return escapeMarkdown(c.Name())
}

// widthMarkdown is the width of a column, at least what a rule needs.
func widthMarkdown(c textgrid.Column) int {
	n := max(3, utf8.RuneCountInString(headMarkdown(c)))
	for _, s := range c.Cells {
		n = max(n, utf8.RuneCountInString(escapeMarkdown(strings.TrimSpace(s))))
	}
	return n
}

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "\\<", ">", "\\>", "[", "\\[", "]", "\\]")

// escapeMarkdown makes text that is shown as it stands. What would steer a
// terminal, or end a line, is a question mark before the escapes are set.
func escapeMarkdown(s string) string { return markdownEscapes.Replace(Printable(s)) }
