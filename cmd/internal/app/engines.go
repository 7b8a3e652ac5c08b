package app

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
)

func enginesVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:     "engines",
		Category: wantMachine,
		Usage:    "every engine, usable here or why not, and what auto takes",
		Description: `
An engine does the cipher work; a hasher makes the IVs of CBC sectors. Both are
listed in the order in which auto considers them.

` + cpu.EnvVar + `=-vaes,-sha switches CPU features off, to measure without them.
`,
		Action: func(c *cli.Context) error {
			if err := noOperands(c); err != nil {
				return err
			}
			return printEngines(env.Stdout, env)
		},
	}
}

// printEngines prints the table of engines as this machine sees it.
func printEngines(w io.Writer, env Env) error {
	host, table := env.Host(), env.Engines
	model := host.CPUModel
	if model == "" {
		model = "model not known"
	}
	fmt.Fprintf(w, "CPU: %s, %s/%s, %d logical\n", model, host.OS, host.Arch, host.CPUs)
	fmt.Fprintf(w, "features: %s\n", orNone(cpu.Join(cpu.Present())))
	if off := cpu.SwitchedOff(); len(off) > 0 {
		fmt.Fprintf(w, "switched off by %s: %s\n", cpu.EnvVar, cpu.Join(off))
	}
	if cpu.Has(cpu.PadLock) {
		fmt.Fprintln(w, "PadLock present, not used: no engine has instructions of it")
	}

	missing := false
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "engine\there\twidth\tconstant-time\tneeds\twhat it is")
	for _, e := range table.All {
		row(t, e.Name(), e.Probe(), e.Info())
		missing = missing || len(cpu.Missing(e.Info().Needs...)) > 0
	}
	t.Flush()

	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "hasher\there\twidth\tconstant-time\tneeds\twhat it is")
	for _, h := range table.Hashers {
		row(t, h.Name(), h.Probe(), h.Info())
		missing = missing || len(cpu.Missing(h.Info().Needs...)) > 0
	}
	t.Flush()
	if missing {
		fmt.Fprintln(w, "! marks a feature that cannot be used here")
	}

	fmt.Fprintln(w)
	why := func(label string, err error) {
		if err != nil {
			fmt.Fprintf(w, "%s cannot run: %v\n", label, trimUnavailable(err))
		}
	}
	for _, e := range table.All {
		why(e.Name(), e.Probe())
	}
	for _, h := range table.Hashers {
		why("hasher "+h.Name(), h.Probe())
	}
	for _, alg := range []engine.Alg{engine.AESXTS, engine.AESCBC} {
		e, reason, err := table.Choose(engine.Params{Alg: alg}.Default())
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "auto takes %s for %v: %s\n", e.Name(), alg, reason)
	}
	one, many := table.ChooseHasher(1), table.ChooseHasher(1<<10)
	fmt.Fprintf(w, "auto takes hasher %s for the IVs of single sectors (--path geli), %s for those of runs (--path batch)\n", one.Name(), many.Name())
	fmt.Fprintln(w, "\nagain: gelibench engines; their answers are checked by: gelibench selftest")
	return nil
}

// row prints one engine or hasher.
func row(w io.Writer, name string, probe error, info engine.Info) {
	here := "yes"
	if probe != nil {
		here = "no"
	}
	width := "-"
	if info.WidthBits > 0 {
		width = fmt.Sprintf("%d bits", info.WidthBits)
	}
	constant := "no"
	if info.ConstantTime {
		constant = "yes"
	}
	var needs []string
	for _, f := range info.Needs {
		need := string(f)
		if !cpu.Has(f) {
			need = "!" + need
		}
		needs = append(needs, need)
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", name, here, width, constant, orNone(strings.Join(needs, " ")), info.About)
}

func orNone(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// trimUnavailable takes the bare words of ErrUnavailable off either end of a
// message that says the same already.
func trimUnavailable(err error) string {
	words := engine.ErrUnavailable.Error()
	return strings.TrimPrefix(strings.TrimSuffix(err.Error(), ": "+words), words+": ")
}

// noOperands refuses operands, for verbs that take none.
func noOperands(c *cli.Context) error {
	if c.NArg() > 0 {
		return usage("", "%s takes no argument, not %q", c.Command.Name, c.Args().First())
	}
	return nil
}
