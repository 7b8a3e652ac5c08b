package answer

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gelibench/results"
	"gelibench/results/stats"
	"gelibench/results/units"
)

// TuneOptions say what a sector size has to fit.
type TuneOptions struct {
	Within       float64 // how near to the best size is near enough, as a share of its rate
	FSBlockBytes int     // the smallest write of the file system
	DiskBytes    int     // the disk's physical sector
}

// dmCryptMost is the largest sector of dm-crypt, in bytes; all of its sizes are
// powers of two.
const dmCryptMost = 4096

// Tune says which sector size to take for each cipher and direction of a run
// over sector sizes.
func Tune(run results.Run, o TuneOptions) results.Answer {
	groups := groupBy(run, func(c results.Case) string {
		return fmt.Sprint(c.Alg, c.KeyBits, c.Op, c.Workers, c.Engine)
	})
	out := ask("tune")
	var sweeps []sweep
	for _, g := range groups {
		if s, ok := newSweep(g, o.Within); ok {
			s.name += apart(s.series[0].Case, groups, cipherOp, byWorkers, onEngine)
			sweeps = append(sweeps, s)
		}
	}
	if len(sweeps) == 0 {
		return nothing("tune", "no sector size was measured on path geli")
	}
	for rest := sweeps; len(rest) > 0; {
		n := 1
		if len(rest) > 1 && max(rest[0].heading(), rest[1].heading()) <= columns/2-4 {
			n = 2 // as many as a screen is wide
		}
		out.sweeps(rest[:n])
		rest = rest[n:]
	}
	var texts, again []string
	sizes := map[int]bool{}
	for _, s := range sweeps {
		out.fit(s)
	}
	for _, s := range sweeps {
		text, lines := s.choice(o)
		texts = append(texts, text)
		again = append(again, lines...)
		if size := s.size(); !sizes[size] {
			sizes[size] = true
			out.modify(size, o)
		}
	}
	out.add("")
	out.Lines = append(out.Lines, distinct(again)...)
	out.add("geli's sector size is for good: another one takes geli init and all data again;")
	out.add("LUKS2 changes it by cryptsetup reencrypt, which writes every sector anew")
	return out.done(strings.Join(texts, "; ") + "; " + upperBound)
}

// sweep is one cipher in one direction over sector sizes.
type sweep struct {
	name    string // apart from all others
	setting string
	series  []results.Series // by growing sector
	rates   []float64        // their medians, bytes a second
	times   []stats.SectorTimes
	batch   map[int]float64 // by sector
	best    float64
	chosen  int // index of the smallest that is near enough
	within  float64
}

func newSweep(g group, within float64) (sweep, bool) {
	s := sweep{series: g.on(pathGELI), batch: map[int]float64{}, within: within}
	slices.SortStableFunc(s.series, func(a, b results.Series) int { return cmp.Compare(a.Case.SectorBytes, b.Case.SectorBytes) })
	if len(s.series) == 0 {
		return s, false
	}
	c := s.series[0].Case
	s.name = cipherOp(c)
	s.setting = c.Engine
	if c.Workers > 1 {
		s.setting = units.Count(c.Workers, "worker") + ", " + c.Engine
	}
	for _, b := range g.on(pathBatch) {
		s.batch[b.Case.SectorBytes] = rate(b).Value
	}
	for _, x := range s.series {
		s.rates = append(s.rates, rate(x).Value)
		s.times = append(s.times, stats.SectorTimesOf(x))
	}
	s.best = slices.Max(s.rates)
	s.chosen = stats.SmallestWithin(s.rates, within)
	return s, true
}

func (s sweep) title() string { return cipherOp(s.series[0].Case) + ", " + s.setting }

// heading is how wide that is.
func (s sweep) heading() int { return utf8.RuneCountInString(s.title()) }

func (s sweep) size() int { return s.series[s.chosen].Case.SectorBytes }

// cells are the columns of a sweep for one sector size.
func (s sweep) cells(sectorBytes int) cells {
	at := slices.IndexFunc(s.series, func(x results.Series) bool { return x.Case.SectorBytes == sectorBytes })
	if at < 0 {
		return cells{"-", "-", "-  ", ""}
	}
	batch, mark := "", "  "
	if len(s.batch) > 0 {
		batch = mbps(s.batch[sectorBytes])
	}
	if at == s.chosen {
		mark = " *"
	}
	return cells{number(stats.Median(s.times[at].NS).Value), mbps(s.rates[at]), fmt.Sprintf("%.0f %%%s", 100*s.rates[at]/s.best, mark), batch}
}

