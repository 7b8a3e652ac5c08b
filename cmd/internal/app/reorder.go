package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// urfave/cli stops reading flags at the first operand, so that `onetime gzero
// -s 4096` would drop -s without a word, and it knows neither `-s4096` nor
// `-dT`. So the arguments are put in order before cli sees them, by the flag
// table of the verb they belong to: flags first, each as --name or
// --name=value, then `--`, then the operands.

// reorder returns args, program name first, in that order.
func reorder(app *cli.App, args []string) ([]string, error) {
	out, rest := args[:1:1], args[1:]
	table, commands := app.Flags, app.Commands
	var verbs []string

	// Down to the verb, past the flags that belong to what is above it.
	for len(commands) > 0 {
		flags, after, err := leadingFlags(table, rest)
		if err != nil {
			return nil, inVerb(verbs, err)
		}
		out = append(out, flags...)
		if len(after) == 0 {
			return out, nil // no verb; the action says so
		}
		command := find(commands, after[0])
		if command == nil {
			return nil, unknownVerb(strings.Join(append(verbs, "verb"), " "), after[0], commands)
		}
		verbs, out = append(verbs, command.Name), append(out, command.Name)
		table, commands, rest = command.Flags, command.Subcommands, after[1:]
	}

	flags, operands, err := splitFlags(table, rest)
	if err != nil {
		return nil, inVerb(verbs, err)
	}
	if slices.Contains(flags, "--help") {
		operands = nil // cli would take the first for a topic
	}
	return slices.Concat(out, flags, []string{"--"}, operands), nil
}

func inVerb(verbs []string, err error) error {
	if len(verbs) == 0 {
		return err
	}
	return in(strings.Join(verbs, " "), err)
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

func unknownVerb(level, name string, commands []*cli.Command) error {
	var names []string
	for _, c := range commands {
		names = append(names, c.Names()...)
	}
	hint := "gelibench --help lists the verbs"
	if n := nearest(name, names); n != "" {
		hint = fmt.Sprintf("did you mean %s?", n)
	}
	return usage(hint, "there is no %s %q", level, name)
}

// leadingFlags reads the flags that args begins with, up to "--", and returns
// what is behind them.
func leadingFlags(table []cli.Flag, args []string) (flags, rest []string, err error) {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" && args[0] != "--" {
		var one []string
		if one, args, err = readFlag(newFlagTable(table), args); err != nil {
			return nil, nil, err
		}
		flags = append(flags, one...)
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	return flags, args, nil
}

// splitFlags parts flags from operands, wherever they stand. "--" ends the
// flags; a lone "-" is an operand.
func splitFlags(table []cli.Flag, args []string) (flags, operands []string, err error) {
	known := newFlagTable(table)
	seen := map[string]bool{}
	for len(args) > 0 {
		if args[0] == "--" {
			return flags, append(operands, args[1:]...), nil
		}
		if !strings.HasPrefix(args[0], "-") || args[0] == "-" {
			operands, args = append(operands, args[0]), args[1:]
			continue
		}
		var one []string
		if one, args, err = readFlag(known, args); err != nil {
			return nil, nil, err
		}
		for _, f := range one {
			name, _, valued := strings.Cut(f, "=")
			if valued && seen[name] && !known[strings.TrimLeft(name, "-")].again {
				hint := ""
				if known[strings.TrimLeft(name, "-")].list {
					hint = fmt.Sprintf("a list is written with commas: %s A,B", dashed(strings.TrimLeft(name, "-")))
				}
				return nil, nil, usage(hint, "%s is given twice", dashed(strings.TrimLeft(name, "-")))
			}
			if base := strings.TrimLeft(name, "-"); valued && f == name+"=" && known[base].again && known[base].valued {
				return nil, nil, usage("name a file", "%s: the name of a file is missing", dashed(base))
			}
			seen[name] = true
		}
		flags = append(flags, one...)
	}
	return flags, operands, nil
}

// flagTable says of each name of each flag what its first name is and whether
// it takes a value.
type flagTable map[string]struct {
	name   string
	valued bool
	again  bool // may be given more than once
	list   bool // its value is one, with commas
	// next says whether the argument behind a flag that may stand alone is its
	// value; nil for all others.
	next func(arg string) bool
}

func newFlagTable(flags []cli.Flag) flagTable {
	t := flagTable{}
	for _, f := range append([]cli.Flag{cli.HelpFlag}, flags...) {
		doc, _ := f.(cli.DocGenerationFlag)
		for _, name := range f.Names() {
			entry := t[name]
			entry.name, entry.valued = f.Names()[0], doc != nil && doc.TakesValue()
			entry.list = doc != nil && strings.HasPrefix(doc.GetUsage(), "`LIST`")
			if g, ok := f.(*cli.GenericFlag); ok {
				entry.again = true
				if alone, ok := g.Value.(interface{ TakesNext(string) bool }); ok {
					entry.valued, entry.next = false, alone.TakesNext
				}
			}
			t[name] = entry
		}
	}
	return t
}

// readFlag reads the flag, or the cluster of one-letter flags, at args[0], with
// the value that may follow it.
func readFlag(known flagTable, args []string) (flags, rest []string, err error) {
	token, rest := args[0], args[1:]
	body := strings.TrimPrefix(strings.TrimPrefix(token, "-"), "-")
	name, value, hasValue := strings.Cut(body, "=")

	// --name, --name=value, --name value; one dash does as well.
	if entry, ok := known[name]; ok {
		switch {
		case entry.next != nil && !hasValue && len(rest) > 0 && entry.next(rest[0]):
			return []string{"--" + entry.name + "=" + rest[0]}, rest[1:], nil
		case hasValue && !entry.valued && entry.next == nil && value != "true" && value != "false":
			return nil, nil, usage("", "%s takes no value", dashed(name))
		case hasValue:
			return []string{"--" + entry.name + "=" + value}, rest, nil
		case !entry.valued:
			return []string{"--" + entry.name}, rest, nil
		case len(rest) == 0:
			return nil, nil, usage("", "%s needs a value", dashed(name))
		}
		return []string{"--" + entry.name + "=" + rest[0]}, rest[1:], nil
	}

	// -s4096, -dT, -dTs4096, -dTs 4096, as getopt reads them.
	if !strings.HasPrefix(token, "--") {
		for i := range body {
			entry, ok := known[body[i:i+1]]
			switch {
			case !ok:
				return nil, nil, unknownFlag(known, token, body)
			case !entry.valued:
				flags = append(flags, "--"+entry.name)
				continue
			case i+1 < len(body):
				return append(flags, "--"+entry.name+"="+body[i+1:]), rest, nil
			case len(rest) == 0:
				return nil, nil, usage("", "-%c needs a value", body[i])
			}
			return append(flags, "--"+entry.name+"="+rest[0]), rest[1:], nil
		}
		return flags, rest, nil
	}
	return nil, nil, unknownFlag(known, token, name)
}

func unknownFlag(known flagTable, token, name string) error {
	var names []string
	for n := range known {
		if len(n) > 1 {
			names = append(names, n)
		}
	}
	hint := "--help lists the flags; `--` ends them, for operands that begin with a dash"
	if n := nearest(name, sorted(names)); n != "" {
		hint = fmt.Sprintf("did you mean %s?", dashed(n))
	}
	return usage(hint, "there is no flag %s", token)
}

// dashed writes a flag's name as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
