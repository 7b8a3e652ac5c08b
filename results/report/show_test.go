package report

import (
	"encoding/csv"
	"strings"
	"testing"
)

func TestTableAndFits(t *testing.T) {
	text := twoRuns + "Doing aes-128-cbc for 3s on 16 size blocks: 3000 aes-128-cbc's in 0.10s\n"
	rep, err := Read(strings.NewReader(text), "mail")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Table(&b, rep.Results); err != nil {
		t.Fatal(err)
	}
	if err := FitTable(&b, FitResults(rep.Results)); err != nil {
		t.Fatal(err)
	}
	const want = `mail: openssl speed 1.0.1e-freebsd
  6  AES-CBC-256  encrypt   16 B  170 MB/s
  6  AES-CBC-256  encrypt   64 B  250 MB/s
  6  AES-CBC-256  encrypt  256 B  285 MB/s
  6  AES-CBC-256  encrypt  1 KiB  295 MB/s
  6  AES-CBC-256  encrypt  8 KiB  299 MB/s

mail: openssl speed 1.0.1e-freebsd; kldload aesni
  13  AES-CBC-256  encrypt   16 B  4.67 MB/s
  13  AES-CBC-256  encrypt   64 B  18.3 MB/s
  13  AES-CBC-256  encrypt  256 B  67.2 MB/s
  13  AES-CBC-256  encrypt  1 KiB   201 MB/s
  13  AES-CBC-256  encrypt  8 KiB   520 MB/s
  14  AES-CBC-128  encrypt   16 B   480 kB/s
     series                                           fixed cost  asymptotic rate  half speed at  off the line by
  1  mail:6 aes-256-cbc, encrypt                    40 ns a call         298 MB/s  12 bytes       1 % at most
  2  mail:13 aes-256-cbc, encrypt, kldload aesni  3.41 µs a call         646 MB/s  2204 bytes     2 % at most
series 2 overtakes series 1 at 1901 bytes a call
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The CSV has a value for every field that is known, and one row a figure.
func TestCSV(t *testing.T) {
	text := "$ time dd if=/dev/ada0p3.eli of=/dev/null bs=1m\n1048576 bytes transferred in 0.100000 secs (10485760 bytes/sec)\nreal 0m0.110s\nuser 0m0.010s\nsys 0m0.045s\nPBKDF2-sha1 1000 iterations per second\n"
	rep, err := Read(strings.NewReader(text), "a,b.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := CSV(&b, rep.Results); err != nil {
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
		"as_printed": "10485760 bytes/sec", "seconds": "0.1", "real_s": "0.11", "user_s": "0.01", "system_s": "0.045", "cpu_percent": "50", "cpu_percent_computed": "true", "device": "/dev/ada0p3.eli",
		"cipher": "", "key_bits": "", "comparable": "true"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}
