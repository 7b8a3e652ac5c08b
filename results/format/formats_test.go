package format

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"gelibench/results"

	"github.com/google/go-cmp/cmp"
)

// rounds is a run with all that the other two leave out.
func rounds() results.Run {
	run := matrix()
	run.Method, run.Grade, run.Interrupted = results.MethodRounds, results.Unreliable, false
	run.Series = run.Series[:2]
	run.Series[0].Grade = results.Good
	run.Series[0].Samples[1].Spoiled = true
	for i := range run.Series {
		for k := range run.Series[i].Samples {
			x := &run.Series[i].Samples[k]
			x.Round, x.StartNS, x.LeadInNS, x.LeadInBytes = k+1, int64(1000*(i+1)), 10_000_000, 1<<20
			x.Cycles = ptr(int64(123_456_789))
		}
	}
	run.Series[1].Case.Clear, run.Series[1].Case.Byte = ptr(true), ptr(uint8(0))
	run.Series[1].Case.Provider, run.Series[1].Case.Pin = "a \"b\"/c,d%e\n=f-7.eli", "0,1"
	for range 5 {
		run.Series[0].Samples = append(run.Series[0].Samples, run.Series[0].Samples[0])
	}
	run.Series[1].Samples[0].PartialRequests, run.Series[1].Samples[0].Spoiled = 3, true
	return run
}

// odd are runs that no program of ours writes.
func odd() results.Run {
	run := imported()
	run.Series = append(run.Series,
		results.Series{Case: run.Series[1].Case, Samples: run.Series[1].Samples},
		results.Series{Case: results.Case{Alg: "null", Op: "write"}, Samples: []results.Sample{{Bytes: 5}}},
		results.Series{Case: results.Case{Alg: "3des-cbc", Op: "sideways", KeyBits: 192, Engine: "a-1"}, Samples: []results.Sample{{Bytes: 1, ElapsedNS: 1}}},
		results.Series{Case: results.Case{Alg: "blowfish-cbc", KeyBits: 128, SectorBytes: 8, Op: "write"}, Samples: []results.Sample{{Bytes: 1000, Requests: 1, ElapsedNS: 1_000_000_000}}},
	)
	return run
}

var samples = map[string]func() results.Run{
	"matrix": matrix, "imported": imported, "rounds": rounds, "odd": odd,
	"empty": func() results.Run { return results.Run{Schema: 1} },
}

func TestGolden(t *testing.T) {
	for _, f := range All() {
		for name, run := range samples {
			var b bytes.Buffer
			if err := f.Write(&b, run()); err != nil {
				t.Fatalf("%s of %s: %v", f.Name, name, err)
			}
			golden(t, name+"."+f.Name, b.String())
			// Tables for programs keep what they were given.
			if f.Name != "csv" && f.Name != "prometheus" && strings.ContainsAny(b.String(), "\x1b\r") {
				t.Errorf("%s of %s steers the terminal", f.Name, name)
			}
		}
	}
}

func TestNamesAndSuffixes(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		for _, word := range append([]string{f.Name}, f.Suffixes...) {
			if seen[word] {
				t.Errorf("%s stands for two formats", word)
			}
			seen[word] = true
			if got, err := ByFile("a.b/c.d." + strings.ToUpper(word)); err != nil || got.Name != f.Name {
				t.Errorf("suffix %s: %s, error %v", word, got.Name, err)
			}
		}
		if got, err := ByName(f.Name); err != nil || got.Name != f.Name {
			t.Errorf("%s is %s, error %v", f.Name, got.Name, err)
		}
	}
	for _, name := range []string{"", "JSON", "md", "xml"} {
		if _, err := ByName(name); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "benchfmt") {
			t.Errorf("format %q: error %v", name, err)
		}
	}
	for _, path := range []string{"", "r", "json", "r.", "r.json/", "r.json.gz", "r.xml"} {
		if f, err := ByFile(path); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("file %q: %s, error %v", path, f.Name, err)
		}
	}
}

