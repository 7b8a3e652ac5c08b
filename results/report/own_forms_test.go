package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gelibench/results"
	"gelibench/results/format"
)

// ownRun is a run of many cases, each with a rate of its own, by which its
// figures are found again.
func ownRun() results.Run {
	off := false
	run := results.Run{Schema: results.SchemaVersion, Tool: ownTool, Version: "v1.2.3", Method: 2, Host: results.Host{CPUModel: "AMD EPYC 9655", CPUs: 4, OS: "linux", Arch: "amd64", GoVersion: "go1.26"},
		Command: []string{"gelibench", "onetime", "-e", "aes-xts", "gzero"}}
	rate := 20e6
	for _, c := range []results.Case{
		{Alg: "aes-xts", KeyBits: 128, Engine: "aesni"}, {Alg: "aes-xts", KeyBits: 256, Engine: "aesni"}, {Alg: "aes-cbc", KeyBits: 256, Engine: "soft", IVHash: "std"},
		{Alg: "camellia-cbc", KeyBits: 192, Engine: "soft"}, {Alg: "blowfish-cbc", KeyBits: 128, Engine: "soft"}, {Alg: "blowfish-cbc", KeyBits: 448, Engine: "soft"},
		{Alg: "3des-cbc", KeyBits: 192, Engine: "soft"},
		{Alg: "aes-xts", KeyBits: 256, Engine: "aesni", AAlg: "hmac/sha256", MACHash: "std"},
	} {
		for _, sector := range []int{512, 4096} {
			for _, op := range []string{"read", "write"} {
				for _, workers := range []int{1, 2} {
					c := c
					c.Op, c.SectorBytes, c.Workers, c.RequestBytes, c.Provider, c.Clear, c.Path, c.Rekey, c.RunSectors = op, sector, workers, 1<<20, "gzero", &off, "geli", "per-sector", 1
					if c.AAlg != "" {
						c.Provider, c.Clear, c.Pin = "/img/a.eli", nil, "0"
					}
					s := results.Series{Case: c}
					for round := 1; round <= 7; round++ {
						s.Samples = append(s.Samples, results.Sample{Round: round, Bytes: 1 << 30, Requests: 1 << 10, ElapsedNS: int64(float64(1<<30) / rate * 1e9)})
					}
					if workers == 2 && op == "read" {
						s.Grade = results.Unreliable
					}
					run.Series = append(run.Series, s)
					rate *= 1.07
				}
			}
		}
	}
	return run
}

// same says in what a figure differs from the series that it is of.
func (r Result) differs(run results.Run, s results.Series, stated func(field string) bool) string {
	c := s.Case
	direction := map[string]Direction{"read": Reading, "write": Writing}[c.Op]
	path := "path " + c.Path
	if c.Path == "" {
		path = ""
	}
	clear := func(p *bool) string {
		if p == nil {
			return "unknown"
		}
		return fmt.Sprint(*p)
	}
	for _, x := range []struct{ field, got, want string }{
		{"tool", r.Tool, run.Tool}, {"version", r.Version, run.Version}, {"cpu", r.CPU.Model, run.Host.CPUModel}, {"alg", r.Alg(), c.Alg}, {"key", fmt.Sprint(r.KeyBits), fmt.Sprint(c.KeyBits)},
		{"auth", r.Auth, strings.ToUpper(c.AAlg)}, {"direction", string(r.Direction), string(direction)}, {"sector", fmt.Sprint(r.Sector), fmt.Sprint(c.SectorBytes)},
		{"request", fmt.Sprint(r.BlockBytes), fmt.Sprint(c.RequestBytes)}, {"workers", fmt.Sprint(r.Threads), fmt.Sprint(c.Workers)}, {"engine", r.Engine, c.Engine}, {"provider", r.Device, c.Provider},
		{"clear", clear(r.Clear), clear(c.Clear)}, {"path", r.Variant, path}, {"clock", string(r.Clock), string(Wall)}, {"kind", string(r.Kind), string(Cipher)},
		{"grade", fmt.Sprint(r.Has(Unreliable)), fmt.Sprint(s.Grade == results.Unreliable)},
	} {
		if stated(x.field) && x.got != x.want {
			return x.field + " is " + x.got + ", not " + x.want
		}
	}
	for _, x := range r.Repairs {
		if x.Fix != HalfKey && x.Fix != Unreliable && (x.Fix != Unnamed || stated("auth")) {
			return "a repair: " + x.Text
		}
	}
	return ""
}

