package app

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/results/textgrid"
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
			return printEngines(env)
		},
	}
}

// printEngines prints the table of engines as this machine sees it.
func printEngines(env Env) error {
	host, table := env.Host(), env.Engines
	var lines []string
	defer func() { io.WriteString(env.Stdout, strings.Join(lines, "\n")+"\n") }() // which keeps its error
	add := func(format string, args ...any) {
		text := textgrid.Printable(fmt.Sprintf(format, args...))
		lines = append(lines, textgrid.Wrap(text, screenWidth(env), "  ")...)
	}
	model := host.CPUModel
	if model == "" {
		model = "model not known"
	}
	add("CPU: %s, %s/%s, %d logical", model, host.OS, host.Arch, host.CPUs)
	add("features: %s", orNone(cpu.Join(cpu.Present())))
	if off := cpu.SwitchedOff(); len(off) > 0 {
		add("switched off by %s: %s", cpu.EnvVar, cpu.Join(off))
	}
	if cpu.Has(cpu.PadLock) {
		add("PadLock present, not used: no engine has instructions of it")
	}

	var engines, hashers []part
	for _, e := range table.All {
		engines = append(engines, part{e.Name(), e.Probe(), e.Info()})
	}
	for _, h := range table.Hashers {
		hashers = append(hashers, part{h.Name(), h.Probe(), h.Info()})
	}
	lines = append(append(lines, ""), partLines("engine", engines, tableWidth(env))...)
	lines = append(append(lines, ""), partLines("hasher", hashers, tableWidth(env))...)
	if slices.ContainsFunc(slices.Concat(engines, hashers), part.lacks) {
		add("! marks a feature that cannot be used here")
	}

	lines = append(lines, "")
	for _, e := range engines {
		if e.probe != nil {
			add("%s cannot run: %v", e.name, trimUnavailable(e.probe))
		}
	}
	for _, h := range hashers {
		if h.probe != nil {
			add("hasher %s cannot run: %v", h.name, trimUnavailable(h.probe))
		}
	}
	for _, alg := range []engine.Alg{engine.AESXTS, engine.AESCBC} {
		e, reason, err := table.Choose(engine.Params{Alg: alg}.Default())
		if err != nil {
			return err
		}
		add("auto takes %s for %v: %s", e.Name(), alg, reason)
	}
	one, many := table.ChooseHasher(1), table.ChooseHasher(1<<10)
	add("auto takes hasher %s for the IVs of single sectors (--path geli), %s for those of runs (--path batch)", one.Name(), many.Name())
	lines = append(lines, "", "again: gelibench engines; their answers are checked by: gelibench selftest")
	return nil
}

// part is an engine or a hasher.
type part struct {
	name  string
	probe error
	info  engine.Info
}

// lacks says that a feature is missing here.
func (p part) lacks() bool { return len(cpu.Missing(p.info.Needs...)) > 0 }

// needs are the features, those that are missing here with a mark.
func (p part) needs() string {
	var needs []string
	for _, f := range p.info.Needs {
		need := string(f)
		if !cpu.Has(f) {
			need = "!" + need
		}
		needs = append(needs, need)
	}
	return orNone(strings.Join(needs, " "))
}

// leastAbout is the room, in columns, that the words on engines take to stand
// beside the rest; with less they stand below it.
const leastAbout = 44

// partLines set engines or hashers out in rows of up to width columns; 0 has no
// bounds.
func partLines(heading string, parts []part, width int) []string {
	column := func(heading string, cell func(p part) string) textgrid.Column {
		c := textgrid.Column{Heading: heading}
		for _, p := range parts {
			c.Cells = append(c.Cells, cell(p))
		}
		return c
	}
	yes := func(b bool) string {
		if b {
			return "yes"
		}
		return "no"
	}
	about := column("what it is", func(p part) string { return p.info.About })
	columns := []textgrid.Column{
		column(heading, func(p part) string { return p.name }),
		column("here", func(p part) string { return yes(p.probe == nil) }),
		column("width", func(p part) string {
			if p.info.WidthBits == 0 {
				return ""
			}
			return fmt.Sprintf("%d bits", p.info.WidthBits)
		}),
		column("constant-time", func(p part) string { return yes(p.info.ConstantTime) }),
		column("needs", part.needs),
		about,
	}
	// behind is where a column begins.
	behind := func(column int) int { return textgrid.Width(columns[:column+1]) - columns[column].Width() }
	last := len(columns) - 1
	whole := textgrid.Lines(columns, len(parts))
	var lines []string
	switch {
	case width == 0 || textgrid.Width(columns) <= width:
		return whole
	case width-behind(last) >= leastAbout:
		for _, l := range whole {
			lines = append(lines, textgrid.WrapBehind(l, behind(last), width)...)
		}
	default:
		for i, l := range textgrid.Lines(columns[:last], len(parts)) {
			lines = append(lines, textgrid.WrapBehind(l, behind(last-1), width)...)
			text := append([]string{about.Heading}, about.Cells...)[i]
			lines = append(lines, textgrid.WrapBehind(strings.Repeat(" ", behind(1))+text, behind(1), width)...)
		}
	}
	return lines
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
