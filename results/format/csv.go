package format

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"gelibench/results"
)

// CSV writes runs as a tidy table: one sample a row, one variable a column,
// under a line of names. What is not known is empty. A series without samples
// has one row, in which the columns of the sample are empty. Columns are only
// ever added; a reader finds them by name.
//
// mb_per_s is worked out (MB = 10^6 bytes); all else is as in results/SCHEMA.md,
// where "run" and "series" count from 0, and "sample" within its series.
// Commands, features of the processor, notes and the shares of workers are left
// to JSON.
func CSV(w io.Writer, runs []results.Run) error {
	out := csv.NewWriter(w)
	header := make([]string, len(csvColumns))
	for i, c := range csvColumns {
		header[i] = c.name
	}
	out.Write(header)
	row := make([]string, len(csvColumns))
	for i := range runs {
		for k := range runs[i].Series {
			s := &runs[i].Series[k]
			samples := s.Samples
			if len(samples) == 0 {
				samples = []results.Sample{{}}
			}
			for n := range samples {
				r := csvRow{runIndex: i, seriesIndex: k, sampleIndex: n, hasSample: len(s.Samples) > 0, run: &runs[i], series: s, sample: &samples[n]}
				for at, c := range csvColumns {
					row[at] = ""
					if r.hasSample || !c.ofSample {
						row[at] = c.get(&r)
					}
				}
				out.Write(row)
			}
		}
	}
	out.Flush()
	return out.Error()
}

// csvRow is a row with what it belongs to.
type csvRow struct {
	runIndex, seriesIndex, sampleIndex int
	hasSample                          bool
	run                                *results.Run
	series                             *results.Series
	sample                             *results.Sample
}

// csvColumn is one column both ways. A column without set is not read.
type csvColumn struct {
	name     string
	ofSample bool
	get      func(*csvRow) string
	set      func(*csvRow, string) error
}

func csvText(name string, field func(*csvRow) *string) csvColumn {
	return csvColumn{name, false,
		func(r *csvRow) string { return *field(r) },
		func(r *csvRow, s string) error { *field(r) = s; return nil }}
}

// csvCount is a count of which 0 means unknown.
func csvCount[T int | int64](name string, field func(*csvRow) *T) csvColumn {
	return csvColumn{name, false,
		func(r *csvRow) string {
			if n := *field(r); n != 0 {
				return strconv.FormatInt(int64(n), 10)
			}
			return ""
		},
		func(r *csvRow, s string) error {
			n, err := strconv.ParseInt(s, 10, bitsOf[T]())
			*field(r) = T(n)
			return err
		}}
}

func bitsOf[T int | int64]() int {
	var v T
	if _, ok := any(v).(int); ok {
		return strconv.IntSize
	}
	return 64
}

// csvFigure is a number of a sample, in which 0 is a number.
func csvFigure(name string, field func(*results.Sample) *int64) csvColumn {
	return csvColumn{name, true,
		func(r *csvRow) string { return strconv.FormatInt(*field(r.sample), 10) },
		func(r *csvRow, s string) (err error) { *field(r.sample), err = strconv.ParseInt(s, 10, 64); return err }}
}

// csvOptional is a number of a sample that may be unknown.
func csvOptional(name string, field func(*results.Sample) **int64) csvColumn {
	return csvColumn{name, true,
		func(r *csvRow) string {
			if p := *field(r.sample); p != nil {
				return strconv.FormatInt(*p, 10)
			}
			return ""
		},
		func(r *csvRow, s string) error {
			n, err := strconv.ParseInt(s, 10, 64)
			*field(r.sample) = &n
			return err
		}}
}

// csvFlag is true, or empty.
func csvFlag(name string, ofSample bool, field func(*csvRow) *bool) csvColumn {
	return csvColumn{name, ofSample,
		func(r *csvRow) string {
			if *field(r) {
				return "true"
			}
			return ""
		},
		func(r *csvRow, s string) (err error) { *field(r), err = strconv.ParseBool(s); return err }}
}

func csvIndex(name string, field func(*csvRow) *int) csvColumn {
	return csvColumn{name, name == "sample",
		func(r *csvRow) string { return strconv.Itoa(*field(r)) },
		func(r *csvRow, s string) (err error) { *field(r), err = strconv.Atoi(s); return err }}
}

