package app

import (
	"encoding/json"
	"fmt"

	"gelibench/results"
)

func printRun(env Env, run results.Run, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(env.Stdout).Encode(run)
	}
	for _, s := range run.Series {
		fmt.Fprintf(env.Stdout, "%+v\n", s)
	}
	return nil
}
