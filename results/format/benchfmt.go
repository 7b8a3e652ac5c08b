package format

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gelibench/results"
	"gelibench/results/stats"
)

// Benchfmt writes runs in the format of Go's benchmarks, which benchstat reads:
// one line a sample, an operation being one request.
//
//	goos: linux
//	goarch: amd64
//	cpu: AMD EPYC 9655 96-Core Processor
//	Unit ns/op better=lower assume=nothing
//	Unit MB/s better=higher assume=nothing
//	BenchmarkGELI/cipher=aes/mode=xts/key=256/sector=4096/op=read/request=1048576/… 100 4100000 ns/op 255.75 MB/s
//
// As with any benchmark of Go, ns/op is the elapsed time over the number of
// requests, however many workers made them, and the number behind the last dash
// is GOMAXPROCS. user-sec/op and sys-sec/op are CPU time of the process, in
// seconds since x/perf makes two units of ns where one of the values is 0.
//
// The name holds what one asks for; what follows from it, so that `benchstat
// -col /mode` can set CBC beside XTS, stands in a comment. So does whatever
// would make benchstat refuse to compare two runs: the version, the start, the
// command. Samples that something spoiled are comments as well, unless a case has
// fewer than six others. A rate that was stated is a line with MB/s alone.
func Benchfmt(w io.Writer, runs []results.Run) error {
	b := bufio.NewWriter(w)
	for i, run := range runs {
		if i > 0 {
			fmt.Fprintf(b, "\n# run: %d\n", i+1)
		}
		comment := func(key, value string) {
			if value != "" {
				fmt.Fprintf(b, "# %s: %s\n", key, Printable(value))
			}
		}
		comment("tool", run.Tool)
		comment("version", run.Version)
		if !run.Start.IsZero() {
			comment("start", run.Start.Format(time.RFC3339Nano))
		}
		comment("go", run.Host.GoVersion)
		if run.Host.CPUs > 0 {
			comment("cpus", strconv.Itoa(run.Host.CPUs))
		}
		if run.Method > 0 {
			comment("method", strconv.Itoa(run.Method))
		}
		if len(run.Command) > 0 {
			comment("command", ShellLine(run.Command))
		}
		if run.Interrupted {
			comment("interrupted", "true")
		}
		for _, c := range [][2]string{{"goos", run.Host.OS}, {"goarch", run.Host.Arch}, {"cpu", run.Host.CPUModel}} {
			if c[1] != "" || i > 0 { // no value takes back what an earlier run said
				fmt.Fprintf(b, "%s\n", strings.TrimRight(c[0]+": "+Printable(c[1]), " "))
			}
		}
		if i == 0 {
			b.WriteString("Unit ns/op better=lower assume=nothing\nUnit MB/s better=higher assume=nothing\n" +
				"Unit user-sec/op better=lower assume=nothing\nUnit sys-sec/op better=lower assume=nothing\n")
		}
		for _, s := range run.Series {
			writeBenchmarks(b, s)
		}
	}
	return b.Flush()
}

func writeBenchmarks(b *bufio.Writer, s results.Series) {
	name := benchmarkName(s.Case)
	rest := benchmarkRest(s.Case)
	shown := spoiledShown(s)
	if len(shown) > 0 {
		rest += " " + spoiledKey + strings.Join(shown, ",")
	}
	fmt.Fprintf(b, "%s\n", strings.TrimSpace("# case: "+rest))
	if rounds := roundsOf(s); rounds != "" {
		fmt.Fprintf(b, "# rounds: %s\n", rounds)
	}
	if isStated(s) {
		fmt.Fprintf(b, "%s 1 %s MB/s\n", name, exact(s.Stated.BytesPerSecond/1e6))
	}
	for _, x := range s.Samples {
		if x.ElapsedNS <= 0 {
			fmt.Fprintf(b, "# no time passed: %d bytes\n", x.Bytes)
			continue
		}
		if x.Spoiled && len(shown) == 0 {
			b.WriteString(spoiledMark)
		}
		requests := float64(max(x.Requests, 1))
		fmt.Fprintf(b, "%s %d %s ns/op %s MB/s", name, max(x.Requests, 1),
			exact(float64(x.ElapsedNS)/requests), exact(float64(x.Bytes)*1e3/float64(x.ElapsedNS)))
		if x.UserNS != nil {
			fmt.Fprintf(b, " %s user-sec/op", exact(float64(*x.UserNS)/1e9/requests))
		}
		if x.SystemNS != nil {
			fmt.Fprintf(b, " %s sys-sec/op", exact(float64(*x.SystemNS)/1e9/requests))
		}
		if x.PartialRequests > 0 {
			fmt.Fprintf(b, " %s partial/op", exact(float64(x.PartialRequests)/requests))
		}
		b.WriteByte('\n')
	}
}

