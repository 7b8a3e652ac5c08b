package figures

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"gelibench/results/report"
)

// csvColumn is one column of the table: its name, and its cell of a figure.
type csvColumn struct {
	name string
	cell func(r *report.Result) string
}

func whole[T int | int64](n T) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

func real(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func truth(b bool) string { return strconv.FormatBool(b) }

// usage makes a cell of one field of the time line; empty where not stated.
func usage(field func(*report.Usage) *float64) func(*report.Result) string {
	return func(r *report.Result) string {
		if r.Usage == nil {
			return ""
		}
		v := field(r.Usage)
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}
}

// csvColumns are the columns in order. They are only ever added to.
var csvColumns = []csvColumn{
	{"file", func(r *report.Result) string { return r.File }},
	{"line", func(r *report.Result) string { return whole(r.Line) }},
	{"kind", func(r *report.Result) string { return string(r.Kind) }},
	{"name", func(r *report.Result) string { return r.Name }},
	{"cipher", func(r *report.Result) string { return r.Cipher }},
	{"mode", func(r *report.Result) string { return r.Mode }},
	{"key_bits", func(r *report.Result) string { return whole(r.KeyBits) }},
	{"auth", func(r *report.Result) string { return r.Auth }},
	{"direction", func(r *report.Result) string { return string(r.Direction) }},
	{"block_bytes", func(r *report.Result) string { return whole(r.BlockBytes) }},
	{"sector_bytes", func(r *report.Result) string { return whole(r.Sector) }},
	{"bytes_per_second", func(r *report.Result) string { return real(r.BytesPerSecond) }},
	{"as_printed", func(r *report.Result) string { return r.AsPrinted }},
	{"seconds", func(r *report.Result) string { return real(r.Seconds) }},
	{"bytes", func(r *report.Result) string { return whole(r.Bytes) }},
	{"ops", func(r *report.Result) string { return whole(r.Ops) }},
	{"threads", func(r *report.Result) string { return whole(r.Threads) }},
	{"per_thread", func(r *report.Result) string { return truth(r.PerThread) }},
	{"run", func(r *report.Result) string { return whole(r.Run) }},
	{"clock", func(r *report.Result) string { return string(r.Clock) }},
	{"real_seconds", usage(func(u *report.Usage) *float64 { return u.RealSeconds })},
	{"user_seconds", usage(func(u *report.Usage) *float64 { return u.UserSeconds })},
	{"system_seconds", usage(func(u *report.Usage) *float64 { return u.SystemSeconds })},
	{"cpu_percent", usage(func(u *report.Usage) *float64 { return u.CPUPercent })},
	{"cpu_percent_computed", func(r *report.Result) string {
		if r.Usage == nil || r.Usage.CPUPercent == nil {
			return ""
		}
		return truth(r.Usage.Computed)
	}},
	{"usage_of_whole_run", func(r *report.Result) string {
		if r.Usage == nil {
			return ""
		}
		return truth(r.Usage.WholeRun)
	}},
	{"iterations_per_second", func(r *report.Result) string { return real(r.IterationsPerSecond) }},
	{"iterations", func(r *report.Result) string { return whole(r.Iterations) }},
	{"memory_kib", func(r *report.Result) string { return whole(r.MemoryKiB) }},
	{"tool", func(r *report.Result) string { return r.Tool }},
	{"version", func(r *report.Result) string { return r.Version }},
	{"command", func(r *report.Result) string { return r.Command }},
	{"cpu_model", func(r *report.Result) string { return r.CPU.Model }},
	{"cpu_mhz", func(r *report.Result) string { return real(r.CPU.MHz) }},
	{"cpu_core", func(r *report.Result) string { return r.CPU.Core }},
	{"board", func(r *report.Result) string { return r.CPU.Board }},
	{"cpu_source", func(r *report.Result) string { return r.CPU.Source }},
	{"engine", func(r *report.Result) string { return r.Engine }},
	{"accelerator", func(r *report.Result) string { return r.Accelerator }},
	{"device", func(r *report.Result) string { return r.Device }},
	{"clear", func(r *report.Result) string {
		if r.Clear == nil {
			return ""
		}
		return truth(*r.Clear)
	}},
	{"label", func(r *report.Result) string { return r.Label }},
	{"variant", func(r *report.Result) string { return r.Variant }},
	{"state", func(r *report.Result) string { return r.State }},
	{"quoted", func(r *report.Result) string { return strconv.Itoa(r.Quoted) }},
	{"repairs", func(r *report.Result) string {
		var names []string
		for _, x := range r.Repairs {
			names = append(names, string(x.Fix))
		}
		return strings.Join(names, ";")
	}},
	{"offered_bytes_per_second", func(r *report.Result) string { return real(Offered(*r)) }},
	{"lower_bound", func(r *report.Result) string { return truth(r.LowerBound()) }},
	{"summary", func(r *report.Result) string { return truth(r.Summary) }},
	{"comparable", func(r *report.Result) string { ok, _ := r.Comparable(); return truth(ok) }},
	{"remarks", func(r *report.Result) string { return strings.Join(Doubts(*r), "; ") }},
	{"repairs_json", repairsJSON},
}

// repairsJSON is the repairs as they are in JSON, from which they are read back
// with their texts and all rates that they offer.
func repairsJSON(r *report.Result) string {
	if len(r.Repairs) == 0 {
		return ""
	}
	text, err := json.Marshal(r.Repairs)
	if err != nil {
		return "" // an offered rate that is no number; the names are in repairs
	}
	return string(text)
}

// CSV writes figures one after the other, so that many reports make one table.
type CSV struct {
	w     *csv.Writer
	begun bool
}

// NewCSV writes to w. The names of the columns come first.
func NewCSV(w io.Writer) *CSV { return &CSV{w: csv.NewWriter(w)} }

// Write adds the figures of a report, one a row. An empty cell was not stated.
// Names are in snake case with their unit; key_bits is one half for XTS; repairs
// are the names of report's Fixes with a semicolon between them.
func (c *CSV) Write(list []report.Result) error {
	row := make([]string, len(csvColumns))
	if !c.begun {
		c.begun = true
		for i, col := range csvColumns {
			row[i] = col.name
		}
		c.w.Write(row)
	}
	for i := range list {
		for k, col := range csvColumns {
			row[k] = col.cell(&list[i])
		}
		c.w.Write(row)
	}
	c.w.Flush()
	return c.w.Error()
}
