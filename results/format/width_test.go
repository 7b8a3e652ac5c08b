package format

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gelibench/results"
)

// tooWide are the lines that are wider than a screen and no command to paste.
func tooWide(text string, width int) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool {
		return utf8.RuneCountInString(l) <= width || strings.HasPrefix(l, "again: ")
	})
}

// wide is a run whose columns are as wide as they get.
func wide() results.Run {
	run := rounds()
	run.Command = append(run.Command, "-s", "4096", "/dev/disk/by-id/nvme-Example_SSD_9000_PRO_2TB_S0M3S3R14L")
	run.Answers = []results.Answer{{Question: "verdict", Text: strings.Repeat("words and ", 20), Lines: []string{"", "note: " + strings.Repeat("why and ", 20)}}}
	run.Series = slices.Clone(run.Series)
	for i, x := range run.Series {
		x.Case.Provider = "/dev/disk/by-id/nvme-Example_SSD_9000_PRO_2TB_S0M3S3R14L"
		x.Case.AAlg, x.Case.Alg, x.Case.Engine = "hmac/sha256", "camellia-cbc", []string{"soft", "vaes-avx512"}[i%2]
		x.Case.Workers = 128
		run.Series[i] = x
	}
	return run
}

// noRoom is the sentence on the columns that have none, on one line.
func noRoom(text string) string {
	lines := strings.Split(text, "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "no room for: ") })
	if at < 0 {
		return ""
	}
	sentence := lines[at]
	for _, l := range lines[at+1:] {
		if !strings.HasPrefix(l, "  ") {
			break
		}
		sentence += l[1:]
	}
	return sentence
}

// On a screen the least of the columns go, and are named; words are folded.
func TestTableIn(t *testing.T) {
	// By the last line of their headings; those of two lines have a name of both.
	never := []string{"provider", "cipher", "bits", "op", "workers", "path", "MB/s"}
	mayGo := map[string]string{"integrity": "integrity", "engine": "engine", "CPU %": "CPU %", "per GB": "CPU-s per GB"}
	for name, run := range map[string]results.Run{
		"matrix": matrix(), "rounds": rounds(), "imported": imported(), "wide": wide(), "empty": {},
	} {
		var whole bytes.Buffer
		if err := TableIn(&whole, run, 0); err != nil {
			t.Fatal(err)
		}
		for width := 80; width <= 260; width++ {
			var b bytes.Buffer
			if err := TableIn(&b, run, width); err != nil {
				t.Fatal(err)
			}
			for _, l := range tooWide(b.String(), width) {
				t.Errorf("%s: %d columns on a screen of %d: %s", name, utf8.RuneCountInString(l), width, l)
			}
			if width == 80 || width == 120 {
				golden(t, fmt.Sprintf("%s.table%d", name, width), b.String())
			}
			headings := headingsOf(b.String())
			for _, h := range never {
				if !strings.Contains(headings, h) {
					t.Errorf("%s: no column %s at %d", name, h, width)
				}
			}
			if strings.Contains(headingsOf(whole.String()), "± %") != strings.Contains(headings, "± %") {
				t.Errorf("%s: the spread is lost at %d", name, width)
			}
			for h, known := range mayGo {
				if !strings.Contains(headingsOf(whole.String()), h) {
					continue
				}
				if here, said := strings.Contains(headings, h), strings.Contains(noRoom(b.String()), known); here == said {
					t.Errorf("%s: column %s at %d: there: %v, said to be left out: %v", name, h, width, here, said)
				}
			}
		}
	}
}

// headingsOf is the last line of a table's headings.
func headingsOf(text string) string {
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "provider") {
			return l
		}
	}
	return ""
}

// Where there is no screen the rows are whole, and the words have 80 columns.
func TestTableInNoScreen(t *testing.T) {
	rows := func(text string) string {
		_, below, _ := strings.Cut(text, "\n\n")
		table, _, _ := strings.Cut(below, "\n\n")
		return table
	}
	for name, run := range map[string]results.Run{"matrix": matrix(), "rounds": rounds(), "wide": wide()} {
		var whole, screen bytes.Buffer
		if err := Table(&whole, run); err != nil {
			t.Fatal(err)
		}
		if err := TableIn(&screen, run, 0); err != nil {
			t.Fatal(err)
		}
		if rows(whole.String()) != rows(screen.String()) {
			t.Errorf("%s: other rows:\n%s", name, screen.String())
		}
		for _, l := range tooWide(strings.Replace(screen.String(), rows(screen.String()), "", 1), 80) {
			t.Errorf("%s: %s", name, l)
		}
	}
}

// What was concluded has the columns of the screen, but for the reasons.
func TestAnswersIn(t *testing.T) {
	run := wide()
	for _, width := range []int{0, 40, 60, 80, 120} {
		var b bytes.Buffer
		if err := AnswersIn(&b, run, width); err != nil {
			t.Fatal(err)
		}
		longest := 0
		for _, l := range strings.Split(b.String(), "\n") {
			if !strings.HasPrefix(l, "again: ") {
				longest = max(longest, utf8.RuneCountInString(l))
			}
		}
		if most := cmp.Or(width, 80); longest > most || longest < most-12 {
			t.Errorf("the longest of the lines has %d columns on a screen of %d:\n%s", longest, width, b.String())
		}
	}
}
