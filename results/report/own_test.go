package report

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"gelibench/results"
	"gelibench/results/format"
)

// Runs that gelibench wrote are read back in each of its own formats.
func TestOwnFormats(t *testing.T) {
	run := results.Run{Schema: results.SchemaVersion, Tool: "gelibench", Host: results.Host{CPUModel: "AMD EPYC 9655"}, Series: []results.Series{{
		Case:    results.Case{Op: "read", Engine: "soft", Alg: "aes-xts", KeyBits: 256, SectorBytes: 4096, RequestBytes: 1 << 20, Workers: 2},
		Samples: []results.Sample{{Bytes: 100 << 20, Requests: 100, ElapsedNS: 50e6}, {Bytes: 100 << 20, Requests: 100, ElapsedNS: 150e6}},
	}}}
	for name, write := range map[string]func(io.Writer) error{
		"json":     func(w io.Writer) error { return format.JSON(w, run) },
		"jsonl":    func(w io.Writer) error { return format.JSONL(w, []results.Run{run, run}) },
		"csv":      func(w io.Writer) error { return format.CSV(w, []results.Run{run}) },
		"benchfmt": func(w io.Writer) error { return format.Benchfmt(w, []results.Run{run}) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		rep, err := Read(&b, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := 1
		if name == "jsonl" {
			want = 2
		}
		if len(rep.Results) != want || len(rep.Own) != want {
			t.Errorf("%s: %d results of %d runs", name, len(rep.Results), len(rep.Own))
			continue
		}
		r := rep.Results[0]
		if r.Cipher != "AES" || r.Mode != "XTS" || r.KeyBits != 256 || r.Sector != 4096 || r.Direction != Reading || r.Threads != 2 || r.CPU.Model != "AMD EPYC 9655" ||
			math.Abs(r.BytesPerSecond-200<<20/0.2) > 1e4 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	_, err := Read(strings.NewReader(`{"schema": 1, "series": [{`), "cut.json")
	if err == nil || errors.Is(err, ErrNoResults) {
		t.Errorf("a record that was cut off: %v", err)
	}
}

// A figure becomes a series with a stated rate, with all that is to be doubted.
func TestSeries(t *testing.T) {
	text := "# geli onetime -s 4096 -l 256 -e aes-xts gzero\n# sysctl kern.geom.zero.clear=0\n# dd if=/dev/gzero.eli of=/dev/null bs=1m\n1048576 bytes transferred in 0.100000 secs (10485760 bytes/sec)\n" +
		"Doing aes-256-cbc for 3s on 16 size blocks: 3000 aes-256-cbc's in 0.10s\n"
	rep, err := Read(strings.NewReader(text), "mail")
	if err != nil || len(rep.Results) != 2 {
		t.Fatal(rep, err)
	}
	s := rep.Results[0].Series()
	if c := s.Case; c.Op != "read" || c.Alg != "aes-xts" || c.KeyBits != 256 || c.SectorBytes != 4096 || c.RequestBytes != 1<<20 || c.Provider != "/dev/gzero.eli" || c.Clear == nil || *c.Clear {
		t.Errorf("case %+v", c)
	}
	if s.BytesPerSecond() != 10485760 {
		t.Errorf("%g B/s", s.BytesPerSecond())
	}
	s = rep.Results[1].Series()
	if s.Case.Op != "write" || s.BytesPerSecond() != 16000 || len(s.Notes) == 0 || s.Notes[0].Kind != string(UserTime) {
		t.Errorf("%+v", s)
	}
	if runs := rep.Runs(); len(runs) != 2 || runs[0].Tool != "dd" || runs[1].Tool != "openssl speed" {
		t.Errorf("runs %+v", runs)
	}
}

// No file has such a name: a line that begins with it could not be told for one
// of figures again.
func TestFiguresOfLongNames(t *testing.T) {
	for n, ok := range map[int]bool{255: true, 256: false} {
		text := "{\"line\":1,\"kind\":\"cipher\",\"bytes_per_second\":1,\"file\":\"" + strings.Repeat("x", n) + "\"}\n"
		rep, err := Read(strings.NewReader(text), "figures")
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "256 characters") {
			t.Errorf("%d bytes: %d figures, %v", n, len(rep.Results), err)
		}
	}
}
