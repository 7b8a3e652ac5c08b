package peer

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gelibench/results"
	"gelibench/results/report"
)

var update = flag.Bool("update", false, "write the golden files")

func TestEnvironment(t *testing.T) {
	t.Setenv("OPENSSL_ia32cap", "")
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	env := System().Environ
	if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "OPENSSL_ia32cap=") }) {
		t.Error("an empty OPENSSL_ia32cap is passed on")
	}
	if !slices.Contains(env, "LC_ALL=C") || slices.Contains(env, "LC_ALL=de_DE.UTF-8") {
		t.Error("LC_ALL is not C")
	}
	t.Setenv("OPENSSL_ia32cap", "~0x2")
	if !slices.Contains(System().Environ, "OPENSSL_ia32cap=~0x2") {
		t.Error("an OPENSSL_ia32cap that is set is not passed on")
	}
}

func TestRefine(t *testing.T) {
	for _, x := range []struct {
		seconds float64
		between time.Duration
		want    bool
	}{
		{0.10, 104 * time.Millisecond, true},
		{0.10, 95 * time.Millisecond, true},
		{0.10, 120 * time.Millisecond, false},     // they don't agree
		{1.00, 3 * time.Millisecond, false},       // lines that came together
		{0.104321, 104 * time.Millisecond, false}, // a fine clock
	} {
		r := report.Result{Bytes: 1e9, Seconds: x.seconds, BytesPerSecond: 1e9 / x.seconds}
		if got := refine(&r, x.between); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
		if want := 1e9 / x.between.Seconds(); x.want && r.BytesPerSecond != want {
			t.Errorf("%+v: %v, want %v", x, r.BytesPerSecond, want)
		}
	}
}

// madeUp is a run of every tool, in so many rounds.
func madeUp(rounds int) (results.Run, []Outcome) {
	var run results.Run
	series := func(c results.Case, mb float64, n int) {
		s := results.Series{Case: c, Grade: results.Good}
		for i := range n {
			x := results.Sample{Round: i + 1, Bytes: int64(mb * 1e6 * (1 + 0.002*float64(i%3))), ElapsedNS: 1e9}
			s.Samples = append(s.Samples, x)
		}
		if n < 6 {
			s.Grade = results.Unreliable
		}
		run.Series = append(run.Series, s)
	}
	var outcomes []Outcome
	for _, t := range All() {
		o := Outcome{Tool: t, Label: t.Name + " 1.2.3"}
		outcomes = append(outcomes, o)
	}
	outcomes[len(outcomes)-1].Label = "gocryptfs"
	outcomes[len(outcomes)-1].Why = "not in PATH"
	for i, alg := range []string{"aes-xts", "aes-cbc"} {
		for _, unit := range []int{512, 4096, 16384, 65536} {
			for k, op := range []string{"read", "write"} {
				cell := Cell{alg, 128, unit, op}
				base := float64(1000 + 100*i + unit/40 - 300*k)
				if unit == 16384 && (alg != "aes-cbc" || op != "write") {
					continue
				}
				for j, path := range []string{"geli", "batch"} {
					series(results.Case{Engine: "vaes-avx512", Alg: alg, KeyBits: 128, SectorBytes: unit, Op: op, Path: path, Workers: 1,
						Rekey: []string{"per-sector", "cached"}[j]}, base*float64(1+j), rounds)
				}
				for j, o := range outcomes {
					fits := o.Tool.UnitBytes == unit || o.Tool.UnitBytes == 0 && unit <= 4096
					if o.Why != "" || !fits || o.Tool.has != nil && !o.Tool.has(cell) {
						continue
					}
					p := Program{Tool: o.Tool}
					n := rounds
					if o.Tool.Lasts > 0 {
						s := results.Series{Case: p.record(cell), Stated: &results.StatedRate{BytesPerSecond: base * 1e6}}
						run.Series = append(run.Series, s)
						continue
					}
					if o.Tool.Name == "cryptsetup" {
						n = 2
					}
					series(p.record(cell), base*(0.8+0.1*float64(j)), n)
				}
			}
		}
	}
	last := &run.Series[len(run.Series)-1]
	last.Samples = nil
	last.Notes = []results.Note{{Kind: "failed", Text: "exit status 1: out of memory"}}
	return run, outcomes
}

// The screen, as wide as it may be.
func TestScreen(t *testing.T) {
	a := Answer(madeUp(12))
	text := strings.Join(a.Lines, "\n") + "\n\npeers: " + a.Text + "\n"
	for _, l := range a.Lines {
		if n := utf8.RuneCountInString(l); n > ScreenColumns {
			t.Errorf("%d wide: %s", n, l)
		}
	}
	golden := filepath.Join("testdata", "screen.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// A few rounds make no verdict, and the words say so.
func TestFewRounds(t *testing.T) {
	if a := Answer(madeUp(6)); !strings.Contains(a.Text, "too few rounds in 8") || strings.Contains(a.Text, "faster") {
		t.Errorf("%s", a.Text)
	}
	if a := Answer(madeUp(12)); !strings.Contains(a.Text, "of openssl (faster in 8 of 8 cases)") {
		t.Errorf("%s", a.Text)
	}
}

// What a tool was asked for, as it stands in the record.
func TestCommands(t *testing.T) {
	cells := []Cell{{"aes-xts", 256, 512, "read"}, {"aes-cbc", 128, 4096, "write"}}
	want := map[string][]string{
		"geli":       {"geli onetime -e aes-xts -l 256 -s 512 gzero; dd if=/dev/gzero.eli of=/dev/null bs=1m count=16", "geli onetime -e aes-cbc -l 128 -s 4096 gzero; dd if=/dev/zero of=/dev/gzero.eli bs=1m count=16"},
		"botan":      {"botan speed --msec=50 --buf-size=512 AES-256/XTS", "botan speed --msec=50 --buf-size=4096 AES-128/CBC"},
		"cryptsetup": {"cryptsetup benchmark -c aes-xts -s 512", "cryptsetup benchmark -c aes-cbc -s 128"},
		"openssl":    {"openssl speed -elapsed -mr -seconds 1 -bytes 512 -decrypt -evp aes-256-xts", "openssl speed -elapsed -mr -seconds 1 -bytes 4096 -evp aes-128-cbc"},
		"gnutls-cli": {"gnutls-cli --benchmark-ciphers"},
		"gocryptfs":  {"gocryptfs -speed"},
	}
	for _, tool := range All() {
		var got []string
		for _, c := range tool.calls(tool, "/x/"+tool.Name, tool.Cells(cells), 50*time.Millisecond) {
			got = append(got, c.command)
		}
		if fmt.Sprint(got) != fmt.Sprint(want[tool.Name]) {
			t.Errorf("%s: %q", tool.Name, got)
		}
	}
}
