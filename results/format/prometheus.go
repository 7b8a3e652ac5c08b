package format

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gelibench/results"
)

// Prometheus writes a run in Prometheus' text format, for the textfile
// collector of the node exporter: base units, and no time stamps, which the
// collector refuses; when the run began is a metric. The collector must never
// see half a file: write it beside its place and rename it, as --export does.
//
// Labels are those of the case that are known. Two series of the same labels
// are told apart by "series", which counts them from 1.
func Prometheus(w io.Writer, run results.Run) error {
	b := bufio.NewWriter(w)
	labels := promLabels(run.Series)
	for _, m := range promMetrics {
		headed := false
		for i, s := range run.Series {
			v, ok := m.value(s)
			if !ok {
				continue
			}
			if !headed {
				promHead(b, m.name, m.help)
				headed = true
			}
			promLine(b, m.name, labels[i], v)
		}
	}
	h := run.Host
	promHead(b, "gelibench_run_info", "What ran, and where; always 1.")
	promLine(b, "gelibench_run_info", promLabel("version", run.Version, "os", h.OS, "arch", h.Arch, "cpu_model", h.CPUModel, "go_version", h.GoVersion), 1)
	if !run.Start.IsZero() {
		promHead(b, "gelibench_run_start_time_seconds", "When the run began, in seconds since 1970.")
		promLine(b, "gelibench_run_start_time_seconds", "", float64(run.Start.UnixNano())/1e9)
	}
	flag := func(name, help string, v bool) {
		promHead(b, name, help)
		promLine(b, name, "", map[bool]float64{true: 1}[v])
	}
	flag("gelibench_run_interrupted", "1 if the run was ended early.", run.Interrupted)
	if run.Grade != "" {
		flag("gelibench_run_unreliable", "1 if the figures are not to be relied on.", run.Grade == results.Unreliable)
	}
	return b.Flush()
}

// promMetric is a gauge that has a value for every case.
type promMetric struct {
	name, help string
	value      func(results.Series) (v float64, ok bool)
}

var promMetrics = []promMetric{
	{"gelibench_throughput_bytes_per_second", "Bytes through the cipher in a second, all workers together.",
		func(s results.Series) (float64, bool) { v := RateOf(s).Value; return v, v > 0 }},
	{"gelibench_throughput_lowest_bytes_per_second", "The same in the slowest sample.",
		func(s results.Series) (float64, bool) { low, _, ok := promRange(s); return low, ok }},
	{"gelibench_throughput_highest_bytes_per_second", "The same in the fastest sample.",
		func(s results.Series) (float64, bool) { _, high, ok := promRange(s); return high, ok }},
	{"gelibench_request_duration_seconds", "How long a request takes, in the mean.",
		func(s results.Series) (float64, bool) {
			ns, ok := s.Total().NSPerRequest(s.Case.Workers)
			return ns / 1e9, ok
		}},
	{"gelibench_cpu_seconds_per_byte", "CPU time of the process, user and system, for a byte.",
		func(s results.Series) (float64, bool) { v, ok := s.Total().CPUSecondsPerGB(); return v / 1e9, ok }},
	{"gelibench_samples", "How many samples were taken.",
		func(s results.Series) (float64, bool) { return float64(len(s.Samples)), len(s.Samples) > 0 }},
	{"gelibench_unreliable", "1 if the figures are not to be relied on.",
		func(s results.Series) (float64, bool) {
			return map[bool]float64{true: 1}[s.Grade == results.Unreliable], s.Grade != ""
		}},
}

// promRange is the slowest and the fastest sample that nothing spoiled.
func promRange(s results.Series) (low, high float64, ok bool) {
	for _, x := range s.Samples {
		v := x.BytesPerSecond()
		if x.Spoiled || v <= 0 {
			continue
		}
		if !ok || v < low {
			low = v
		}
		high, ok = max(high, v), true
	}
	return low, high, ok
}

func promHead(b *bufio.Writer, name, help string) {
	fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

func promLine(b *bufio.Writer, name, labels string, v float64) {
	fmt.Fprintf(b, "%s%s %s\n", name, labels, strconv.FormatFloat(v, 'g', -1, 64))
}

// promLabels are the labels of all series, no two of them the same.
func promLabels(series []results.Series) []string {
	count := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	pairs := func(c results.Case) []string {
		clear := ""
		if c.Clear != nil {
			clear = strconv.FormatBool(*c.Clear)
		}
		return []string{"provider", c.Provider, "alg", c.Alg, "key_bits", count(int64(c.KeyBits)), "aalg", c.AAlg,
			"sector_bytes", count(int64(c.SectorBytes)), "request_bytes", count(c.RequestBytes), "op", c.Op,
			"workers", count(int64(c.Workers)), "path", c.Path, "rekey", c.Rekey, "engine", c.Engine,
			"iv_hash", c.IVHash, "clear", clear, "pin", c.Pin}
	}
	times := map[string]int{}
	for _, s := range series {
		times[promLabel(pairs(s.Case)...)]++
	}
	seen := map[string]int{}
	var all []string
	for _, s := range series {
		l := promLabel(pairs(s.Case)...)
		if times[l] > 1 {
			seen[l]++
			l = promLabel(append(pairs(s.Case), "series", strconv.Itoa(seen[l]))...)
		}
		all = append(all, l)
	}
	return all
}

var promEscapes = strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\"", "\\\"")

// promLabel makes the labels of names and values in turn; what is not known is
// left out.
func promLabel(pairs ...string) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		if value := strings.ToValidUTF8(pairs[i+1], "?"); value != "" {
			parts = append(parts, pairs[i]+`="`+promEscapes.Replace(value)+`"`)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ",") + "}"
}