// sweeps adds a table of one or two, side by side.
func (a *answer) sweeps(pair []sweep) {
	var sizes []int
	names := cells{""}
	table := []cells{{"sector"}, {"bytes"}}
	for _, s := range pair {
		for i, x := range s.series {
			sizes = append(sizes, x.Case.SectorBytes)
			a.figure("bytes_per_second", fmt.Sprintf("%s %d bytes", s.name, x.Case.SectorBytes), "bytes_per_second", rate(x))
			a.figure("time_per_sector", fmt.Sprintf("%s %d bytes", s.name, x.Case.SectorBytes), "ns", stats.Median(s.times[i].NS))
		}
		names = append(names, s.title())
		batch := cells{"", ""}
		if len(s.batch) > 0 {
			batch = cells{"batch", "MB/s"}
		}
		table[0] = append(table[0], "ns per", "", "of the  ", batch[0])
		table[1] = append(table[1], "sector", "MB/s", "best  ", batch[1])
	}
	slices.Sort(sizes)
	for _, size := range slices.Compact(sizes) {
		row := cells{strconv.Itoa(size)}
		for _, s := range pair {
			row = append(row, s.cells(size)...)
		}
		table = append(table, row)
	}
	if len(a.Lines) > 0 {
		a.add("")
	}
	worst := 0.0
	for _, s := range pair {
		for _, x := range s.series {
			worst = max(worst, rate(x).Relative())
		}
	}
	lines := grid(table)
	// The names stand above their columns, at the right.
	if len(pair) == 1 {
		a.add("%s", names[1])
	} else {
		half := utf8.RuneCountInString(grid([]cells{table[0][:5], table[1][:5], widest(table, 5)})[0])
		a.add("%s", strings.TrimRight(fmt.Sprintf("%*s  %*s", half, names[1], utf8.RuneCountInString(lines[1])-half-2, names[2]), " "))
	}
	a.Lines = append(a.Lines, lines...)
	legend := fmt.Sprintf("* smallest within %s of the best", share(pair[0].within))
	if !math.IsInf(worst, 0) {
		legend += fmt.Sprintf("; the least sure median is known to ± %s", share(worst))
	}
	a.add("%s", legend)
}

// widest is the longest cell of each of the first n columns.
func widest(table []cells, n int) cells {
	out := make(cells, n)
	for _, row := range table {
		for i, c := range row[:n] {
			if utf8.RuneCountInString(c) > utf8.RuneCountInString(out[i]) {
				out[i] = c
			}
		}
	}
	return out
}

// choice is the size in words, and the commands that make such a disk.
func (s sweep) choice(o TuneOptions) (text string, again []string) {
	c, size := s.series[0].Case, s.size()
	again = pasteLines(c, size)
	text = fmt.Sprintf("%s: -s %d", s.name, size)
	if fits := largestUpTo(s.series, o.FSBlockBytes); o.FSBlockBytes > 0 && size > o.FSBlockBytes && fits >= 0 {
		smaller := s.series[fits].Case.SectorBytes
		text += fmt.Sprintf(", or %d (%.0f %% of its rate) under file system blocks of %d", smaller, 100*s.rates[fits]/s.rates[s.chosen], o.FSBlockBytes)
		again = append(pasteLines(c, smaller), again...)
	}
	return text, again
}

