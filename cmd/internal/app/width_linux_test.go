package app

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"gelibench/results"
	"gelibench/results/format"
)

func resize(t *testing.T, terminal *os.File, columns uint16) {
	t.Helper()
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
}

// A terminal knows its width best; COLUMNS is for what doesn't, and a pipe
// without it has no bounds but for words.
func TestWidths(t *testing.T) {
	terminal, _ := pseudoTerminal(t)
	for _, x := range []struct {
		onTerminal    bool
		terminal      uint16
		columns       string
		screen, table int
	}{
		{true, 97, "", 97, 97},
		{true, 97, "60", 97, 97},
		{true, 0, "60", 60, 60},
		{true, 0, "", 80, 80},
		{false, 97, "60", 60, 60},
		{false, 97, "", 80, 0},
		{false, 97, "-3", 80, 0},
		{false, 97, "wide", 80, 0},
	} {
		resize(t, terminal, x.terminal)
		env := Env{Stdout: new(bytes.Buffer), Getenv: func(name string) string { return map[string]string{"COLUMNS": x.columns}[name] }}
		if x.onTerminal {
			env.Stdout = &stickyWriter{w: terminal}
		}
		if screen, table := screenWidth(env), tableWidth(env); screen != x.screen || table != x.table {
			t.Errorf("%+v: a screen of %d, tables of %d", x, screen, table)
		}
	}
}

// The table that was asked for by name fits a terminal, and is as it always was
// elsewhere, also where COLUMNS is set.
func TestNamedTable(t *testing.T) {
	terminal, _ := pseudoTerminal(t)
	resize(t, terminal, 84)
	table, err := format.ByName("table")
	if err != nil {
		t.Fatal(err)
	}
	c := results.Case{Provider: "gzero", Alg: "aes-xts", KeyBits: 128, SectorBytes: 4096, RequestBytes: 1 << 20, Op: "read", Workers: 1, Path: "geli", Engine: "vaes-avx512"}
	run := results.Run{Series: []results.Series{{Case: c, Samples: []results.Sample{{Bytes: 1 << 30, Requests: 1 << 10, ElapsedNS: 1e8}}}}}
	var whole bytes.Buffer
	if err := table.Write(&whole, run); err != nil {
		t.Fatal(err)
	}
	env := Env{Getenv: func(string) string { return "60" }}
	shown := func() string {
		o := output{format: table}
		o.fit(env, 1, false)
		var b bytes.Buffer
		if err := o.format.Write(&b, run); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	env.Stdout = new(bytes.Buffer)
	if got := shown(); got != whole.String() {
		t.Errorf("not on a terminal:\n%s", got)
	}
	env.Stdout = terminal
	got := shown()
	for _, l := range strings.Split(got, "\n") {
		if n := utf8.RuneCountInString(l); n > 84 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	if !strings.Contains(got, "\nno room for: ") {
		t.Errorf("nothing is left out on a terminal of 84 columns:\n%s", got)
	}
}