// kept is what is left of a run in a format that does not keep all of it.
var kept = map[string]func(results.Run) results.Run{
	"json":  func(r results.Run) results.Run { return r },
	"jsonl": func(r results.Run) results.Run { return r },
	"csv": func(r results.Run) results.Run {
		r.Command, r.Host.Features, r.Host.GOMAXPROCS, r.Notes = nil, nil, 0, nil
		for i := range r.Series {
			r.Series[i].Notes = nil
		}
		return r
	},
	"benchfmt": func(r results.Run) results.Run {
		r.Host.Features, r.Host.GOMAXPROCS, r.Notes, r.Grade = nil, 0, nil, ""
		r.Host.CPUModel = Printable(r.Host.CPUModel)
		series := r.Series
		r.Series = nil
		for _, s := range series {
			s.Notes, s.Grade = nil, ""
			if s.Stated != nil {
				s.Stated = &results.StatedRate{BytesPerSecond: s.Stated.BytesPerSecond}
			}
			for k, x := range s.Samples {
				s.Samples[k] = results.Sample{Bytes: x.Bytes, Requests: x.Requests, PartialRequests: x.PartialRequests,
					ElapsedNS: x.ElapsedNS, UserNS: x.UserNS, SystemNS: x.SystemNS, Spoiled: x.Spoiled, Round: x.Round}
			}
			if len(s.Samples) > 0 || s.Stated != nil {
				r.Series = append(r.Series, s)
			}
		}
		return r
	},
}

func TestRoundTrip(t *testing.T) {
	read := 0
	for _, f := range All() {
		if f.Read == nil {
			continue
		}
		read++
		for name, make := range map[string]func() results.Run{"matrix": matrix, "imported": imported, "rounds": rounds} {
			var b bytes.Buffer
			if err := f.Write(&b, make()); err != nil {
				t.Fatal(err)
			}
			got, err := f.Read(&b)
			if err != nil {
				t.Errorf("%s of %s: %v", f.Name, name, err)
				continue
			}
			if diff := cmp.Diff([]results.Run{kept[f.Name](make())}, got); diff != "" {
				t.Errorf("%s of %s (-written +read):\n%s", f.Name, name, diff)
			}
		}
		if f.WriteAll == nil {
			continue
		}
		var b bytes.Buffer
		if err := f.WriteAll(&b, []results.Run{matrix(), imported(), rounds()}); err != nil {
			t.Fatal(err)
		}
		got, err := f.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		want := []results.Run{kept[f.Name](matrix()), kept[f.Name](imported()), kept[f.Name](rounds())}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s of three runs (-written +read):\n%s", f.Name, diff)
		}
	}
	if read != len(kept) {
		t.Errorf("%d formats are read, %d are tested", read, len(kept))
	}
}

