package compare

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gelibench/results"
	"gelibench/results/report"
	"gelibench/results/stats"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s (go test -update writes it anew):\n%s", path, got)
	}
}

// series makes a series of gelibench with a sample for each rate, in MB/s.
func series(change func(*results.Case), rates ...float64) results.Series {
	c := results.Case{Op: "read", Engine: "aesni", Alg: "aes-xts", KeyBits: 256, SectorBytes: 4096, RequestBytes: 1 << 20, Workers: 1, Path: "geli", Rekey: "per-sector", Provider: "gzero"}
	if change != nil {
		change(&c)
	}
	s := results.Series{Case: c}
	for i, r := range rates {
		s.Samples = append(s.Samples, results.Sample{Bytes: int64(r * 1e6), Requests: 1, ElapsedNS: 1e9, Round: i + 1})
	}
	return s
}

// run makes a record of a machine.
func run(cpu string, list ...results.Series) results.Run {
	return results.Run{Schema: 1, Tool: "gelibench", Version: "v1", Method: results.MethodRounds, Host: results.Host{CPUModel: cpu, Features: []string{"aes", "avx2"}}, Series: list}
}

var steady = []float64{100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1}

func scaled(list []float64, k float64) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = v * k
	}
	return out
}

// text makes figures as another tool prints them, without samples.
func text(change func(*report.Result), mbps float64) report.Result {
	r := report.Result{Line: 1, Kind: report.Cipher, Tool: "openssl speed", Cipher: "AES", Mode: "XTS", KeyBits: 256, Direction: report.Decrypt, BlockBytes: 4096, Threads: 1, Clock: report.Wall, BytesPerSecond: mbps * 1e6}
	if change != nil {
		change(&r)
	}
	return r
}

