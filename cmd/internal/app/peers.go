package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/peer"
	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/results/stats"
	"gelibench/zerodev"
)

func peersVerb(env Env) *cli.Command {
	const groupTools = "tools"
	return &cli.Command{
		Name:     "peers",
		Category: wantAnswers,
		Usage:    "how do openssl, cryptsetup, botan and others do here?",
		Flags: reworded(slices.Concat(
			[]cli.Flag{text("tool", groupTools, "`LIST` "+strings.Join(peer.Names(), ", ")+".\nDefault: all that are in PATH")},
			only(cipherFlags(), "e", "l", "s"), only(requestFlags(), "time", "op"), only(engineFlags(), "engine"),
			sureFlags(), outputFlags()), "the table of tools", map[string]string{
			"e": bothCiphers, "l": "`LIST` key length in bits; one half of the key for aes-xts.\nDefault: 128 and 256",
			"s": toTheSector + "512 and 4096", "op": "`LIST` read (decrypts), write (encrypts), both (default)",
			"time": "`TIME` for each case of each tool: 300ms, 3s",
		}),
		Description: `
Runs the tools that are installed here on the same cases as gelibench, in the
same rounds, in less than a minute, or in --budget, or with --time for each case
of each tool. By default that is AES-XTS and AES-CBC, keys of 128 and 256 bits,
sectors of 512 and 4096 bytes, both directions; a tool that has another block
size only is measured with that, and so is gelibench.

What makes an IV for each sector stands apart from what doesn't: openssl speed
and gnutls-cli set one once, botan and cryptsetup are given one. A tool that
can't be told how long to run is run once, if that is a third of the time or
less: gnutls-cli with --budget 6m. What is not installed is listed with the
reason. On FreeBSD, root has GELI itself measured with dd, if there is a gzero.

Only these tools are run, as PATH finds them, with fixed arguments.

examples
  gelibench peers
  gelibench peers --tool openssl -e aes-xts -s 4096 --budget 20s
  gelibench peers --json
`,
		Action: func(c *cli.Context) error { return peers(c, env) },
	}
}

// peersBudget is the time that all of it takes.
const peersBudget = 54 * time.Second

// onceShare is the part of the time that a tool that is run once may take: one
// in so many.
const onceShare = 3

func peers(c *cli.Context, env Env) error {
	// READ the command line.
	if err := noOperands(c); err != nil {
		return err
	}
	p, out, err := readPeers(c)
	if err != nil {
		return err
	}
	tools, err := readTools(c)
	if err != nil {
		return err
	}
	under := provider.Zero(zerodev.Options{})
	defer under.Close()
	p.Provider = providerOf(under)
	cases, err := p.Cases(env.Engines)
	if err != nil {
		return fromPlan(err)
	}

	// FIND the tools, and run those that are run once.
	v := &visitors{env: env, budget: p.RunBudget(len(cases))}
	if err := v.find(tools, cellsOf(cases)); err != nil {
		return err
	}

	// PLAN our cases in their sizes, too, and make samplers of theirs.
	for _, unit := range v.units() {
		q := p
		q.SectorBytes = []int64{int64(unit)}
		if p.FitRequests {
			q.RequestBytes = []int64{max(1<<20, int64(unit))}
		}
		more, err := q.Cases(env.Engines)
		if err != nil {
			return fromPlan(err)
		}
		cases = append(cases, slices.DeleteFunc(more, func(x plan.Case) bool { return !v.wants(cellOf(x)) })...)
	}
	p.Budget, p.Time = v.left(p, len(cases)), 0
	v.enter(p.Budget, len(cases))

	return askCases(env, out, c.Bool("strict"), under, p, cases, func(b *bench) {
		b.question = question{
			screen:      true,
			comparisons: len(v.entries),
			group:       func(c results.Case) string { return fmt.Sprint(c.Alg, c.KeyBits, c.SectorBytes) },
			answer:      oneAnswer(func(run results.Run) results.Answer { return peer.Answer(run, v.outcomes) }),
		}
		for _, e := range v.entries {
			b.guests.entries = append(b.guests.entries, guest{
				Entry: measure.Entry{Case: e.Case, Sampler: e, Group: b.group(e.Case)},
				text:  fmt.Sprintf("%s %s-%d %s %d", e.Case.Engine, e.Case.Alg, e.Case.KeyBits, e.Case.Op, e.Case.SectorBytes),
			})
		}
		b.guests.cpu, b.guests.complete = v.cpu, v.complete
	})
}

