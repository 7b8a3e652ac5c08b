package answer

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gelibench/results"
	"gelibench/results/format"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// madeUp is a run on a machine that is made up.
type madeUp struct {
	run    results.Run
	random *rand.Rand
	noise  float64 // standard deviation of a sample, as a share
	rounds int
}

func newMadeUp(seed uint64, noise float64, rounds int) *madeUp {
	m := &madeUp{random: rand.New(rand.NewPCG(seed, 7)), noise: noise, rounds: rounds}
	m.run = results.Run{
		Schema: results.SchemaVersion, Tool: "gelibench", Version: "(test)", Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Host:    results.Host{OS: "freebsd", Arch: "amd64", CPUModel: "Made-up CPU", CPUs: 4, GoVersion: "go1.26"},
		Method:  results.MethodRounds,
		Grade:   results.Good,
		Command: []string{"gelibench", "answer"},
	}
	return m
}

// add adds a series whose samples have the rate, bytes a second, but for noise.
func (m *madeUp) add(c results.Case, rate float64) {
	if c.Path == "" {
		c.Path = pathGELI
	}
	if c.Workers == 0 {
		c.Workers = 1
	}
	if c.KeyBits == 0 {
		c.KeyBits = 128
	}
	if c.Op == "" {
		c.Op = "read"
	}
	if c.Engine == "" {
		c.Engine = "made-up"
	}
	c.RequestBytes = 1 << 20
	c.Rekey, c.RunSectors = "per-sector", 1
	if c.Path == pathBatch {
		c.Rekey, c.RunSectors = "cached", 64
	}
	s := results.Series{Case: c, Grade: results.Good}
	for round := 1; round <= m.rounds; round++ {
		elapsed := 50e6 // ns
		bytes := rate * (1 + m.noise*m.random.NormFloat64()) * elapsed / 1e9
		s.Samples = append(s.Samples, results.Sample{Bytes: int64(bytes), Requests: 1 + int64(bytes)>>20, ElapsedNS: int64(elapsed), Round: round})
	}
	m.run.Series = append(m.run.Series, s)
}

// golden holds the screen of an answer to a file, and to 80 columns.
func golden(t *testing.T, name string, run results.Run, a results.Answer) {
	t.Helper()
	run.Answers = []results.Answer{a}
	var b bytes.Buffer
	if err := format.Answers(&b, run); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if n := strings.Count(b.String(), "\n"); n > 50 {
		t.Errorf("%d lines are no screen", n)
	}
	path := filepath.Join("testdata", name+".screen")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// figure is the value of a figure of an answer.
func figure(t *testing.T, a results.Answer, name, about string) results.Figure {
	t.Helper()
	for _, f := range a.Figures {
		if f.Name == name && f.About == about {
			return f
		}
	}
	t.Fatalf("there is no figure %s of %q in %+v", name, about, a.Figures)
	return results.Figure{}
}

// within says whether the interval of a figure holds a value.
func holds(f results.Figure, v float64) bool {
	return f.Lo != nil && f.Hi != nil && *f.Lo <= v && v <= *f.Hi
}