func TestMatching(t *testing.T) {
	sector := func(n int) func(*results.Case) { return func(c *results.Case) { c.SectorBytes = n } }
	workers := func(n int) func(*results.Case) { return func(c *results.Case) { c.Workers = n } }
	write := func(c *results.Case) { c.Op = "write" }
	path := func(c *results.Case) { c.Path, c.Rekey = "batch", "cached" }
	soft := func(c *results.Case) { c.Engine = "soft" }
	own := func(list ...results.Series) Operand {
		return FromRuns("a", []results.Run{run("cpu one", list...)})
	}
	unsized := func(r *report.Result) { r.BlockBytes = 0 }
	for _, c := range []struct {
		name   string
		base   Operand
		other  Operand
		across string
		rows   int
		marks  []string // of the first row
		alone  []string // reasons, or the field that was refused
	}{
		{"the same", own(series(nil, 100)), own(series(nil, 50)), "", 1, nil, nil},
		{"another direction", own(series(nil, 100)), own(series(write, 50)), "", 0, nil, []string{"another direction", "another direction"}},
		{"across directions", own(series(nil, 100)), own(series(write, 50)), "direction", 1, []string{"direction: write against read"}, nil},
		{"another sector", own(series(sector(512), 100)), own(series(nil, 50)), "", 0, nil, []string{"another sector", "another sector"}},
		{"the nearest sector", own(series(sector(512), 100), series(sector(2048), 100)), own(series(nil, 50)), "sector", 1, []string{"sector: 4096 against 2048"}, []string{"the only one there is nearer to another"}},
		{"two of two", own(series(nil, 100), series(write, 90)), own(series(write, 50), series(nil, 40)), "", 2, nil, nil},
		{"another path", own(series(nil, 100)), own(series(path, 50)), "", 0, nil, []string{"!path,rekey"}},
		{"across paths", own(series(nil, 100)), own(series(path, 50)), "path,rekey", 1, []string{"path: batch against geli", "rekey: cached against per-sector"}, nil},
		{"the same path of two", own(series(nil, 100)), own(series(nil, 50), series(path, 60)), "", 1, nil, []string{"another is nearer"}},
		{"another engine here", own(series(nil, 100)), own(series(soft, 50)), "", 0, nil, []string{"!engine"}},
		{"another engine there", own(series(nil, 100)), FromRuns("b", []results.Run{run("cpu two", series(soft, 50))}), "", 1, []string{"engine: soft against aesni"}, nil},
		{"another tool", own(series(nil, 100)), FromResults("b", []report.Result{text(nil, 50)}), "", 1, nil, nil},
		{"size not stated", own(series(nil, 100)), FromResults("b", []report.Result{text(unsized, 50)}), "", 1, []string{"b doesn't state the sector"}, nil},
		{"not stated, and two fit", FromResults("b", []report.Result{text(unsized, 50)}), own(series(nil, 100), series(sector(512), 90)), "", 0, nil,
			[]string{"its sector is not stated, and several fit: 4096, 512", "", ""}},
		{"the other side doesn't tell two apart", own(series(nil, 100), series(workers(2), 200)), FromResults("b", []report.Result{text(func(r *report.Result) { r.Threads = 0 }, 50)}), "", 0, nil,
			[]string{"of the only one there, its workers is not stated, and several fit: 1, 2", "of the only one there, its workers is not stated, and several fit: 1, 2", "its workers is not stated, and several fit: 1, 2"}},
		{"a stated size before one that isn't", own(series(nil, 100)), FromResults("b", []report.Result{text(unsized, 50), text(nil, 60)}), "", 1, nil, []string{"another is nearer"}},
		{"clocks", FromResults("a", []report.Result{text(nil, 50)}), FromResults("b", []report.Result{text(func(r *report.Result) { r.Clock = report.UserCPU }, 50)}), "", 1, []string{"clock: user-cpu against wall"}, nil},
		{"a disk", own(series(nil, 100)), FromResults("b", []report.Result{text(func(r *report.Result) { r.Kind, r.Sector = report.Disk, 4096 }, 50)}), "", 0, nil, []string{"!storage"}},
		{"another cipher", own(series(nil, 100)), FromResults("b", []report.Result{text(func(r *report.Result) { r.Mode = "CBC" }, 50)}), "all", 0, nil, []string{"", ""}},
		{"both directions in one figure", FromResults("a", []report.Result{text(func(r *report.Result) { r.Direction = report.Both }, 50)}), own(series(nil, 100)), "", 1,
			[]string{"the mean of encryption and decryption", "a doesn't state the direction"}, nil},
		{"two ways of one case", own(series(nil, 100)), FromResults("b", []report.Result{text(nil, 50), text(func(r *report.Result) { r.State = "kldload aesni" }, 60)}), "", 2, nil, nil},
		{"what can't be compared", own(series(nil, 100)), FromResults("b", []report.Result{text(func(r *report.Result) { r.Summary = true }, 50)}), "", 0, nil, []string{""}},
	} {
		across := Across{}
		if c.across != "" {
			var err error
			if across, err = ParseAcross(c.across); err != nil {
				t.Fatal(err)
			}
		}
		res := Beside(c.base, []Operand{c.other}, across)
		if len(res.Rows) != c.rows {
			t.Errorf("%s: %d rows, want %d: %+v", c.name, len(res.Rows), c.rows, res.Alone)
			continue
		}
		if c.rows > 0 && !slices.Equal(res.Rows[0].Marks, c.marks) {
			t.Errorf("%s: marked %q, want %q", c.name, res.Rows[0].Marks, c.marks)
		}
		var alone []string
		for _, a := range res.Alone {
			if a.Refused != "" {
				a.Why = "!" + a.Refused
			}
			// Why differs by the case that came nearest only.
			alone = append(alone, a.Why)
		}
		for i, want := range c.alone {
			if i >= len(alone) || want != "" && alone[i] != want {
				t.Errorf("%s: alone %q, want %q", c.name, alone, c.alone)
				break
			}
		}
		if len(alone) != len(c.alone) {
			t.Errorf("%s: %d alone (%q), want %d", c.name, len(alone), alone, len(c.alone))
		}
	}
}