// roundsOf are the rounds of the samples that have a time, with commas; "" if they
// were not taken in rounds.
func roundsOf(s results.Series) string {
	if !tookRounds(s) {
		return ""
	}
	var list []string
	for _, x := range s.Samples {
		if x.ElapsedNS > 0 {
			list = append(list, strconv.Itoa(x.Round))
		}
	}
	return strings.Join(list, ",")
}

// spoiledMark hides a sample from benchstat; spoiledKey lists in the comment of a
// case those that are not hidden.
const (
	spoiledMark = "# spoiled: "
	spoiledKey  = "spoiled="
)

// spoiledShown are the spoiled samples, counted from 1 among those with a time,
// that are shown because too few others are there, as package stats has it.
func spoiledShown(s results.Series) (shown []string) {
	n, good := 0, 0
	for _, x := range s.Samples {
		switch {
		case x.ElapsedNS <= 0:
			continue
		case x.Spoiled:
			shown = append(shown, strconv.Itoa(n+1))
		default:
			good++
		}
		n++
	}
	if good >= stats.FewestSamples {
		return nil
	}
	return shown
}

// exact prints a number with all the digits that it has.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// benchKey is a part of a benchmark's name.
type benchKey struct {
	name string
	get  func(c results.Case) string
	set  func(c *results.Case, text string) error
}

func benchText(name string, field func(*results.Case) *string) benchKey {
	return benchKey{name,
		func(c results.Case) string { return *field(&c) },
		func(c *results.Case, text string) error { *field(c) = text; return nil }}
}

func benchCount[T int | int64](name string, field func(*results.Case) *T) benchKey {
	return benchKey{name,
		func(c results.Case) string {
			if n := *field(&c); n != 0 {
				return strconv.FormatInt(int64(n), 10)
			}
			return ""
		},
		func(c *results.Case, text string) error {
			n, err := strconv.ParseInt(text, 10, strconv.IntSize)
			if err == nil && n < 0 {
				err = strconv.ErrRange
			}
			*field(c) = T(n)
			return err
		}}
}

// benchKeys are the parts of a name, benchRest those of the comment.
var (
	benchKeys = []benchKey{
		{"cipher", func(c results.Case) string { cipher, _ := cipherAndMode(c.Alg); return cipher },
			func(c *results.Case, text string) error { c.Alg = text; return nil }},
		{"mode", func(c results.Case) string { _, mode := cipherAndMode(c.Alg); return mode },
			func(c *results.Case, text string) error { c.Alg += "-" + text; return nil }},
		benchCount("key", func(c *results.Case) *int { return &c.KeyBits }),
		benchCount("sector", func(c *results.Case) *int { return &c.SectorBytes }),
		benchText("op", func(c *results.Case) *string { return &c.Op }),
		benchCount("request", func(c *results.Case) *int64 { return &c.RequestBytes }),
		benchCount("workers", func(c *results.Case) *int { return &c.Workers }),
		benchText("path", func(c *results.Case) *string { return &c.Path }),
		rekeyKey.only(func(c results.Case) bool { return c.Rekey != usualRekey[c.Path] }),
		benchText("engine", func(c *results.Case) *string { return &c.Engine }),
		benchText("provider", func(c *results.Case) *string { return &c.Provider }),
		clearKey.only(func(c results.Case) bool { return c.Clear != nil && *c.Clear }),
		{"byte", func(c results.Case) string {
			if c.Byte == nil {
				return ""
			}
			return strconv.Itoa(int(*c.Byte))
		}, func(c *results.Case, text string) error {
			v, err := strconv.ParseUint(text, 10, 8)
			u := uint8(v)
			c.Byte = &u
			return err
		}},
		benchText("pin", func(c *results.Case) *string { return &c.Pin }),
	}
	benchRest = []benchKey{
		benchCount("run", func(c *results.Case) *int { return &c.RunSectors }),
		benchText("iv", func(c *results.Case) *string { return &c.IVHash }),
		rekeyKey.only(func(c results.Case) bool { return c.Rekey == usualRekey[c.Path] }),
		clearKey.only(func(c results.Case) bool { return c.Clear != nil && !*c.Clear }),
	}
)

