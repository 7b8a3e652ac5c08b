package app

import (
	"slices"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/answer"
	"gelibench/cmd/internal/plan"
	"gelibench/geli/engine"
	"gelibench/results"
)

func tuneVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "tune",
		Category:  wantAnswers,
		Usage:     "which sector size?",
		ArgsUsage: "[gzero | FILE | DISK]",
		Flags: reworded(slices.Concat(
			only(cipherFlags(), "e", "l", "s"), only(requestFlags(), "bs", "op", "workers", "clear", "byte"),
			only(engineFlags(), "engine"), []cli.Flag{
				withinFlag(),
				text("fs-block", groupAnswer, "`BYTES` the smallest write of the file system. Default: 4096"),
				text("disk-sector", groupAnswer, "`BYTES` physical sector of the disk. Default: 4096"),
			}, sureFlags(), outputFlags()), "the answer", map[string]string{
			"e": bothCiphers, "s": toTheSector + "512, 1k and so on up to 64k", "bs": oneRequest,
		}),
		Description: `
Sweeps sector sizes (512 to 64k, or the list of -s) for aes-xts and aes-cbc, or
the ciphers of -e, in 20 seconds, or in --budget. Every sector costs a fixed
time, whatever its size, and a time for each byte: both are read off a line
through the times. The smallest size that is within 5 % of the best is named,
with the commands that make such a disk.

examples
  gelibench tune -e aes-xts,aes-cbc -l 256 --budget 20s
  gelibench tune -s 512,4k,16k --op both --within 10%
`,
		Action: func(c *cli.Context) error { return tune(c, env) },
	}
}

// tuneSizes are those that GELI takes and a file system may live on, bytes.
var tuneSizes = []int64{512, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10}

func tune(c *cli.Context, env Env) error {
	p, err := readInquiry(c)
	if err != nil {
		return err
	}
	var o answer.TuneOptions
	if o.Within, err = within(c); err != nil {
		return err
	}
	if o.FSBlockBytes, err = flag(c, "fs-block", 4096, parseBlock); err != nil {
		return err
	}
	if o.DiskBytes, err = flag(c, "disk-sector", 4096, parseBlock); err != nil {
		return err
	}
	out, err := readOutput(c)
	if err != nil {
		return err
	}
	if !c.IsSet("e") {
		p.Algs = []engine.Alg{engine.AESXTS, engine.AESCBC}
	}
	under, err := openOperand(c)
	if err != nil {
		return err
	}
	if !c.IsSet("s") {
		p.SectorBytes = slices.DeleteFunc(slices.Clone(tuneSizes), func(n int64) bool { return n%int64(under.SectorSize()) != 0 })
	}
	return ask(env, out, c.Bool("strict"), under, []plan.Plan{p}, func(b *bench) {
		b.question = question{screen: true, answer: oneAnswer(func(run results.Run) results.Answer { return answer.Tune(run, o) })}
	})
}

// parseBlock reads the size of a block of a file system or disk.
func parseBlock(text string) (int, error) {
	n, err := parseNumber(text)
	if err == nil && (n < 512 || n > 1<<30 || n&(n-1) != 0) {
		err = usage("a power of two from 512 on, such as 4096", "%s is no size of a block", text)
	}
	return int(n), err
}
