package format

import (
	"fmt"
	"strings"

	"gelibench/results"
	"gelibench/results/units"
)

// Heading is the case of a series on one line, without a line end, to stand
// above a view that doesn't say what was measured:
//
//	gzero.eli: aes-xts-256, 4096-byte sectors, read (decrypt), 1 MiB requests, 1 worker, engine soft, path geli (runs of 1 sector, key expanded per sector), kern.geom.zero.clear=0
//
// What is not known is left out.
func Heading(s results.Series) string {
	c := s.Case
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case c.Alg != "" && c.KeyBits != 0 && c.Alg != "null":
		add("%s-%d", c.Alg, c.KeyBits)
	case c.Alg != "":
		add("%s", c.Alg)
	case c.KeyBits != 0:
		add("%d-bit key", c.KeyBits)
	}
	if c.AAlg != "" {
		add("%s", c.AAlg)
	}
	if c.SectorBytes != 0 {
		add("%d-byte sectors", c.SectorBytes)
	}
	switch c.Op {
	case "":
	case "read":
		add("read (decrypt)")
	case "write":
		add("write (encrypt)")
	default:
		add("%s", c.Op)
	}
	if c.RequestBytes != 0 {
		add("%s requests", units.Bytes(c.RequestBytes))
	}
	if c.Workers != 0 {
		add("%s", units.Count(c.Workers, "worker"))
	}
	if c.Pin != "" {
		add("pinned to %s", c.Pin)
	}
	if c.Engine != "" {
		add("engine %s", c.Engine)
	}
	if c.IVHash != "" {
		add("IVs by %s", c.IVHash)
	}
	if c.MACHash != "" {
		add("MACs by %s", c.MACHash)
	}
	detail := pathDetail(c.Rekey, []int{c.RunSectors})
	switch {
	case c.Path != "" && detail != "":
		add("path %s (%s)", c.Path, detail)
	case c.Path != "":
		add("path %s", c.Path)
	case detail != "":
		add("%s", detail)
	}
	if z := zeroDevice(c); z != "" {
		add("%s", z)
	}
	line := strings.Join(parts, ", ")
	switch {
	case c.Provider == "":
	case line == "":
		line = c.Provider
	default:
		line = c.Provider + ": " + line
	}
	return Printable(line)
}