// readPeers reads the flags but --tool.
func readPeers(c *cli.Context) (p plan.Plan, out output, err error) {
	if out, err = readOutput(c); err != nil {
		return p, out, err
	}
	if p, err = readPlan(c); err != nil {
		return p, out, err
	}
	if !c.IsSet("e") {
		p.Algs = []engine.Alg{engine.AESXTS, engine.AESCBC}
	}
	for _, a := range p.Algs {
		if a != engine.AESXTS && a != engine.AESCBC {
			return p, out, usage("aes-xts and aes-cbc", "-e %v: the other tools are run with AES only", a)
		}
	}
	if !c.IsSet("l") {
		p.KeyBits = []int{128, 256}
	}
	if !c.IsSet("s") {
		p.SectorBytes = []int64{512, 4096}
	}
	if !c.IsSet("op") {
		p.Ops = []plan.Op{plan.Read, plan.Write}
	}
	p.Paths = []geli.Path{geli.PathGELI, geli.PathBatch}
	if p.Budget == 0 && p.Time == 0 && p.Samples == 0 {
		p.Budget = peersBudget
	}
	return p, out, nil
}

// readTools reads --tool.
func readTools(c *cli.Context) ([]peer.Tool, error) {
	all := peer.All()
	if !c.IsSet("tool") {
		return all, nil
	}
	return flag(c, "tool", nil, func(text string) ([]peer.Tool, error) {
		var seen []string
		return parseList(text, func(name string) (peer.Tool, error) {
			if slices.Contains(seen, name) {
				return peer.Tool{}, usage("", "%s comes up twice in %q", name, text)
			}
			seen = append(seen, name)
			at := slices.IndexFunc(all, func(t peer.Tool) bool { return t.Name == name })
			if at < 0 {
				return peer.Tool{}, usage(strings.Join(peer.Names(), ", "), "no tool %q is known", name)
			}
			return all[at], nil
		})
	})
}

func cellOf(c plan.Case) peer.Cell {
	return peer.Cell{Alg: c.Params.Alg.String(), KeyBits: c.Params.KeyBits, UnitBytes: c.SectorBytes, Op: string(c.Op)}
}

// cellsOf are the cells of cases, each once.
func cellsOf(cases []plan.Case) []peer.Cell {
	var cells []peer.Cell
	for _, c := range cases {
		if x := cellOf(c); !slices.Contains(cells, x) {
			cells = append(cells, x)
		}
	}
	return cells
}

// visitors are the tools that take part.
type visitors struct {
	env      Env
	budget   time.Duration // for everything; 0: no bound
	spent    time.Duration // before the rounds
	outcomes []peer.Outcome
	inRounds []visitor
	entries  []*peer.Entry
	programs []*peer.Program
	once     []results.Series // of our cases
	apart    []results.Series // of others
	wish     []peer.Cell
}

// visitor is a tool with what it can measure.
type visitor struct {
	*peer.Program
	cells []peer.Cell
}

// find looks for the tools, tries those that are measured in rounds, and runs
// the others.
func (v *visitors) find(tools []peer.Tool, wish []peer.Cell) error {
	v.wish = wish
	begin := v.env.Clock.Now()
	defer func() { v.spent = v.env.Clock.Now() - begin }()
	ctx, done := v.untilInterrupt()
	defer done()
	m := peer.System()
	for _, t := range tools {
		o := peer.Outcome{Tool: t, Label: t.Name}
		p, err := m.Find(ctx, t)
		if err == nil {
			o.Label = p.Label()
			v.programs = append(v.programs, p)
			err = v.admit(ctx, p)
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			o.Why = err.Error()
		}
		v.outcomes = append(v.outcomes, o)
	}
	return nil
}

// trySample is the length of a sample that shows whether a tool works at all.
const trySample = 20 * time.Millisecond

