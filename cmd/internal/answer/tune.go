package answer

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

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

// readBytes is the small read whose wait is told: a page, and the block of most
// file systems.
const readBytes = 4096

// dmCryptMost is the largest sector of dm-crypt, in bytes; all of its sizes are
// powers of two.
const dmCryptMost = 4096

// Tune says which sector size to take for each cipher and direction of a run
// over sector sizes.
func Tune(run results.Run, o TuneOptions) results.Answer {
	groups := groupBy(run, func(c results.Case) string {
		return fmt.Sprint(c.Alg, c.KeyBits, c.Op, c.Workers)
	})
	out := answer{results.Answer{Question: "tune"}}
	var texts, again []string
	for _, g := range groups {
		if sizes := g.sizes(); len(sizes) > 0 {
			text, lines := out.tune(g, sizes, o)
			texts = append(texts, text)
			again = append(again, lines...)
		}
	}
	if len(texts) == 0 {
		return nothing("tune", "no sector size was measured on path geli")
	}
	out.add("")
	out.Lines = append(out.Lines, distinct(again)...)
	out.add("geli's sector size is for good: another one takes geli init and all data again;")
	out.add("LUKS2 changes it by cryptsetup reencrypt, which writes every sector anew")
	out.Text = strings.Join(texts, "; ") + "; " + upperBound
	return out.Answer
}

// sizes are the series on path geli, by growing sector.
func (g group) sizes() []results.Series {
	sizes := g.on(pathGELI)
	slices.SortStableFunc(sizes, func(a, b results.Series) int { return cmp.Compare(a.Case.SectorBytes, b.Case.SectorBytes) })
	return slices.CompactFunc(sizes, func(a, b results.Series) bool { return a.Case.SectorBytes == b.Case.SectorBytes })
}

// tune is the answer for one cipher in one direction.
func (a *answer) tune(g group, sizes []results.Series, o TuneOptions) (text string, again []string) {
	c := sizes[0].Case
	name := cipher(c) + " " + c.Op
	batch := map[int]float64{}
	for _, s := range g.on(pathBatch) {
		batch[s.Case.SectorBytes] = rate(s).Value
	}
	var rates []float64
	var times []stats.SectorTimes
	for _, s := range sizes {
		rates = append(rates, rate(s).Value)
		times = append(times, stats.SectorTimesOf(s))
	}
	fit := stats.FitSectorTime(times)
	best := slices.Max(rates)
	chosen := stats.SmallestWithin(rates, o.Within)

	// THE TABLE.
	table := []cells{
		{"sector", "ns per", "", "", "of the", "4 KiB " + c.Op, "batch"},
		{"bytes", "sector", "MB/s", "", "best", "takes", "MB/s"},
	}
	for i, s := range sizes {
		ns := stats.Median(times[i].NS).Value
		b := ""
		if len(batch) > 0 {
			b = mbps(batch[s.Case.SectorBytes])
		}
		row := cells{
			strconv.Itoa(s.Case.SectorBytes), number(ns), mbps(rates[i]), sure(rate(s)),
			fmt.Sprintf("%.0f %%", 100*rates[i]/best), duration(readNS(s.Case.SectorBytes, ns)), b, "",
		}
		if i == chosen {
			row[7] = "<-"
		}
		table = append(table, row)
		a.figure("bytes_per_second", fmt.Sprintf("%s %d bytes", name, s.Case.SectorBytes), "bytes_per_second", rate(s))
	}
	if len(a.Lines) > 0 {
		a.add("")
	}
	a.add("%s", g.setting(cipher(c), c.Op))
	a.Lines = append(a.Lines, grid(table, 7)...)

	// THE LINE through the times.
	a.fitLines(name, fit, len(sizes))

	// THE SIZE.
	size := sizes[chosen].Case.SectorBytes
	a.figure("sector_bytes", name, "bytes", exactly(float64(size)))
	a.add("smallest within %s of the best: -s %d", share(o.Within), size)
	a.modify(size, o)
	again = pasteLines(c, size)
	text = fmt.Sprintf("%s: -s %d", name, size)
	if fits := largestUpTo(sizes, o.FSBlockBytes); o.FSBlockBytes > 0 && size > o.FSBlockBytes && fits >= 0 {
		smaller := sizes[fits].Case.SectorBytes
		text += fmt.Sprintf(", or %d (%.0f %% of its rate) under file system blocks of %d", smaller, 100*rates[fits]/rates[chosen], o.FSBlockBytes)
		again = append(pasteLines(c, smaller), again...)
	}
	return text, again
}

// readNS is what a read of 4 KiB takes of a sector's time: whole sectors.
func readNS(sectorBytes int, ns float64) float64 {
	return ns * math.Ceil(readBytes/float64(sectorBytes))
}

func (a *answer) fitLines(name string, fit stats.SectorFit, sizes int) {
	if sizes < 2 || math.IsNaN(fit.FixedNS.Value) {
		a.add("one sector size makes no line: the cost of a sector and that of a byte are not known")
		return
	}
	a.figure("fixed_per_sector", name, "ns", fit.FixedNS)
	a.figure("per_byte", name, "ns_per_byte", fit.NSPerByte)
	a.figure("asymptote", name, "bytes_per_second", fit.BytesPerSecond)
	a.figure("half_speed", name, "bytes", fit.HalfSpeedBytes)
	a.add("time per sector = %s ns%s + %s ns%s a byte", number(fit.FixedNS.Value), paren(fit.FixedNS), number(fit.NSPerByte.Value), paren(fit.NSPerByte))
	if fit.FixedNS.Value > 0 && fit.NSPerByte.Value > 0 {
		a.add("  %s for ever larger sectors, half of it at %s bytes", units.Rate(fit.BytesPerSecond.Value), whole(fit.HalfSpeedBytes.Value))
		a.add("  in 512-byte sectors 4 KiB wait %s longer than in one of 4096 (7 x %s ns)", duration(7*fit.FixedNS.Value), number(fit.FixedNS.Value))
	}
	for _, n := range fit.Notes {
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
		a.add("  file system blocks of %d are smaller: to write one, %d bytes are read, decrypted,", fs, size)
		a.add("  changed, encrypted and written, %s times the bytes, where it can be mounted at all", times(2*float64(size)/float64(fs)))
	case fs%size == 0:
		a.add("  file system blocks of %d are whole sectors: nothing is read to be written", fs)
	default:
		a.add("  file system blocks of %d are no whole sectors of %d", fs, size)
	}
	switch {
	case disk <= 0:
	case size < disk:
		a.add("  disk sectors of %d are larger: a lone sector written has the disk read and write", disk)
		a.add("  %s times the bytes, unless whole blocks of %d are written", times(2*float64(disk)/float64(size)), disk)
	case size%disk == 0:
		a.add("  disk sectors of %d fit into it: the disk reads nothing to write", disk)
	default:
		a.add("  disk sectors of %d do not fit into it: the disk reads to write at every edge", disk)
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

// pasteLines are the commands that make a disk of a cipher and sector size.
func pasteLines(c results.Case, size int) []string {
	lines := []string{fmt.Sprintf("  geli init -s %d -e %s -l %d /dev/DISK", size, c.Alg, c.KeyBits)}
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
	return append(lines, fmt.Sprintf("  cryptsetup luksFormat --type luks2 -c %s -s %d --sector-size %d /dev/DISK", spec, bitsOf, sector))
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
