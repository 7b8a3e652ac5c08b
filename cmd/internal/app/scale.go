package app

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/answer"
	"gelibench/cmd/internal/plan"
	"gelibench/results"
)

func scaleVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "scale",
		Category:  wantAnswers,
		Usage:     "how many workers?",
		ArgsUsage: "[gzero | FILE | DISK]",
		Flags: reworded(slices.Concat(
			only(cipherFlags(), "e", "l", "s"), only(requestFlags(), "bs", "op", "workers", "clear", "byte"),
			only(engineFlags(), "engine"), []cli.Flag{withinFlag()}, sureFlags(), outputFlags()), "the answer", map[string]string{
			"s": toTheSector + "4096", "bs": oneRequest, "workers": "`LIST` concurrent workers: 1,2,8 or 1-8.\nDefault: 1 to the number of CPUs",
		}),
		Description: `
Measures one worker, two, and so on up to the number of CPUs, or the list of
--workers, in 20 seconds, or in --budget. The share of the work in which workers
wait for each other is read off Amdahl's law. The smallest number of workers
that is within 5 % of the best is named. Sectors are of 4096 bytes unless -s
says otherwise.

examples
  gelibench scale
  gelibench scale -e aes-cbc --op write --workers 1,2,4
`,
		Action: func(c *cli.Context) error { return scale(c, env) },
	}
}

func scale(c *cli.Context, env Env) error {
	p, err := readInquiry(c)
	if err != nil {
		return err
	}
	share, err := within(c)
	if err != nil {
		return err
	}
	out, err := readOutput(c)
	if err != nil {
		return err
	}
	if !c.IsSet("s") {
		p.SectorBytes = []int64{answerSector}
	}
	if !c.IsSet("workers") {
		p.Workers = workerLadder(env.Host().CPUs)
	}
	under, err := openOperand(c)
	if err != nil {
		return err
	}
	cpus := hostOf(env).Topology()
	return ask(env, out, c.Bool("strict"), under, []plan.Plan{p}, func(b *bench) {
		b.question = question{
			screen: true,
			group: func(c results.Case) string {
				return fmt.Sprint(c.Alg, c.KeyBits, c.SectorBytes, c.Op, c.Path, c.Engine)
			},
			answer: oneAnswer(func(run results.Run) results.Answer { return answer.Scale(run, cpus, share) }),
		}
	})
}

// answerSector is the sector of questions that are about something else, bytes:
// what geli(8) recommends and most disks have.
const answerSector = 4096

// mostSteps is up to how many workers every number is measured.
const mostSteps = 16

// workerLadder is 1, 2, 3 and so on up to cpus, or 1, 2, 3, 4, 6, 8, 12, 16, 24
// and so on where these are many.
func workerLadder(cpus int) []int {
	cpus = max(1, min(cpus, plan.MaxWorkers))
	var steps []int
	for n := 1; n < cpus; n++ {
		power := n&(n-1) == 0
		half := n%3 == 0 && (n/3)&(n/3-1) == 0
		if cpus <= mostSteps || power || half {
			steps = append(steps, n)
		}
	}
	return append(steps, cpus)
}
