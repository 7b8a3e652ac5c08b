package app

import (
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"gelibench/results/compare"
	"gelibench/results/units"
)

func compareVerb(env Env) *cli.Command {
	const groupWhat = "what"
	return &cli.Command{
		Name:      "compare",
		Category:  wantResults,
		Usage:     "set runs, reports, other machines and hosts side by side",
		ArgsUsage: "A B ...",
		Flags: []cli.Flag{
			text("base", groupWhat, "`A` what the others are compared with. Default: the first that\nis no host"),
			text("across", groupWhat, "`LIST` compare although these differ: method, engine, path, rekey,\nsector, direction, workers, key, storage, or all"),
			text("fail-over", groupWhat, "`SHARE` exit with 6 if a case is slower than its base by more\nthan that, beyond noise: 5%"),
			toggle("hosts", groupWhat, "look at the operands as hosts that did the same"),
			text("format", groupOutput, "`NAME` table (default), markdown, csv or json"),
			toggle("json", groupOutput, "the same as --format json"),
		},
		Description: `
An operand is

  last, last~1, baseline, 3f2a   a run of the history (gelibench history list)
  run.json, run.csv, mail.txt    a file that gelibench or another tool wrote
  -                              the same from standard input
  @atom-d525, @atom-c2758/aesni  a reference machine (gelibench machines)
  hosts/, 'hosts/*.json'         many hosts, one file each

A file goes before a tag of the same name, and last before a file.

Cases match where cipher, mode, key length, integrity, sector, direction and
workers are the same. Where one side doesn't state one of them, the two match if
nothing else fits as well, which is marked. What has no partner is listed.
Another method, path or re-key policy is refused unless --across names it, and
so is another engine on the same processor; other clocks, tools and request
sizes are marked. Where no case at all is that of a reference machine, each
stands beside its nearest, marked.

The ratio has its 95 % interval where both sides have samples (Mann-Whitney,
after Hodges and Lehmann; many verdicts at once are corrected by Holm's method).

Of a folder, a pattern or --hosts it shows the median and the spread, and which
hosts fall out, with the likely reason from their records. With --base, or with
an operand that is no host, each is compared with that as well.

--fail-over is for git bisect run and CI. Noise is what the samples show; where
a side has none, the rates alone count.

examples
  gelibench compare @atom-d525 last
  gelibench compare baseline last --fail-over 5%
  gelibench compare --base b.json a.json b.json
  gelibench compare hosts/
`,
		Action: func(c *cli.Context) error { return compareThem(c, env) },
	}
}

