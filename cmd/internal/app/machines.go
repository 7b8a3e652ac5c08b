package app

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/results/figures"
	"gelibench/results/format"
	"gelibench/results/reference"
	importer "gelibench/results/report"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

func machinesVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "machines",
		Category:  wantResults,
		Usage:     "published figures of other machines, each with its source",
		ArgsUsage: "[@MACHINE ...]",
		Flags: []cli.Flag{
			text("format", groupOutput, "`NAME` table (default), csv, json or jsonl"),
			toggle("json", groupOutput, "the same as --format json"),
		},
		Description: `
Without a name it lists the machines; with one, all figures of that machine. A
part of an accelerator's name behind a slash leaves the rows taken with it.

examples
  gelibench machines
  gelibench machines @atom-d525 @via-c7/padlock
  gelibench compare @atom-d525 last
  gelibench onetime --like @atom-d525 -s 4096 -l 256 gzero
`,
		Action: func(c *cli.Context) error { return machines(c, env) },
	}
}

func machines(c *cli.Context, env Env) error {
	name := "table"
	if c.Bool("json") {
		name = "json"
	} else if c.IsSet("format") {
		name = c.String("format")
	}
	if !slices.Contains([]string{"table", "csv", "json", "jsonl"}, name) {
		return usage("table, csv, json or jsonl", "machines are not written as %s", name)
	}
	list := reference.Machines()
	if c.NArg() > 0 {
		list = nil
		for _, arg := range c.Args().Slice() {
			m, err := lookupMachine(arg)
			if err != nil {
				return err
			}
			list = append(list, m)
		}
	}
	switch {
	case name == "csv":
		return machinesCSV(env, list)
	case name == "json", name == "jsonl":
		return machinesJSON(env, list, name == "json")
	case c.NArg() > 0:
		return machineScreens(env, list)
	}
	return machineList(env, list)
}

// lookupMachine finds a reference machine, with the exit code of the command
// line where there is none.
func lookupMachine(name string) (reference.Machine, error) {
	m, err := reference.Lookup(name)
	if err != nil {
		return m, usage("gelibench machines lists them", "%s", strings.TrimSuffix(err.Error(), ": "+fs.ErrNotExist.Error()))
	}
	return m, nil
}

// machineList is a line for each machine.
func machineList(env Env, list []reference.Machine) error {
	col := func(heading string, right bool, keep, cut int, cell func(m reference.Machine) string) textgrid.Column {
		k := textgrid.Column{Heading: heading, Right: right, Keep: keep, Cut: cut}
		for _, m := range list {
			k.Cells = append(k.Cells, cell(m))
		}
		return k
	}
	const must = textgrid.MustKeep
	columns := []textgrid.Column{
		col("machine", false, must, 0, func(m reference.Machine) string { return "@" + m.ID }),
		col("processor", false, must, 20, func(m reference.Machine) string { return m.CPU }),
		col("MHz", true, 20, 0, func(m reference.Machine) string {
			if m.ClockMHz == 0 {
				return ""
			}
			return strconv.FormatFloat(m.ClockMHz, 'f', -1, 64)
		}),
		col("figures", true, 30, 0, func(m reference.Machine) string { return strconv.Itoa(len(m.Rows)) }),
		col("MB/s", true, 40, 0, func(m reference.Machine) string { return rateRange(m.Rows) }),
		col("ciphers", false, 35, 12, func(m reference.Machine) string {
			return strings.Join(each(m.Rows, func(r reference.Row) string { return strings.Trim(r.Cipher+"-"+r.Mode, "-") }), " ")
		}),
		col("accelerators", false, 10, 14, func(m reference.Machine) string {
			return strings.Join(each(m.Rows, func(r reference.Row) string { return r.Accelerator }), "; ")
		}),
	}
	kept, _ := textgrid.Fit(columns, screenWidth(env))
	for _, l := range textgrid.Lines(kept, len(list)) {
		fmt.Fprintln(env.Stdout, l)
	}
	fmt.Fprintln(env.Stdout, "\ngelibench machines @MACHINE shows the figures with their sources")
	return nil
}

