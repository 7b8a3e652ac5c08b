package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/answer"
	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/results"
	"gelibench/results/format"
	"gelibench/results/units"
	"gelibench/zerodev"
)

func onetimeVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "onetime",
		Category:  wantMeasure,
		Usage:     "stream a onetime device through its cipher, timed like dd",
		ArgsUsage: "[gzero | FILE | DISK]",
		Flags:     slices.Concat(cipherFlags(), requestFlags(), []cli.Flag{mixFlag()}, engineFlags(), sureFlags(), outputFlags(), []cli.Flag{likeFlag()}),
		Description: `
The provider is gzero, which needs no disk, or a file or disk, which is only
ever read; the figure then includes the storage. Lists multiply: every
combination is one case. One case prints dd's three lines, more print a table,
and a verdict where both AES-XTS and AES-CBC are among them.

Without an argument it tells what most people want to know, in 15 seconds: both
modes, both directions, sectors of 512 and 4096, one and all workers.

examples
  gelibench onetime
  gelibench onetime gzero
  gelibench onetime -s 4096 -l 256 -e aes-cbc --count 1024 gzero
  gelibench onetime -e aes-xts,aes-cbc -s 512,4k --op both --workers 1,2 gzero
  gelibench onetime -e null --op write gzero      # the floor: a copy
  gelibench onetime -e aes-cbc -a hmac/sha256 -s 4096 --op write gzero

Cases are measured in rounds, in random order, until the median of each is
known to 1 % or the time is up. With --count there is one sample, as dd takes
it.

Control-C ends with the sample under way and prints what is finished, twice it
ends at the next request; SIGUSR1 (on BSD and macOS also control-T) prints one
line of status.
`,
		Action: func(c *cli.Context) error { return onetime(c, env) },
	}
}

func onetime(c *cli.Context, env Env) error {
	out, err := readOutput(c)
	if err != nil {
		return err
	}
	mix, err := flag(c, "mix", answer.DefaultMix, parseMix)
	if err != nil {
		return err
	}
	if c.NArg() == 0 && !anySet(c, cipherFlags(), requestFlags(), engineFlags()) {
		return onetimeDefault(c, env, out, mix)
	}
	b, cases, done, err := onetimeBench(c, env)
	if err != nil {
		return err
	}
	defer done()
	b.askVerdict(mix)
	if c.IsSet("mix") && !b.weighs() {
		return usage("-e aes-xts,aes-cbc --op both", "--mix weighs reading and writing in a verdict between aes-xts and aes-cbc, and there will be none")
	}
	return conduct(env, b, cases, out, c.Bool("strict"))
}

// onetimeDefault is onetime without an argument: what most people want to know
// of a machine, in a quarter of a minute.
func onetimeDefault(c *cli.Context, env Env, out output, mix answer.Mix) error {
	p, err := readPlan(c)
	if err != nil {
		return err
	}
	p.Algs = []engine.Alg{engine.AESXTS, engine.AESCBC}
	p.SectorBytes = []int64{512, 4096}
	p.Ops = []plan.Op{plan.Read, plan.Write}
	batch := p
	batch.Paths = []geli.Path{geli.PathBatch} // beside it, of one worker
	if n := env.Host().CPUs; n > 1 {
		p.Workers = append(p.Workers, min(n, plan.MaxWorkers))
	}
	return ask(env, out, c.Bool("strict"), provider.Zero(zerodev.Options{}), []plan.Plan{p, batch}, func(b *bench) {
		b.screen = true
		b.askVerdict(mix)
	})
}

// anySet says whether a flag of these was given.
func anySet(c *cli.Context, groups ...[]cli.Flag) bool {
	for _, flags := range groups {
		for _, f := range flags {
			if c.IsSet(f.Names()[0]) {
				return true
			}
		}
	}
	return false
}

// onetimeBench makes the cases of onetime's flags and operand, and their
// devices.
func onetimeBench(c *cli.Context, env Env) (b *bench, cases []plan.Case, done func(), err error) {
	// READ the command line.
	p, err := readPlan(c)
	if err != nil {
		return nil, nil, nil, err
	}
	if p.Algs, p.AAlg, err = integrity(c, env, p.Algs); err != nil {
		return nil, nil, nil, err
	}
	under, err := openProvider(c)
	if err != nil {
		return nil, nil, nil, err
	}
	p.Provider = providerOf(under)

	// PLAN the cases, and MAKE the devices.
	if cases, err = p.Cases(env.Engines); err != nil {
		err = fromPlan(err)
	} else {
		b, err = newBench(env, under, p, cases, onetimeDevices(under))
	}
	if err != nil {
		under.Close()
		return nil, nil, nil, err
	}
	return b, cases, func() { b.close(); under.Close() }, nil
}

// providerOf is what a plan needs to know of a provider.
func providerOf(under *provider.Provider) plan.Provider {
	return plan.Provider{
		Name: under.Name(), Bytes: under.Size(), SectorBytes: under.SectorSize(),
		ReadOnly: !under.Zero,
	}
}

