package figures

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gelibench/results/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

func read(t *testing.T, name string) *report.Report {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rep, err := report.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
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

// The screens, at two widths.
func TestScreens(t *testing.T) {
	for _, width := range []int{80, 120} {
		var b bytes.Buffer
		for _, name := range []string{"mail.txt", "speed.txt"} {
			rep := read(t, name)
			if err := Table(&b, rep, width); err != nil {
				t.Fatal(err)
			}
			b.WriteByte('\n')
			if fits := report.FitResults(rep.Results); len(fits) > 0 {
				if err := Fits(&b, name, fits, width); err != nil {
					t.Fatal(err)
				}
				b.WriteByte('\n')
			}
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(l); n > width {
				t.Errorf("%d characters on a line of %d: %q", n, width, l)
			}
		}
		golden(t, fmt.Sprintf("screen-%d.golden", width), b.String())
	}
	var b bytes.Buffer
	if err := Markdown(&b, read(t, "mail.txt")); err != nil {
		t.Fatal(err)
	}
	golden(t, "mail.md.golden", b.String())
}

// However narrow a screen is, what must be there is.
func TestNarrow(t *testing.T) {
	rep := read(t, "mail.txt")
	for width := 1; width < 140; width++ {
		var b bytes.Buffer
		if err := Table(&b, rep, width); err != nil {
			t.Fatal(err)
		}
		for _, r := range rep.Results {
			if !strings.Contains(b.String(), fmt.Sprintf("\n%4d  ", r.Line)) {
				t.Errorf("width %d lacks line %d", width, r.Line)
			}
		}
	}
}

// Every field of a result that is set is in the CSV: a change of any field
// changes its row.
func TestCSVHoldsEverything(t *testing.T) {
	row := func(r report.Result) string {
		var b bytes.Buffer
		if err := NewCSV(&b).Write([]report.Result{r}); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[0]) != len(rows[1]) {
			t.Fatalf("%v, %d rows", err, len(rows))
		}
		return strings.Join(rows[1], "\x00")
	}
	empty := row(report.Result{})
	var each func(v reflect.Value, set func(func(reflect.Value)), path string)
	each = func(v reflect.Value, set func(func(reflect.Value)), path string) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				each(v.Field(i), func(f func(reflect.Value)) { set(func(v reflect.Value) { f(v.Field(i)) }) }, path+"."+v.Type().Field(i).Name)
			}
			return
		case reflect.Pointer:
			set(func(v reflect.Value) {
				p := reflect.New(v.Type().Elem())
				if p.Elem().Kind() == reflect.Struct {
					f := 1.5
					p.Elem().Field(0).Set(reflect.ValueOf(&f))
				} else {
					p.Elem().SetBool(true)
				}
				v.Set(p)
			})
			return
		case reflect.Slice:
			set(func(v reflect.Value) {
				v.Set(reflect.ValueOf([]report.Repair{{Fix: "x", Text: "y", Offered: 7}}))
			})
			return
		}
		set(func(v reflect.Value) {
			switch v.Kind() {
			case reflect.String:
				v.SetString("x,\"y\n")
			case reflect.Int, reflect.Int64:
				v.SetInt(7)
			case reflect.Float64:
				v.SetFloat(7.25)
			case reflect.Bool:
				v.SetBool(true)
			default:
				t.Errorf("%s: a kind the test doesn't know", path)
			}
		})
	}
	fields := 0
	each(reflect.ValueOf(report.Result{}), func(f func(reflect.Value)) {
		var r report.Result
		f(reflect.ValueOf(&r).Elem())
		fields++
		if row(r) == empty {
			t.Errorf("%+v leaves no trace in the CSV", r)
		}
	}, "Result")
	if fields < 35 {
		t.Errorf("only %d fields were looked at", fields)
	}
}

// Every column is described, and nothing else is.
func TestSchemaDocument(t *testing.T) {
	text, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(text), "## JSON")
	described := 0
	for _, l := range strings.Split(table, "\n") {
		if strings.HasPrefix(l, "| `") {
			described++
		}
	}
	for _, c := range csvColumns {
		if !strings.Contains(table, "| `"+c.name+"` | ") {
			t.Errorf("SCHEMA.md doesn't describe %s", c.name)
		}
	}
	if described != len(csvColumns) {
		t.Errorf("SCHEMA.md describes %d columns of %d", described, len(csvColumns))
	}
}

// JSON holds what was read, and comes back the same.
func TestJSON(t *testing.T) {
	rep := read(t, "mail.txt")
	var b bytes.Buffer
	if err := JSON(&b, []*report.Report{rep}); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Schema  int              `json:"report_schema"`
		Reports []*report.Report `json:"reports"`
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Schema != Schema || len(back.Reports) != 1 || !reflect.DeepEqual(back.Reports[0], rep) {
		t.Errorf("%+v", back)
	}
}

// Nothing in a text steers the terminal.
func TestPrintable(t *testing.T) {
	rep := &report.Report{Name: "a\x1b[2Jb", Results: []report.Result{{Line: 1, Name: "x\x1b]0;y\a", BytesPerSecond: 1e6, AsPrinted: "\r1"}}}
	var b bytes.Buffer
	if err := Table(&b, rep, 80); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\a\r") {
		t.Errorf("%q", b.String())
	}
}