// ownForms are the forms that a mail may hold, with what each leaves out.
var ownForms = []struct {
	name  string
	write func(io.Writer, results.Run) error
	lacks string
}{
	{"table", format.Table, ""},
	{"table of 80 columns", func(w io.Writer, run results.Run) error { return format.TableIn(w, run, 80) }, "engine"},
	{"markdown", format.Markdown, ""},
	{"dd", format.DDRun, "version cpu grade"},
	{"openssl", format.OpenSSL, "grade"},
	{"openssl-mr", format.OpenSSLMR, "version cpu grade"},
	{"cryptsetup", format.Cryptsetup, "grade"},
	{"prometheus", format.Prometheus, ""},
}

// asMail is a text as posts hold it.
var asMail = []struct {
	name string
	of   func(text string) string
}{
	{"as it is", func(text string) string { return text }},
	{"quoted", func(text string) string {
		return "On Monday somebody wrote:\n> My figures:\n>\n> " + strings.ReplaceAll(text, "\n", "\n> ")
	}},
	{"in prose", func(text string) string {
		return "Here is what I see on the new machine.\n\n" + text + "\nAnd that's it, 3.1 times as fast as before.\n"
	}},
	{"fenced", func(text string) string { return "Look:\n```\n" + text + "```\n" }},
	{"with CR LF", func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }},
	{"broken at 76 columns", func(text string) string { return "Hello,\n\n" + breakLines(text, 76) }},
	{"with tabs", func(text string) string { return strings.ReplaceAll(text, "  ", "\t") }},
	{"with single blanks", func(text string) string {
		for strings.Contains(text, "  ") {
			text = strings.ReplaceAll(text, "  ", " ")
		}
		return text
	}},
}