// conduct is the second half of a verb that measures: it checks the engines,
// measures, and prints.
func conduct(env Env, b *bench, cases []plan.Case, out output, strict bool) error {
	// CHECK what will be timed.
	if err := b.selfTest(); err != nil {
		return err
	}
	notes := b.notes()
	// dd's three lines do not even say what they are about.
	switch {
	case out.names(len(cases)) && (len(cases) == 1 || out.machine()):
	case len(cases) == 1:
		say(env, format.Heading(results.Series{Case: b.record(b.jobs[0])}))
	default:
		say(env, b.announcement())
	}
	if !out.notes(len(cases)) {
		for _, n := range notes {
			say(env, "note: "+strings.TrimSuffix(n.Text+"; "+n.Advice, "; "))
		}
	}

	// MEASURE, and PRINT whatever was measured.
	ctx, stop, done := b.watch(context.Background())
	defer done()
	run, runErr := b.run(ctx, stop)
	run.Command, run.Notes = env.command, append(run.Notes, notes...)
	if runErr != nil && !run.Interrupted {
		// A late failure takes nothing from the cases before it.
		if len(run.Series[0].Samples) == 0 {
			return runErr
		}
		run.Notes = append(run.Notes, results.Note{Kind: "failed", Text: fmt.Sprintf("ended by a failure: %v", runErr), Advice: "the cases without figures were not measured"})
	}
	if b.answer != nil {
		run.Answers = b.answer(run)
	}
	out.fit(env, len(cases), b.screen)
	if err := out.deliver(env, run, len(cases), b.screen); err != nil {
		return err
	}
	for _, line := range sureness(run) {
		say(env, line)
	}
	switch {
	case run.Interrupted:
		return errInterrupted
	case runErr != nil:
		return runErr
	case strict && run.Grade == results.Unreliable:
		return unreliable(run)
	}
	return nil
}

// unreliable says why a run is not to be relied on.
func unreliable(run results.Run) error {
	var why []string
	for _, f := range run.Findings {
		if f.Grade == results.Unreliable {
			why = append(why, f.Name+": "+f.Text)
		}
	}
	bad := 0
	for _, s := range run.Series {
		if s.Grade == results.Unreliable {
			bad++
		}
	}
	if bad > 0 {
		why = append(why, fmt.Sprintf("%d of %s unreliable by themselves", bad, units.Count(len(run.Series), "case")))
	}
	return &failure{exitUnreliable, fmt.Errorf("the figures are unreliable: %s", strings.Join(why, "; ")), "gelibench doctor says what is in the way"}
}

// onetimeDevices makes the devices of cases under keys of their own.
func onetimeDevices(under geli.Provider) openFunc {
	return func(c plan.Case, o geli.Options) (*geli.Device, error) {
		o.Alg, o.KeyBits, o.SectorSize, o.AAlg = c.Params.Alg, c.Params.KeyBits, c.SectorBytes, c.AAlg
		return geli.Onetime(under, o)
	}
}

// integrity reads -a. As geli(8) does, it takes a cipher's name there as -e,
// with a warning.
func integrity(c *cli.Context, env Env, algs []engine.Alg) ([]engine.Alg, geli.AAlg, error) {
	if !c.IsSet("a") {
		return algs, 0, nil
	}
	name := c.String("a")
	if alg, err := engine.ParseAlg(name); err == nil && !c.IsSet("e") {
		fmt.Fprintf(env.Stderr, "warning: -a %s is geli's old way to write -e %s\n", name, name)
		return []engine.Alg{alg}, 0, nil
	}
	aalg, err := geli.ParseAAlg(name)
	if err != nil {
		return nil, 0, in("-a", asUsage(err))
	}
	return algs, aalg, nil
}

// openProvider opens the one operand.
func openProvider(c *cli.Context) (*provider.Provider, error) {
	if c.NArg() == 0 {
		return nil, usage(exampleOperand, "which provider?")
	}
	return openOperand(c)
}

const exampleOperand = "gelibench onetime gzero"

// openOperand opens the operand, or gzero if there is none.
func openOperand(c *cli.Context) (*provider.Provider, error) {
	if c.NArg() > 1 {
		hint := "for example: " + exampleOperand
		for _, operand := range c.Args().Slice() {
			if name, value, ok := strings.Cut(operand, "="); ok {
				hint = fmt.Sprintf("dd's operands are flags here: --%s %s", name, value)
			}
		}
		return nil, usage(hint, "one provider, not %d: %s", c.NArg(), strings.Join(c.Args().Slice(), " "))
	}
	name := c.Args().First()
	if c.NArg() == 0 {
		name = provider.ZeroName
	}
	fill, err := flag(c, "byte", 0, parseByte)
	if err != nil {
		return nil, err
	}
	clear := c.Bool("clear")
	if c.IsSet("byte") && !clear {
		return nil, usage("--clear --byte N", "--byte is what gzero fills with, and without --clear it does not fill")
	}
	if name == provider.ZeroName {
		return provider.Zero(zerodev.Options{Clear: clear, Byte: fill}), nil
	}
	if clear {
		return nil, usage("--clear is kern.geom.zero.clear", "--clear is about gzero, not about %s", name)
	}
	return openNamed(name)
}

// openNamed opens a file or disk.
func openNamed(name string) (*provider.Provider, error) {
	p, err := provider.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint := "the provider is gzero, or a file or disk to read"
		if n := nearest(filepath.Base(name), []string{provider.ZeroName}); n != "" {
			hint = fmt.Sprintf("did you mean %s?", n)
		}
		return nil, usage(hint, "there is no provider %s", name)
	case errors.Is(err, fs.ErrInvalid):
		return nil, asUsage(err)
	}
	return p, err
}

// parseByte reads kern.geom.zero.byte, of which the kernel uses the low 8 bits.
func parseByte(text string) (byte, error) {
	n, err := parseNumber(text)
	if err == nil && n > 255 {
		err = usage("0 to 255", "%s is no byte", text)
	}
	return byte(n), err
}

// fromPlan gives a plan's error its exit code.
func fromPlan(err error) error {
	var bad *plan.Error
	if !errors.As(err, &bad) {
		return err
	}
	code := exitUsage
	if errors.Is(err, engine.ErrUnavailable) {
		code = exitUnavailable
	}
	return &failure{code, err, bad.Hint}
}
