package format

import (
	"bytes"
	"strings"
	"testing"

	"gelibench/results"
)

// The integrity mode shows where it was in use, and takes no room elsewhere.
func TestIntegrityMode(t *testing.T) {
	auth := with(func(c *results.Case) { c.AAlg, c.MACHash = "hmac/sha256", "std" })
	const want = "gzero.eli: aes-xts-256, hmac/sha256, 4096-byte sectors, read (decrypt), 1 MiB requests, 1 worker, engine soft, MACs by std, path geli"
	if got := Heading(results.Series{Case: auth}); !strings.HasPrefix(got, want) {
		t.Errorf("heading: %s\nwant    %s", got, want)
	}
	var table bytes.Buffer
	if err := Table(&table, results.Run{Series: []results.Series{{Case: auth}, {Case: gzero}}}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(table.String()), " ")
	for _, row := range []string{"cipher bits integrity bytes bytes op", "gzero.eli aes-xts 256 hmac/sha256 4096 1048576 read", "gzero.eli aes-xts 256 - 4096 1048576 read"} {
		if !strings.Contains(text, row) {
			t.Errorf("no %q in\n%s", row, table.String())
		}
	}
	table.Reset()
	if err := Table(&table, results.Run{Series: []results.Series{{Case: gzero}}}); err != nil || strings.Contains(table.String(), "integrity") {
		t.Errorf("%v, in a table without that mode:\n%s", err, table.String())
	}
}
