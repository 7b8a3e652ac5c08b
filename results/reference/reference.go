// Package reference holds published results of other machines, each with its
// source, so that a figure of today can be set beside an Atom D525 of 2013 or a
// Pentium III of 2004.
//
// The table is results.tsv: one figure a row, an empty cell where the source
// doesn't say. Rates are bytes a second, recomputed from the most exact numbers
// of the source; key lengths of XTS are one half. It is read once, at the first
// use, and never changes.
package reference

import (
	_ "embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gelibench/results"
	"gelibench/results/report"
)

//go:embed results.tsv
var table string

// Row is one published figure. Zero values were not stated.
type Row struct {
	ID             string // of the machine: "atom-d525"
	CPU            string
	ClockMHz       float64
	Accelerator    string // "none", "PadLock", "AES-NI"
	OS             string
	Tool           string
	Cipher, Mode   string // "AES", "XTS"
	KeyBits        int    // one half for XTS
	BlockBytes     int64  // of a call, or the sector of a provider
	Direction      report.Direction
	BytesPerSecond float64
	Threads        int  // 0: not stated
	AllCores       bool // as many threads as the machine has
	Source         string
	Note           string
	Line           int // of results.tsv
}

// Machine is all that is known of one machine.
type Machine struct {
	ID       string
	CPU      string
	ClockMHz float64
	Rows     []Row
}

// columns are those of the table, in order.
var columns = []string{"id", "cpu", "clock_mhz", "accelerator", "os", "tool", "cipher", "mode", "key_bits", "block_bytes", "direction", "bytes_per_s", "threads", "source", "note"}

var load = sync.OnceValues(func() ([]Row, error) { return parse(table) })

// parse reads a table. What can't be read is an error that names the line.
func parse(text string) ([]Row, error) {
	var rows []Row
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Split(l, "\t")
		if len(f) != len(columns) {
			return nil, fmt.Errorf("results.tsv:%d: %d columns, want %d: %w", i+1, len(f), len(columns), fs.ErrInvalid)
		}
		if i == 0 {
			if !slices.Equal(f, columns) {
				return nil, fmt.Errorf("results.tsv: the columns are %v, want %v: %w", f, columns, fs.ErrInvalid)
			}
			continue
		}
		r := Row{ID: f[0], CPU: f[1], Accelerator: f[3], OS: f[4], Tool: f[5], Cipher: f[6], Mode: f[7], Direction: report.Direction(f[10]), Source: f[13], Note: f[14], Line: i + 1}
		var err error
		integer := func(s string) int64 {
			if s == "" || err != nil {
				return 0
			}
			var n int64
			n, err = strconv.ParseInt(s, 10, 64)
			return n
		}
		r.KeyBits, r.BlockBytes = int(integer(f[8])), integer(f[9])
		if f[12] == "all" {
			r.AllCores = true
		} else {
			r.Threads = int(integer(f[12]))
		}
		if f[2] != "" && err == nil {
			r.ClockMHz, err = strconv.ParseFloat(f[2], 64)
		}
		if err == nil {
			r.BytesPerSecond, err = strconv.ParseFloat(f[11], 64)
		}
		if err != nil {
			return nil, fmt.Errorf("results.tsv:%d: %w", i+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Rows is the whole table, in its order. The slice is the caller's.
func Rows() []Row {
	rows, err := load()
	if err != nil {
		panic(err) // the table is part of the program; a test reads it
	}
	return slices.Clone(rows)
}

// Machines lists the machines in the order of the table.
func Machines() []Machine {
	at := map[string]int{}
	var out []Machine
	for _, r := range Rows() {
		i, ok := at[r.ID]
		if !ok {
			i = len(out)
			at[r.ID] = i
			out = append(out, Machine{ID: r.ID, CPU: r.CPU, ClockMHz: r.ClockMHz})
		}
		out[i].Rows = append(out[i].Rows, r)
	}
	return out
}

// Lookup finds a machine by "@atom-d525" or "atom-d525". Behind a slash may
// stand a part of an accelerator's name, which leaves only the rows taken with
// it: "@atom-c2758/aesni", "@pentium-4-2.66/hifn". An error wraps
// fs.ErrNotExist and names the machines that come near.
func Lookup(name string) (Machine, error) {
	id, accelerator, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(name, "@")), "/")
	var near []string
	for _, m := range Machines() {
		if m.ID == id {
			if accelerator == "" {
				return m, nil
			}
			all := m.Rows
			m.Rows = slices.DeleteFunc(slices.Clone(all), func(r Row) bool { return !strings.Contains(strings.ToLower(r.Accelerator), accelerator) })
			if len(m.Rows) == 0 {
				return Machine{}, missing(fmt.Sprintf("@%s has no figures with %q, only with %s", m.ID, accelerator, accelerators(all)))
			}
			return m, nil
		}
		for part := range strings.SplitSeq(id, "-") {
			if len(part) > 2 && strings.Contains(m.ID, part) && len(near) < 8 {
				near = append(near, "@"+m.ID)
				break
			}
		}
	}
	hint := "gelibench machines lists them"
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return Machine{}, missing(fmt.Sprintf("there is no reference machine %q (%s)", name, hint))
}

// missing is the message of an error that wraps fs.ErrNotExist.
type missing string

func (m missing) Error() string { return string(m) }
func (m missing) Unwrap() error { return fs.ErrNotExist }

func accelerators(rows []Row) string {
	var out []string
	for _, r := range rows {
		if a := fmt.Sprintf("%q", r.Accelerator); !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return strings.Join(out, ", ")
}

// Result makes a figure as the importers do.
func (r Row) Result() report.Result {
	x := report.Result{File: "@" + r.ID, Line: r.Line, Kind: report.Cipher, Tool: r.Tool, Cipher: r.Cipher, Mode: r.Mode, KeyBits: r.KeyBits, BlockBytes: r.BlockBytes,
		Direction: r.Direction, BytesPerSecond: r.BytesPerSecond, Threads: r.Threads, CPU: report.Machine{Model: r.CPU, MHz: r.ClockMHz, Source: "reference"}, Accelerator: r.Accelerator,
		Name: strings.ToLower(strings.TrimSuffix(r.Cipher+"-"+r.Mode, "-"))}
	if strings.Contains(r.Tool, "geli") {
		x.Sector, x.BlockBytes = r.BlockBytes, 0
	} else if r.Direction == report.Reading || r.Direction == report.Writing {
		x.Kind = report.Disk
	}
	return x
}

// Series makes a series with a stated rate, its source and remarks as notes.
func (r Row) Series() results.Series {
	s := r.Result().Series()
	if s.Stated != nil {
		s.Stated.AsPrinted = strconv.FormatFloat(r.BytesPerSecond, 'f', -1, 64) + " B/s"
	}
	s.Notes = slices.DeleteFunc(s.Notes, func(n results.Note) bool { return n.Kind == "source" || n.Kind == "clock" })
	for _, n := range []results.Note{{Kind: "tool", Text: r.Tool}, {Kind: "accelerator", Text: r.Accelerator}, {Kind: "remark", Text: r.Note}, {Kind: "source", Text: r.Source}} {
		if n.Text != "" {
			s.Notes = append(s.Notes, n)
		}
	}
	return s
}
