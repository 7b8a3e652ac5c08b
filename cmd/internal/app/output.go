package app

import (
	"gelibench/results"
	"gelibench/results/format"
)

// printRun writes a run to stdout: as JSON, as dd's three lines where there was
// one case, as a table where there were more.
func printRun(env Env, run results.Run, cases int, asJSON bool) error {
	switch {
	case asJSON:
		return format.JSON(env.Stdout, run)
	case cases > 1:
		return format.Table(env.Stdout, run)
	case len(run.Series) == 0:
		return format.DD(env.Stdout, results.Series{})
	}
	return format.DD(env.Stdout, run.Series[0])
}
