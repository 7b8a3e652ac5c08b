package compare

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gelibench/results/figures"
	"gelibench/results/report"
)

// Whatever a text holds, it can be shown, fitted and compared with another, and
// no line is longer than the screen but for what can't be shortened.
func FuzzScreens(f *testing.F) {
	for _, pattern := range []string{"../report/testdata/*.txt", "../figures/testdata/*.txt"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text, uint8(80))
		}
	}
	f.Add([]byte(`{"schema":1,"host":{},"series":[{"case":{"op":"read","alg":"aes-xts"},"samples":[{"bytes":9223372036854775807,"requests":1,"elapsed_ns":1}]}]}`), uint8(40))
	f.Fuzz(func(t *testing.T, text []byte, width uint8) {
		if len(text) > 1<<14 {
			t.Skip()
		}
		rep, _ := report.Read(bytes.NewReader(text), "fuzz")
		var b bytes.Buffer
		for _, err := range []error{
			figures.Table(&b, rep, int(width)), figures.Markdown(&b, rep), figures.NewCSV(&b).Write(rep.Results), figures.JSONL(&b, rep.Results),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if fits := report.FitResults(rep.Results); len(fits) > 0 {
			if err := figures.Fits(&b, "fuzz", fits, int(width)); err != nil {
				t.Fatal(err)
			}
			if err := figures.FitsJSON(&b, fits); err != nil {
				t.Fatal(err)
			}
		}
		o, other := FromResults("fuzz", rep.Results), FromRuns("own", rep.Own)
		if len(o.Figures) > 200 {
			t.Skip()
		}
		for _, across := range []Across{nil, {"sector": true, "direction": true, "workers": true, "key": true}} {
			res := Beside(o, []Operand{o, other}, across)
			for _, err := range []error{Screen(&b, res, int(width)), CSV(&b, res), Markdown(&b, res), JSON(&b, res)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			res.Slower(0.05)
		}
		cases, once := Among([]Operand{o, other, o})
		if err := HostsScreen(&b, []Operand{o, other, o}, cases, once, int(width)); err != nil {
			t.Fatal(err)
		}
		if err := HostsJSON(io.Discard, []Operand{o, other, o}, cases); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b\x07") && utf8.Valid(text) {
			// CSV keeps what was printed; screens don't.
			b.Reset()
			if err := figures.Table(&b, rep, 80); err != nil || strings.ContainsAny(b.String(), "\x1b\x07") {
				t.Errorf("%v: what steers a terminal went through: %q", err, b.String())
			}
		}
	})
}