// breakLines breaks lines at blanks as mail programs do.
func breakLines(text string, width int) string {
	var out []string
	for l := range strings.SplitSeq(text, "\n") {
		for len(l) > width {
			at := strings.LastIndexByte(l[:width+1], ' ')
			if at <= 0 {
				break
			}
			out, l = append(out, l[:at]), l[at+1:]
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

// Whatever gelibench writes, in whatever shape a post brings it, comes back as
// the figures of the run.
func TestOwnForms(t *testing.T) {
	run := ownRun()
	for _, form := range ownForms {
		var b bytes.Buffer
		if err := form.write(&b, run); err != nil {
			t.Fatal(err)
		}
		for _, mail := range asMail {
			if form.name == "markdown" && mail.name == "broken at 76 columns" {
				continue // no mail program does that to a table that has to stay one
			}
			rep, err := Read(strings.NewReader(mail.of(b.String())), "post")
			if err != nil {
				t.Errorf("%s %s: %v", form.name, mail.name, err)
				continue
			}
			seen := map[int]bool{}
			for _, r := range rep.Results {
				at := -1
				for i, s := range run.Series {
					if math.Abs(r.BytesPerSecond/s.BytesPerSecond()-1) < 0.01 {
						at = i
					}
				}
				if at < 0 {
					t.Errorf("%s %s: line %d: no case has %g B/s", form.name, mail.name, r.Line, r.BytesPerSecond)
					continue
				}
				if why := r.differs(run, run.Series[at], func(f string) bool { return !strings.Contains(form.lacks, f) }); why != "" {
					t.Errorf("%s %s: line %d: %s", form.name, mail.name, r.Line, why)
				}
				if r.Has(Unnamed) {
					t.Errorf("%s %s: line %d: the integrity algorithm has no column", form.name, mail.name, r.Line)
				}
				seen[at] = true
			}
			if len(seen) != len(run.Series) || len(rep.Results) != len(seen) {
				t.Errorf("%s %s: %d figures of %d cases, %d of them twice; %v", form.name, mail.name, len(seen), len(run.Series), len(rep.Results)-len(seen), rep.Warnings)
			}
		}
	}
}

// Columns that a screen has no room for, and that are the same in all rows, are
// named below the table; the command stands at its end.
func TestOwnTableFooter(t *testing.T) {
	run := ownRun()
	run.Command = strings.Fields("gelibench onetime -e aes-xts --time 1s /img/a.eli")
	run.Series = run.Series[len(run.Series)-4:] // with integrity, by one engine
	for _, width := range []int{60, 70, 80, 100, 0} {
		var b bytes.Buffer
		if err := format.TableIn(&b, run, width); err != nil {
			t.Fatal(err)
		}
		for _, mail := range asMail {
			rep, err := Read(strings.NewReader(mail.of(b.String())), "post")
			if err != nil || len(rep.Results) != 4 {
				t.Errorf("%d columns, %s: %d figures, %v", width, mail.name, len(rep.Results), err)
				continue
			}
			for i, r := range rep.Results {
				if why := r.differs(run, run.Series[i], func(string) bool { return true }); why != "" {
					t.Errorf("%d columns, %s: line %d: %s", width, mail.name, r.Line, why)
				}
				if want := strings.Join(run.Command, " "); r.Command != want {
					t.Errorf("%d columns, %s: line %d: command %q", width, mail.name, r.Line, r.Command)
				}
			}
		}
	}
}

// A run compares with itself in any form: what stands in the way of that is in
// the case, not in the form.
func TestOwnSeries(t *testing.T) {
	run := ownRun()
	run.Series = run.Series[:8]
	for _, form := range ownForms {
		var b bytes.Buffer
		if err := form.write(&b, run); err != nil {
			t.Fatal(err)
		}
		rep, err := Read(&b, "f")
		if err != nil {
			t.Fatalf("%s: %v", form.name, err)
		}
		for _, r := range rep.Results {
			got := r.Series().Case
			found := false
			for _, s := range run.Series {
				c := s.Case
				found = found || got.Alg == c.Alg && got.KeyBits == c.KeyBits && got.Op == c.Op && got.SectorBytes == c.SectorBytes && got.Workers == c.Workers && got.Engine == c.Engine &&
					got.Provider == c.Provider && got.RequestBytes == c.RequestBytes && math.Abs(r.BytesPerSecond/s.BytesPerSecond()-1) < 0.01
			}
			if ok, why := r.Comparable(); !found || !ok {
				t.Errorf("%s: line %d: %+v is no case of the run; %s", form.name, r.Line, got, why)
			}
		}
	}
}

// Figures of other tools that show has written in a form of gelibench's are read
// back right, or not at all.
func TestOwnFormsOfOthers(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	read := map[string]int{}
	for _, name := range names {
		for _, run := range readFile(t, name).Runs() {
			for _, form := range ownForms {
				var b bytes.Buffer
				if err := form.write(&b, run); err != nil {
					t.Fatal(err)
				}
				text := b.String()
				rep, _ := Read(&b, "f")
				if form.name == "openssl-mr" && strings.HasPrefix(text, "#\n") {
					continue // nothing in it says that it is gelibench's
				}
				for _, r := range rep.Results {
					got, found := r.Series().Case, false
					read[form.name]++
					for _, s := range run.Series {
						c := s.Case
						half := 0.006*s.BytesPerSecond() + 0.06*(1<<20)
						found = found || math.Abs(r.BytesPerSecond-s.BytesPerSecond()) <= half && got.Op == c.Op && got.Workers == c.Workers &&
							(got.Alg == c.Alg || got.Alg == "") && (got.KeyBits == c.KeyBits || got.KeyBits == 0 || c.Alg == "3des-cbc" || c.Alg == "blowfish-cbc") && (got.AAlg == strings.ToLower(c.AAlg) || form.name == "prometheus")
					}
					if !found {
						t.Errorf("%s as %s: line %d: %+v at %g B/s is none of the run's", name, form.name, r.Line, got, r.BytesPerSecond)
					}
				}
			}
		}
	}
	t.Log("read back:", read)
}
