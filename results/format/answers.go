package format

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"gelibench/results"
	"gelibench/results/units"
)

// Answers writes what was concluded from a run, and not the figures of each
// case: a line on the machine, the answers with their reasons, what speaks
// against them, and the command that repeats the run. It keeps to 80 columns,
// but for the reasons and the command.
func Answers(w io.Writer, run results.Run) error { return AnswersIn(w, run, 0) }

// AnswersIn is Answers on a screen of so many columns; 0 stands for the 80.
func AnswersIn(w io.Writer, run results.Run, width int) error {
	width = cmp.Or(width, proseColumns)
	lines := append([]string{hostLine(run)}, pathLines(run.Series)...)
	lines = append(fold(lines, width), answerLines(run, width)...)
	for _, n := range run.Notes {
		line := "note: " + n.Text
		if n.Advice != "" {
			line += " (" + n.Advice + ")"
		}
		lines = append(lines, fold([]string{line}, width)...)
	}
	var end []string
	if run.Interrupted {
		end = append(end, "interrupted: cases that were not reached are left out")
	}
	lines = append(lines, fold(append(end, trust(run)...), width)...)
	lines = append(lines, answerTexts(run, width)...)
	if len(run.Answers) == 0 {
		lines = append(lines, "no answer: nothing was measured that holds one")
	}
	if len(run.Command) > 0 {
		lines = append(lines, "again: "+ShellLine(run.Command))
	}
	return writeLines(w, lines)
}

// answerLines are the reasons of all answers. Their tables are as wide as they
// were made.
func answerLines(run results.Run, width int) []string {
	if len(run.Answers) == 0 {
		return nil
	}
	var lines []string
	for _, a := range run.Answers {
		if len(a.Lines) > 0 {
			lines = append(lines, "")
		}
		for _, l := range a.Lines {
			if strings.HasPrefix(l, "note: ") {
				lines = append(lines, fold([]string{l}, width)...)
				continue
			}
			lines = append(lines, l)
		}
	}
	return lines
}

// answerTexts are the answers in a line each, which end a screen, and how far
// they can be trusted.
func answerTexts(run results.Run, width int) []string {
	var lines []string
	for _, a := range run.Answers {
		line := a.Question + ": " + a.Text
		if run.Grade == results.Unreliable {
			line = a.Question + " (unreliable): " + a.Text
		}
		lines = append(lines, line)
	}
	return fold(lines, width)
}

// trust says how far a run can be trusted, and why not further.
func trust(run results.Run) []string {
	if run.Grade == "" {
		return nil
	}
	var why []string
	for _, f := range run.Findings {
		if f.Grade.WorseThan(results.Good) && f.Grade == run.Grade {
			why = append(why, f.Name+": "+f.Text)
		}
	}
	worst := map[results.Grade]int{}
	for _, s := range run.Series {
		worst[s.Grade]++
	}
	for _, g := range []results.Grade{results.Unreliable, results.Fair} {
		if n := worst[g]; n > 0 {
			why = append(why, fmt.Sprintf("%d of %s %s by themselves", n, units.Count(len(run.Series), "case"), g))
		}
	}
	line := "grade: " + string(run.Grade)
	if len(why) > 0 {
		line += " (" + strings.Join(why, "; ") + ")"
	}
	return []string{line}
}