// fit adds the line through the times of a sweep.
func (a *answer) fit(s sweep) {
	a.figure("sector_bytes", s.name, "bytes", exactly(float64(s.size())))
	fit := stats.FitSectorTime(s.times)
	if len(s.times) < 2 || math.IsNaN(fit.FixedNS.Value) {
		a.prose("%s: one sector size makes no line", s.name)
		return
	}
	a.figure("fixed_per_sector", s.name, "ns", fit.FixedNS)
	a.figure("per_byte", s.name, "ns_per_byte", fit.NSPerByte)
	a.figure("asymptote", s.name, "bytes_per_second", fit.BytesPerSecond)
	a.figure("half_speed", s.name, "bytes", fit.HalfSpeedBytes)
	a.prose("%s: %s ns%s a sector + %s ns%s a byte", s.name, number(fit.FixedNS.Value), paren(fit.FixedNS), number(fit.NSPerByte.Value), paren(fit.NSPerByte))
	if fit.FixedNS.Value > 0 && fit.NSPerByte.Value > 0 {
		a.add("  up to %s, half of it at %s bytes; a 4 KiB %s waits %s longer", units.Rate(fit.BytesPerSecond.Value), whole(fit.HalfSpeedBytes.Value), s.series[0].Case.Op, duration(7*fit.FixedNS.Value))
		a.add("  in 512-byte sectors than in one of 4096 (7 x %s ns)", number(fit.FixedNS.Value))
	}
	for _, n := range fit.Notes {
		n.Text = s.name + ": " + n.Text
		n.Kind += s.name
		a.note(n)
	}
}

// modify says what it costs when sectors and the blocks above or below them
// differ in size.
func (a *answer) modify(size int, o TuneOptions) {
	fs, disk := o.FSBlockBytes, o.DiskBytes
	switch {
	case fs <= 0:
	case size > fs:
		a.add("-s %d: file system blocks of %d are smaller; to write one, the sector is", size, fs)
		a.add("  read, decrypted, encrypted and written: %s times the bytes", times(2*float64(size)/float64(fs)))
	case fs%size == 0:
		a.add("-s %d: file system blocks of %d are whole sectors, nothing is read to write", size, fs)
	default:
		a.add("-s %d: file system blocks of %d are no whole sectors", size, fs)
	}
	switch {
	case disk <= 0:
	case size < disk:
		a.add("  disk sectors of %d are larger: for a lone sector written, the disk reads and", disk)
		a.add("  writes %s times the bytes", times(2*float64(disk)/float64(size)))
	case size%disk == 0:
		a.add("  disk sectors of %d fit into it: the disk reads nothing to write", disk)
	default:
		a.add("  disk sectors of %d do not fit into it: the disk reads to write its edges", disk)
	}
}

// largestUpTo is the index of the largest of the sizes that is no more than
// most, -1 if there is none.
func largestUpTo(sizes []results.Series, most int) int {
	at := -1
	for i, s := range sizes {
		if s.Case.SectorBytes <= most {
			at = i
		}
	}
	return at
}

// removed are the ciphers that geli init refuses since FreeBSD 13.
var removed = []string{"3des-cbc", "blowfish-cbc"}

// pasteLines are the commands that make a disk of a cipher and sector size.
func pasteLines(c results.Case, size int) []string {
	if slices.Contains(removed, c.Alg) {
		return []string{"no new disk takes " + c.Alg + ": FreeBSD 13 removed it from GELI"}
	}
	lines := []string{fmt.Sprintf("  geli init -s %d -e %s -l %d DISK", size, c.Alg, c.KeyBits)}
	spec, bitsOf := "", c.KeyBits
	switch c.Alg {
	case xts:
		spec, bitsOf = "aes-xts-plain64", 2*c.KeyBits // both halves
	case cbc:
		spec = "aes-cbc-essiv:sha256"
	case "camellia-cbc":
		spec = "camellia-cbc-essiv:sha256"
	default:
		return lines
	}
	sector := min(dmCryptMost, 1<<(bits.Len(uint(size))-1))
	if sector < 512 {
		return lines
	}
	return append(lines, fmt.Sprintf("  cryptsetup luksFormat -c %s -s %d --sector-size %d DISK", spec, bitsOf, sector))
}

// number prints three significant digits, or all before the point.
func number(v float64) string {
	return strconv.FormatFloat(v, 'f', units.Decimals(v, 3), 64)
}

func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// duration prints nanoseconds.
func duration(ns float64) string {
	switch {
	case ns >= 1e6:
		return number(ns/1e6) + " ms"
	case ns >= 1e3:
		return number(ns/1e3) + " µs"
	}
	return number(ns) + " ns"
}

// paren is how sure a figure is, in parentheses.
func paren(i stats.Interval) string {
	if s := sure(i); s != "" {
		return " (" + s + ")"
	}
	return ""
}

// share is as in "5 %".
func share(v float64) string { return strconv.FormatFloat(100*v, 'g', 3, 64) + " %" }

func times(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
