package results

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func ptr(n int64) *int64 { return &n }

func TestTotal(t *testing.T) {
	s := Series{Samples: []Sample{
		{Bytes: 10, Requests: 3, PartialRequests: 1, ElapsedNS: 100, UserNS: ptr(40), SystemNS: ptr(5)},
		{Bytes: 20, Requests: 4, PartialRequests: 2, ElapsedNS: 300, UserNS: ptr(60), SystemNS: ptr(0)},
	}}
	want := Sample{Bytes: 30, Requests: 7, PartialRequests: 3, ElapsedNS: 400, UserNS: ptr(100), SystemNS: ptr(5)}
	if diff := cmp.Diff(want, s.Total()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	s.Samples[1].SystemNS = nil
	want.UserNS, want.SystemNS = nil, nil
	if diff := cmp.Diff(want, s.Total()); diff != "" {
		t.Errorf("CPU time of one sample unknown (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Sample{}, Series{}.Total()); diff != "" {
		t.Errorf("no samples (-want +got):\n%s", diff)
	}
}

func TestDerived(t *testing.T) {
	s := Sample{Bytes: 3_000_000_000, Requests: 1000, ElapsedNS: 2_000_000_000, UserNS: ptr(2_500_000_000), SystemNS: ptr(500_000_000)}
	if got := s.BytesPerSecond(); got != 1.5e9 {
		t.Errorf("%v bytes a second", got)
	}
	if got, ok := s.CPU(); got != 3_000_000_000 || !ok {
		t.Errorf("CPU time %v, %v", got, ok)
	}
	if got, ok := s.CPUPercent(); got != 150 || !ok {
		t.Errorf("CPU %v %%, %v", got, ok)
	}
	if got, ok := s.CPUSecondsPerGB(); got != 1 || !ok {
		t.Errorf("%v CPU-seconds per GB, %v", got, ok)
	}
	if got, ok := s.NSPerRequest(2); got != 4e6 || !ok { // two workers: 500 requests each in 2 s
		t.Errorf("%v ns per request, %v", got, ok)
	}

	for _, unknown := range []Sample{{}, {Bytes: 1, Requests: 1, ElapsedNS: 1, UserNS: ptr(1)}, {UserNS: ptr(1), SystemNS: ptr(1)}} {
		if _, ok := unknown.CPUPercent(); ok {
			t.Errorf("%+v: CPU %% is known", unknown)
		}
		if _, ok := unknown.CPUSecondsPerGB(); ok {
			t.Errorf("%+v: CPU-seconds are known", unknown)
		}
	}
	if _, ok := s.NSPerRequest(0); ok {
		t.Error("time per request is known without the workers")
	}
	if _, ok := (Sample{}).NSPerRequest(1); ok {
		t.Error("time per request is known without a request")
	}
	if got := (Sample{Bytes: 1}).BytesPerSecond(); got != 0 {
		t.Errorf("%v bytes a second in no time", got)
	}

	if _, ok := s.CyclesPerByte(); ok {
		t.Error("cycles are known")
	}
	s.Cycles = ptr(1_500_000_000)
	if got, ok := s.CyclesPerByte(); got != 0.5 || !ok {
		t.Errorf("%v cycles a byte, %v", got, ok)
	}
	if got := s.WorkersBytesPerSecond(); got != 1.5e9 {
		t.Errorf("one worker: %v bytes a second", got)
	}
	w := s
	w.Workers = []WorkerShare{{Bytes: 1_000_000_000, ElapsedNS: 1_000_000_000}, {Bytes: 2_000_000_000, ElapsedNS: 2_000_000_000}, {}}
	if got := w.WorkersBytesPerSecond(); got != 2e9 {
		t.Errorf("the second worker ran alone at the end: %v bytes a second", got)
	}

	stated := &StatedRate{BytesPerSecond: 7}
	if got := (Series{Stated: stated}).BytesPerSecond(); got != 7 {
		t.Errorf("stated rate: %v", got)
	}
	if got := (Series{Stated: stated, Samples: []Sample{s}}).BytesPerSecond(); got != 1.5e9 {
		t.Errorf("samples beside a stated rate: %v", got)
	}
}

// SCHEMA.md has a section for every type of the record, which names exactly
// its fields, with the right kind of JSON value.
func TestSchemaIsDocumented(t *testing.T) {
	text, err := os.ReadFile("SCHEMA.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]map[string]string{} // heading -> field -> JSON type
	row := regexp.MustCompile("^\\| `([a-z0-9_]+)` \\| ([a-z ]+) \\| .+ \\|$")
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		heading, body, _ := strings.Cut(section, "\n")
		fields := map[string]string{}
		for _, line := range strings.Split(body, "\n") {
			if m := row.FindStringSubmatch(line); m != nil {
				fields[m[1]] = m[2]
			}
		}
		sections[heading] = fields
	}

	titles := map[reflect.Type]string{
		reflect.TypeFor[Run](): "Run", reflect.TypeFor[Host](): "Host", reflect.TypeFor[Series](): "Series",
		reflect.TypeFor[Case](): "Case", reflect.TypeFor[Sample](): "Sample",
		reflect.TypeFor[StatedRate](): "Stated rate", reflect.TypeFor[Note](): "Note",
		reflect.TypeFor[WorkerShare](): "Worker share", reflect.TypeFor[Measuring](): "Measuring",
		reflect.TypeFor[Round](): "Round", reflect.TypeFor[Finding](): "Finding",
		reflect.TypeFor[Answer](): "Answer", reflect.TypeFor[Figure](): "Figure",
	}
	snake := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		title, ok := titles[typ]
		if !ok {
			t.Errorf("type %v has no section", typ)
			return
		}
		want := map[string]string{}
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !snake.MatchString(name) {
				t.Errorf("%v.%s: JSON name %q", typ, f.Name, name)
			}
			want[name] = jsonType(f.Type, walk)
		}
		if diff := cmp.Diff(want, sections[title]); diff != "" {
			t.Errorf("SCHEMA.md, %s (-types +page):\n%s", title, diff)
		}
	}
	walk(reflect.TypeFor[Run]())
	if len(seen) != len(titles) {
		t.Errorf("%d types make up a run, %d are listed here", len(seen), len(titles))
	}
	if f, _ := reflect.TypeFor[Run]().FieldByName("Schema"); f.Index[0] != 0 {
		t.Error("schema is not the first field")
	}
}

// jsonType is what a Go type looks like in JSON; structs are walked.
func jsonType(typ reflect.Type, walk func(reflect.Type)) string {
	if typ == reflect.TypeFor[time.Time]() {
		return "string"
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return jsonType(typ.Elem(), walk)
	case reflect.Slice:
		return "array of " + jsonType(typ.Elem(), walk) + "s"
	case reflect.Struct:
		walk(typ)
		return "object"
	case reflect.String: // grades, too
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Int, reflect.Int64, reflect.Uint8:
		return "integer"
	}
	return typ.String()
}
