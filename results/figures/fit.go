package figures

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"gelibench/results/report"
	"gelibench/results/stats"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

// poorFit is the share by which a time may lie off its line before that is said.
const poorFit = 0.1

// Fits writes what a call costs: for each series of figures that differ in the
// block size alone, the fixed cost of a call, the rate that ever larger blocks
// come near to, and the size that reaches half of it; then from which size on
// one series overtakes another.
func Fits(w io.Writer, name string, fits []report.Fit, width int) error {
	if name == "" {
		name = "standard input"
	}
	lines := []string{name + ": " + units.Count(len(fits), "series") + ", time of a call = fixed + bytes / rate", ""}
	lines[0] = strings.Replace(lines[0], "seriess", "series", 1)
	col := func(heading string, right bool, keep, cut int, cell func(f report.Fit) string) textgrid.Column {
		c := textgrid.Column{Heading: heading, Right: right, Keep: keep, Cut: cut}
		for _, f := range fits {
			c.Cells = append(c.Cells, cell(f))
		}
		return c
	}
	const must = textgrid.MustKeep
	columns := []textgrid.Column{
		col("", true, must, 0, func(f report.Fit) string { return "" }),
		col("algorithm", false, must, 14, func(f report.Fit) string { return Algorithm(f.Results[0]) }),
		col("direction", false, 50, 0, func(f report.Fit) string { return string(f.Results[0].Direction) }),
		col("fixed", true, must, 0, func(f report.Fit) string { return nanoseconds(f.Line.FixedNS.Value) }),
		col("±", true, 60, 0, func(f report.Fit) string { return halfWidth(f.Line.FixedNS) }),
		col("smallest", true, 58, 0, func(f report.Fit) string {
			return fmt.Sprintf("%d B %s", f.Results[0].BlockBytes, nanoseconds(f.Results[0].CallNS()))
		}),
		col("at most", true, must, 0, func(f report.Fit) string { return units.Rate(f.Line.BytesPerSecond.Value) }),
		col("half at", true, must, 0, func(f report.Fit) string { return size(f.Line.HalfSpeedBytes.Value) }),
		col("off by", true, 57, 0, func(f report.Fit) string { return fmt.Sprintf("%.1f %%", 100*f.Line.Misfit) }),
		col("sizes", false, 40, 0, func(f report.Fit) string {
			return fmt.Sprintf("%d-%d", f.Results[0].BlockBytes, f.Results[len(f.Results)-1].BlockBytes)
		}),
		col("lines", false, 30, 0, func(f report.Fit) string { return lineRange(f.Results) }),
		col("of", false, 65, 12, func(f report.Fit) string { return distinguishing(fits, f) }),
	}
	for i := range fits {
		columns[0].Cells[i] = strconv.Itoa(i + 1)
	}
	kept := columns[:0:0]
	for _, c := range columns {
		if c.Known() {
			kept = append(kept, c)
		}
	}
	kept, gone := textgrid.Fit(kept, width)
	lines = append(lines, textgrid.Lines(kept, len(fits))...)
	lines = append(lines, "")
	add := func(text string) { lines = append(lines, textgrid.Wrap(text, width, "   ")...) }
	for i, f := range fits {
		switch {
		case f.Line.Misfit > poorFit:
			add(fmt.Sprintf("%d: a size lies %.0f %% off the line: the time of a call doesn't grow evenly", i+1, 100*f.Line.Misfit))
		case f.Line.FixedNS.Value < 0 || f.Line.FixedNS.Lo < 0:
			add(fmt.Sprintf("%d: the fixed cost is too small to be told from none", i+1))
		}
	}
	crossings := report.Crossings(fits)
	for _, c := range crossings {
		text := fmt.Sprintf("%d overtakes %d from %s on", c.Large+1, c.Small+1, size(c.Bytes))
		if c.Beyond {
			text += ", beyond the sizes that were measured"
		}
		add(text)
	}
	for i := range fits {
		for k := i + 1; k < len(fits); k++ {
			a, b := fits[i], fits[k]
			if !rivals(a, b) || crosses(crossings, i, k) {
				continue
			}
			fast, slow := i, k
			if b.Line.BytesPerSecond.Value > a.Line.BytesPerSecond.Value {
				fast, slow = k, i
			}
			add(fmt.Sprintf("%d is faster than %d, and no size changes that", fast+1, slow+1))
		}
	}
	if len(gone) > 0 {
		add("no room for: " + strings.Join(gone, ", "))
	}
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	p := page{lines: lines}
	return p.flush(w)
}

// rivals says that two series did the same in different ways, by more than
// what repeats of one another differ in.
func rivals(a, b report.Fit) bool {
	x, y := a.Results[0], b.Results[0]
	if x.Cipher == "" || x.Cipher != y.Cipher || x.Mode != y.Mode || x.KeyBits != y.KeyBits || x.Direction != y.Direction || x.File != y.File {
		return false
	}
	ratio := a.Line.BytesPerSecond.Value / b.Line.BytesPerSecond.Value
	fixed := a.Line.FixedNS.Value / b.Line.FixedNS.Value
	const alike = 1.05
	near := func(r float64) bool { return r > 1/alike && r < alike }
	return !(near(ratio) && near(fixed))
}

func crosses(all []report.Crossing, i, k int) bool {
	for _, c := range all {
		if c.Small == i && c.Large == k || c.Small == k && c.Large == i {
			return true
		}
	}
	return false
}

