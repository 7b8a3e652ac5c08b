package app

import (
	"encoding/json"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/results"
	machine "gelibench/results/host"
)

func doctorVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:     "doctor",
		Category: wantMachine,
		Usage:    "how far can figures from this machine be trusted?",
		Flags:    []cli.Flag{toggle("json", groupOutput, "print the report as JSON")},
		Description: `
Looks at the machine, works for a second while it watches, and says what it
found: ok, note (a figure suffers a little) or problem (a figure means little),
with a remedy. It changes nothing, and exits with 0 whatever it finds.

Runs take the same looks; --strict makes an unreliable run exit with 5.
`,
		Action: func(c *cli.Context) error {
			if err := noOperands(c); err != nil {
				return err
			}
			return doctor(env, c.Bool("json"))
		},
	}
}

func doctor(env Env, asJSON bool) error {
	h := env.Host()
	r := hostOf(env).Examine()
	if !asJSON {
		return machine.Screen(env.Stdout, r, strings.Join(env.command, " "), screenWidth(env))
	}
	e := json.NewEncoder(env.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Schema  int          `json:"schema"`
		Tool    string       `json:"tool"`
		Version string       `json:"version"`
		Command []string     `json:"command"`
		Host    results.Host `json:"host"`
		machine.Report
		Verdict string `json:"verdict"`
	}{results.SchemaVersion, "gelibench", env.Version, env.command, h, r, r.Verdict()})
}
