package report

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestFixtures reads texts in the shapes of real reports, with invented numbers.
func TestFixtures(t *testing.T) {
	text, err := os.ReadFile("testdata/fixtures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]*Report{}
	for n, l := range strings.Split(string(text), "\n") {
		f := strings.Split(l, "\t")
		if len(f) != 3 {
			continue
		}
		rep := reports[f[0]]
		if rep == nil {
			rep = readFile(t, "testdata/"+f[0]+".txt")
			reports[f[0]] = rep
		}
		switch f[1] {
		case "results", "warnings":
			got := len(rep.Results)
			if f[1] == "warnings" {
				got = len(rep.Warnings)
			}
			if want, err := strconv.Atoi(f[2]); err != nil || got != want {
				t.Errorf("%s: %d %s, want %s: %v", f[0], got, f[1], f[2], rep.Warnings)
			}
		default:
			if !found(rep, f[1], f[2]) {
				t.Errorf("line %d: %s: no result with %s is %s", n+1, f[0], f[1], f[2])
			}
		}
	}
	// Processors of others stay with others.
	for _, r := range reports["others-quoted"].Results {
		if (r.Quoted > 0) == r.CPU.Known() {
			t.Errorf("quoted %d, processor %q", r.Quoted, r.CPU)
		}
	}
}