// distinguishing is what sets a series apart from the others of its report; the
// command where nothing else does.
func distinguishing(fits []report.Fit, f report.Fit) string {
	fields := []func(report.Result) string{
		Tool, func(x report.Result) string { return Machine(x.CPU) },
		func(x report.Result) string { return prefixed("after ", x.State) },
		func(x report.Result) string { return prefixed("engine ", x.Engine) },
		func(x report.Result) string { return x.Accelerator },
		func(x report.Result) string { return x.Variant },
		func(x report.Result) string { return x.Label },
		func(x report.Result) string { return prefixed("threads ", whole(x.Threads)) },
		func(x report.Result) string { return prefixed("run ", whole(x.Run)) },
	}
	var parts []string
	differ := func(field func(report.Result) string) bool {
		for _, o := range fits {
			if field(o.Results[0]) != field(fits[0].Results[0]) {
				return true
			}
		}
		return false
	}
	apart := false
	for _, field := range fields {
		if differ(field) {
			apart = true
			if v := field(f.Results[0]); v != "" {
				parts = append(parts, v)
			}
		}
	}
	if command := func(x report.Result) string { return x.Command }; !apart && differ(command) {
		return f.Results[0].Command
	}
	return strings.Join(parts, "; ")
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func nanoseconds(ns float64) string {
	if ns < 0 {
		return "-" + units.Duration(time.Duration(-ns))
	}
	if ns < 100 {
		return strconv.FormatFloat(ns, 'f', 1, 64) + " ns"
	}
	return units.Duration(time.Duration(math.Round(ns)))
}

// halfWidth is how far the farther end of an interval lies from its value.
func halfWidth(i stats.Interval) string {
	if !i.Bounded() || math.IsNaN(i.Value) {
		return ""
	}
	return nanoseconds(max(i.Hi-i.Value, i.Value-i.Lo))
}

func size(bytes float64) string {
	if !(bytes > 0) || math.IsInf(bytes, 0) {
		return ""
	}
	return fmt.Sprintf("%.0f B", bytes)
}

// lineRange is the lines that a series stands on, "3" or "12-17".
func lineRange(rs []report.Result) string {
	lo, hi := rs[0].Line, rs[0].Line
	for _, r := range rs {
		lo, hi = min(lo, r.Line), max(hi, r.Line)
	}
	if lo == hi {
		return strconv.Itoa(lo)
	}
	return fmt.Sprintf("%d-%d", lo, hi)
}

// fitRecord is a fit for programs. A bound that is not known is absent.
type fitRecord struct {
	File           string  `json:"file,omitempty"`
	Lines          string  `json:"lines"`
	Tool           string  `json:"tool,omitempty"`
	CPU            string  `json:"cpu,omitempty"`
	Algorithm      string  `json:"algorithm"`
	Direction      string  `json:"direction,omitempty"`
	Of             string  `json:"of,omitempty"`
	Sizes          []int64 `json:"sizes_bytes"`
	FixedNS        float64 `json:"fixed_ns"`
	FixedLoNS      number  `json:"fixed_lo_ns,omitzero"`
	FixedHiNS      number  `json:"fixed_hi_ns,omitzero"`
	NSPerByte      float64 `json:"ns_per_byte"`
	BytesPerSecond number  `json:"asymptotic_bytes_per_second,omitzero"`
	HalfSpeedBytes number  `json:"half_speed_bytes,omitzero"`
	Misfit         float64 `json:"misfit"`
}

// number is a figure that JSON can hold; the others are absent.
type number float64

func finite(v float64) number {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return number(v)
}

func record(fits []report.Fit, f report.Fit) fitRecord {
	r := f.Results[0]
	x := fitRecord{File: r.File, Lines: lineRange(f.Results), Tool: Tool(r), CPU: Machine(r.CPU), Algorithm: Algorithm(r), Direction: string(r.Direction), Of: distinguishing(fits, f),
		FixedNS: f.Line.FixedNS.Value, FixedLoNS: finite(f.Line.FixedNS.Lo), FixedHiNS: finite(f.Line.FixedNS.Hi), NSPerByte: f.Line.NSPerByte.Value,
		BytesPerSecond: finite(f.Line.BytesPerSecond.Value), HalfSpeedBytes: finite(f.Line.HalfSpeedBytes.Value), Misfit: f.Line.Misfit}
	for _, r := range f.Results {
		x.Sizes = append(x.Sizes, r.BlockBytes)
	}
	return x
}

// FitsJSON writes fits, each as an object on one line.
func FitsJSON(w io.Writer, fits []report.Fit) error {
	j := json.NewEncoder(w)
	j.SetEscapeHTML(false)
	for _, f := range fits {
		if err := j.Encode(record(fits, f)); err != nil {
			return err
		}
	}
	return nil
}

// FitsCSV writes fits, one a row, under a line of names if header is set.
func FitsCSV(w io.Writer, fits []report.Fit, header bool) error {
	out := csv.NewWriter(w)
	if header {
		out.Write([]string{"file", "lines", "tool", "cpu", "algorithm", "direction", "of", "fixed_ns", "fixed_lo_ns", "fixed_hi_ns", "ns_per_byte", "asymptotic_bytes_per_second", "half_speed_bytes", "misfit"})
	}
	for _, f := range fits {
		x := record(fits, f)
		out.Write([]string{x.File, x.Lines, x.Tool, x.CPU, x.Algorithm, x.Direction, x.Of, real(x.FixedNS), real(float64(x.FixedLoNS)), real(float64(x.FixedHiNS)), real(x.NSPerByte),
			real(float64(x.BytesPerSecond)), real(float64(x.HalfSpeedBytes)), real(x.Misfit)})
	}
	out.Flush()
	return out.Error()
}
