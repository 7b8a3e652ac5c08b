package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/answer"
	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/results/units"
	"gelibench/zerodev"
)

func headroomVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:     "headroom",
		Category: wantAnswers,
		Usage:    "will the CPU or the disk be the limit?",
		Flags: reworded(slices.Concat([]cli.Flag{
			text("disk-read", groupDisk, "`RATE` at which the disk reads: 550M, 3.2G"),
			text("disk-write", groupDisk, "`RATE` at which it writes"),
			text("disk", groupDisk, "`PATH` of a file or disk to measure, which is only read"),
		}, only(cipherFlags(), "e", "l", "s"), only(requestFlags(), "bs", "workers"),
			only(engineFlags(), "engine"), sureFlags(), outputFlags()), "the answer", map[string]string{
			"s": toTheSector + "4096", "bs": oneRequest, "workers": "`LIST` concurrent workers: 1,2,8 or 1-8.\nDefault: one for each CPU",
		}),
		Description: `
Runs at the disk's rate, and as fast as it can beside it, in 20 seconds, or in
--budget, and says what share of the CPUs the disk's rate takes, how many cores
that is, and whether the CPU or the disk is the limit. Two bounds enclose what
to expect: disk and cipher at work at once, or one after the other. All CPUs
work unless --workers says otherwise, on sectors of 4096 bytes.

--disk reads through the system's cache, which may be faster than the disk.

examples
  gelibench headroom --disk-read 550M --disk-write 520M
  gelibench headroom --disk-read 3.2G -e aes-xts,aes-cbc -l 256
`,
		Action: func(c *cli.Context) error { return headroom(c, env) },
	}
}

const groupDisk = "disk"

func headroom(c *cli.Context, env Env) error {
	// READ the command line.
	if err := noOperands(c); err != nil {
		return err
	}
	p, err := readInquiry(c)
	if err != nil {
		return err
	}
	var d answer.Disk
	if d.Read, err = flag(c, "disk-read", 0, parseRate); err != nil {
		return err
	}
	if d.Write, err = flag(c, "disk-write", 0, parseRate); err != nil {
		return err
	}
	path := c.String("disk")
	switch {
	case path != "" && d.Read > 0:
		return usage("", "--disk measures what --disk-read states: one of them")
	case path == "" && d.Read == 0 && d.Write == 0:
		return usage("gelibench headroom --disk-read 550M --disk-write 520M, or --disk PATH", "how fast is the disk?")
	}
	out, err := readOutput(c)
	if err != nil {
		return err
	}
	if !c.IsSet("s") {
		p.SectorBytes = []int64{answerSector}
	}
	if !c.IsSet("workers") {
		p.Workers = []int{max(1, min(env.Host().CPUs, plan.MaxWorkers))}
	}

	// MEASURE the disk, if there is one.
	if path != "" {
		took := p.Budget / diskShare
		if took == 0 {
			took = inquiryBudget / diskShare
		}
		if d.Read, err = readDisk(env, path, p.Workers[0], took); err != nil {
			return err
		}
		if d.Measured = path; p.Budget > 0 {
			p.Budget -= took
		}
		fmt.Fprintf(env.Stderr, "%s reads at %s, the system's cache included\n", path, units.Rate(d.Read))
	}

	// MEASURE the cipher at its rate, and at its own.
	var plans []plan.Plan
	for _, o := range []struct {
		op   plan.Op
		rate float64
	}{{plan.Read, d.Read}, {plan.Write, d.Write}} {
		if o.rate == 0 {
			continue
		}
		p.Ops = []plan.Op{o.op}
		for _, rate := range []float64{o.rate, 0} {
			p.BytesPerSecond = rate
			plans = append(plans, p)
		}
	}
	return ask(env, out, c.Bool("strict"), provider.Zero(zerodev.Options{}), plans, func(b *bench) {
		b.question = question{screen: true, answer: oneAnswer(func(run results.Run) results.Answer { return answer.Headroom(run, d) })}
	})
}

// diskShare is the part of the time that measuring the disk takes: one in so
// many.
const diskShare = 5

// readDisk measures how fast a file or disk is read, in bytes a second.
func readDisk(env Env, path string, workers int, took time.Duration) (float64, error) {
	if path == provider.ZeroName {
		return 0, usage("a file or disk, or its rate: --disk-read 550M", "--disk %s: that is no disk", path)
	}
	p, err := provider.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, usage("a file or disk, or its rate: --disk-read 550M", "--disk: there is no %s", path)
	case err != nil:
		return 0, in("--disk", asUsage(err))
	}
	defer p.Close()
	targets := make([]measure.Target, workers)
	for i := range targets {
		targets[i] = p
	}
	_, free := measure.FixProcs(workers)
	defer free()
	l, err := measure.NewLoop(measure.LoopConfig{
		Targets: targets, Op: measure.Read, RequestBytes: int(min(1<<20, p.Size())), SizeBytes: p.Size(), Clock: env.Clock, CPU: env.CPU,
	})
	if err != nil {
		return 0, in("--disk "+path, err)
	}
	samples, _, err := measure.Series(context.Background(), env.Clock, l, measure.Budget{Time: took}, nil)
	if err != nil {
		return 0, in("--disk "+path, err)
	}
	return results.Series{Samples: samples}.BytesPerSecond(), nil
}
