package format

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"gelibench/results"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata")

func ptr[T any](v T) *T { return &v }

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

var gzero = results.Case{
	Op: "read", Engine: "soft", Alg: "aes-xts", KeyBits: 256, SectorBytes: 4096, RequestBytes: 1 << 20,
	Workers: 1, Path: "geli", RunSectors: 1, Rekey: "per-sector", Provider: "gzero.eli",
	Clear: ptr(false), GOMAXPROCS: 3,
}

// with is gzero changed.
func with(change func(c *results.Case)) results.Case {
	c := gzero
	change(&c)
	return c
}

// matrix is a run that shows all there is to show.
func matrix() results.Run {
	cbc := func(c *results.Case) { c.Alg, c.IVHash = "aes-cbc", "sha-ni" }
	batch := func(c *results.Case) { c.Path, c.Rekey, c.Engine = "batch", "cached", "vaes-avx512" }
	return results.Run{
		Schema: 1, Tool: "gelibench", Version: "v1.2.3",
		Start:   time.Date(2026, 11, 30, 14, 5, 6, 0, time.FixedZone("", 3600)),
		Command: []string{"gelibench", "onetime", "-e", "aes-xts,aes-cbc", "--path", "geli,batch", "my disk"},
		Host: results.Host{
			OS: "linux", Arch: "amd64", CPUModel: "AMD EPYC 9655 96-Core Processor", CPUs: 2,
			Features: []string{"aes", "vaes"}, GOMAXPROCS: 2, GoVersion: "go1.26.8",
		},
		Series: []results.Series{
			{Case: gzero, Samples: []results.Sample{
				{Bytes: 100 << 20, Requests: 100, ElapsedNS: 410_000_000, UserNS: ptr(int64(400_000_000)), SystemNS: ptr(int64(4_000_000))},
				{Bytes: 101 << 20, Requests: 101, ElapsedNS: 420_000_000, UserNS: ptr(int64(419_000_000)), SystemNS: ptr(int64(0))},
			}},
			{Case: with(func(c *results.Case) { cbc(c); c.Op, c.Workers = "write", 2 }), Samples: []results.Sample{
				{Bytes: 64 << 20, Requests: 64, ElapsedNS: 100_000_000, UserNS: ptr(int64(195_000_000)), SystemNS: ptr(int64(1_000_000))},
			}, Notes: []results.Note{{Kind: "slow-path", Text: "the engine encrypts one chain at a time"}}},
			{Case: with(func(c *results.Case) { batch(c); c.RunSectors = 32 }), Samples: []results.Sample{
				{Bytes: 8 << 30, Requests: 8 << 10, ElapsedNS: 310_000_000, UserNS: ptr(int64(305_000_000)), SystemNS: ptr(int64(2_000_000))},
			}},
			{Case: with(func(c *results.Case) { cbc(c); batch(c); c.SectorBytes, c.RunSectors = 512, 256 }), Samples: []results.Sample{
				{Bytes: 8 << 30, Requests: 8 << 10, ElapsedNS: 330_000_000},
			}},
			{Case: with(func(c *results.Case) { batch(c); c.Workers, c.RunSectors = 2, 32 })},
		},
		Interrupted: true,
		Notes:       []results.Note{{Kind: "load", Text: "the machine was busy", Advice: "run it again when it is idle"}},
	}
}

// imported is a run that somebody else measured: hardly anything is known.
func imported() results.Run {
	return results.Run{
		Schema: 1, Host: results.Host{CPUModel: "Intel Atom D525\x1b[31m"},
		Series: []results.Series{
			{Case: results.Case{Alg: "aes-cbc", KeyBits: 128}, Stated: &results.StatedRate{BytesPerSecond: 31_940_000, AsPrinted: "31.94 MB/s"}},
			{Case: results.Case{Alg: "aes-xts", KeyBits: 128, SectorBytes: 512}, Samples: []results.Sample{{Bytes: 1 << 30, Requests: 1024, ElapsedNS: 2_500_000_000}}},
			{Case: results.Case{Alg: "null"}},
		},
	}
}

func TestTable(t *testing.T) {
	for name, run := range map[string]results.Run{
		"matrix.table": matrix(), "imported.table": imported(), "empty.table": {},
	} {
		var b bytes.Buffer
		if err := Table(&b, run); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		for _, line := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > 120 {
				t.Errorf("%s: a line of %d columns: %s", name, n, line)
			}
			if strings.TrimRight(line, " \t") != line {
				t.Errorf("%s: blanks at the end of %q", name, line)
			}
			if strings.ContainsRune(line, '\x1b') {
				t.Errorf("%s: an escape character in %q", name, line)
			}
		}
	}
}

