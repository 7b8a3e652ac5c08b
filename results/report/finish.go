package report

import (
	"slices"
	"strings"
)

// finish does what can be done only when the whole text was read.
func (rd *reader) finish() {
	rd.letGo()
	for i := range rd.ctx {
		rd.ownTableEnd(&rd.ctx[i])
		rd.promEnd(&rd.ctx[i])
	}
	rd.ddFlush()
	rd.ssl.flushMR(rd)
	rd.benchEnd()
	rd.cpuAfter()
	rd.parallelRows()
	rd.impossibleRows()
	rd.wrongCiphertext()
	rd.summaries()
	rd.numberRuns()
}

// cpuAfter gives a processor that was named only behind all figures to those
// figures, where the text names no other.
func (rd *reader) cpuAfter() {
	for depth := range rd.ctx {
		c := &rd.ctx[depth]
		if c.cpuTrust < trustTool || c.cpuUsed {
			continue
		}
		known := false
		for i, r := range rd.report.Results {
			known = known || rd.meta[i].depth == depth && r.CPU.Known()
		}
		if known {
			continue
		}
		for i := range rd.report.Results {
			if r := &rd.report.Results[i]; rd.meta[i].depth == depth && r.Line < c.cpuAt {
				r.CPU = c.cpu
			}
		}
	}
}

// parallelRows counts the rows that ran at once.
func (rd *reader) parallelRows() {
	type key struct {
		name    string
		block   int64
		section int
	}
	count := map[key]int{}
	for i, r := range rd.report.Results {
		if r.PerThread && r.Threads <= 1 {
			count[key{r.Name, r.BlockBytes, rd.meta[i].section}]++
		}
	}
	for i := range rd.report.Results {
		if r := &rd.report.Results[i]; r.PerThread && r.Threads <= 1 {
			r.Threads = count[key{r.Name, r.BlockBytes, rd.meta[i].section}]
		}
	}
}

// A cipher that is really run takes longer for more bytes. Where the time of a
// call doesn't grow between 1 KiB and the largest block, by at least what
// 100 GB/s would take, and the rate it would mean is more than any device that
// is bound by its latency reaches, nothing was ciphered.
const (
	fastestByte = 1.0 / 100e9 // seconds
	latencyRate = 1e9         // bytes a second
)

// impossibleRows flags series whose operations a second don't depend on size.
func (rd *reader) impossibleRows() {
	rs := rd.report.Results
	for lo := 0; lo < len(rs); {
		hi := lo + 1
		for hi < len(rs) && sameSeries(rs[lo], rs[hi]) && rs[hi].BlockBytes > rs[hi-1].BlockBytes {
			hi++
		}
		if flat(rs[lo:hi]) {
			for i := lo; i < hi; i++ {
				rs[i].fix(OpsConstant, "operations a second don't depend on the block size: the cipher was not run")
			}
		}
		lo = hi
	}
}

func sameSeries(a, b Result) bool {
	return a.Tool == b.Tool && a.Name == b.Name && a.Direction == b.Direction && a.Variant == b.Variant && a.Engine == b.Engine && a.Kind == b.Kind
}

func flat(rs []Result) bool {
	if len(rs) < 3 || rs[0].BlockBytes <= 0 || !rs[0].HasRate() {
		return false
	}
	last := rs[len(rs)-1]
	first := rs[0]
	for _, r := range rs {
		if r.BlockBytes <= 1024 {
			first = r
		}
	}
	if last.BlockBytes < 8*first.BlockBytes || last.BytesPerSecond < latencyRate || last.LowerBound() || last.Has(UserTimeTable) {
		return false
	}
	t0 := float64(first.BlockBytes) / first.BytesPerSecond
	t1 := float64(last.BlockBytes) / last.BytesPerSecond
	return (t1-t0)/float64(last.BlockBytes-first.BlockBytes) < fastestByte
}

// wrongCiphertext flags what openssl measured through the padlock engine since
// 1.1 with long keys: a defect made the engine cipher wrongly.
func (rd *reader) wrongCiphertext() {
	for i := range rd.report.Results {
		r := &rd.report.Results[i]
		if r.Tool == "openssl speed" && strings.Contains(strings.ToLower(r.Engine), "padlock") && r.KeyBits > 128 && r.Cipher == "AES" &&
			(strings.HasPrefix(r.Version, "1.1") || strings.HasPrefix(r.Version, "3.")) {
			r.fix(WrongResult, "the padlock engine of this openssl ciphers wrongly with keys of more than 128 bits")
		}
	}
}

// numberRuns counts the same case up where it appears again.
func (rd *reader) numberRuns() {
	type key struct {
		tool, name, engine, label, variant, state, cpu, dev, command string
		dir                                                          Direction
		auth                                                         string
		block, sector                                                int64
		bits, threads, depth, section                                int
	}
	seen := map[key]int{}
	keys := make([]key, len(rd.report.Results))
	for i, r := range rd.report.Results {
		k := key{r.Tool, strings.ToLower(r.Name), r.Engine, r.Label, r.Variant, r.State, r.CPU.String(), r.Device, r.Command, r.Direction, r.Auth, r.BlockBytes, r.Sector, r.KeyBits, r.Threads, rd.meta[i].depth, rd.meta[i].section}
		keys[i] = k
		seen[k]++
	}
	count := map[key]int{}
	for i := range rd.report.Results {
		if k := keys[i]; seen[k] > 1 {
			count[k]++
			rd.report.Results[i].Run = count[k]
		}
	}
	slices.SortStableFunc(rd.report.Warnings, func(a, b Warning) int { return a.Line - b.Line })
}