func compareThem(c *cli.Context, env Env) error {
	// READ the command line.
	across, err := flag(c, "across", compare.Across{}, compare.ParseAcross)
	if err != nil {
		return err
	}
	allowed, err := flag(c, "fail-over", -1, parseShare)
	if err != nil {
		return err
	}
	baseName := c.String("base")
	if c.IsSet("base") && baseName == "" {
		return usage("", "--base needs a name")
	}
	form, err := compareFormat(c)
	if err != nil {
		return err
	}
	if c.NArg() == 0 {
		return usage("gelibench compare baseline last", "compare what?")
	}

	// LOAD the operands.
	l := &loader{env: env}
	var operands []compare.Operand
	var hosts []int // places among them
	var failed []error
	base := -1
	for _, arg := range c.Args().Slice() {
		files, folder, err := expand(arg)
		if err != nil {
			return err
		}
		for _, file := range files {
			o, err := l.load(file)
			switch {
			case err != nil && folder:
				// One bad file of a folder keeps none of the others back.
				failed = append(failed, err)
				continue
			case err != nil:
				return err
			}
			if file == baseName && base < 0 {
				base = len(operands)
			}
			if folder || c.Bool("hosts") {
				hosts = append(hosts, len(operands))
			}
			operands = append(operands, o)
		}
	}
	if base < 0 && baseName != "" {
		o, err := l.load(baseName)
		if err != nil {
			return in("--base", err)
		}
		base, operands = len(operands), append(operands, o)
	}
	for _, err := range failed {
		fmt.Fprintf(env.Stderr, "warning: %v\n", err)
	}
	shortNames(operands)
	width := screenWidth(env)
	var fleet []compare.Operand
	for _, i := range hosts {
		fleet = append(fleet, operands[i])
	}

	// COMPARE, with the base, or hosts among themselves.
	for i := range operands {
		if base < 0 && !slices.Contains(hosts, i) {
			base = i
		}
	}
	if base < 0 && len(hosts) > 0 {
		if allowed >= 0 {
			return usage("name one: --base", "--fail-over compares with a base, and hosts among themselves have none")
		}
		return amongHosts(form, env, fleet, width)
	}
	if len(operands) < 2 {
		return usage("gelibench compare "+c.Args().First()+" last, or @atom-d525 (gelibench machines)", "compare %s with what?", c.Args().First())
	}
	others := slices.Concat(operands[:base], operands[base+1:])
	res := compare.Beside(operands[base], others, across)
	withReference := isReference(baseName) || slices.ContainsFunc(c.Args().Slice(), isReference)
	if withReference && !c.IsSet("across") && allowed < 0 {
		res = compare.BesideNearest(operands[base], others)
	}
	switch form {
	case "json":
		err = compare.JSON(env.Stdout, res)
	case "csv":
		err = compare.CSV(env.Stdout, res)
	case "markdown":
		err = compare.Markdown(env.Stdout, res)
	default:
		err = compare.Screen(env.Stdout, res, width)
		if err == nil && len(fleet) > 1 {
			fmt.Fprintln(env.Stdout)
			cases, once := compare.Among(fleet)
			err = compare.HostsScreen(env.Stdout, fleet, cases, once, width)
		}
	}
	switch {
	case err != nil:
		return err
	case len(res.Rows) == 0:
		return &failure{exitFailed, errors.New("nothing could be compared"), ""}
	case allowed >= 0:
		return failOver(env, res, allowed)
	}
	return nil
}

// compareFormat reads --format and --json.
func compareFormat(c *cli.Context) (string, error) {
	form := "table"
	if c.IsSet("format") {
		form = c.String("format")
	}
	if c.Bool("json") {
		if c.IsSet("format") && form != "json" {
			return "", usage("", "--json and --format %s exclude each other", form)
		}
		form = "json"
	}
	if !slices.Contains([]string{"table", "markdown", "csv", "json"}, form) {
		return "", usage("table, markdown, csv or json", "a comparison is not written as %s", form)
	}
	return form, nil
}

func amongHosts(form string, env Env, hosts []compare.Operand, width int) error {
	if len(hosts) < 2 {
		return usage("", "one host has nothing to be compared with")
	}
	cases, once := compare.Among(hosts)
	var err error
	switch form {
	case "json":
		err = compare.HostsJSON(env.Stdout, hosts, cases)
	case "table":
		err = compare.HostsScreen(env.Stdout, hosts, cases, once, width)
	default:
		return usage("--json, or --base to compare each with one", "hosts among themselves are not written as %s", form)
	}
	if err == nil && len(cases) == 0 {
		err = &failure{exitFailed, errors.New("the hosts have no case in common"), ""}
	}
	return err
}

// failOver ends with exit code 6 if something is slower than allowed.
func failOver(env Env, res compare.Result, allowed float64) error {
	slower, judged := res.Slower(allowed)
	if judged != "" {
		fmt.Fprintf(env.Stderr, "note: %s\n", judged)
	}
	if len(slower) == 0 {
		return nil
	}
	worst := slices.MinFunc(slower, func(a, b compare.Row) int {
		switch {
		case a.Ratio.Value < b.Ratio.Value:
			return -1
		case a.Ratio.Value > b.Ratio.Value:
			return 1
		}
		return 0
	})
	return &failure{exitSlower, fmt.Errorf("slower by more than %.3g %% in %s, most in %s: %.1f %%", 100*allowed, units.Count(len(slower), "case"), worst.Case(), 100*(1-worst.Ratio.Value)), ""}
}
