package answer

import (
	"fmt"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/stats"
	"gelibench/results/units"
)

// Disk is how fast a disk is, in bytes a second; 0 if nobody asked.
type Disk struct {
	Read, Write float64
	// Measured names the file or disk whose reading was measured, with the
	// cache before it; empty if the rates were given.
	Measured string
}

// kept is from what share of its rate on a paced run has kept it.
const kept = 0.97

// Headroom says what encrypting a disk takes of the CPUs, and which of both is
// the limit. The run holds each case twice, paced at the disk's rate and not.
func Headroom(run results.Run, d Disk) results.Answer {
	groups := groupBy(run, func(c results.Case) string {
		return fmt.Sprint(c.Alg, c.KeyBits, c.SectorBytes, c.Op, c.Path, c.Workers, c.Engine)
	})
	out := ask("headroom")
	var all []headroom
	for _, g := range groups {
		h, ok := newHeadroom(run, g, d)
		if !ok {
			continue
		}
		h.name = cipherOp(h.c) + apart(h.c, groups, cipherOp, byWorkers, onEngine, inSectors)
		all = append(all, h)
	}
	var texts []string
	for _, h := range all {
		if h.c.Path == pathGELI {
			texts = append(texts, h.text(run.Host.CPUs))
		}
	}
	if len(texts) == 0 {
		return nothing("headroom", "nothing was measured at the disk's rate on path geli")
	}
	for len(all) > 0 {
		all = out.headroom(all)
	}
	out.add("")
	out.add("paced at the disk's rate: its CPU time (user and system, harness included) is")
	out.add("what encryption costs there. Bounds of the whole in MB/s: overlapped, the slower")
	out.add("of both; in series, 1/(1/disk + 1/cipher)")
	if d.Measured != "" {
		out.note(results.Note{Text: d.Measured + " was read through the system's cache, which may be faster than the disk", Advice: "--disk-read RATE states the disk's own"})
	}
	return out.done(strings.Join(texts, "; ") + "; " + upperBound)
}

// headroom adds the table of those that have sector, workers and engine in
// common with the first, and returns the others.
func (a *answer) headroom(all []headroom) (others []headroom) {
	setting := func(c results.Case) string {
		return fmt.Sprintf("%d-byte sectors, %s, engine %s", c.SectorBytes, units.Count(c.Workers, "worker"), c.Engine)
	}
	table := []cells{
		{"", "", "", "disk", "cipher", "paced", "CPU %", "cores", "", "over-", "in"},
		{"cipher", "op", "path", "MB/s", "MB/s", "MB/s", "of all", "needed", "limit", "lapped", "series"},
	}
	first := setting(all[0].c)
	for _, h := range all {
		if setting(h.c) != first {
			others = append(others, h)
			continue
		}
		table = append(table, h.row())
		h.figures(a)
		if h.limited == "disk" && h.paced < kept*h.disk {
			a.note(results.Note{Kind: "pace", Text: fmt.Sprintf("a paced run kept %s of %s MB/s only, though the cipher is faster", mbps(h.paced), mbps(h.disk)), Advice: "other programs took the CPU meanwhile; gelibench doctor looks at the host"})
		}
	}
	if len(a.Lines) > 0 {
		a.add("")
	}
	a.add("%s", first)
	a.Lines = append(a.Lines, gridWith(" ", table, 0, 1, 2, 8)...)
	return others
}

// headroom is one cipher in one direction on one path.
type headroom struct {
	c            results.Case
	name         string  // cipher and direction, apart from all others
	disk         float64 // bytes a second
	cipher       stats.Interval
	paced        float64
	cores        float64 // that the disk's rate takes
	known        bool    // by CPU time, not by the full speed
	cpus         int
	limited      string
	atOnce, turn float64
}

func newHeadroom(run results.Run, g group, d Disk) (headroom, bool) {
	var h headroom
	for _, s := range g.series {
		if s.Case.PacedBytesPerSecond > 0 {
			h.c, h.disk = s.Case, s.Case.PacedBytesPerSecond
			var rates []float64
			for _, x := range s.Samples {
				rates = append(rates, x.WorkersBytesPerSecond()) // who has ended rests
			}
			h.paced = stats.Median(rates).Value
			var perGB float64
			perGB, h.known = s.Total().CPUSecondsPerGB()
			h.cores = perGB * h.disk / 1e9
		} else {
			h.cipher = rate(s)
		}
	}
	if h.disk == 0 || !(h.cipher.Value > 0) {
		return h, false
	}
	h.cpus = max(1, run.Host.CPUs)
	if !h.known {
		h.cores = h.disk / h.cipher.Value * float64(h.c.Workers)
	}
	h.limited = "disk"
	if h.cipher.Value < h.disk {
		h.limited = "CPU"
	}
	h.atOnce = min(h.disk, h.cipher.Value)
	h.turn = 1 / (1/h.disk + 1/h.cipher.Value)
	return h, true
}

// ofOne and ofAll are what the disk's rate takes of one CPU and of all, in percent.
func (h headroom) ofOne() float64 { return 100 * h.cores }
func (h headroom) ofAll() float64 { return h.ofOne() / float64(h.cpus) }

func (h headroom) row() cells {
	all := "-"
	if h.known {
		all = percent(h.ofAll())
	}
	return cells{
		cipher(h.c), h.c.Op, h.c.Path, mbps(h.disk), mbps(h.cipher.Value), mbps(h.paced), all,
		strconv.FormatFloat(h.cores, 'f', 2, 64), h.limited, mbps(h.atOnce), mbps(h.turn),
	}
}

func percent(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func (h headroom) figures(a *answer) {
	about := h.name + " " + h.c.Path
	a.figure("disk", about, "bytes_per_second", exactly(h.disk))
	a.figure("cipher", about, "bytes_per_second", h.cipher)
	a.figure("paced", about, "bytes_per_second", exactly(h.paced))
	if h.known {
		a.figure("cpu_of_one", about, "percent", exactly(h.ofOne()))
		a.figure("cpu_of_all", about, "percent", exactly(h.ofAll()))
	}
	a.figure("cores_needed", about, "cores", exactly(h.cores))
	a.figure("bound_at_once", about, "bytes_per_second", exactly(h.atOnce))
	a.figure("bound_in_turn", about, "bytes_per_second", exactly(h.turn))
}

func (h headroom) text(cpus int) string {
	did := map[string]string{"read": "reading", "write": "writing"}[h.c.Op]
	what := strings.Replace(h.name, " "+h.c.Op, " "+did, 1)
	text := fmt.Sprintf("%s at %s MB/s", what, mbps(h.disk))
	switch {
	case h.limited == "CPU":
		return fmt.Sprintf("%s: the CPU is the limit, at %s of the disk's %s MB/s (%.2f cores would do)", what, mbps(min(h.cipher.Value, h.paced)), mbps(h.disk), h.cores)
	case !h.known:
		return text + ": the disk is the limit"
	case cpus > 1:
		return fmt.Sprintf("%s takes %s %% of %d CPUs (%.2f cores): the disk is the limit", text, percent(h.ofAll()), cpus, h.cores)
	}
	return fmt.Sprintf("%s takes %s %% of the CPU: the disk is the limit", text, percent(h.ofOne()))
}