// Two re-key policies behind one name of a path are told apart in the rows, and
// two hashers by their engines.
func TestTableTellsApart(t *testing.T) {
	run := results.Run{Series: []results.Series{
		{Case: with(func(c *results.Case) { c.IVHash = "soft" })},
		{Case: with(func(c *results.Case) { c.IVHash, c.Engine, c.Rekey = "sha-ni", "aesni", "cached" })},
	}}
	var b bytes.Buffer
	if err := Table(&b, run); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		" geli/per-sector ", " geli/cached ", "\npath geli/cached: runs of 1 sector, key cached\n",
		"\nIVs hashed by soft (engine soft), sha-ni (engine aesni)\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestDD(t *testing.T) {
	for _, test := range []struct {
		samples []results.Sample
		want    string
	}{
		{nil, "0+0 records in\n0+0 records out\n0 bytes transferred in 0.000000 secs (0 bytes/sec)\n"},
		{[]results.Sample{{Bytes: 1, Requests: 1, PartialRequests: 1, ElapsedNS: 0}},
			"0+1 records in\n0+1 records out\n1 bytes transferred in 0.000000 secs (1000000000 bytes/sec)\n"},
		// The rate is that of 1.9999996 s, not that of 2.000000.
		{[]results.Sample{{Bytes: 1 << 32, Requests: 4096, ElapsedNS: 1_999_999_600}},
			"4096+0 records in\n4096+0 records out\n4294967296 bytes transferred in 2.000000 secs (2147484077 bytes/sec)\n"},
		{[]results.Sample{
			{Bytes: 3 << 20, Requests: 3, ElapsedNS: 1_000_000_000},
			{Bytes: 5 << 19, Requests: 3, PartialRequests: 1, ElapsedNS: 1_500_000_000},
		}, "5+1 records in\n5+1 records out\n5767168 bytes transferred in 2.500000 secs (2306867 bytes/sec)\n"},
	} {
		var b bytes.Buffer
		if err := DD(&b, results.Series{Samples: test.samples}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, b.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestHeading(t *testing.T) {
	for want, c := range map[string]results.Case{
		"gzero.eli: aes-xts-256, 4096-byte sectors, read (decrypt), 1 MiB requests, 1 worker, engine soft, path geli (runs of 1 sector, key expanded per sector), kern.geom.zero.clear=0": gzero,
		"gzero.eli: aes-cbc-128, 512-byte sectors, write (encrypt), 128 KiB requests, 2 workers, pinned to 0,1, engine vaes-avx2, IVs by sha-ni, path batch (runs of up to 256 sectors, key cached), kern.geom.zero.clear=1 kern.geom.zero.byte=165": with(func(c *results.Case) {
			c.Op, c.Engine, c.Alg, c.KeyBits, c.SectorBytes, c.RequestBytes = "write", "vaes-avx2", "aes-cbc", 128, 512, 128<<10
			c.Workers, c.Pin, c.Path, c.RunSectors, c.Rekey, c.IVHash = 2, "0,1", "batch", 256, "cached", "sha-ni"
			c.Clear, c.Byte = ptr(true), ptr(uint8(165))
		}),
		"disk.img: null, read (decrypt)": {Provider: "disk.img", Alg: "null", Op: "read"},
		"a?b":                            {Provider: "a\nb"},
		"256-bit key":                    {KeyBits: 256},
		"":                               {},
	} {
		if got := Heading(results.Series{Case: c}); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	for name, run := range map[string]results.Run{"matrix.json": matrix(), "imported.json": imported(), "empty.json": {Schema: 1}} {
		var b bytes.Buffer
		if err := JSON(&b, run); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		if !strings.HasPrefix(b.String(), "{\n  \"schema\": 1,\n") {
			t.Errorf("%s does not begin with the schema", name)
		}
		back, err := ReadJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if run.Series == nil {
			run.Series = []results.Series{}
		}
		if diff := cmp.Diff(run, back); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
}

func TestReadJSON(t *testing.T) {
	later, err := ReadJSON(strings.NewReader(`{"schema": 1, "colour": "blue", "host": {"moon": {}}, "series": [{"case": {}, "new": [1]}]}`))
	if err != nil || len(later.Series) != 1 {
		t.Errorf("unknown fields: %+v, error %v", later, err)
	}

	// Only the schema of a later record need be understood.
	_, err = ReadJSON(strings.NewReader(`{"series": 7, "schema": 2}`))
	if !errors.Is(err, ErrSchema) || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "schema 2, known are 1 to 1") {
		t.Errorf("schema 2: error %v", err)
	}

	for _, s := range []string{
		``, `{`, `[]`, `null`, `7`, `{}`, `{"schema": null}`, `{"schema": "1"}`, `{"schema": 0}`, `{"schema": -1}`, `{"schema": 1.5}`,
		`{"schema": 1} {}`, `{"schema": 1} x`, `{"schema": 1, "series": 7}`,
		`{"schema": 1, "series": [{"samples": [{"bytes": -1}]}]}`,
		`{"schema": 1, "series": [{"samples": [{"requests": -1}]}]}`,
		`{"schema": 1, "series": [{"samples": [{"elapsed_ns": -1}]}]}`,
		`{"schema": 1, "series": [{"samples": [{"user_ns": -1}]}]}`,
		`{"schema": 1, "series": [{"samples": [{"system_ns": -1}]}]}`,
		`{"schema": 1, "series": [{"samples": [{"requests": 1, "partial_requests": 2}]}]}`,
		`{"schema": 1, "series": [{"samples": [{"requests": 1, "partial_requests": -2}]}]}`,
		`{"schema": 1, "series": [{"stated": {"bytes_per_second": -2}}]}`,
	} {
		if run, err := ReadJSON(strings.NewReader(s)); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: read as %+v, error %v", s, run, err)
		}
	}
	if _, err := ReadJSON(iotest.ErrReader(fs.ErrPermission)); !errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrInvalid) {
		t.Errorf("failing reader: error %v", err)
	}
}

// An error of the writer is an error of the format.
func TestWriterErrors(t *testing.T) {
	_, w := io.Pipe()
	w.CloseWithError(fs.ErrClosed)
	for name, err := range map[string]error{
		"DD": DD(w, results.Series{}), "Table": Table(w, matrix()), "JSON": JSON(w, matrix()),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
