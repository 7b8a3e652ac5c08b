package textgrid

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func columns() []Column {
	return []Column{
		{Heading: "line", Right: true, Cells: []string{"3", "120"}, Keep: MustKeep},
		{Heading: "what", Cells: []string{"a rather long text", "b"}, Cut: 6, Keep: 5},
		{Heading: "tool", Cells: []string{"dd", "dd"}, Keep: 1},
		{Heading: "MB/s", Right: true, Cells: []string{"17.5", ""}, Keep: MustKeep},
	}
}

func TestLines(t *testing.T) {
	got := strings.Join(Lines(columns(), 2), "\n")
	want := "line  what                tool  MB/s\n   3  a rather long text  dd    17.5\n 120  b                   dd       -"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFit(t *testing.T) {
	for width := 1; width < 60; width++ {
		kept, gone := Fit(columns(), width)
		if len(kept)+len(gone) != 4 {
			t.Errorf("width %d: %d kept, %d gone", width, len(kept), len(gone))
		}
		for _, l := range Lines(kept, 2) {
			if n := utf8.RuneCountInString(l); n > width && width >= 10 {
				t.Errorf("width %d: %q has %d characters", width, l, n)
			}
		}
	}
	// Nothing is left out that fits once others are cut; the least wanted goes first.
	if kept, gone := Fit(columns(), 30); len(gone) > 0 || kept[1].Cells[0] != "a rather lo…" {
		t.Errorf("%v left out, %q", gone, kept[1].Cells[0])
	}
	if _, gone := Fit(columns(), 22); !slices.Equal(gone, []string{"tool"}) {
		t.Errorf("%v left out", gone)
	}
	if columns()[1].Cells[0] != "a rather long text" {
		t.Error("Fit changed its argument")
	}
}

// A heading of two lines is as wide as the wider of them, and its name is both.
func TestAbove(t *testing.T) {
	two := columns()
	two[2].Above, two[3].Above = "of whom", "rate"
	got := strings.Join(Lines(two, 2), "\n")
	want := "                          of whom  rate\nline  what                tool     MB/s\n   3  a rather long text  dd       17.5\n 120  b                   dd          -"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, gone := Fit(two, 22); !slices.Equal(gone, []string{"of whom tool"}) {
		t.Errorf("%v left out", gone)
	}
}

func TestCommon(t *testing.T) {
	if s, ok := columns()[2].Common(); !ok || s != "dd" {
		t.Errorf("%q, %v", s, ok)
	}
	for _, i := range []int{0, 1, 3} {
		if s, ok := columns()[i].Common(); ok {
			t.Errorf("column %d has %q in common", i, s)
		}
	}
}

func TestWrap(t *testing.T) {
	got := Wrap("one two three four", 9, "  ")
	if !slices.Equal(got, []string{"one two", "  three", "  four"}) {
		t.Errorf("%q", got)
	}
	if got = Wrap("  one two three", 9, "    "); !slices.Equal(got, []string{"  one two", "    three"}) {
		t.Errorf("%q", got)
	}
	if got = WrapBehind("ab:  one two three", 5, 13); !slices.Equal(got, []string{"ab:  one two", "     three"}) {
		t.Errorf("%q", got)
	}
}

func TestLetter(t *testing.T) {
	for n, want := range map[int]string{0: "a", 25: "z", 26: "aa", 51: "az", 52: "ba", 701: "zz", 702: "aaa"} {
		if got := Letter(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