func TestAcross(t *testing.T) {
	for _, bad := range []string{"", "speed", "method,", "method,engin"} {
		if _, err := ParseAcross(bad); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Ratios are those of the rates, with an interval where there are samples.
// Nothing is set beside what is not the same while anything is; the cipher and
// the direction are never crossed.
func TestNearest(t *testing.T) {
	at := func(bits, sector int, op string) results.Run {
		return run("", series(func(c *results.Case) { c.KeyBits, c.SectorBytes, c.Op = bits, sector, op }, 100))
	}
	for _, tc := range []struct {
		others  []results.Run
		rows    int
		nearest bool
	}{
		{[]results.Run{at(128, 512, "read")}, 1, true},
		{[]results.Run{at(256, 4096, "read"), at(128, 512, "read")}, 1, false},
		{[]results.Run{at(128, 512, "write")}, 0, false},
	} {
		var others []Operand
		for i, r := range tc.others {
			others = append(others, FromRuns(fmt.Sprint("other", i), []results.Run{r}))
		}
		res := BesideNearest(FromRuns("base", []results.Run{at(256, 4096, "read")}), others)
		if len(res.Rows) != tc.rows || res.Nearest != tc.nearest {
			t.Errorf("%d others: %d rows, nearest %t", len(others), len(res.Rows), res.Nearest)
		}
		if tc.nearest && !slices.Contains(res.Rows[0].Marks, "key: 128 against 256") {
			t.Errorf("not marked: %q", res.Rows[0].Marks)
		}
	}
}

func TestRatio(t *testing.T) {
	a := FromRuns("a", []results.Run{run("x", series(nil, steady...))})
	b := FromRuns("b", []results.Run{run("x", series(nil, scaled(steady, 0.8)...))})
	res := Beside(a, []Operand{b}, nil)
	r := res.Rows[0]
	if !r.Tested || r.Comparison.Verdict != stats.Slower || !r.Ratio.Bounded() || math.Abs(r.Ratio.Value-0.8) > 0.01 || !r.Ratio.Contains(0.8) {
		t.Errorf("%+v", r.Ratio)
	}
	res = Beside(a, []Operand{FromResults("b", []report.Result{text(nil, 50)})}, nil)
	if r := res.Rows[0]; r.Tested || r.Ratio.Bounded() || math.Abs(r.Ratio.Value-0.5) > 0.01 {
		t.Errorf("%+v", r)
	}
	// A run against itself goes round by round, and shows nothing.
	if r := Beside(a, []Operand{a}, nil).Rows[0]; !r.Comparison.Paired || r.Comparison.Verdict != stats.NoDifference {
		t.Errorf("%+v", r.Comparison)
	}
}

// What a report prints many times over is one figure, with an interval.
func TestRepeats(t *testing.T) {
	many := func(k float64, n int) Operand {
		var list []report.Result
		for i, v := range scaled(steady, k)[:n] {
			list = append(list, text(func(r *report.Result) { r.Run, r.Line = i+1, i+1 }, v))
		}
		return FromResults("x", list)
	}
	a, b := many(1, 8), many(0.8, 8)
	if len(a.Figures) != 1 || len(a.Figures[0].Repeats) != 8 || a.Figures[0].Place != "line 1 and 7 more" {
		t.Fatalf("%+v", a.Figures)
	}
	r := Beside(a, []Operand{b}, nil).Rows[0]
	if !r.Tested || r.Comparison.Verdict != stats.Slower || !r.Ratio.Contains(0.8) || !r.Ratio.Bounded() {
		t.Errorf("%+v", r)
	}
	r = Beside(FromRuns("own", []results.Run{run("x", series(nil, steady...))}), []Operand{b}, nil).Rows[0]
	if !r.Tested || r.Comparison.Verdict != stats.Slower {
		t.Errorf("%+v", r)
	}
	if few := many(1, 3); len(few.Figures) != 3 || few.Figures[2].Label != "run 3" {
		t.Errorf("%+v", few.Figures)
	}
}

func TestSlower(t *testing.T) {
	noisy := []float64{60, 140, 70, 130, 90, 110, 95, 105}
	one := func(rates ...float64) Operand {
		return FromRuns("x", []results.Run{run("x", series(nil, rates...))})
	}
	stated := func(mbps float64) Operand { return FromResults("x", []report.Result{text(nil, mbps)}) }
	for _, c := range []struct {
		name    string
		base, a Operand
		slower  bool
		judged  string
	}{
		{"20 % slower", one(steady...), one(scaled(steady, 0.8)...), true, ""},
		{"3 % slower", one(steady...), one(scaled(steady, 0.97)...), false, ""},
		{"faster", one(steady...), one(scaled(steady, 1.8)...), false, ""},
		{"within noise", one(noisy...), one(scaled(noisy, 0.93)...), false, ""},
		{"one sample each, half as fast", one(100), one(50), true, "too few samples"},
		{"two samples that overlap", one(100, 60), one(90, 50), false, ""},
		{"no samples, half as fast", stated(100), stated(50), true, "no samples"},
		{"no samples, 3 % slower", stated(100), stated(97), false, ""},
	} {
		slower, judged := Beside(c.base, []Operand{c.a}, nil).Slower(0.05)
		if (len(slower) > 0) != c.slower || !strings.Contains(judged, c.judged) || c.judged == "" && judged != "" {
			t.Errorf("%s: %d slower, judged %q", c.name, len(slower), judged)
		}
	}
}

// hosts are machines that did the same, one without AES instructions, one under
// another governor.
func hosts(n int) []Operand {
	var out []Operand
	for i := range n {
		r := run("cpu", series(nil, scaled(steady, 10+0.01*float64(i))...), series(func(c *results.Case) { c.Alg = "aes-cbc" }, scaled(steady, 9)...))
		r.Findings = []results.Finding{{Name: "governor", Text: "performance", Grade: results.Good}}
		switch i {
		case 1:
			r.Host.Features = []string{"avx2"}
			r.Series[0] = series(func(c *results.Case) { c.Engine = "soft" }, scaled(steady, 0.9)...)
		case 2:
			r.Findings[0] = results.Finding{Name: "governor", Text: "powersave, at 800 of 3000 MHz", Grade: results.Fair}
			r.Series[1] = series(func(c *results.Case) { c.Alg = "aes-cbc" }, scaled(steady, 3)...)
		}
		out = append(out, FromRuns(fmt.Sprintf("host-%d.json", i), []results.Run{r}))
	}
	return out
}

func TestAmong(t *testing.T) {
	for _, n := range []int{4, 8} {
		cases, once := Among(hosts(n))
		if len(cases) != 2 || len(once) != 0 {
			t.Fatalf("%d cases, %d once", len(cases), len(once))
		}
		xts, cbc := cases[0], cases[1]
		if len(xts.Out) != 1 || xts.Out[0].Figure.Operand != "host-1.json" || !slices.Contains(xts.Out[0].Reasons, "its processor lacks aes, which most have") ||
			!slices.Contains(xts.Out[0].Reasons, "engine soft, where most have aesni") {
			t.Errorf("%d hosts: %+v", n, xts.Out)
		}
		if len(cbc.Out) != 1 || cbc.Out[0].Figure.Operand != "host-2.json" || !slices.Equal(cbc.Out[0].Reasons, []string{"governor: powersave, at 800 of 3000 MHz"}) {
			t.Errorf("%d hosts: %+v", n, cbc.Out)
		}
		if math.Abs(xts.Median-1000e6) > 5e6 {
			t.Errorf("median %g", xts.Median)
		}
	}
	if cases, _ := Among(hosts(2)); len(cases) != 2 || len(cases[0].Out) != 0 {
		t.Errorf("one of two falls out: %+v", cases)
	}
	alike := hosts(8)
	alike[1], alike[2] = alike[3], alike[4]
	if cases, _ := Among(alike); len(cases[0].Out)+len(cases[1].Out) != 0 {
		t.Errorf("of hosts alike, some fall out: %+v", cases)
	}
}

func TestScreens(t *testing.T) {
	base := FromRuns("baseline", []results.Run{run("Example CPU 9000", series(nil, steady...), series(func(c *results.Case) { c.Op = "write" }, 88), series(func(c *results.Case) { c.Alg = "aes-cbc" }, steady...))})
	now := FromRuns("last", []results.Run{run("Example CPU 9000", series(nil, scaled(steady, 0.8)...), series(func(c *results.Case) { c.Op = "write" }, 90), series(func(c *results.Case) { c.Engine, c.Alg = "soft", "aes-cbc" }, steady...))})
	mail := FromResults("mail.txt", []report.Result{
		text(func(r *report.Result) { r.CPU.Model, r.Line = "VIA Nano", 7 }, 5.5),
		text(func(r *report.Result) {
			r.CPU.Model, r.BlockBytes = "Example CPU 90", 0
			r.Repairs = []report.Repair{{Fix: report.UserTime, Text: "divided by user CPU time: a lower bound"}}
		}, 1017),
		text(func(r *report.Result) { r.BlockBytes = 16 }, 2), text(func(r *report.Result) { r.BlockBytes = 64 }, 3),
		text(func(r *report.Result) { r.Summary = true }, 9),
	})
	for _, width := range []int{80, 120} {
		var b bytes.Buffer
		for _, others := range [][]Operand{{now}, {now, mail}, {mail}} {
			if err := Screen(&b, Beside(base, others, nil), width); err != nil {
				t.Fatal(err)
			}
			b.WriteByte('\n')
		}
		cases, once := Among(hosts(8))
		if err := HostsScreen(&b, hosts(8), cases, once, width); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(l); n > width {
				t.Errorf("%d characters on a line of %d: %q", n, width, l)
			}
		}
		golden(t, fmt.Sprintf("screen-%d.golden", width), b.String())
	}
}

func TestJSON(t *testing.T) {
	base := FromRuns("a", []results.Run{run("x", series(nil, steady...))})
	var b bytes.Buffer
	if err := JSON(&b, Beside(base, []Operand{FromResults("b", []report.Result{text(nil, 50), text(func(r *report.Result) { r.Mode = "CBC" }, 9)})}, nil)); err != nil {
		t.Fatal(err)
	}
	var back record
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Rows) != 1 || len(back.Alone) != 1 || math.Abs(back.Rows[0].Ratio-0.5) > 0.01 || back.Rows[0].RatioLo != nil || back.Schema != Schema {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	cases, _ := Among(hosts(8))
	var h hostsRecord
	if err := HostsJSON(&b, hosts(8), cases); err != nil || json.Unmarshal(b.Bytes(), &h) != nil || len(h.Hosts) != 8 || len(h.Cases[0].Out) != 1 {
		t.Errorf("%v %s", err, b.String())
	}
}

// CSV and markdown hold every pair, and every figure without one.
func TestTables(t *testing.T) {
	base := FromRuns("a", []results.Run{run("x", series(nil, steady...), series(func(c *results.Case) { c.Op = "write" }, 5))})
	res := Beside(base, []Operand{FromResults("b|c", []report.Result{text(nil, 50), text(func(r *report.Result) { r.Mode = "CBC" }, 9)})}, nil)
	var b bytes.Buffer
	if err := CSV(&b, res); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][4] != "b|c" || rows[1][7][:3] != "0.4" || rows[2][13] != "another direction" || rows[3][0] != "aes-cbc-256 4096 decrypt" {
		t.Errorf("%v %q", err, rows)
	}
	b.Reset()
	if err := Markdown(&b, res); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "| aes-xts-256 4096 read | b\\|c | 50 | 100 | 0.500 |") || !strings.Contains(b.String(), "- in b|c, not in a: aes-cbc-256 decrypt, sector 4096") {
		t.Errorf("%s", b.String())
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{1, "████"}, {0.5, "██"}, {2, "████"}, {0, ""}, {math.NaN(), ""}, {1e-9, "▏"}, {0.28, "█▏"}} {
		if got := Bar(c.share, 4); got != c.want {
			t.Errorf("%g: %q, want %q", c.share, got, c.want)
		}
	}
}
