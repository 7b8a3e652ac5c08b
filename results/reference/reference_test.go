package reference

import (
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"gelibench/results"
	"gelibench/results/report"
)

// Every row has a source, a machine, a rate of this world, and is there once.
func TestTable(t *testing.T) {
	seen := map[string]int{}
	cpus := map[string]string{}
	for _, r := range Rows() {
		if r.Source == "" || r.ID == "" || r.CPU == "" || r.Tool == "" {
			t.Errorf("line %d lacks its source, machine or tool", r.Line)
		}
		if r.BytesPerSecond < 1e4 || r.BytesPerSecond > 1e11 {
			t.Errorf("line %d: %g B/s", r.Line, r.BytesPerSecond)
		}
		if r.Mode == "XTS" && r.KeyBits > 256 {
			t.Errorf("line %d: both halves of an XTS key", r.Line)
		}
		switch r.Direction {
		case report.Encrypt, report.Decrypt, report.Both, report.Reading, report.Writing, report.UnknownDirection:
		default:
			t.Errorf("line %d: direction %q", r.Line, r.Direction)
		}
		if r.ID != strings.ToLower(r.ID) || strings.ContainsAny(r.ID, " @/") {
			t.Errorf("line %d: id %q", r.Line, r.ID)
		}
		if c, ok := cpus[r.ID]; ok && c != r.CPU {
			t.Errorf("line %d: %s is both %q and %q", r.Line, r.ID, c, r.CPU)
		}
		cpus[r.ID] = r.CPU
		if l := strings.Split(table, "\n")[r.Line-1]; seen[l] > 0 {
			t.Errorf("line %d is line %d again", r.Line, seen[l])
		} else {
			seen[l] = r.Line
		}
	}
}

// What the oldest reports state is there, to the byte.
func TestOldest(t *testing.T) {
	for _, c := range []struct {
		name, alg string
		bits      int
		dir       report.Direction
		block     int64
		want      float64
	}{
		{"@atom-d525", "aes-cbc", 256, report.Reading, 4096, 4294967296 / 245.828912},
		{"@atom-d525", "aes-xts", 256, report.Reading, 4096, 4294967296 / 291.027184},
		{"@via-esther/padlock", "aes-cbc", 256, report.Reading, 4096, 4294967296 / 31.805894},
		{"@via-esther", "aes-xts", 256, report.Reading, 4096, 4294967296 / 765.232668},
		{"@via-c7/padlock", "aes-cbc", 128, report.Both, 4096, 404109595},
		{"@via-c7/none", "aes-cbc", 256, report.Encrypt, 8192, 12464500},
		{"@atom-c2758/user space", "aes-cbc", 256, report.Encrypt, 8192, 297345020},
		{"@atom-c2758/aesni", "aes-cbc", 256, report.Encrypt, 16, 4662350},
		{"@pentium-3-tualatin", "aes-cbc", 256, report.Encrypt, 8192, 11300380},
		{"@pentium-4-2.66/none", "3des-cbc", 168, report.Encrypt, 0, 577e6 / 100.2},
		{"@pentium-4-2.66/hifn", "3des-cbc", 168, report.Encrypt, 0, 577e6 / 82.68},
	} {
		m, err := Lookup(c.name)
		if err != nil {
			t.Error(err)
			continue
		}
		found := false
		for _, r := range m.Rows {
			x := r.Result()
			if x.Alg() == c.alg && r.KeyBits == c.bits && r.Direction == c.dir && r.BlockBytes == c.block && math.Abs(r.BytesPerSecond-c.want) < 1 {
				found = true
			}
		}
		if !found {
			t.Errorf("%s has no %s of %s-%d with blocks of %d: %.0f B/s", c.name, c.dir, c.alg, c.bits, c.block, c.want)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"@atom-d526", "nothing", "@atom-d525/padlock"} {
		if _, err := Lookup(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		} else if name == "@atom-d526" && !strings.Contains(err.Error(), "@atom-d525") {
			t.Errorf("%v: doesn't name the machine next to it", err)
		}
	}
	for _, m := range Machines() {
		if got, err := Lookup("@" + m.ID); err != nil || len(got.Rows) != len(m.Rows) {
			t.Errorf("%s: %v", m.ID, err)
		}
	}
}

func TestLike(t *testing.T) {
	d525, err := Lookup("atom-d525")
	if err != nil {
		t.Fatal(err)
	}
	s := results.Series{Case: results.Case{Op: "read", Alg: "aes-xts", KeyBits: 256, SectorBytes: 4096}, Stated: &results.StatedRate{BytesPerSecond: 14757959 * 412}}
	got, err := Like(s, d525)
	if err != nil || got.String() != "reads AES-XTS-256 at 412 × an Atom D525" {
		t.Errorf("%q, %v", got, err)
	}
	s.Case.Op = "write"
	if _, err := Like(s, d525); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a figure for writing, which nobody measured: %v", err)
	}
	c2758, _ := Lookup("@atom-c2758/aesni(4)")
	s = results.Series{Case: results.Case{Op: "write", Alg: "aes-cbc", KeyBits: 256, SectorBytes: 4096}, Stated: &results.StatedRate{BytesPerSecond: 208882350}}
	got, err = Like(s, c2758)
	if err != nil || got.Row.BlockBytes != 8192 || got.Exact || !strings.Contains(got.String(), "openssl") {
		t.Errorf("%q, %+v, %v", got, got, err)
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"id\tcpu\n", strings.Join(columns, "\t") + "\n" + strings.Repeat("x\t", len(columns)-1) + "x\n", strings.Join(columns, "\t") + "\nshort\n"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
