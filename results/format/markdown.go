package format

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"gelibench/results"
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
	row := func(cell func(column) string) {
		var b strings.Builder
		for i, c := range columns {
			b.WriteString("| ")
			text := cell(c)
			pad := strings.Repeat(" ", widthMarkdown(c)-utf8.RuneCountInString(text))
			if c.right {
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
	row(func(c column) string {
		if c.right {
			return strings.Repeat("-", widthMarkdown(c)-1) + ":"
		}
		return strings.Repeat("-", widthMarkdown(c))
	})
	for i := range run.Series {
		row(func(c column) string { return escapeMarkdown(strings.TrimSpace(c.cells[i])) })
	}

	command, block := run.Command, answerLines(run)
	run.Command = nil
	// The lines of answers stand in a block, their texts in the list.
	run.Answers = slices.Clone(run.Answers)
	for i := range run.Answers {
		run.Answers[i].Lines = nil
	}
	if footer := tableFooter(run); len(footer) > 0 {
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

func headMarkdown(c column) string {
	return escapeMarkdown(strings.TrimSpace(strings.TrimSpace(c.heading[0]) + " " + strings.TrimSpace(c.heading[1])))
}

// widthMarkdown is the width of a column, at least what a rule needs.
func widthMarkdown(c column) int {
	n := max(3, utf8.RuneCountInString(headMarkdown(c)))
	for _, s := range c.cells {
		n = max(n, utf8.RuneCountInString(escapeMarkdown(strings.TrimSpace(s))))
	}
	return n
}

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "\\<", ">", "\\>", "[", "\\[", "]", "\\]")

// escapeMarkdown makes text that is shown as it stands. What would steer a
// terminal, or end a line, is a question mark before the escapes are set.
func escapeMarkdown(s string) string { return markdownEscapes.Replace(Printable(s)) }
