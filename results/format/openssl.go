package format

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"gelibench/results"
)

// OpenSSL writes a run as the table that `openssl speed` prints, for eyes and
// programs that know it: ciphers down, sizes across, thousands of bytes a
// second. The size is that of a sector, which is what a cipher is called with;
// what the table has no place for stands above it, and where cases differ in
// it, there are several tables. 0.00 is a case that was not run.
//
//	The 'numbers' are in 1000s of bytes per second processed.
//	type            512 bytes   4096 bytes
//	AES-256-XTS   1412414.46k  1893211.03k
func OpenSSL(w io.Writer, run results.Run) error {
	b := bufio.NewWriter(w)
	if v := strings.TrimSpace(run.Tool + " " + run.Version); v != "" {
		fmt.Fprintf(b, "version: %s\n", Printable(v))
	}
	if m := run.Host.CPUModel; m != "" {
		fmt.Fprintf(b, "cpu: %s\n", Printable(m))
	}
	b.WriteString("elapsed time; a size is that of a sector\n")
	tables, left := opensslTables(run)
	for _, t := range tables {
		if t.heading != "" {
			fmt.Fprintf(b, "\n%s", t.heading)
		}
		fmt.Fprintf(b, "\nThe 'numbers' are in 1000s of bytes per second processed.\ntype        ")
		for _, n := range t.sizes {
			fmt.Fprintf(b, "%7d bytes", n)
		}
		b.WriteByte('\n')
		for _, r := range t.rows {
			fmt.Fprintf(b, "%-13s", r.name)
			for _, n := range t.sizes {
				switch rate := RateOf(r.cells[n]).Value; {
				case rate > 10e3:
					fmt.Fprintf(b, " %11.2fk", rate/1e3)
				default: // without the k it is bytes a second
					fmt.Fprintf(b, " %11.2f ", rate)
				}
			}
			b.WriteByte('\n')
		}
	}
	writeLeftOut(b, left)
	return b.Flush()
}

// OpenSSLMR writes a run as `openssl speed -mr` does: +DT and +R for every
// measurement, +H and +F for every table. Lines that begin with # tell the
// tables apart. Rates are bytes a second: as of openssl, all bytes over all time,
// which is what +R says, and not the median of samples.
func OpenSSLMR(w io.Writer, run results.Run) error {
	b := bufio.NewWriter(w)
	tables, left := opensslTables(run)
	for _, t := range tables {
		fmt.Fprintf(b, "%s\n", strings.TrimSpace("# "+t.heading))
		for _, r := range t.rows {
			for _, n := range t.sizes {
				total := r.cells[n].Total()
				if total.Bytes == 0 {
					continue
				}
				seconds := float64(total.ElapsedNS) / 1e9
				fmt.Fprintf(b, "+DT:%s:%d:%d\n+R:%d:%s:%.6f\n", r.name, int64(seconds), n, total.Bytes/n, r.name, seconds)
			}
		}
		b.WriteString("+H")
		for _, n := range t.sizes {
			fmt.Fprintf(b, ":%d", n)
		}
		b.WriteByte('\n')
		for i, r := range t.rows {
			fmt.Fprintf(b, "+F:%d:%s", i, r.name)
			for _, n := range t.sizes {
				fmt.Fprintf(b, ":%.2f", r.cells[n].BytesPerSecond())
			}
			b.WriteByte('\n')
		}
	}
	writeLeftOut(b, left)
	return b.Flush()
}

// writeLeftOut names what a table has no place for.
func writeLeftOut(b *bufio.Writer, left []results.Series) {
	for _, s := range left {
		fmt.Fprintf(b, "# not in the table: %s\n", Heading(s))
	}
}

type opensslTable struct {
	heading string
	sizes   []int64
	rows    []opensslRow
}

type opensslRow struct {
	name  string
	cells map[int64]results.Series
}

// opensslTables sorts the series that have a cipher and a size into tables.
func opensslTables(run results.Run) (tables []opensslTable, left []results.Series) {
	var fit []results.Series
	for _, s := range run.Series {
		if opensslSize(s.Case) > 0 && s.Case.Alg != "" {
			fit = append(fit, s)
		} else {
			left = append(left, s)
		}
	}
	for _, g := range groups(fit, func(c *results.Case) {
		if c.SectorBytes == 0 {
			c.RequestBytes = 0 // that is the column then
		}
		c.Alg, c.KeyBits, c.SectorBytes, c.IVHash, c.RunSectors = "", 0, 0, "", 0
	}) {
		t := opensslTable{heading: g.heading}
		for _, s := range g.series {
			size, name := opensslSize(s.Case), opensslName(s.Case)
			if !slices.Contains(t.sizes, size) {
				t.sizes = append(t.sizes, size)
			}
			at := slices.IndexFunc(t.rows, func(r opensslRow) bool {
				_, taken := r.cells[size]
				return r.name == name && !taken
			})
			if at < 0 {
				at = len(t.rows)
				t.rows = append(t.rows, opensslRow{name, map[int64]results.Series{}})
			}
			t.rows[at].cells[size] = s
		}
		slices.Sort(t.sizes)
		tables = append(tables, t)
	}
	return tables, left
}

// opensslSize is the column of a case, in bytes; 0 if it is not known.
func opensslSize(c results.Case) int64 {
	if c.SectorBytes > 0 {
		return int64(c.SectorBytes)
	}
	return max(c.RequestBytes, 0)
}

// opensslName is what OpenSSL calls a cipher. Like GELI it counts one half of
// an XTS key.
func opensslName(c results.Case) string {
	cipher, mode := cipherAndMode(c.Alg)
	bits := c.KeyBits
	switch {
	case cipher == "blowfish":
		cipher = "bf"
		if bits == 128 { // the one that OpenSSL has
			bits = 0
		}
	case cipher == "3des":
		cipher, bits = "des-ede3", 0
	}
	var parts []string
	for _, p := range []string{cipher, fmt.Sprint(bits), mode} {
		if p != "" && p != "0" {
			parts = append(parts, p)
		}
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == ':' || r >= 0x7f {
			return '_'
		}
		return r
	}, strings.ToUpper(strings.Join(parts, "-")))
}