var csvColumns = []csvColumn{
	{"schema", false,
		func(r *csvRow) string { return strconv.Itoa(results.SchemaVersion) },
		func(r *csvRow, s string) error {
			n, err := strconv.Atoi(s)
			switch {
			case err != nil || n < 1:
				return errors.New("no number of a schema")
			case n > results.SchemaVersion:
				return fmt.Errorf("known are 1 to %d: %w", results.SchemaVersion, ErrSchema)
			}
			r.run.Schema = n
			return nil
		}},
	csvIndex("run", func(r *csvRow) *int { return &r.runIndex }),
	{"start", false,
		func(r *csvRow) string {
			if r.run.Start.IsZero() {
				return ""
			}
			return r.run.Start.Format(time.RFC3339Nano)
		},
		func(r *csvRow, s string) (err error) { r.run.Start, err = time.Parse(time.RFC3339Nano, s); return err }},
	csvText("tool", func(r *csvRow) *string { return &r.run.Tool }),
	csvText("version", func(r *csvRow) *string { return &r.run.Version }),
	csvCount("method", func(r *csvRow) *int { return &r.run.Method }),
	csvFlag("interrupted", false, func(r *csvRow) *bool { return &r.run.Interrupted }),
	csvText("run_grade", func(r *csvRow) *string { return (*string)(&r.run.Grade) }),
	csvText("os", func(r *csvRow) *string { return &r.run.Host.OS }),
	csvText("arch", func(r *csvRow) *string { return &r.run.Host.Arch }),
	csvText("cpu_model", func(r *csvRow) *string { return &r.run.Host.CPUModel }),
	csvCount("cpus", func(r *csvRow) *int { return &r.run.Host.CPUs }),
	csvText("go_version", func(r *csvRow) *string { return &r.run.Host.GoVersion }),

	csvIndex("series", func(r *csvRow) *int { return &r.seriesIndex }),
	csvText("op", func(r *csvRow) *string { return &r.series.Case.Op }),
	csvText("engine", func(r *csvRow) *string { return &r.series.Case.Engine }),
	csvText("alg", func(r *csvRow) *string { return &r.series.Case.Alg }),
	csvCount("key_bits", func(r *csvRow) *int { return &r.series.Case.KeyBits }),
	csvCount("sector_bytes", func(r *csvRow) *int { return &r.series.Case.SectorBytes }),
	csvCount("request_bytes", func(r *csvRow) *int64 { return &r.series.Case.RequestBytes }),
	csvCount("workers", func(r *csvRow) *int { return &r.series.Case.Workers }),
	csvText("path", func(r *csvRow) *string { return &r.series.Case.Path }),
	csvCount("run_sectors", func(r *csvRow) *int { return &r.series.Case.RunSectors }),
	csvText("rekey", func(r *csvRow) *string { return &r.series.Case.Rekey }),
	csvText("iv_hash", func(r *csvRow) *string { return &r.series.Case.IVHash }),
	csvText("provider", func(r *csvRow) *string { return &r.series.Case.Provider }),
	{"clear", false,
		func(r *csvRow) string {
			if c := r.series.Case.Clear; c != nil {
				return strconv.FormatBool(*c)
			}
			return ""
		},
		func(r *csvRow, s string) error {
			v, err := strconv.ParseBool(s)
			r.series.Case.Clear = &v
			return err
		}},
	{"byte", false,
		func(r *csvRow) string {
			if b := r.series.Case.Byte; b != nil {
				return strconv.Itoa(int(*b))
			}
			return ""
		},
		func(r *csvRow, s string) error {
			n, err := strconv.ParseUint(s, 10, 8)
			b := uint8(n)
			r.series.Case.Byte = &b
			return err
		}},
	csvText("pin", func(r *csvRow) *string { return &r.series.Case.Pin }),
	csvCount("gomaxprocs", func(r *csvRow) *int { return &r.series.Case.GOMAXPROCS }),
	csvText("grade", func(r *csvRow) *string { return (*string)(&r.series.Grade) }),
	{"stated_bytes_per_second", false,
		func(r *csvRow) string {
			if r.series.Stated == nil {
				return ""
			}
			return strconv.FormatFloat(r.series.Stated.BytesPerSecond, 'g', -1, 64)
		},
		func(r *csvRow, s string) error {
			v, err := strconv.ParseFloat(s, 64)
			if err == nil && !(v >= 0) {
				err = errors.New("no rate")
			}
			r.series.Stated = &results.StatedRate{BytesPerSecond: v}
			return err
		}},
	{"stated_as_printed", false,
		func(r *csvRow) string {
			if r.series.Stated == nil {
				return ""
			}
			return r.series.Stated.AsPrinted
		},
		func(r *csvRow, s string) error {
			if r.series.Stated == nil {
				return errors.New("no stated rate that it could be the print of")
			}
			r.series.Stated.AsPrinted = s
			return nil
		}},

	csvIndex("sample", func(r *csvRow) *int { return &r.sampleIndex }),
	csvFigure("bytes", func(x *results.Sample) *int64 { return &x.Bytes }),
	csvFigure("requests", func(x *results.Sample) *int64 { return &x.Requests }),
	csvFigure("partial_requests", func(x *results.Sample) *int64 { return &x.PartialRequests }),
	csvFigure("elapsed_ns", func(x *results.Sample) *int64 { return &x.ElapsedNS }),
	csvOptional("user_ns", func(x *results.Sample) **int64 { return &x.UserNS }),
	csvOptional("system_ns", func(x *results.Sample) **int64 { return &x.SystemNS }),
	csvOptional("cycles", func(x *results.Sample) **int64 { return &x.Cycles }),
	{"round", true,
		func(r *csvRow) string { return strconv.Itoa(r.sample.Round) },
		func(r *csvRow, s string) (err error) { r.sample.Round, err = strconv.Atoi(s); return err }},
	csvFigure("start_ns", func(x *results.Sample) *int64 { return &x.StartNS }),
	csvFigure("lead_in_ns", func(x *results.Sample) *int64 { return &x.LeadInNS }),
	csvFigure("lead_in_bytes", func(x *results.Sample) *int64 { return &x.LeadInBytes }),
	csvFlag("spoiled", true, func(r *csvRow) *bool { return &r.sample.Spoiled }),
	{"mb_per_s", true,
		func(r *csvRow) string { return strconv.FormatFloat(r.sample.BytesPerSecond()/1e6, 'g', 6, 64) }, nil},
}