// admit takes a tool in. The error says why it is not measured.
func (v *visitors) admit(ctx context.Context, p *peer.Program) error {
	cells := p.Cells(v.wish)
	if p.Lasts == 0 {
		if len(cells) == 0 {
			return fmt.Errorf("it has none of the cases")
		}
		// TRY it, so that a tool that can't work costs no time in the rounds.
		try := p.Entries(cells[:1], trySample)[0]
		if _, err := try.Sample(ctx, measure.Want{}); err != nil {
			return err
		}
		if err := try.Fault(); err != nil {
			return err
		}
		v.inRounds = append(v.inRounds, visitor{p, cells})
		return nil
	}
	if v.budget > 0 && p.Lasts > v.budget/onceShare {
		return fmt.Errorf("it takes about %v and can't be bounded: --budget %v", p.Lasts, onceShare*p.Lasts)
	}
	fmt.Fprintf(v.env.Stderr, "%s: one run of about %v\n", p.Label(), p.Lasts)
	of, apart, err := p.RunOnce(ctx, cells)
	v.once, v.apart = append(v.once, of...), append(v.apart, apart...)
	return err
}

// untilInterrupt is a context that the first interrupt ends.
func (v *visitors) untilInterrupt() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, restore := v.env.Signals()
	go func() {
		select {
		case <-signals.Interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { restore(); cancel() }
}

// wants says whether a tool measures a cell.
func (v *visitors) wants(c peer.Cell) bool {
	for _, p := range v.inRounds {
		if slices.Contains(p.cells, c) {
			return true
		}
	}
	return slices.ContainsFunc(v.once, func(s results.Series) bool {
		return s.Case.Alg == c.Alg && s.Case.KeyBits == c.KeyBits && s.Case.SectorBytes == c.UnitBytes && s.Case.Op == c.Op
	})
}

// units are the sizes that tools have in place of those asked for.
func (v *visitors) units() []int {
	var units []int
	for _, p := range v.programs {
		n := p.UnitBytes
		asked := slices.ContainsFunc(v.wish, func(c peer.Cell) bool { return c.UnitBytes == n })
		if n > 0 && !asked && !slices.Contains(units, n) && slices.ContainsFunc(p.Cells(v.wish), v.wants) {
			units = append(units, n)
		}
	}
	return units
}

// left is the time for the rounds.
func (v *visitors) left(p plan.Plan, ours int) time.Duration {
	n := ours
	for _, x := range v.inRounds {
		n += len(x.cells)
	}
	budget := p.RunBudget(n)
	if budget == 0 || p.Time > 0 {
		return budget
	}
	return max(budget-v.spent, time.Second)
}

// Of a sample of a tool.
const (
	toolStart      = 30 * time.Millisecond
	oursTakes      = 50 * time.Millisecond
	shortestSample = 50 * time.Millisecond
	longestSample  = 300 * time.Millisecond
)

// enter makes the samplers, for samples as long as the time allows.
func (v *visitors) enter(budget time.Duration, ours int) {
	cells := 0
	for _, p := range v.inRounds {
		cells += len(p.cells)
	}
	sample := longestSample
	if budget > 0 && cells > 0 {
		rounds := stats.RoundsFor(cells) + 2 // the warm-up, and one that is spoiled
		sample = (budget/time.Duration(rounds)-time.Duration(ours)*oursTakes)/time.Duration(cells) - toolStart
		sample = max(shortestSample, min(longestSample, sample))
	}
	for _, p := range v.inRounds {
		v.entries = append(v.entries, p.Entries(p.cells, sample)...)
	}
}

// cpu is what the processes of the tools took.
func (v *visitors) cpu() time.Duration {
	var sum time.Duration
	for _, p := range v.programs {
		sum += p.CPU
	}
	return sum
}

// complete puts into a run what the tools say beside their samples.
func (v *visitors) complete(run *results.Run) {
	for _, e := range v.entries {
		for i := range run.Series {
			if run.Series[i].Case == e.Case {
				e.Finish(&run.Series[i])
			}
		}
	}
	run.Series = append(append(run.Series, v.once...), v.apart...)
	if caps := v.env.Getenv("OPENSSL_ia32cap"); caps != "" {
		run.Notes = append(run.Notes, results.Note{Kind: "openssl-ia32cap", Text: "OPENSSL_ia32cap=" + caps + " is set: openssl and gocryptfs do not use what it takes away"})
	}
	run.Grade = results.WorstOf(run.Findings)
	for _, s := range run.Series {
		run.Grade = results.Worst(run.Grade, s.Grade)
	}
}
