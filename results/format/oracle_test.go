package format

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"gelibench/results"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// What benchstat's reader sees is what was measured.
func TestBenchfmtOracle(t *testing.T) {
	for name, make := range samples {
		run := make()
		var b bytes.Buffer
		if err := Benchfmt(&b, []results.Run{run}); err != nil {
			t.Fatal(err)
		}
		type line struct{ seconds, rate float64 }
		var got []line
		r := benchfmt.NewReader(&b, name)
		for r.Scan() {
			switch rec := r.Result().(type) {
			case *benchfmt.SyntaxError:
				t.Errorf("%s: %v", name, rec)
			case *benchfmt.Result:
				var l line
				l.seconds, _ = rec.Value("sec/op")
				l.rate, _ = rec.Value("B/s")
				got = append(got, l)
				if cpu := rec.GetConfig("cpu"); cpu != Printable(run.Host.CPUModel) {
					t.Errorf("%s: cpu %q", name, cpu)
				}
				if rec.GetConfig("start") != "" || rec.GetConfig("version") != "" {
					t.Errorf("%s: benchstat would refuse to compare two of these", name)
				}
			}
		}
		if err := r.Err(); err != nil {
			t.Fatal(err)
		}
		units := r.Units()
		if units.GetBetter("ns/op") != -1 || units.GetBetter("MB/s") != 1 {
			t.Errorf("%s: what is better is not known", name)
		}
		var want []line
		for _, s := range run.Series {
			if isStated(s) {
				want = append(want, line{0, s.Stated.BytesPerSecond})
			}
			for _, x := range s.Samples {
				if x.ElapsedNS > 0 && (!x.Spoiled || len(spoiledShown(s)) > 0) {
					want = append(want, line{float64(x.ElapsedNS) / 1e9 / float64(max(x.Requests, 1)), x.BytesPerSecond()})
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d lines for %d samples", name, len(got), len(want))
		}
		for i := range want {
			if !near(got[i].seconds, want[i].seconds) || !near(got[i].rate, want[i].rate) {
				t.Errorf("%s, line %d: %v, not %v", name, i, got[i], want[i])
			}
		}
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*math.Abs(b) }

// -col /mode sets XTS beside CBC: nothing else in the names differs.
func TestBenchstatColumns(t *testing.T) {
	run := results.Run{Series: []results.Series{
		{Case: with(func(c *results.Case) { c.RunSectors = 32 }), Samples: []results.Sample{{Bytes: 1, Requests: 1, ElapsedNS: 1}}},
		{Case: with(func(c *results.Case) { c.Alg, c.IVHash, c.RunSectors = "aes-cbc", "sha-ni", 256 }), Samples: []results.Sample{{Bytes: 1, Requests: 1, ElapsedNS: 1}}},
	}}
	var b bytes.Buffer
	if err := Benchfmt(&b, []results.Run{run}); err != nil {
		t.Fatal(err)
	}
	var parser benchproc.ProjectionParser
	columns, err := parser.Parse("/mode", nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parser.Parse(".fullname", nil)
	if err != nil {
		t.Fatal(err)
	}
	rest := parser.Residue()
	var cols, names, others []string
	r := benchfmt.NewReader(&b, "")
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			cols = append(cols, columns.Project(res).String())
			names = append(names, rows.Project(res).String())
			others = append(others, rest.Project(res).String())
		}
	}
	if strings.Join(cols, " ") != "/mode:xts /mode:cbc" {
		t.Errorf("columns %q", cols)
	}
	if len(names) != 2 || names[0] != names[1] || others[0] != others[1] {
		t.Errorf("rows %q, the rest %q", names, others)
	}
}

func TestPrometheusOracle(t *testing.T) {
	for name, make := range samples {
		var b bytes.Buffer
		if err := Prometheus(&b, make()); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		problems, err := promlint.New(strings.NewReader(text)).Lint()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, p := range problems {
			t.Errorf("%s: %s: %s", name, p.Metric, p.Text)
		}
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range families {
			seen := map[string]bool{}
			for _, m := range f.Metric {
				labels := strings.Builder{}
				for _, l := range m.Label {
					labels.WriteString(l.String() + ";")
				}
				if seen[labels.String()] {
					t.Errorf("%s: %s has the same labels twice: %s", name, f.GetName(), labels.String())
				}
				seen[labels.String()] = true
				if m.TimestampMs != nil {
					t.Errorf("%s: %s has a time stamp", name, f.GetName())
				}
			}
		}
		checkThroughput(t, name, make(), families["gelibench_throughput_bytes_per_second"])
	}
}

// The parser's own idea of the figures and labels is that of the run.
func checkThroughput(t *testing.T, name string, run results.Run, family *dto.MetricFamily) {
	at := 0
	for _, s := range run.Series {
		if RateOf(s).Value <= 0 {
			continue
		}
		if family == nil || at == len(family.Metric) {
			t.Fatalf("%s: a series is missing", name)
		}
		m := family.Metric[at]
		at++
		if m.GetGauge().GetValue() != RateOf(s).Value {
			t.Errorf("%s: %v, not %v", name, m.GetGauge().GetValue(), RateOf(s).Value)
		}
		for _, l := range m.Label {
			if l.GetName() == "provider" && l.GetValue() != s.Case.Provider {
				t.Errorf("%s: provider %q, not %q", name, l.GetValue(), s.Case.Provider)
			}
		}
	}
	if family != nil && at != len(family.Metric) {
		t.Errorf("%s: %d series too many", name, len(family.Metric)-at)
	}
}

// An error of the writer is an error of every format.
func TestAllWriterErrors(t *testing.T) {
	_, w := io.Pipe()
	w.Close()
	for _, f := range All() {
		if err := f.Write(w, matrix()); err == nil {
			t.Errorf("%s: no error", f.Name)
		}
	}
}