func TestReadersRefuse(t *testing.T) {
	for name, texts := range map[string][]string{
		"jsonl": {"", "\n\n", "{}", "{\"schema\":1}\n{", "[]", `{"schema":1,"tag":"x","id":""}`},
		"csv": {"", "a,b\n1,2\n", "schema,run,series\n", "schema,run,series,run\n1,0,0,0\n", "schema,run,series\n0,0,0\n",
			"schema,run,series\nx,0,0\n", "schema,run,series\n1,0\n", "schema,run,series,bytes\n1,0,0,-1\n",
			"schema,run,series,bytes\n1,0,0,1.5\n", "schema,run,series,byte\n1,0,0,256\n", "schema,run,series,clear\n1,0,0,maybe\n",
			"schema,run,series,stated_bytes_per_second\n1,0,0,NaN\n", "schema,run,series,stated_as_printed\n1,0,0,x\n",
			"schema,run,series\n,0,0\n", "schema,run,series,start\n1,0,0,today\n"},
		"benchfmt": {"", "hello\n", "BenchmarkX\n", "BenchmarkX 0 1 MB/s\n", "BenchmarkX x 1 MB/s\n", "BenchmarkX 1 1\n",
			"BenchmarkX 1 y MB/s\n", "BenchmarkX 1 1 ns/op\n", "BenchmarkX 1 -1 MB/s\n", "BenchmarkX 1 -1 ns/op 1 MB/s\n",
			"BenchmarkX 1 NaN ns/op 1 MB/s\n", "BenchmarkX 1 1e300 ns/op 1 MB/s\n", "BenchmarkX 1 1 ns/op 1 MB/s 2 partial/op\n",
			"BenchmarkX/key=-1 1 1 MB/s\n", "BenchmarkX/key=%zz 1 1 MB/s\n", "BenchmarkX/byte=256 1 1 MB/s\n",
			"# start: today\nBenchmarkX 1 1 MB/s\n", "# rounds: 1,x\nBenchmarkX 1 1 MB/s\n", "Benchmark" + strings.Repeat("x", maxBenchLine) + " 1 1 MB/s\n"},
	} {
		f, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if runs, err := f.Read(strings.NewReader(text)); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s %.60q: read as %+v, error %v", name, text, runs, err)
			}
		}
	}
	if _, err := ReadCSV(strings.NewReader("schema,run,series\n2,0,0\n")); !errors.Is(err, ErrSchema) {
		t.Errorf("a table of a later schema: error %v", err)
	}
}

// Go's own benchmarks are read as well.
func TestReadForeignBenchmarks(t *testing.T) {
	runs, err := ReadBenchfmt(strings.NewReader(`goos: linux
goarch: amd64
pkg: example.org/aes
BenchmarkEncrypt
BenchmarkEncrypt/1K-8         	  100000	     10000 ns/op	 102.40 MB/s	       0 B/op	       0 allocs/op
BenchmarkEncrypt/1K-8         	  200000	     10000 ns/op	 102.40 MB/s	       0 B/op	       0 allocs/op
BenchmarkParse-8              	  200000	     10000 ns/op
PASS
ok  	example.org/aes	3.500s
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []results.Run{{Schema: 1, Host: results.Host{OS: "linux", Arch: "amd64"}, Series: []results.Series{{
		Case: results.Case{GOMAXPROCS: 8},
		Samples: []results.Sample{
			{Bytes: 102_400_000, Requests: 100_000, ElapsedNS: 1_000_000_000},
			{Bytes: 204_800_000, Requests: 200_000, ElapsedNS: 2_000_000_000},
		}}}}}
	if diff := cmp.Diff(want, runs); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A part of a table, in another order, with another's columns.
func TestReadPartOfCSV(t *testing.T) {
	runs, err := ReadCSV(strings.NewReader("\ufeffbytes,series,colour,run,schema,elapsed_ns\n7,4,blue,9,1,3\n8,4,red,9,1,3\n1,0,red,9,1,1\n1,0,red,2,1,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	sample := func(bytes, ns int64) results.Sample { return results.Sample{Bytes: bytes, ElapsedNS: ns} }
	want := []results.Run{
		{Schema: 1, Series: []results.Series{{Samples: []results.Sample{sample(7, 3), sample(8, 3)}}, {Samples: []results.Sample{sample(1, 1)}}}},
		{Schema: 1, Series: []results.Series{{Samples: []results.Sample{sample(1, 1)}}}},
	}
	if diff := cmp.Diff(want, runs); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzReaders(f *testing.F) {
	for _, format := range All() {
		if format.Read == nil {
			continue
		}
		for _, make := range samples {
			var b bytes.Buffer
			if err := format.Write(&b, make()); err != nil {
				f.Fatal(err)
			}
			f.Add(b.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range All() {
			if format.Read == nil {
				continue
			}
			runs, err := format.Read(bytes.NewReader(data))
			if err != nil {
				continue
			}
			// What was read can be written in every format.
			for _, to := range All() {
				for _, run := range runs {
					var b bytes.Buffer
					if err := to.Write(&b, run); err != nil {
						t.Fatalf("read as %s, written as %s: %v", format.Name, to.Name, err)
					}
				}
			}
		}
	})
}
