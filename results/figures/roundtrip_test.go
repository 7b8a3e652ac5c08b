package figures

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"gelibench/results/report"
)

// texts are the fixtures of this package and of report.
func texts(t *testing.T) []string {
	var all []string
	for _, pattern := range []string{"testdata/*.txt", "../report/testdata/*.txt"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		all = append(all, names...)
	}
	return all
}

// What show writes of any text for programs, show reads back field by field.
func TestReadBack(t *testing.T) {
	forms := map[string]func(b *bytes.Buffer, rep *report.Report) error{
		"csv":   func(b *bytes.Buffer, rep *report.Report) error { return NewCSV(b).Write(rep.Results) },
		"json":  func(b *bytes.Buffer, rep *report.Report) error { return JSON(b, []*report.Report{rep}) },
		"jsonl": func(b *bytes.Buffer, rep *report.Report) error { return JSONL(b, rep.Results) },
	}
	figures, repaired, offered, bounds := 0, 0, 0, 0
	for _, name := range texts(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := report.Read(bytes.NewReader(text), filepath.Base(name))
		if err != nil && !errors.Is(err, report.ErrNoResults) {
			t.Fatal(err)
		}
		for _, r := range rep.Results {
			figures++
			repaired += len(r.Repairs)
			if Offered(r) > 0 {
				offered++
			}
			if r.LowerBound() {
				bounds++
			}
		}
		for form, write := range forms {
			var b bytes.Buffer
			if err := write(&b, rep); err != nil {
				t.Fatal(err)
			}
			back, err := report.Read(bytes.NewReader(b.Bytes()), "figures."+form)
			if len(rep.Results) == 0 {
				if !errors.Is(err, report.ErrNoResults) || len(back.Results) > 0 {
					t.Errorf("%s as %s: %d figures of none, %v", name, form, len(back.Results), err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s as %s: %v", name, form, err)
				continue
			}
			if len(back.Results) != len(rep.Results) {
				t.Errorf("%s as %s: %d figures of %d", name, form, len(back.Results), len(rep.Results))
				continue
			}
			for i := range rep.Results {
				if !reflect.DeepEqual(back.Results[i], rep.Results[i]) {
					t.Errorf("%s as %s:\n%+v\nis not\n%+v", name, form, back.Results[i], rep.Results[i])
				}
			}
			if form == "json" && !(reflect.DeepEqual(back.Warnings, rep.Warnings) && reflect.DeepEqual(back.Providers, rep.Providers) && reflect.DeepEqual(back.Recipes, rep.Recipes) && back.Left == rep.Left) {
				t.Errorf("%s as json: warnings, providers or recipes differ", name)
			}
		}
		// What is made for people is none of the forms that are read: no figure may
		// come out of it but a right one.
		for form, write := range map[string]func(b *bytes.Buffer) error{
			"markdown": func(b *bytes.Buffer) error { return Markdown(b, rep) },
			"table":    func(b *bytes.Buffer) error { return Table(b, rep, 80) },
			"wide":     func(b *bytes.Buffer) error { return Table(b, rep, 0) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if back, _ := report.Read(bytes.NewReader(b.Bytes()), form); len(back.Results) > 0 {
				t.Errorf("%s as %s is read as %d figures: %+v", name, form, len(back.Results), back.Results[0])
			}
		}
	}
	if figures < 250 || repaired < 20 || offered == 0 || bounds == 0 {
		t.Errorf("only %d figures, %d repairs, %d offered rates and %d bounds were looked at", figures, repaired, offered, bounds)
	}
}

// Every column comes back, of a figure that has something in each.
func TestReadBackAll(t *testing.T) {
	yes, v := true, 1.5
	r := report.Result{File: "a,\"b\".txt", Line: 7, Kind: report.Cipher, Tool: "t", Version: "1", Command: "c d", Name: "n", Cipher: "AES", Mode: "XTS", KeyBits: 128, Auth: "HMAC/SHA256",
		Direction: report.Both, BlockBytes: 1, Sector: 2, BytesPerSecond: 1e6 / 3.0, AsPrinted: "p", Seconds: 0.1, Bytes: 3, Ops: 4, IterationsPerSecond: 5, Iterations: 6, MemoryKiB: 8,
		Threads: 9, PerThread: true, Run: 10, Clock: report.Wall, Usage: &report.Usage{RealSeconds: &v, UserSeconds: &v, SystemSeconds: &v, CPUPercent: &v, Computed: true, WholeRun: true},
		CPU: report.Machine{Model: "m", MHz: 1795.75, Core: "o", Board: "b", Source: "s"}, Engine: "e", Accelerator: "a", Device: "d", Clear: &yes, Label: "l", Variant: "v", State: "st", Quoted: 11,
		Repairs: []report.Repair{{Fix: report.UserTime, Text: "x; y <&>"}, {Fix: report.OneMiBTooMany, Text: "z", Offered: 7.25}, {Fix: "other", Offered: 9}}, Summary: true}
	for i := range reflect.TypeOf(r).NumField() {
		if reflect.ValueOf(r).Field(i).IsZero() {
			t.Errorf("%s has no value", reflect.TypeOf(r).Field(i).Name)
		}
	}
	for form, write := range map[string]func(b *bytes.Buffer) error{
		"csv":   func(b *bytes.Buffer) error { return NewCSV(b).Write([]report.Result{r, r}) },
		"jsonl": func(b *bytes.Buffer) error { return JSONL(b, []report.Result{r, r}) },
		"json": func(b *bytes.Buffer) error {
			one := &report.Report{Results: []report.Result{r}}
			return JSON(b, []*report.Report{one, one})
		},
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		wide := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(b.String())) {
			wide = append(wide, byte(u), byte(u>>8))
		}
		for coded, text := range map[string][]byte{"UTF-8": b.Bytes(), "a byte order mark": append([]byte("\ufeff"), b.Bytes()...), "UTF-16": wide} {
			back, err := report.Read(bytes.NewReader(text), "x")
			if err != nil || len(back.Results) != 2 || !reflect.DeepEqual(back.Results, []report.Result{r, r}) {
				t.Errorf("%s in %s: %v, %+v", form, coded, err, back.Results)
			}
		}
	}
}

// What was cut, changed or made for another purpose is an error that says so, and
// no figure.
func TestReadBackRefused(t *testing.T) {
	var fit, fitLines bytes.Buffer
	fits := report.FitResults(read(t, "speed.txt").Results)
	if err := errors.Join(FitsCSV(&fit, fits, true), FitsJSON(&fitLines, fits)); err != nil || len(fits) == 0 {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := NewCSV(&table).Write([]report.Result{{Line: 1, BytesPerSecond: 1}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"fits as csv":     {fit.String(), "--fit"},
		"fits as jsonl":   {fitLines.String(), "--fit"},
		"cut json":        {`{"report_schema": 1, "reports": [{"results": [{"line": 1`, "cut off"},
		"newer json":      {`{"report_schema": 9, "reports": []}`, "schema 9"},
		"a comparison":    {`{"comparison_schema": 1, "base": "a"}`, "comparison"},
		"hosts":           {"{\n  \"hosts_schema\": 1}", "comparison"},
		"a comparison, 2": {"case,base,base_label,base_bytes_per_second\n", "comparison"},
		"a word":          {strings.Replace(table.String(), ",1,", ",one,", 1), "line 2"},
		"no line":         {`{"line":0,"kind":"cipher","bytes_per_second":7}`, "figure 1"},
		"no rate":         {`{"line":1,"kind":"cipher","bytes_per_second":-7}`, "figure 1"},
	} {
		rep, err := report.Read(strings.NewReader(c.text), "x")
		if err == nil || errors.Is(err, report.ErrNoResults) || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %d figures", name, err, len(rep.Results))
		}
	}
}
