package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/answer"
	"gelibench/cmd/internal/plan"
	"gelibench/geli"
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/results"
)

func accelVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "accel",
		Category:  wantAnswers,
		Usage:     "is acceleration used, and what does it give?",
		ArgsUsage: "[gzero | FILE | DISK]",
		Flags: reworded(slices.Concat(
			only(cipherFlags(), "e", "l", "s"), only(requestFlags(), "bs", "op", "workers", "clear", "byte"),
			sureFlags(), outputFlags()), "the answer", map[string]string{
			"s": toTheSector + "512, 4096 and 64k", "bs": oneRequest,
		}),
		Description: `
Measures every engine that this machine can run, with hardware and without, in
one run of 20 seconds, or of --budget, and the standard library once more in a
process without AES instructions. Says what each gives over the fastest one
without hardware, and up to which sector size it makes things slower, if it
does. Sectors are of 512, 4096 and 65536 bytes unless -s says otherwise.

examples
  gelibench accel
  gelibench accel -e aes-cbc -l 256 --op write -s 512,4k
`,
		Action: func(c *cli.Context) error { return accel(c, env) },
	}
}

// accelSizes tell a fixed cost from that of bytes, bytes.
var accelSizes = []int64{512, 4096, 64 << 10}

func accel(c *cli.Context, env Env) error {
	p, err := readInquiry(c)
	if err != nil {
		return err
	}
	out, err := readOutput(c)
	if err != nil {
		return err
	}
	under, err := openOperand(c)
	if err != nil {
		return err
	}
	defer under.Close()
	p.Provider = providerOf(under)
	if !c.IsSet("s") {
		p.SectorBytes = slices.DeleteFunc(slices.Clone(accelSizes), func(n int64) bool { return n%int64(under.SectorSize()) != 0 })
	}

	var cases []plan.Case
	var levels []answer.Level
	for _, alg := range p.Algs {
		for _, bits := range p.KeyBits {
			params := engine.Params{Alg: alg, KeyBits: bits}.Default()
			if err := params.Check(); err != nil {
				return usage("", "-e %v -l %d: %v", alg, bits, trimInvalid(err))
			}
			q := p
			q.Algs, q.KeyBits = []engine.Alg{alg}, []int{bits}
			q.Engines = nil
			auto, _, err := env.Engines.Auto(params)
			if err != nil {
				return err
			}
			engines := usable(env.Engines.All, params)
			slices.Reverse(engines) // the table begins with the fastest
			for _, e := range engines {
				q.Engines = append(q.Engines, e.Name())
				levels = appendLevel(levels, answer.Level{Engine: e.Name(), Hardware: hardware(env, e), Auto: e.Name() == auto.Name()})
			}
			more, err := accelCases(q, env)
			if err != nil {
				return err
			}
			cases = append(cases, more...)
		}
	}
	for _, x := range cases {
		if x.GODEBUG != "" {
			levels = appendLevel(levels, answer.Level{Engine: x.Engine.Name() + withoutSuffix})
		}
	}
	slices.SortStableFunc(levels, func(a, b answer.Level) int { return rank(a) - rank(b) })
	return askCases(env, out, c.Bool("strict"), under, p, cases, func(b *bench) {
		b.question = question{
			screen: true, comparisons: accelComparisons(levels, cases),
			group: func(c results.Case) string {
				return fmt.Sprint(c.Alg, c.KeyBits, c.SectorBytes, c.Op, c.Workers, c.Path)
			},
			answer: oneAnswer(func(run results.Run) results.Answer { return answer.Accel(run, levels) }),
		}
	})
}

// accelCases are those of one cipher: every engine on path geli, and on path
// batch at one size, which is all that the answer shows of it; and the
// standard library without AES instructions.
func accelCases(p plan.Plan, env Env) ([]plan.Case, error) {
	p.Paths = []geli.Path{geli.PathGELI}
	cases, err := p.Cases(env.Engines)
	if err != nil {
		return nil, fromPlan(err)
	}
	p.Paths = []geli.Path{geli.PathBatch}
	p.SectorBytes = []int64{p.SectorBytes[len(p.SectorBytes)/2]}
	batch, err := p.Cases(env.Engines)
	if err != nil {
		return nil, fromPlan(err)
	}
	cases = append(cases, batch...)
	for _, c := range cases {
		if c.Engine.Name() == libraryEngine && hardware(env, c.Engine) {
			c.GODEBUG = noAES
			cases = append(cases, c)
		}
	}
	return cases, nil
}

// usable are the engines that can run here and have the cipher.
func usable(all []engine.Engine, params engine.Params) []engine.Engine {
	var out []engine.Engine
	for _, e := range all {
		if e.Probe() == nil && e.Supports(params) == nil {
			out = append(out, e)
		}
	}
	return out
}

// libraryEngine is the standard library's.
const libraryEngine = "xcrypto"

// hardware says whether an engine uses more than general instructions. The
// standard library decides that by itself, whatever our own switch says.
func hardware(env Env, e engine.Engine) bool {
	if e.Name() != libraryEngine {
		return len(e.Info().Needs) > 0
	}
	if strings.Contains(env.Getenv("GODEBUG"), noAES) {
		return false
	}
	return cpu.Has(cpu.AES) || slices.Contains(cpu.SwitchedOff(), cpu.AES)
}

// appendLevel adds a level once.
func appendLevel(levels []answer.Level, l answer.Level) []answer.Level {
	for i, known := range levels {
		if known.Engine == l.Engine {
			levels[i].Auto = known.Auto || l.Auto
			return levels
		}
	}
	return append(levels, l)
}

// rank puts what uses no hardware first, and what auto takes last.
func rank(l answer.Level) int {
	switch {
	case l.Auto && l.Hardware:
		return 2
	case l.Hardware:
		return 1
	}
	return 0
}

// accelComparisons is how many comparisons all ciphers and directions make.
func accelComparisons(levels []answer.Level, cases []plan.Case) int {
	sizes := map[int]bool{}
	groups := map[string]bool{}
	for _, c := range cases {
		sizes[c.SectorBytes] = true
		groups[fmt.Sprint(c.Params, c.Op, c.Workers)] = true
	}
	return len(groups) * answer.AccelComparisons(levels, len(sizes))
}
