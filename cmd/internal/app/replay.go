package app

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/results"
	importer "gelibench/results/report"
	"gelibench/results/textgrid"
	"gelibench/zerodev"
)

func replayVerb(env Env) *cli.Command {
	const groupShort = "how long"
	return &cli.Command{
		Name:      "replay",
		Category:  wantResults,
		Usage:     "run here what a report ran there, and show both",
		ArgsUsage: "[FILE ...]",
		Flags: reworded(slices.Concat([]cli.Flag{
			text("scale", groupShort, "`SHARE` of the full time, which is 3s a case, or 60s shared\nby more than 20: 1/16, 10%"),
		}, only(engineFlags(), "engine"), sureFlags(), outputFlags()), "theirs and ours", nil),
		Description: `
Takes the cases of a report: the figures that are in it, the commands, with or
without a figure behind them (geli onetime and dd, openssl speed, cryptsetup
benchmark), and what geli list describes. The same ciphers, key lengths, sectors
and directions are measured here, in rounds, and both are shown. Nothing of a
file is ever executed.

What went through GELI is run as the kernel does it (path geli). Libraries and
other tools keep their keys, so path batch is run beside it. A block that a
library was called with becomes a sector; blocks that are no sector of gzero,
which has 512 bytes, are listed, and so are ciphers that GELI doesn't have.

Without a FILE, or for -, standard input is read.

examples
  gelibench replay mail.txt --scale 1/16
  gelibench replay --format table recipe.txt
`,
		Action: func(c *cli.Context) error { return replay(c, env) },
	}
}

// The full time of a replay.
const (
	replayCaseTime = 3 * time.Second
	replayTime     = 60 * time.Second
	replayLeast    = 200 * time.Millisecond // for a case, however short the scale
)

func replay(c *cli.Context, env Env) error {
	// READ the command line.
	p, err := readPlan(c)
	if err != nil {
		return err
	}
	scale, err := flag(c, "scale", 1, parseScale)
	if err != nil {
		return err
	}
	if c.IsSet("scale") && c.IsSet("budget") {
		return usage("", "--scale and --budget exclude each other")
	}
	out, err := readOutput(c)
	if err != nil {
		return err
	}
	files := c.Args().Slice()
	if len(files) == 0 {
		if fromTerminal(env) {
			return usage("gelibench replay FILE", "which file?")
		}
		files = []string{"-"}
	}

	// READ the reports, and COLLECT the cases.
	r := &replayed{}
	for _, file := range files {
		rep, err := readReport(env, file)
		if rep != nil {
			warnOf(env, rep)
		}
		if err != nil && (rep == nil || len(rep.Recipes)+len(rep.Providers) == 0) {
			return err
		}
		r.add(where(rep.Name), rep)
	}
	p.FitRequests = false // they are those of the report
	under := provider.Zero(zerodev.Options{Clear: r.clear()})
	p.Provider = providerOf(under)
	cases, err := r.cases(p, env)
	if err != nil {
		under.Close()
		return err
	}
	defer under.Close()
	if len(cases) == 0 {
		for _, s := range r.skippedLines(0) {
			fmt.Fprintln(env.Stderr, s)
		}
		return &failure{exitFailed, fmt.Errorf("%s: nothing in it can be run here", strings.Join(files, ", ")), "gelibench show lists what is in it"}
	}

	// MEASURE, and SHOW both.
	if !c.IsSet("budget") && p.Samples == 0 {
		n := time.Duration(len(cases))
		p.Budget = max(time.Duration(scale*float64(min(n*replayCaseTime, replayTime))), n*replayLeast)
	}
	out.show = func(w io.Writer, run results.Run) error { return r.screen(w, run, screenWidth(env), tableWidth(env)) }
	if out.format.Name != "" {
		// Beside what a format holds, nobody would learn what was left out.
		for _, s := range r.skippedLines(0) {
			fmt.Fprintln(env.Stderr, s)
		}
	}
	return askCases(env, out, c.Bool("strict"), under, p, cases, func(b *bench) {})
}