// ReadCSV reads what CSV wrote, or a part of its rows and columns, in any
// order: the columns "run" and "series" say what belongs together. Unknown
// columns are passed over. Errors name the line, and wrap fs.ErrInvalid or
// ErrSchema.
func ReadCSV(r io.Reader) ([]results.Run, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return nil, notCSV(err)
	}
	columns := make([]*csvColumn, len(header))
	found := map[string]bool{}
	for i, name := range header {
		name = strings.TrimPrefix(name, "\ufeff") // as spreadsheets begin a file
		at := slices.IndexFunc(csvColumns, func(c csvColumn) bool { return c.name == name })
		if at < 0 || csvColumns[at].set == nil {
			continue
		}
		if found[name] {
			return nil, notCSV(fmt.Errorf("two columns %s", name))
		}
		found[name], columns[i] = true, &csvColumns[at]
	}
	for _, must := range []string{"schema", "run", "series"} {
		if !found[must] {
			return nil, notCSV(fmt.Errorf("no column %s", must))
		}
	}

	var t csvTable
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, notCSV(err)
		}
		line, _ := in.FieldPos(0)
		if err := t.row(columns, record); err != nil {
			return nil, notCSV(fmt.Errorf("line %d: %w", line, err))
		}
	}
	if len(t.runs) == 0 {
		return nil, notCSV(errors.New("no row"))
	}
	return t.runs, nil
}

func notCSV(cause error) error {
	if errors.Is(cause, ErrSchema) {
		return cause
	}
	return fmt.Errorf("not a table of gelibench runs: %w (%w)", cause, fs.ErrInvalid)
}

// csvTable gathers rows.
type csvTable struct {
	runs   []results.Run
	byRun  map[int]int    // number of a run in the table -> index in runs
	series map[[2]int]int // numbers of a run and a series -> index in its Series
}

func (t *csvTable) row(columns []*csvColumn, record []string) error {
	var r csvRow
	r.run, r.series, r.sample = new(results.Run), new(results.Series), new(results.Sample)
	for i, text := range record {
		c := columns[i]
		if c == nil || text == "" {
			continue
		}
		if c.ofSample {
			r.hasSample = true
		}
		if err := c.set(&r, text); err != nil {
			return fmt.Errorf("%s %q: %w", c.name, text, err)
		}
	}
	if err := possible(*r.sample); err != nil {
		return err
	}
	if r.run.Schema == 0 {
		return errors.New("no schema")
	}
	if t.byRun == nil {
		t.byRun, t.series = map[int]int{}, map[[2]int]int{}
	}
	at, known := t.byRun[r.runIndex]
	if !known {
		at = len(t.runs)
		t.byRun[r.runIndex] = at
		t.runs = append(t.runs, *r.run)
	}
	run := &t.runs[at]
	key := [2]int{r.runIndex, r.seriesIndex}
	k, known := t.series[key]
	if !known {
		k = len(run.Series)
		t.series[key] = k
		run.Series = append(run.Series, *r.series)
	}
	if r.hasSample {
		run.Series[k].Samples = append(run.Series[k].Samples, *r.sample)
	}
	return nil
}
