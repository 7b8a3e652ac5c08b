package app

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"gelibench/geli/engine"
	"gelibench/results/textgrid"
)

func selftestVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:     "selftest",
		Category: wantMachine,
		Usage:    "known answers and agreement of all usable engines",
		Description: `
Every engine answers published test vectors for every cipher and key length it
has, and agrees with the portable engine on random runs of sectors. The same is
asked of one engine before each measurement. A mismatch exits with 4.
`,
		Action: func(c *cli.Context) error {
			if err := noOperands(c); err != nil {
				return err
			}
			return selftest(env)
		},
	}
}

// selftestParams lists every cipher with every key length that GELI allows, but
// for null, whose key is not used, with its default.
func selftestParams() []engine.Params {
	var list []engine.Params
	for _, alg := range engine.Algs {
		if alg == engine.Null {
			list = append(list, engine.Params{Alg: alg}.Default())
			continue
		}
		for bits := 64; bits <= 512; bits += 32 {
			if p := (engine.Params{Alg: alg, KeyBits: bits}); p.Check() == nil {
				list = append(list, p)
			}
		}
	}
	return list
}

// selftest prints a line for each engine and cipher, and for each hasher, then
// the verdict. Its error wraps engine.ErrMismatch if any answer was wrong.
func selftest(env Env) error {
	w, table := env.Stdout, env.Engines
	rowWidth := tableWidth(env)
	var right, skipped int
	var wrong, failed []error
	width := 0
	for _, e := range table.All {
		width = max(width, len(e.Name()))
	}
	for _, h := range table.Hashers {
		width = max(width, len(h.Name()))
	}
	row := func(name, what, verdict string) {
		line := textgrid.Printable(fmt.Sprintf("%-*s  %-16s  %s", width, name, what, verdict))
		for _, l := range textgrid.WrapBehind(line, width+20, rowWidth) {
			fmt.Fprintln(w, l)
		}
	}
	check := func(name, what string, err error) {
		verdict := "ok"
		switch {
		case err == nil:
			right++
		case errors.Is(err, engine.ErrMismatch):
			verdict, wrong = fmt.Sprintf("WRONG: %v", err), append(wrong, err)
		default:
			verdict, failed = fmt.Sprintf("FAILED: %v", err), append(failed, err)
		}
		row(name, what, verdict)
	}
	skip := func(name string, err error) {
		skipped++
		row(name, "-", "skipped: "+trimUnavailable(err))
	}
	for _, e := range table.All {
		if err := e.Probe(); err != nil {
			skip(e.Name(), err)
			continue
		}
		for _, p := range selftestParams() {
			if e.Supports(p) == nil {
				check(e.Name(), p.String(), engine.SelfTest(e, table.Oracle, p))
			}
		}
	}
	for _, h := range table.Hashers {
		if err := h.Probe(); err != nil {
			skip(h.Name(), err)
			continue
		}
		check(h.Name(), "cbc ivs", engine.SelfTestHasher(h))
	}
	verdict := "all right"
	if len(wrong)+len(failed) > 0 {
		verdict = fmt.Sprintf("%d WRONG, %d FAILED", len(wrong), len(failed))
	}
	fmt.Fprint(w, "\nagain: gelibench selftest\n")
	verdict = fmt.Sprintf("%s: %d checks right, %d engines and hashers not available here", verdict, right, skipped)
	for _, l := range textgrid.Wrap(verdict, screenWidth(env), "  ") {
		fmt.Fprintln(w, l)
	}
	if err := errors.Join(append(wrong, failed...)...); err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	return nil
}