// What is as usual is left to the comment, which keeps the names short.
var (
	usualRekey = map[string]string{"geli": "per-sector", "batch": "cached"}
	rekeyKey   = benchText("rekey", func(c *results.Case) *string { return &c.Rekey })
	clearKey   = benchKey{"clear", func(c results.Case) string {
		if c.Clear == nil {
			return ""
		}
		return strconv.FormatBool(*c.Clear)
	}, func(c *results.Case, text string) error {
		v, err := strconv.ParseBool(text)
		c.Clear = &v
		return err
	}}
)

// only is the key where use says so.
func (k benchKey) only(use func(results.Case) bool) benchKey {
	get := k.get
	k.get = func(c results.Case) string {
		if !use(c) {
			return ""
		}
		return get(c)
	}
	return k
}

const benchPrefix = "BenchmarkGELI"

// benchmarkName names a case.
func benchmarkName(c results.Case) string {
	var b strings.Builder
	b.WriteString(benchPrefix)
	for _, k := range benchKeys {
		if v := k.get(c); v != "" {
			b.WriteString("/" + k.name + "=" + escapeName(v))
		}
	}
	name := b.String()
	if c.GOMAXPROCS > 0 {
		return name + "-" + strconv.Itoa(c.GOMAXPROCS)
	}
	// A number behind the last dash would be taken for GOMAXPROCS.
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			name = name[:i] + "%2D" + name[i+1:]
		}
	}
	return name
}

// benchmarkRest is what the comment of a case says.
func benchmarkRest(c results.Case) string {
	var parts []string
	for _, k := range benchRest {
		if v := k.get(c); v != "" {
			parts = append(parts, k.name+"="+escapeName(v))
		}
	}
	return strings.Join(parts, " ")
}

// escapeName keeps blanks, slashes and percent signs out of a name, as a URL
// does.
func escapeName(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c <= ' ' || c == '/' || c == '%' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// parseBenchmarkName reads a case from a name, without its first part. A name
// that Benchfmt did not write gives a case in which little is known.
func parseBenchmarkName(name string) (results.Case, error) {
	var c results.Case
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		if n, err := strconv.Atoi(name[i+1:]); err == nil && n > 0 {
			c.GOMAXPROCS, name = n, name[:i]
		}
	}
	parts := strings.Split(name, "/")[1:]
	return c, setKeys(&c, parts, benchKeys)
}

func setKeys(c *results.Case, parts []string, keys []benchKey) error {
	for _, part := range parts {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		text, err := url.PathUnescape(value)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if k.name == key {
				if err := k.set(c, text); err != nil {
					return fmt.Errorf("%s: %w", part, err)
				}
			}
		}
	}
	return nil
}

// whole rounds what ought to be a whole number; ok is false if it is none that
// can be.
func whole(v float64) (n int64, ok bool) {
	if math.IsNaN(v) || v < 0 || v >= 1<<62 {
		return 0, false
	}
	return int64(math.Round(v)), true
}
