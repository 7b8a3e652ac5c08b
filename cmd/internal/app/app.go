// Package app is the command line: one file a verb.
package app

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"gelibench/geli/cpu"
)

// Main runs the command line args, program name first, and returns the exit
// code.
func Main(args []string, env Env) int {
	err := run(args, env)
	report(env.Stderr, err)
	return exitCode(err)
}

func run(args []string, env Env) error {
	if len(args) == 0 {
		args = []string{"gelibench"}
	}
	env.command = append([]string{"gelibench"}, args[1:]...)
	out := &stickyWriter{w: env.Stdout}
	env.Stdout = out
	app := New(env)
	args, err := reorder(app, args)
	if err == nil {
		err = app.Run(args)
	}
	if err == nil && out.err != nil {
		err = fmt.Errorf("writing the results: %w", out.err)
	}
	return err
}

// The kinds of verbs, by what a person wants, in the order of the help.
const (
	wantMeasure = "measure"
	wantAnswers = "answers"
	wantMachine = "this machine"
	wantResults = "results"
	wantImages  = "images"
)

var wants = []string{wantMeasure, wantAnswers, wantMachine, wantResults, wantImages}

// New makes the program. This list is the one place where verbs are named.
func New(env Env) *cli.App {
	verbs := []*cli.Command{
		onetimeVerb(env),
		childVerbOf(env),
		tuneVerb(env),
		scaleVerb(env),
		accelVerb(env),
		headroomVerb(env),
		peersVerb(env),
		enginesVerb(env),
		selftestVerb(env),
		doctorVerb(env),
		initVerb(env),
		attachVerb(env),
		dumpVerb(env),
		historyVerb(env),
		showVerb(env),
		compareVerb(env),
		machinesVerb(env),
		replayVerb(env),
	}
	help := &cli.Command{
		Name: "help", Hidden: true, HideHelp: true,
		Usage: "show the help of a verb",
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return cli.ShowAppHelp(c)
			}
			below, what := verbs, "verb"
			var v *cli.Command
			for _, name := range c.Args().Slice() {
				if v = find(below, name); v == nil {
					return unknownVerb(what, name, below)
				}
				below, what = v.Subcommands, "verb of "+name
			}
			cli.HelpPrinter(env.Stdout, v.CustomHelpTemplate, v)
			return nil
		},
	}
	for _, v := range verbs {
		dress(v, "")
	}
	app := &cli.App{
		Name:            "gelibench",
		Usage:           "how fast would GELI encrypt here?",
		Version:         env.Version,
		Flags:           []cli.Flag{cli.HelpFlag}, // cli adds it only with its own help verb
		Commands:        append(verbs, help),
		HideHelpCommand: true,
		Reader:          env.Stdin,
		Writer:          env.Stdout,
		ErrWriter:       env.Stderr,
		// Errors come back to run, which alone decides on text and exit code.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usage("", "%v", err) },
		Action: func(c *cli.Context) error {
			io.WriteString(env.Stderr, appHelp(verbs))
			return &failure{exitUsage, fmt.Errorf("which verb?"), ""}
		},
		CustomAppHelpTemplate: appHelp(verbs),
	}
	app.Setup() // adds --help and --version, which reorder must know
	return app
}

// dress gives a verb, and those below it, the help and the checks of all verbs.
func dress(v *cli.Command, above string) {
	v.HideHelpCommand = true // `onetime help` means a provider named help
	v.CustomHelpTemplate = verbHelp(v, above+v.Name)
	v.Action = checked(v.Action)
	for _, sub := range v.Subcommands {
		dress(sub, above+v.Name+" ")
	}
}

// checked puts what every verb asks first before its action.
func checked(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := cpu.EnvError(); err != nil {
			return usage("", "%v", trimInvalid(err))
		}
		return action(c)
	}
}
