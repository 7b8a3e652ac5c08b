package format

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gelibench/results"
)

// Cryptsetup writes a run as the table of `cryptsetup benchmark`: MiB are 2^20
// bytes, and an XTS key counts with both halves, twice what geli(8) says. What
// the table has no place for stands in a comment above it, and where cases
// differ in it, there are several tables. N/A is a direction that was not run.
//
//	#     Algorithm |       Key |      Encryption |      Decryption
//	        aes-xts        512b      1014.9 MiB/s      3163.9 MiB/s
func Cryptsetup(w io.Writer, run results.Run) error {
	b := bufio.NewWriter(w)
	if origin := distinct([]string{run.Tool, run.Version, run.Host.CPUModel}); len(origin) > 0 {
		fmt.Fprintf(b, "# %s\n", Printable(strings.Join(origin, " ")))
	}
	b.WriteString("# XTS keys are counted with both halves; sectors of GELI, their IVs included\n")
	var fit, left []results.Series
	for _, s := range run.Series {
		if s.Case.Alg == "" || s.Case.Op != "read" && s.Case.Op != "write" {
			left = append(left, s)
			continue
		}
		fit = append(fit, s)
	}
	for _, g := range groups(fit, func(c *results.Case) {
		c.Alg, c.KeyBits, c.Op, c.IVHash, c.RunSectors = "", 0, "", "", 0
	}) {
		if g.heading != "" {
			fmt.Fprintf(b, "# %s\n", g.heading)
		}
		b.WriteString("#     Algorithm |       Key |      Encryption |      Decryption\n")
		for _, r := range cryptsetupRows(g.series) {
			fmt.Fprintf(b, "%15s %10db%s%s\n", Printable(r.name), r.keyBits, cryptsetupCell(r.write), cryptsetupCell(r.read))
		}
	}
	writeLeftOut(b, left)
	return b.Flush()
}

type cryptsetupRow struct {
	name        string
	keyBits     int
	read, write *results.Series
}

// cryptsetupRows joins the two directions of a case.
func cryptsetupRows(series []results.Series) []cryptsetupRow {
	var rows []cryptsetupRow
next:
	for i := range series {
		s := &series[i]
		r := cryptsetupRow{name: cryptsetupName(s.Case.Alg), keyBits: usualKeyBits(s.Case)}
		for k := range rows {
			if rows[k].name == r.name && rows[k].keyBits == r.keyBits && rows[k].put(s) {
				continue next
			}
		}
		r.put(s)
		rows = append(rows, r)
	}
	return rows
}

// put puts a series into its direction, if that is free.
func (r *cryptsetupRow) put(s *results.Series) bool {
	to := &r.read
	if s.Case.Op == "write" {
		to = &r.write
	}
	if *to != nil {
		return false
	}
	*to = s
	return true
}

func cryptsetupCell(s *results.Series) string {
	if s == nil || RateOf(*s).Value <= 0 {
		return fmt.Sprintf("%18s", "N/A")
	}
	return fmt.Sprintf("%12.1f MiB/s", RateOf(*s).Value/(1<<20))
}

// cryptsetupName is what the kernel's crypto API calls a cipher.
func cryptsetupName(alg string) string {
	if cipher, mode := cipherAndMode(alg); cipher == "3des" {
		return "des3_ede-" + mode
	}
	return alg
}