// parseScale reads a share of up to all: 1/16, 10%, 0.5 or 1.
func parseScale(text string) (float64, error) {
	if above, below, ok := strings.Cut(text, "/"); ok {
		a, err1 := strconv.ParseUint(above, 10, 31)
		b, err2 := strconv.ParseUint(below, 10, 31)
		if err1 == nil && err2 == nil && a > 0 && a <= b {
			return float64(a) / float64(b), nil
		}
	} else if text == "1" || text == "100%" {
		return 1, nil
	} else if v, err := parseShare(text); err == nil {
		return v, nil
	}
	return 0, usage("for example 1/16 or 10%", "%q is no share of up to 1", text)
}

// wanted is a case of a report, to be run here.
type wanted struct {
	name            string // as in the report
	alg, auth       string
	bits            int
	sector, request int64
	ops             []plan.Op
	workers         int
	geli            bool // it went through GELI
}

// replayed are reports, and what of them is run here.
type replayed struct {
	operands []named
	wanted   []wanted
	skipped  []skipped
	clears   []bool
}

// named is the figures of a report.
type named struct {
	name    string
	figures []importer.Result
}

// skipped is what can't be run here. Of blocks that are too small or odd, bytes
// says how large they are.
type skipped struct {
	what, why string
	bytes     int64
}

// add takes the cases of a report.
func (r *replayed) add(name string, rep *importer.Report) {
	r.operands = append(r.operands, named{name, rep.Results})
	for _, x := range rep.Results {
		if x.HasRate() && (x.Kind == importer.Cipher || x.Kind == importer.Disk && x.Cipher != "") {
			r.want(x)
		}
	}
	for _, x := range rep.Recipes {
		r.want(x.Result())
	}
	// What geli list describes is read.
	for _, x := range rep.Providers {
		if x.Cipher != "" {
			r.want(importer.Result{Line: x.Line, Kind: importer.Cipher, Tool: "dd", Cipher: x.Cipher, Mode: x.Mode, KeyBits: x.KeyBits, Auth: x.Auth, Sector: x.Sector, Direction: importer.Reading})
		}
	}
}

// zeroSector is the sector of gzero.
const zeroSector = 512

// unstatedSector is taken where a text doesn't state the sector: that of most
// disks of today.
const unstatedSector = 4096

// unstatedRequest is the size of requests where no dd states it: MAXPHYS, into
// which the kernel cut them for decades.
const unstatedRequest = 128 << 10

func (r *replayed) want(x importer.Result) {
	what := replayName(x)
	skip := func(format string, args ...any) { r.skip(skipped{what: what, why: fmt.Sprintf(format, args...)}) }
	w := wanted{name: what, alg: x.Alg(), auth: x.Auth, bits: geliBits(x), workers: max(1, x.Threads), geli: x.Sector > 0 && x.Tool == "dd"}
	if x.Clear != nil {
		r.clears = append(r.clears, *x.Clear)
	}
	if w.alg == "" {
		skip("the cipher and its mode are not stated")
		return
	}
	if _, err := engine.ParseAlg(w.alg); err != nil {
		skip("GELI does not have this cipher")
		return
	}
	w.sector = x.UnitBytes()
	switch {
	case w.sector == 0:
		w.sector = unstatedSector
	case w.sector%zeroSector != 0:
		r.skip(skipped{what, "gzero has sectors of 512 bytes, and not of", w.sector})
		return
	}
	w.request = max(unstatedRequest, w.sector)
	if x.Tool == "dd" && x.BlockBytes > 0 && x.BlockBytes%w.sector == 0 && x.BlockBytes <= plan.MaxRequestBytes {
		w.request = x.BlockBytes
	} else if w.request%w.sector != 0 {
		w.request = (w.request/w.sector + 1) * w.sector
	}
	switch x.Direction {
	case importer.Encrypt, importer.Writing:
		w.ops = []plan.Op{plan.Write}
	case importer.Both:
		w.ops = []plan.Op{plan.Read, plan.Write}
	default:
		w.ops = []plan.Op{plan.Read}
	}
	if w.workers > plan.MaxWorkers {
		skip("%d threads are more than %d workers", w.workers, plan.MaxWorkers)
		return
	}
	for _, have := range r.wanted {
		if have.same(w) {
			return
		}
	}
	r.wanted = append(r.wanted, w)
}

