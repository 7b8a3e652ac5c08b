package host

import (
	"bytes"
	"flag"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gelibench/results"
)

var update = flag.Bool("update", false, "write the golden screens")

// Every fake machine is examined: the file "want" lists the findings that are
// not good, as "name grade words of the text"; everything else must be good or
// not known. Its screens are golden.
func TestMachines(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d machines, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			f := newFake(t, name)
			r := f.Examine()

			for _, x := range r.Findings {
				grade, words, _ := strings.Cut(f.want[x.Name], " ")
				switch {
				case grade == "":
					if x.Grade != results.Good && x.Grade != "" {
						t.Errorf("%s is %s: %s", x.Name, x.Grade, x.Text)
					}
				case grade == "unknown":
					if x.Grade != "" {
						t.Errorf("%s is %s: %s", x.Name, x.Grade, x.Text)
					}
				case string(x.Grade) != grade || !strings.Contains(x.Text, words):
					t.Errorf("%s is %q, %q; want %s, %q", x.Name, x.Grade, x.Text, grade, words)
				case x.Advice == "" && x.Grade != results.Good:
					t.Errorf("%s is %s, without a remedy", x.Name, x.Grade)
				}
				delete(f.want, x.Name)
			}
			for name := range f.want {
				if name != "verdict" {
					t.Errorf("no finding %s", name)
				}
			}
			if want := f.want["verdict"]; !strings.Contains(r.Verdict(), want) || want == "" {
				t.Errorf("verdict: %s\nwant: %s", r.Verdict(), want)
			}

			if len(f.screens) == 0 {
				t.Fatal("no screens")
			}
			got := map[string]string{}
			for name := range f.screens {
				width, err := strconv.Atoi(strings.TrimPrefix(name, "screen-"))
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := Screen(&b, r, "gelibench doctor", width); err != nil {
					t.Fatal(err)
				}
				got[name] = b.String()
				for line := range strings.Lines(got[name]) {
					if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
						t.Errorf("%s: %d wide: %s", name, n, line)
					}
					if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
						t.Errorf("%s: spaces at the end of %q", name, line)
					}
				}
			}
			if *update {
				f.update(t, name, got)
			} else if diff := cmp.Diff(f.screens, got); diff != "" {
				t.Errorf("screens, -want +got (-update writes them):\n%s", diff)
			}
		})
	}
}
