package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Help is written out in full here and handed to cli as templates without
// variables: verbs and flags appear in the order of their tables, grouped by
// category, and cli would sort both.

// appHelp is the help of the program.
func appHelp(verbs []*cli.Command) string {
	var b strings.Builder
	b.WriteString("gelibench measures how fast GELI would encrypt and decrypt here.\n\n" +
		"usage: gelibench VERB [flags] [arguments]\n")
	for _, want := range wants {
		first := true
		for _, v := range verbs {
			if v.Category != want || v.Hidden {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n%s\n", want)
				first = false
			}
			fmt.Fprintf(&b, "  %-10s %s\n", v.Name, v.Usage)
		}
	}
	b.WriteString(`
examples
  gelibench onetime -s 4096 -l 256 -e aes-cbc gzero
  gelibench onetime -e aes-xts,aes-cbc -s 512,4096 --op both --time 1s gzero
  gelibench engines

gelibench VERB --help shows the flags of a verb; --version, or -v, the version.
`)
	return escapeTemplate(b.String())
}

// verbHelp is the help of one verb, whose full name is path. Its Description
// follows the verbs below it and the flags.
func verbHelp(v *cli.Command, path string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "gelibench %s: %s\n\nusage: gelibench %s%s %s\n", path, v.Usage, path, optional(len(v.Flags) > 0, " [flags]"), v.ArgsUsage)
	if len(v.Subcommands) > 0 {
		b.WriteByte('\n')
		for _, sub := range v.Subcommands {
			fmt.Fprintf(&b, "  %-18s %s\n", strings.TrimSpace(sub.Name+" "+sub.ArgsUsage), sub.Usage)
		}
	}
	var categories []string
	for _, f := range v.Flags {
		if c := category(f); !slices.Contains(categories, c) {
			categories = append(categories, c)
		}
	}
	for _, c := range categories {
		fmt.Fprintf(&b, "\n%s\n", c)
		for _, f := range v.Flags {
			if category(f) != c {
				continue
			}
			placeholder, text := cli.Flag.String(f), ""
			if doc, ok := f.(cli.DocGenerationFlag); ok {
				placeholder, text = unquoteUsage(doc.GetUsage())
			}
			name := dashed(f.Names()[0])
			if placeholder != "" {
				name += " " + placeholder
			}
			lines := strings.Split(text, "\n")
			fmt.Fprintf(&b, "  %-18s %s\n", name, lines[0])
			for _, l := range lines[1:] {
				fmt.Fprintf(&b, "  %-18s %s\n", "", l)
			}
		}
	}
	if v.Description != "" {
		fmt.Fprintf(&b, "\n%s", strings.TrimLeft(v.Description, "\n"))
	}
	return escapeTemplate(strings.ReplaceAll(b.String(), " \n", "\n"))
}

func optional(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

func category(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() != "" {
		return c.GetCategory()
	}
	return "flags"
}

// unquoteUsage takes the `placeholder` at the start of a flag's usage apart
// from the text.
func unquoteUsage(usage string) (placeholder, text string) {
	if rest, ok := strings.CutPrefix(usage, "`"); ok {
		if placeholder, text, ok := strings.Cut(rest, "`"); ok {
			return placeholder, strings.TrimLeft(text, " ")
		}
	}
	return "", usage
}

// escapeTemplate makes text that a template prints as it stands.
func escapeTemplate(text string) string { return strings.ReplaceAll(text, "{{", "{{`{{`}}") }

// sorted returns a sorted copy.
func sorted(words []string) []string {
	words = slices.Clone(words)
	slices.Sort(words)
	return words
}
