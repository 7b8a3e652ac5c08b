package report

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gelibench/results/units"
)

// String is as in "mail.txt:21: cut off: …".
func (w Warning) String() string {
	if w.File == "" {
		return fmt.Sprintf("line %d: %s", w.Line, w.Text)
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
}

// String is as in "gpt/disk.eli: AES-XTS, key of 256 bits, sectors of 4096 bytes, crypto hardware".
func (p Provider) String() string {
	s := p.Name + ": " + strings.Trim(p.Cipher+"-"+p.Mode, "-")
	if p.KeyBits > 0 {
		s += fmt.Sprintf(", key of %d bits", p.KeyBits)
	}
	if p.Auth != "" {
		s += ", authenticated by " + p.Auth
	}
	if p.Sector > 0 {
		s += fmt.Sprintf(", sectors of %d bytes", p.Sector)
	}
	if p.MediaSize > 0 {
		s += fmt.Sprintf(", %d bytes", p.MediaSize)
	}
	if p.Crypto != "" {
		s += ", crypto " + p.Crypto
	}
	return s
}

// column is one of the CSV's.
type column struct {
	name string
	get  func(r *Result) string
}

func whole(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func decimal(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// rate prints bytes a second to the whole byte, where there are that many.
func rate(v float64) string {
	if v >= 1e4 {
		v = math.Round(v)
	}
	return decimal(v)
}

func usage(get func(*Usage) *float64) func(*Result) string {
	return func(r *Result) string {
		if r.Usage == nil || get(r.Usage) == nil {
			return ""
		}
		return strconv.FormatFloat(*get(r.Usage), 'f', -1, 64)
	}
}

// csvColumns are only ever added to; a reader finds them by name.
var csvColumns = []column{
	{"file", func(r *Result) string { return r.File }},
	{"line", func(r *Result) string { return whole(int64(r.Line)) }},
	{"kind", func(r *Result) string { return string(r.Kind) }},
	{"tool", func(r *Result) string { return r.Tool }},
	{"version", func(r *Result) string { return r.Version }},
	{"name", func(r *Result) string { return r.Name }},
	{"cipher", func(r *Result) string { return r.Cipher }},
	{"mode", func(r *Result) string { return r.Mode }},
	{"key_bits", func(r *Result) string { return whole(int64(r.KeyBits)) }},
	{"auth", func(r *Result) string { return r.Auth }},
	{"direction", func(r *Result) string { return string(r.Direction) }},
	{"block_bytes", func(r *Result) string { return whole(r.BlockBytes) }},
	{"sector_bytes", func(r *Result) string { return whole(r.Sector) }},
	{"bytes_per_second", func(r *Result) string { return rate(r.BytesPerSecond) }},
	{"as_printed", func(r *Result) string { return r.AsPrinted }},
	{"seconds", func(r *Result) string { return decimal(r.Seconds) }},
	{"bytes", func(r *Result) string { return whole(r.Bytes) }},
	{"operations", func(r *Result) string { return whole(r.Ops) }},
	{"threads", func(r *Result) string { return whole(int64(r.Threads)) }},
	{"per_thread", func(r *Result) string { return yesOrNothing(r.PerThread) }},
	{"run", func(r *Result) string { return whole(int64(r.Run)) }},
	{"clock", func(r *Result) string { return string(r.Clock) }},
	{"real_s", usage(func(u *Usage) *float64 { return u.RealSeconds })},
	{"user_s", usage(func(u *Usage) *float64 { return u.UserSeconds })},
	{"system_s", usage(func(u *Usage) *float64 { return u.SystemSeconds })},
	{"cpu_percent", func(r *Result) string {
		if r.Usage == nil || r.Usage.CPUPercent == nil {
			return ""
		}
		return strconv.FormatFloat(math.Round(*r.Usage.CPUPercent*10)/10, 'f', -1, 64)
	}},
	{"cpu_percent_computed", func(r *Result) string { return yesOrNothing(r.Usage != nil && r.Usage.Computed) }},
	{"usage_of_whole_run", func(r *Result) string { return yesOrNothing(r.Usage != nil && r.Usage.WholeRun) }},
	{"cpu", func(r *Result) string { return r.CPU.Model }},
	{"clock_mhz", func(r *Result) string { return decimal(r.CPU.MHz) }},
	{"core", func(r *Result) string { return r.CPU.Core }},
	{"board", func(r *Result) string { return r.CPU.Board }},
	{"cpu_source", func(r *Result) string { return r.CPU.Source }},
	{"engine", func(r *Result) string { return r.Engine }},
	{"accelerator", func(r *Result) string { return r.Accelerator }},
	{"device", func(r *Result) string { return r.Device }},
	{"clear", func(r *Result) string {
		if r.Clear == nil {
			return ""
		}
		return strconv.FormatBool(*r.Clear)
	}},
	{"label", func(r *Result) string { return r.Label }},
	{"variant", func(r *Result) string { return r.Variant }},
	{"state", func(r *Result) string { return r.State }},
	{"quoted", func(r *Result) string { return whole(int64(r.Quoted)) }},
	{"iterations_per_second", func(r *Result) string { return decimal(r.IterationsPerSecond) }},
	{"iterations", func(r *Result) string { return whole(r.Iterations) }},
	{"memory_kib", func(r *Result) string { return whole(r.MemoryKiB) }},
	{"comparable", func(r *Result) string { ok, _ := r.Comparable(); return strconv.FormatBool(ok) }},
	{"repairs", func(r *Result) string { return r.fixes() }},
	{"offered_bytes_per_second", func(r *Result) string {
		for _, x := range r.Repairs {
			if x.Offered > 0 {
				return rate(x.Offered)
			}
		}
		return ""
	}},
	{"summary", func(r *Result) string { return yesOrNothing(r.Summary) }},
	{"command", func(r *Result) string { return r.Command }},
}

func yesOrNothing(v bool) string {
	if v {
		return "true"
	}
	return ""
}

// fixes are the names of a figure's repairs, with commas.
func (r *Result) fixes() string {
	var out []string
	for _, x := range r.Repairs {
		out = append(out, string(x.Fix))
	}
	return strings.Join(out, ",")
}

// CSV writes figures as a table of one row each under a line of names. What is
// not known is empty.
func CSV(w io.Writer, list []Result) error {
	out := csv.NewWriter(w)
	row := make([]string, len(csvColumns))
	for i, c := range csvColumns {
		row[i] = c.name
	}
	out.Write(row)
	for i := range list {
		for k, c := range csvColumns {
			row[k] = c.get(&list[i])
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// Table writes figures for people: a heading for each tool and machine, and
// under it one line a figure, with what is to be doubted behind it.
func Table(w io.Writer, list []Result) error {
	b := bufio.NewWriter(w)
	last := ""
	for lo := 0; lo < len(list); {
		head := heading(&list[lo])
		hi := lo + 1
		for hi < len(list) && heading(&list[hi]) == head {
			hi++
		}
		if last != "" {
			b.WriteByte('\n')
		}
		last = head
		b.WriteString(head)
		b.WriteByte('\n')
		var rows [][]string
		for i := lo; i < hi; i++ {
			rows = append(rows, tableRow(&list[i]))
		}
		writeColumns(b, rows)
		lo = hi
	}
	return b.Flush()
}

// heading is what the figures of a block have in common.
func heading(r *Result) string {
	s := r.File
	if tool := strings.TrimSpace(r.Tool + " " + r.Version); tool != "" {
		s += ": " + tool
	}
	if r.CPU.Known() {
		s += ", on " + r.CPU.String()
		if r.CPU.Core != "" && r.CPU.Core != r.CPU.Model {
			s += " (" + r.CPU.Core + ")"
		}
		if r.CPU.Source == "prose" {
			s += " (as the text says)"
		}
	}
	for _, x := range []string{r.Label, r.State} {
		if x != "" && !strings.Contains(s, x) {
			s += "; " + clip(x)
		}
	}
	if r.Quoted > 0 {
		s += "; quoted"
	}
	return s
}

func tableRow(r *Result) []string {
	name := r.Name
	if r.Cipher != "" {
		name = strings.Trim(r.Cipher+"-"+r.Mode, "-")
		if r.KeyBits > 0 {
			name += "-" + strconv.Itoa(r.KeyBits)
		}
		if r.Auth != "" {
			name += " " + r.Auth
		}
	}
	size := ""
	if n := r.Sector; n > 0 {
		size = units.Bytes(n)
	} else if r.BlockBytes > 0 {
		size = units.Bytes(r.BlockBytes)
	}
	value := ""
	switch {
	case r.HasRate():
		value = units.Rate(r.BytesPerSecond)
		if r.LowerBound() {
			value = "≥ " + value
		}
	case r.IterationsPerSecond > 0:
		value = strconv.FormatFloat(r.IterationsPerSecond, 'f', 0, 64) + " it/s"
	case r.Iterations > 0:
		value = r.AsPrinted
	case r.Usage != nil:
		value = strconv.FormatFloat(r.Seconds, 'f', -1, 64) + " s"
	}
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if r.Variant != "" {
		add("%s", clip(r.Variant))
	}
	if r.Engine != "" {
		add("engine %s", r.Engine)
	}
	if r.Accelerator != "" {
		add("accelerator %s", r.Accelerator)
	}
	if r.Device != "" {
		add("%s", r.Device)
	}
	if r.Threads > 1 {
		add("%d threads", r.Threads)
	}
	if r.Run > 0 {
		add("run %d", r.Run)
	}
	if u := r.Usage; u != nil && u.CPUPercent != nil {
		of := ""
		if u.WholeRun {
			of = " over the whole run"
		}
		add("CPU %.1f %%%s", *u.CPUPercent, of)
	}
	if r.Clock == UserCPU {
		add("user CPU time")
	}
	if f := r.fixes(); f != "" {
		add("[%s]", f)
	}
	if r.Summary {
		add("a summary of other figures")
	}
	return []string{strconv.Itoa(r.Line), name, string(r.Direction), size, value, strings.Join(notes, ", ")}
}

// writeColumns aligns rows: the first and the numbers to the right.
func writeColumns(b *bufio.Writer, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range rows {
		var line strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if width[i] == 0 {
				continue
			}
			line.WriteString("  ")
			if i == 0 || i == 3 || i == 4 {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
}