func (w wanted) same(o wanted) bool {
	return w.alg == o.alg && w.auth == o.auth && w.bits == o.bits && w.sector == o.sector && w.request == o.request && slices.Equal(w.ops, o.ops) && w.workers == o.workers && w.geli == o.geli
}

// geliBits is the key length as GELI counts it: of 3DES, with the bits that
// don't count.
func geliBits(x importer.Result) int {
	if x.Cipher == "3DES" && x.KeyBits == 168 {
		return 192
	}
	return x.KeyBits
}

// replayName names a case of a report in a few words.
func replayName(x importer.Result) string {
	name := x.Alg()
	if name == "" {
		name = strings.ToLower(x.Name)
	}
	if x.KeyBits > 0 {
		name += "-" + strconv.Itoa(x.KeyBits)
	}
	if x.Auth != "" {
		name += " " + strings.ToLower(x.Auth)
	}
	if x.Direction != "" {
		name += " " + string(x.Direction)
	}
	return name
}

// clear says whether gzero is to fill what is read: if the text says so, and
// nowhere that it doesn't.
func (r *replayed) clear() bool { return len(r.clears) > 0 && !slices.Contains(r.clears, false) }

// cases makes the cases. What can't be run is put down with the reason.
func (r *replayed) cases(p plan.Plan, env Env) ([]plan.Case, error) {
	var cases []plan.Case
	seen := map[string]bool{}
	for _, w := range r.wanted {
		q := p
		alg, err := engine.ParseAlg(w.alg)
		if err == nil && w.auth != "" {
			q.AAlg, err = geli.ParseAAlg(w.auth)
		}
		if err != nil {
			r.skip(skipped{what: w.name, why: trimInvalid(err).Error()})
			continue
		}
		q.Algs, q.KeyBits, q.SectorBytes, q.RequestBytes, q.Ops, q.Workers = []engine.Alg{alg}, []int{w.bits}, []int64{w.sector}, []int64{w.request}, w.ops, []int{w.workers}
		q.Paths = []geli.Path{geli.PathGELI, geli.PathBatch}
		if w.geli {
			q.Paths = q.Paths[:1]
		}
		more, err := q.Cases(env.Engines)
		if err != nil {
			r.skip(skipped{what: w.name, why: trimInvalid(err).Error()})
			continue
		}
		for _, c := range more {
			if !seen[c.String()] {
				seen[c.String()] = true
				cases = append(cases, c)
			}
		}
	}
	if len(cases) > plan.MaxCases {
		return nil, usage("fewer files at once", "the reports make more than %d cases", plan.MaxCases)
	}
	return cases, nil
}

// skip puts down what can't be run, once.
func (r *replayed) skip(s skipped) {
	if !slices.Contains(r.skipped, s) {
		r.skipped = append(r.skipped, s)
	}
}

// skippedLines list what can't be run here; reasons that many share are said
// once.
func (r *replayed) skippedLines(width int) []string {
	var order []string
	by, bytes := map[string][]string{}, map[string][]int64{}
	for _, s := range r.skipped {
		if s.bytes > 0 && !slices.Contains(bytes[s.why], s.bytes) {
			bytes[s.why] = append(bytes[s.why], s.bytes)
		}
		if by[s.why] == nil {
			order = append(order, s.why)
		}
		if !slices.Contains(by[s.why], s.what) {
			by[s.why] = append(by[s.why], s.what)
		}
	}
	var lines []string
	for _, why := range order {
		line := "not run: " + strings.Join(by[why], ", ") + ": " + why
		for i, n := range slices.Sorted(slices.Values(bytes[why])) {
			sep := ", "
			if i == 0 {
				sep = " "
			}
			line += sep + strconv.FormatInt(n, 10)
		}
		lines = append(lines, textgrid.Wrap(line, width, "   ")...)
	}
	return lines
}
