package format

import (
	"bufio"
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

// maxBenchLine bounds a line of benchfmt, in bytes; lines that are longer are
// an error.
const maxBenchLine = 1 << 20

// ReadBenchfmt reads the benchmarks that Benchfmt wrote, and those of others
// that state ns/op and MB/s, or MB/s alone; lines of other kinds are passed
// over, as benchstat does it. All is one run, unless it says "# run:". What the
// format does not keep is unknown. Errors name the line and wrap fs.ErrInvalid.
func ReadBenchfmt(r io.Reader) ([]results.Run, error) {
	b := benchReader{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxBenchLine)
	number := 0
	for lines.Scan() {
		number++
		if err := b.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("line %d: %w (%w)", number, err, fs.ErrInvalid)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: more than %d bytes: %w", number+1, maxBenchLine, fs.ErrInvalid)
	} else if err != nil {
		return nil, err
	}
	b.flush()
	if len(b.runs) == 0 {
		return nil, fmt.Errorf("no benchmark in it: %w", fs.ErrInvalid)
	}
	return b.runs, nil
}

type benchReader struct {
	runs  []results.Run
	run   results.Run
	index map[string]int // name and comment of a case -> series
	rest  string
	// rounds are those of the samples of the case at hand.
	rounds []int
}

// flush ends a run.
func (b *benchReader) flush() {
	if len(b.run.Series) > 0 {
		b.run.Schema = results.SchemaVersion
		b.runs = append(b.runs, b.run)
	}
	// What was configured holds on until it is taken back.
	h := b.run.Host
	b.run = results.Run{Host: results.Host{OS: h.OS, Arch: h.Arch, CPUModel: h.CPUModel}}
	b.index, b.rest, b.rounds = nil, "", nil
}

func (b *benchReader) line(line string) error {
	if text, ok := strings.CutPrefix(line, spoiledMark); ok && strings.HasPrefix(text, "Benchmark") {
		return b.benchmark(text, true)
	}
	if text, ok := strings.CutPrefix(line, "# "); ok {
		key, value, _ := strings.Cut(text, ": ")
		return b.comment(key, value)
	}
	if strings.HasPrefix(line, "Benchmark") {
		return b.benchmark(line, false)
	}
	key, value, ok := strings.Cut(line, ":")
	if value = strings.TrimLeft(value, " \t"); ok {
		switch key {
		case "goos":
			b.run.Host.OS = value
		case "goarch":
			b.run.Host.Arch = value
		case "cpu":
			b.run.Host.CPUModel = value
		}
	}
	return nil
}

func (b *benchReader) comment(key, value string) (err error) {
	switch key {
	case "run":
		b.flush()
	case "tool":
		b.run.Tool = value
	case "version":
		b.run.Version = value
	case "start":
		b.run.Start, err = time.Parse(time.RFC3339Nano, value)
	case "go":
		b.run.Host.GoVersion = value
	case "cpus":
		b.run.Host.CPUs, err = strconv.Atoi(value)
	case "method":
		b.run.Method, err = strconv.Atoi(value)
	case "interrupted":
		b.run.Interrupted = value == "true"
	case "command":
		b.run.Command = shellWords(value)
	case "case:", "case":
		b.rest, b.rounds = value, nil
	case "rounds":
		for n := range strings.SplitSeq(value, ",") {
			round, err := strconv.Atoi(n)
			if err != nil || round < 0 {
				return fmt.Errorf("%q is no round", n)
			}
			b.rounds = append(b.rounds, round)
		}
	}
	return err
}

func (b *benchReader) benchmark(line string, spoiled bool) error {
	fields := strings.Fields(line)
	if len(fields) == 1 {
		return nil // what go test -v prints when a benchmark begins
	}
	n, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of operations", fields[1])
	}
	if len(fields)%2 != 0 || len(fields) < 4 {
		return errors.New("a value without its unit")
	}
	values := map[string]float64{}
	for i := 2; i < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return fmt.Errorf("%q is no number", fields[i])
		}
		values[fields[i+1]] = v
	}
	rate, hasRate := values["MB/s"]
	ns, timed := values["ns/op"]
	if !hasRate {
		return nil // of something that moves no bytes
	}

	key := fields[0] + "\x00" + b.rest
	at, known := b.index[key]
	if !known {
		c, err := parseBenchmarkName(strings.TrimPrefix(fields[0], "Benchmark"))
		if err != nil {
			return err
		}
		if err := setKeys(&c, strings.Fields(b.rest), benchRest); err != nil {
			return err
		}
		at = len(b.run.Series)
		if b.index == nil {
			b.index = map[string]int{}
		}
		b.index[key] = at
		b.run.Series = append(b.run.Series, results.Series{Case: c})
	}
	series := &b.run.Series[at]
	if !timed {
		if rate < 0 {
			return fmt.Errorf("a rate of %v MB/s", rate)
		}
		series.Stated = &results.StatedRate{BytesPerSecond: rate * 1e6}
		return nil
	}
	x := results.Sample{Requests: n, Spoiled: spoiled || b.isShownSpoiled(len(series.Samples)+1)}
	var ok [5]bool
	x.ElapsedNS, ok[0] = whole(ns * float64(n))
	x.Bytes, ok[1] = whole(rate * float64(x.ElapsedNS) / 1e3)
	x.PartialRequests, ok[2] = whole(values["partial/op"] * float64(n))
	ok[3], ok[4] = true, true
	for i, unit := range []string{"user-sec/op", "sys-sec/op"} {
		if v, known := values[unit]; known {
			var ns int64
			if ns, ok[3+i] = whole(v * 1e9 * float64(n)); i == 0 {
				x.UserNS = &ns
			} else {
				x.SystemNS = &ns
			}
		}
	}
	if ok != [5]bool{true, true, true, true, true} || x.PartialRequests > x.Requests {
		return errors.New("an impossible number")
	}
	if n := len(series.Samples); n < len(b.rounds) {
		x.Round = b.rounds[n]
	}
	series.Samples = append(series.Samples, x)
	return nil
}

// isShownSpoiled says whether the comment of the case lists its n-th sample,
// counted from 1, as spoiled.
func (b *benchReader) isShownSpoiled(n int) bool {
	for _, part := range strings.Fields(b.rest) {
		if numbers, ok := strings.CutPrefix(part, spoiledKey); ok {
			return slices.Contains(strings.Split(numbers, ","), strconv.Itoa(n))
		}
	}
	return false
}

// shellWords takes apart what ShellLine put together.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	open, quoted := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\'':
			quoted = false
		case quoted:
			word.WriteByte(c)
		case c == '\'':
			open, quoted = true, true
		case c == '\\' && i+1 < len(line):
			i++
			open = true
			word.WriteByte(line[i])
		case c == ' ':
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			open = true
			word.WriteByte(c)
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}
