package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// csvRow is a row of a table of figures, by the names of its columns. The first
// cell that can't be read is its error.
type csvRow struct {
	cells map[string]string
	err   error
}

func (c *csvRow) text(name string) string { return c.cells[name] }

func (c *csvRow) fail(name string) {
	if c.err == nil {
		c.err = fmt.Errorf("%s is %q: %w", name, clip(c.cells[name]), fs.ErrInvalid)
	}
}

func (c *csvRow) count(name string) int64 {
	s := c.cells[name]
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		c.fail(name)
	}
	return n
}

func (c *csvRow) real(name string) float64 {
	if p := c.maybe(name); p != nil {
		return *p
	}
	return 0
}

// maybe is a number that may not be stated.
func (c *csvRow) maybe(name string) *float64 {
	s := c.cells[name]
	if s == "" {
		return nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		c.fail(name)
	}
	return &v
}

func (c *csvRow) truth(name string) bool {
	s := c.cells[name]
	if s != "" && s != "true" && s != "false" {
		c.fail(name)
	}
	return s == "true"
}

// readCSVRows calls row for each row of a table with a head of names; a head that
// stands there again, as of files that were put together, is passed over.
func readCSVRows(r io.Reader, row func(c *csvRow, line int)) error {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	record, err := in.Read()
	if err != nil {
		return fmt.Errorf("%w: %w", err, fs.ErrInvalid)
	}
	head := append([]string(nil), record...)
	for {
		record, err := in.Read()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%w: %w", err, fs.ErrInvalid)
		}
		if record[0] == head[0] && record[1] == head[1] {
			continue
		}
		c := csvRow{cells: make(map[string]string, len(head))}
		for i, name := range head {
			c.cells[name] = record[i]
		}
		line, _ := in.FieldPos(0)
		if row(&c, line); c.err != nil {
			return fmt.Errorf("line %d: %w", line, c.err)
		}
	}
}

// readFiguresCSV reads what show --format csv writes.
func readFiguresCSV(r io.Reader, rep *Report) error {
	return readCSVRows(r, func(c *csvRow, _ int) {
		x := Result{
			File: c.text("file"), Line: int(c.count("line")), Kind: Kind(c.text("kind")),
			Tool: c.text("tool"), Version: c.text("version"), Command: c.text("command"),
			Name: c.text("name"), Cipher: c.text("cipher"), Mode: c.text("mode"), KeyBits: int(c.count("key_bits")), Auth: c.text("auth"),
			Direction: Direction(c.text("direction")), BlockBytes: c.count("block_bytes"), Sector: c.count("sector_bytes"),
			BytesPerSecond: c.real("bytes_per_second"), AsPrinted: c.text("as_printed"), Seconds: c.real("seconds"), Bytes: c.count("bytes"), Ops: c.count("ops"),
			IterationsPerSecond: c.real("iterations_per_second"), Iterations: c.count("iterations"), MemoryKiB: c.count("memory_kib"),
			Threads: int(c.count("threads")), PerThread: c.truth("per_thread"), Run: int(c.count("run")), Clock: Clock(c.text("clock")),
			CPU:    Machine{Model: c.text("cpu_model"), MHz: c.real("cpu_mhz"), Core: c.text("cpu_core"), Board: c.text("board"), Source: c.text("cpu_source")},
			Engine: c.text("engine"), Accelerator: c.text("accelerator"), Device: c.text("device"), Label: c.text("label"), Variant: c.text("variant"),
			State: c.text("state"), Quoted: int(c.count("quoted")), Summary: c.truth("summary"),
		}
		if c.text("clear") != "" {
			on := c.truth("clear")
			x.Clear = &on
		}
		if c.text("usage_of_whole_run") != "" {
			x.Usage = &Usage{RealSeconds: c.maybe("real_seconds"), UserSeconds: c.maybe("user_seconds"), SystemSeconds: c.maybe("system_seconds"), CPUPercent: c.maybe("cpu_percent"),
				Computed: c.truth("cpu_percent_computed"), WholeRun: c.truth("usage_of_whole_run")}
		}
		x.Repairs = c.repairs()
		rep.Results = append(rep.Results, x)
	})
}

// repairs are those of a row. A table of an older gelibench has their names
// alone, and one rate that is offered.
func (c *csvRow) repairs() (list []Repair) {
	if s := c.text("repairs_json"); s != "" {
		if err := json.Unmarshal([]byte(s), &list); err != nil {
			c.fail("repairs_json")
		}
		return list
	}
	if c.text("repairs") == "" {
		return nil
	}
	offered := c.real("offered_bytes_per_second")
	for name := range strings.SplitSeq(c.text("repairs"), ";") {
		x := Repair{Fix: Fix(name), Text: strings.ReplaceAll(name, "-", " ")}
		if x.Fix == OneMiBTooMany {
			x.Offered = offered
		}
		list = append(list, x)
	}
	return list
}

// readMachinesCSV reads what machines --format csv writes. Its figures have no
// lines of their own: they are those of the table.
func readMachinesCSV(r io.Reader, rep *Report) error {
	return readCSVRows(r, func(c *csvRow, line int) {
		x := Result{File: "@" + c.text("machine"), Line: line, Kind: Cipher, Tool: c.text("tool"), Cipher: c.text("cipher"), Mode: c.text("mode"),
			KeyBits: int(c.count("key_bits")), BlockBytes: c.count("block_bytes"), Direction: Direction(c.text("direction")), BytesPerSecond: c.real("bytes_per_second"),
			CPU: Machine{Model: c.text("cpu"), MHz: c.real("clock_mhz"), Source: "reference"}, Accelerator: c.text("accelerator")}
		if c.text("threads") != "all" {
			x.Threads = int(c.count("threads"))
		}
		x.Name = algorithm{cipher: x.Cipher, mode: x.Mode}.String()
		if strings.Contains(x.Tool, "geli") {
			x.Sector, x.BlockBytes = x.BlockBytes, 0
		} else if x.Direction == Reading || x.Direction == Writing {
			x.Kind = Disk
		}
		rep.Results = append(rep.Results, x)
	})
}
