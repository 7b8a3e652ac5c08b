package app

import (
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/answer"
	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/results"
)

// question is what cases are measured for.
type question struct {
	comparisons int                       // shown at once, see stats.RoundsFor
	group       func(results.Case) string // of cases that are compared, and so end together; nil: rivals
	answer      func(results.Run) []results.Answer
	screen      bool // the answer goes to the screen, and not a row for each case
}

// ask measures the cases of several plans, of which the first has the budget,
// in one run. what sets what they are measured for. It closes under.
func ask(env Env, out output, strict bool, under *provider.Provider, plans []plan.Plan, what func(*bench)) error {
	defer under.Close()
	var cases []plan.Case
	for _, p := range plans {
		p.Provider = providerOf(under)
		more, err := p.Cases(env.Engines)
		if err != nil {
			return fromPlan(err)
		}
		cases = append(cases, more...)
	}
	if len(cases) > plan.MaxCases {
		return usage("shorten the lists", "the lists make more than %d cases", plan.MaxCases)
	}
	return askCases(env, out, strict, under, plans[0], cases, what)
}

// askCases is ask of cases that are made already. It leaves under open.
func askCases(env Env, out output, strict bool, under *provider.Provider, p plan.Plan, cases []plan.Case, what func(*bench)) error {
	b, err := newBench(env, under, p, cases, onetimeDevices(under))
	if err != nil {
		return err
	}
	defer b.close()
	what(b)
	return conduct(env, b, cases, out, strict)
}

// only keeps the flags of these names.
func only(flags []cli.Flag, names ...string) []cli.Flag {
	return slices.DeleteFunc(flags, func(f cli.Flag) bool { return !slices.Contains(names, f.Names()[0]) })
}

// readInquiry reads the plan of a verb that answers a question: path geli with
// batch beside it, in the time of defaultBudget unless another is asked for.
func readInquiry(c *cli.Context) (plan.Plan, error) {
	p, err := readPlan(c)
	if err != nil {
		return p, err
	}
	if len(p.RequestBytes) > 1 {
		return p, usage("one --bs; gelibench onetime takes a list", "the answer is for requests of one size")
	}
	p.Paths = []geli.Path{geli.PathGELI, geli.PathBatch}
	if p.Budget == 0 && p.Samples == 0 {
		p.Budget = inquiryBudget
	}
	return p, nil
}

// inquiryBudget is the time that an answer takes.
const inquiryBudget = 20 * time.Second

// within is how near to the best is near enough.
func withinFlag() cli.Flag {
	return text("within", groupAnswer, "`SHARE` of the best that may be missing. Default: 5%")
}

func within(c *cli.Context) (float64, error) { return flag(c, "within", 0.05, parseShare) }

// groupAnswer is flags that change what is made of the figures.
const groupAnswer = "answer"

// oneAnswer makes a question of a function of a run.
func oneAnswer(f func(results.Run) results.Answer) func(results.Run) []results.Answer {
	return func(run results.Run) []results.Answer { return []results.Answer{f(run)} }
}

// weighs says that there will be a verdict over both directions.
func (b *bench) weighs() bool {
	does := func(op plan.Op) bool { return slices.ContainsFunc(b.jobs, func(j job) bool { return j.Op == op }) }
	return b.question.answer != nil && does(plan.Read) && does(plan.Write)
}

// askVerdict makes the verdict between the modes what the cases are measured
// for, if they hold both.
func (b *bench) askVerdict(mix answer.Mix) {
	cases := make([]results.Case, len(b.jobs))
	for i, j := range b.jobs {
		cases[i] = b.record(j)
	}
	n := answer.VerdictComparisons(cases)
	if n == 0 {
		return
	}
	b.question = question{
		comparisons: n,
		group: func(c results.Case) string {
			return fmt.Sprint(c.KeyBits, c.SectorBytes, c.RequestBytes, c.Workers, c.Path)
		},
		answer: func(run results.Run) []results.Answer {
			if a, ok := answer.Verdict(run, mix); ok {
				return []results.Answer{a}
			}
			return nil
		},
		screen: b.screen,
	}
}
