package figures

import (
	"encoding/csv"
	"strings"
	"testing"

	"gelibench/results/report"
)

// The CSV has a value for every field that is known, and one row a figure.
func TestCSVValues(t *testing.T) {
	text := "$ time dd if=/dev/ada0p3.eli of=/dev/null bs=1m\n1048576 bytes transferred in 0.100000 secs (10485760 bytes/sec)\nreal 0m0.110s\nuser 0m0.010s\nsys 0m0.045s\nPBKDF2-sha1 1000 iterations per second\n"
	rep, err := report.Read(strings.NewReader(text), "a,b.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := NewCSV(&b).Write(rep.Results); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		got[name] = rows[1][i]
	}
	for name, want := range map[string]string{"file": "a,b.txt", "line": "2", "kind": "disk", "tool": "dd", "direction": "read", "block_bytes": "1048576", "bytes_per_second": "10485760",
		"as_printed": "10485760 bytes/sec", "seconds": "0.1", "real_seconds": "0.11", "user_seconds": "0.01", "system_seconds": "0.045", "cpu_percent": "50", "cpu_percent_computed": "true", "device": "/dev/ada0p3.eli",
		"cipher": "", "key_bits": "", "comparable": "true"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}