// each is the distinct values of a field, in order.
func each(rows []reference.Row, field func(reference.Row) string) []string {
	var out []string
	for _, r := range rows {
		if v := field(r); v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func rateRange(rows []reference.Row) string {
	lo, hi := rows[0].BytesPerSecond, rows[0].BytesPerSecond
	for _, r := range rows {
		lo, hi = min(lo, r.BytesPerSecond), max(hi, r.BytesPerSecond)
	}
	show := func(v float64) string { return strconv.FormatFloat(v/1e6, 'f', min(3, units.Decimals(v/1e6, 3)), 64) }
	if lo == hi {
		return show(lo)
	}
	return show(lo) + "-" + show(hi)
}

// machineScreens shows each machine with all its figures and their sources.
func machineScreens(env Env, list []reference.Machine) error {
	width := screenWidth(env)
	for i, m := range list {
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		sources := each(m.Rows, func(r reference.Row) string { return r.Source })
		title := "@" + m.ID + ": " + m.CPU
		if m.ClockMHz > 0 {
			title += fmt.Sprintf(", %g MHz", m.ClockMHz)
		}
		fmt.Fprintf(env.Stdout, "%s\n\n", title)
		col := func(heading string, right bool, keep, cut int, cell func(r reference.Row) string) textgrid.Column {
			k := textgrid.Column{Heading: heading, Right: right, Keep: keep, Cut: cut}
			for _, r := range m.Rows {
				k.Cells = append(k.Cells, cell(r))
			}
			return k
		}
		const must = textgrid.MustKeep
		columns := []textgrid.Column{
			col("cipher", false, must, 0, func(r reference.Row) string { return figures.Algorithm(r.Result()) }),
			col("direction", false, 90, 0, func(r reference.Row) string { return string(r.Direction) }),
			col("bytes", true, 85, 0, func(r reference.Row) string {
				if r.BlockBytes == 0 {
					return ""
				}
				return strconv.FormatInt(r.BlockBytes, 10)
			}),
			col("MB/s", true, must, 0, func(r reference.Row) string {
				return strconv.FormatFloat(r.BytesPerSecond/1e6, 'f', rateDigits(m.Rows), 64)
			}),
			col("threads", true, 30, 0, func(r reference.Row) string {
				switch {
				case r.AllCores:
					return "all"
				case r.Threads == 0:
					return ""
				}
				return strconv.Itoa(r.Threads)
			}),
			col("accelerator", false, 60, 16, func(r reference.Row) string { return r.Accelerator }),
			col("tool", false, 50, 14, func(r reference.Row) string { return r.Tool }),
			col("remark", false, 20, 14, func(r reference.Row) string { return r.Note }),
			col("src", true, must, 0, func(r reference.Row) string { return strconv.Itoa(slices.Index(sources, r.Source) + 1) }),
		}
		known := columns[:0:0]
		for _, k := range columns {
			if k.Known() {
				known = append(known, k)
			}
		}
		kept, _ := textgrid.Fit(known, width)
		for _, l := range textgrid.Lines(kept, len(m.Rows)) {
			fmt.Fprintln(env.Stdout, format.Printable(l))
		}
		fmt.Fprintln(env.Stdout)
		for n, s := range sources {
			for _, l := range textgrid.Wrap(fmt.Sprintf("source %d: %s", n+1, s), width, "   ") {
				fmt.Fprintln(env.Stdout, format.Printable(l))
			}
		}
	}
	return nil
}

func rateDigits(rows []reference.Row) int {
	least := rows[0].BytesPerSecond
	for _, r := range rows {
		least = min(least, r.BytesPerSecond)
	}
	return min(3, units.Decimals(least/1e6, 3))
}

// machinesCSV writes the rows of machines as the reference table has them.
func machinesCSV(env Env, list []reference.Machine) error {
	w := csv.NewWriter(env.Stdout)
	w.Write([]string{"machine", "cpu", "clock_mhz", "accelerator", "os", "tool", "cipher", "mode", "key_bits", "block_bytes", "direction", "bytes_per_second", "threads", "source", "note"})
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	for _, m := range list {
		for _, r := range m.Rows {
			mhz, threads := "", number(int64(r.Threads))
			if r.ClockMHz > 0 {
				mhz = strconv.FormatFloat(r.ClockMHz, 'f', -1, 64)
			}
			if r.AllCores {
				threads = "all"
			}
			w.Write([]string{r.ID, r.CPU, mhz, r.Accelerator, r.OS, r.Tool, r.Cipher, r.Mode, number(int64(r.KeyBits)), number(r.BlockBytes), string(r.Direction), strconv.FormatFloat(r.BytesPerSecond, 'f', -1, 64), threads, r.Source, r.Note})
		}
	}
	w.Flush()
	return w.Error()
}

// machineFigure is a row of the reference table for programs.
type machineFigure struct {
	Machine string `json:"machine"`
	importer.Result
	OS     string `json:"os,omitempty"`
	Note   string `json:"note,omitempty"`
	Source string `json:"source"`
}

func machinesJSON(env Env, list []reference.Machine, whole bool) error {
	j := json.NewEncoder(env.Stdout)
	j.SetEscapeHTML(false)
	all := []machineFigure{}
	for _, m := range list {
		for _, r := range m.Rows {
			f := machineFigure{m.ID, r.Result(), r.OS, r.Note, r.Source}
			if all = append(all, f); !whole {
				if err := j.Encode(f); err != nil {
					return err
				}
			}
		}
	}
	if !whole {
		return nil
	}
	j.SetIndent("", "  ")
	return j.Encode(struct {
		Schema  int             `json:"machines_schema"`
		Figures []machineFigure `json:"figures"`
	}{figures.Schema, all})
}
