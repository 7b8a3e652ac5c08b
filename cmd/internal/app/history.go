package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/results"
	"gelibench/results/format"
	"gelibench/results/history"
	"gelibench/results/textgrid"
	"gelibench/results/units"
)

func historyVerb(env Env) *cli.Command {
	const groupChoice = "which"
	return &cli.Command{
		Name:      "history",
		Category:  wantResults,
		Usage:     "the runs that were kept: list, show, export, tag, rm",
		ArgsUsage: "list | show | export | tag | rm",
		Description: `
Every run is kept as one line at the end of history.jsonl in
$XDG_STATE_HOME/gelibench, or ~/.local/state/gelibench. --no-history keeps a run
out; GELIBENCH_HISTORY names another file, or is off. The histories of several
machines are merged by concatenating them.

A run is called by the name that list shows, of which the first four digits or
more are enough, by a tag, or last, last~1 (the one before), and so on.

A torn line, as a power cut leaves it, is reported and passed over. Where there
is no place for a history, as in a folder that is read-only, a warning says so
and the run goes on; a full disk, or trouble with a file that GELIBENCH_HISTORY
names, is an error (exit code 1), after the results are out.

examples
  gelibench history list
  gelibench history show last --format table
  gelibench history tag baseline last
  gelibench history export --format csv
  gelibench history rm --keep 100
`,
		Action: func(c *cli.Context) error { return historyList(c, env) },
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "a line for each run, the last at the end",
				Flags: []cli.Flag{
					text("n", groupChoice, "`N` only the last N"),
					toggle("json", groupOutput, "print the list as JSON"),
				},
				Action: func(c *cli.Context) error { return historyList(c, env) },
			},
			{
				Name: "show", Usage: "print runs as they were printed, or in another form", ArgsUsage: "[RUN ...]",
				Flags: []cli.Flag{
					text("format", groupOutput, "`NAME` as of gelibench onetime. Default: table"),
					toggle("json", groupOutput, "the same as --format json"),
				},
				Action: func(c *cli.Context) error { return historyShow(c, env) },
			},
			{
				Name: "export", Usage: "print runs, or all of them, for another program", ArgsUsage: "[RUN ...]",
				Flags:  []cli.Flag{text("format", groupOutput, "`NAME` jsonl (default), csv or benchfmt")},
				Action: func(c *cli.Context) error { return historyExport(c, env) },
			},
			{
				Name: "tag", Usage: "give a run a name of its own", ArgsUsage: "NAME [RUN]",
				Flags:  []cli.Flag{toggle("delete", groupChoice, "take the name away")},
				Action: func(c *cli.Context) error { return historyTag(c, env) },
			},
			{
				Name: "rm", Usage: "remove runs", ArgsUsage: "[RUN ...]",
				Flags: []cli.Flag{
					text("keep", groupChoice, "`N` remove all but the last N and those that have a tag"),
					toggle("damaged", groupChoice, "remove what is damaged"),
				},
				Action: func(c *cli.Context) error { return historyRemove(c, env) },
			},
		},
	}
}

// theHistory opens the history for a verb that works on it.
func theHistory(env Env) (*history.File, error) {
	h, _, err := openHistory(env)
	if err != nil {
		return nil, &failure{exitFailed, err, historyVariable + "=FILE names a file for the history"}
	}
	if h == nil {
		err = usage("unset "+historyVariable, "the history is off: %s=%s", historyVariable, historyOff)
	}
	return h, err
}

// listing reads the history and says what is wrong with it.
func listing(env Env, h *history.File) (history.Listing, error) {
	l, err := h.List()
	if err != nil {
		return l, historyTrouble(err)
	}
	const most = 5
	for i, d := range l.Damaged {
		if i == most {
			fmt.Fprintf(env.Stderr, "warning: %d places more are damaged\n", len(l.Damaged)-most)
			break
		}
		fmt.Fprintf(env.Stderr, "warning: %s, %v\n", h.Path(), d)
	}
	if len(l.Damaged) > 0 {
		fmt.Fprintln(env.Stderr, "hint: gelibench history rm --damaged removes what is damaged; nothing else is touched")
	}
	return l, nil
}

func historyList(c *cli.Context, env Env) error {
	if c.NArg() > 0 {
		return usage("gelibench history show RUN", "list takes no argument: %s", c.Args().First())
	}
	n, err := flag(c, "n", int64(0), func(s string) (int64, error) { return parseCount(s, 1<<31-1, "") })
	if err != nil {
		return err
	}
	h, err := theHistory(env)
	if err != nil {
		return err
	}
	l, err := listing(env, h)
	if err != nil {
		return err
	}
	entries := l.Entries
	if n > 0 && n < int64(len(entries)) {
		entries = entries[int64(len(entries))-n:]
	}
	if c.Bool("json") {
		type tagged struct {
			history.Entry
			Tags []string `json:"tags,omitempty"`
		}
		all := make([]tagged, len(entries))
		for i, e := range entries {
			all[i] = tagged{e, e.Tags}
		}
		j := json.NewEncoder(env.Stdout)
		j.SetEscapeHTML(false)
		j.SetIndent("", "  ")
		return j.Encode(all)
	}
	if len(entries) == 0 {
		fmt.Fprintf(env.Stderr, "no run is in %s\n", h.Path())
		return nil
	}
	return writeEntries(env.Stdout, entries, tableWidth(env))
}

// Of the list, in columns.
const (
	leastCommand = 24 // more is needed to tell commands apart
	casesKeep    = 10
	rateKeep     = 20
	beganKeep    = 30
)

// writeEntries writes a line for each run, of up to width columns, for which
// commands are cut; 0 has no bounds.
func writeEntries(w io.Writer, entries []history.Entry, width int) error {
	column := func(heading string, keep int, cell func(e history.Entry) string) textgrid.Column {
		c := textgrid.Column{Heading: heading, Keep: keep}
		for _, e := range entries {
			c.Cells = append(c.Cells, textgrid.Printable(cell(e)))
		}
		return c
	}
	cases := column("cases", casesKeep, func(e history.Entry) string { return strconv.Itoa(e.Cases) })
	cases.Right = true
	commands := column("command", textgrid.MustKeep, entryCommand)
	commands.Cut = leastCommand
	kept, gone := textgrid.Fit([]textgrid.Column{
		column("run", textgrid.MustKeep, func(e history.Entry) string { return e.ID }),
		column("began", beganKeep, func(e history.Entry) string {
			if e.Start.IsZero() {
				return ""
			}
			return e.Start.Local().Format("2006-01-02 15:04")
		}),
		cases,
		column("rate", rateKeep, entryRate),
		commands,
	}, width)
	lines := textgrid.Lines(kept, len(entries))
	if len(gone) > 0 {
		lines = append(lines, textgrid.Wrap("no room for: "+strings.Join(gone, ", "), width, "  ")...)
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// entryRate is the rate of a run's cases, or from the lowest to the highest.
func entryRate(e history.Entry) string {
	if e.HighBytesPerSecond <= 0 {
		return ""
	}
	rate := units.Rate(e.HighBytesPerSecond)
	if low := units.Rate(e.LowBytesPerSecond); low != rate {
		rate = low + " - " + rate
	}
	return rate
}

// entryCommand is the command of a run, behind its tags and what is wrong with
// it.
func entryCommand(e history.Entry) string {
	remarks := slices.Clone(e.Tags)
	if e.Interrupted {
		remarks = append(remarks, "interrupted")
	}
	if e.Grade == results.Unreliable {
		remarks = append(remarks, string(e.Grade))
	}
	line := format.ShellLine(e.Command)
	if len(remarks) > 0 {
		line = "[" + strings.Join(remarks, ", ") + "] " + line
	}
	return line
}

// chosen are the runs that the operands refer to; fallback stands for none, and
// an empty one for all.
func chosen(c *cli.Context, env Env, fallback string) (*history.File, []history.Entry, error) {
	h, err := theHistory(env)
	if err != nil {
		return nil, nil, err
	}
	l, err := listing(env, h)
	if err != nil {
		return nil, nil, err
	}
	refs := c.Args().Slice()
	if len(refs) == 0 {
		if fallback == "" {
			return h, l.Entries, nil
		}
		refs = []string{fallback}
	}
	var entries []history.Entry
	for _, ref := range refs {
		e, err := l.Find(ref)
		if err != nil {
			return nil, nil, noRun(l, ref, err)
		}
		entries = append(entries, e)
	}
	return h, entries, nil
}

// noRun makes an error of the command line of a reference that finds no run.
func noRun(l history.Listing, ref string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return noHint(err)
	}
	hint := "gelibench history list shows the runs"
	names := []string{history.Last}
	for tag := range l.Tags() {
		names = append(names, tag)
	}
	if n := nearest(ref, sorted(names)); n != "" && n != ref {
		hint = fmt.Sprintf("did you mean %s?", n)
	}
	text := strings.TrimSuffix(trimInvalid(err).Error(), ": "+fs.ErrNotExist.Error())
	return usage(hint, "%s", text)
}

func historyShow(c *cli.Context, env Env) error {
	f, err := readFormat(c)
	if err != nil {
		return err
	}
	if f.Write == nil {
		width := tableWidth(env)
		f.Name, f.Write = "table", func(w io.Writer, run results.Run) error { return format.TableIn(w, run, width) }
	}
	if c.NArg() > 1 && f.WriteAll == nil && f.Name != "table" {
		return usage("jsonl, csv and benchfmt hold several", "--format %s holds one run, not %d", f.Name, c.NArg())
	}
	h, entries, err := chosen(c, env, history.Last)
	if err != nil {
		return err
	}
	return writeRuns(env, h, entries, f)
}

func historyExport(c *cli.Context, env Env) error {
	f, err := readFormat(c)
	if err != nil {
		return err
	}
	if f.Write == nil {
		if f, err = format.ByName("jsonl"); err != nil {
			return err
		}
	}
	if f.WriteAll == nil {
		return usage("gelibench history show RUN --format "+f.Name, "export writes jsonl, csv or benchfmt, not %s", f.Name)
	}
	h, entries, err := chosen(c, env, "")
	if err != nil {
		return err
	}
	return writeRuns(env, h, entries, f)
}

// writeRuns writes runs to stdout: one after the other where a format can, so
// that a long history takes no more memory than its longest run; otherwise with
// an empty line between them.
func writeRuns(env Env, h *history.File, entries []history.Entry, f format.Format) error {
	var runs []results.Run
	for i, e := range entries {
		run, err := h.Load(e)
		if err != nil {
			return noHint(err)
		}
		switch {
		case f.Name == "jsonl":
			err = f.Write(env.Stdout, run)
		case f.WriteAll != nil:
			runs = append(runs, run)
			continue
		default:
			if i > 0 {
				fmt.Fprintln(env.Stdout)
			}
			err = f.Write(env.Stdout, run)
		}
		if err != nil {
			return err
		}
	}
	if f.WriteAll != nil && f.Name != "jsonl" {
		return f.WriteAll(env.Stdout, runs)
	}
	return nil
}

func historyTag(c *cli.Context, env Env) error {
	remove := c.Bool("delete")
	switch {
	case c.NArg() == 0:
		return usage("gelibench history tag baseline last", "which name?")
	case c.NArg() > 2 || remove && c.NArg() > 1:
		return usage("gelibench history tag baseline last", "too many arguments: %s", strings.Join(c.Args().Slice(), " "))
	}
	name, ref := c.Args().First(), history.Last
	if c.NArg() == 2 {
		ref = c.Args().Get(1)
	}
	if err := history.CheckTag(name); err != nil {
		return asUsage(err)
	}
	h, err := theHistory(env)
	if err != nil {
		return err
	}
	l, err := listing(env, h)
	if err != nil {
		return err
	}
	if remove {
		if err := h.Untag(name); err != nil {
			return noRun(l, name, err)
		}
		fmt.Fprintf(env.Stdout, "%s is no tag any more\n", name)
		return nil
	}
	e, err := h.Tag(name, ref)
	if err != nil {
		return noRun(l, ref, err)
	}
	fmt.Fprintf(env.Stdout, "%s is run %s: %s\n", name, e.ID, format.Printable(format.ShellLine(e.Command)))
	return nil
}

func historyRemove(c *cli.Context, env Env) error {
	keep, err := flag(c, "keep", int64(-1), func(s string) (int64, error) {
		if s == "0" {
			return 0, nil // all but those with a tag
		}
		return parseCount(s, 1<<31-1, "")
	})
	if err != nil {
		return err
	}
	damaged := c.Bool("damaged")
	if c.NArg() == 0 && keep < 0 && !damaged {
		return usage("gelibench history rm --keep 100", "which run?")
	}
	h, err := theHistory(env)
	if err != nil {
		return err
	}
	removed, left, mended := 0, 0, 0
	err = h.Rewrite(func(l history.Listing) (gone []history.Entry, damage bool, err error) {
		if keep >= 0 {
			if gone, _, err = history.Keep(int(keep))(l); err != nil {
				return nil, false, err
			}
		}
		names := map[string]bool{}
		for _, e := range gone {
			names[e.ID] = true
		}
		for _, ref := range c.Args().Slice() {
			e, err := l.Find(ref)
			if err != nil {
				return nil, false, noRun(l, ref, err)
			}
			if !names[e.ID] {
				names[e.ID] = true
				gone = append(gone, e)
			}
		}
		removed, left = len(gone), len(l.Entries)-len(gone)
		if damaged {
			mended = len(l.Damaged)
		}
		return gone, damaged, nil
	})
	if err != nil {
		return historyTrouble(err)
	}
	what := units.Count(removed, "run")
	switch {
	case damaged && removed == 0:
		what = units.Count(mended, "damaged place")
	case damaged:
		what += " and " + units.Count(mended, "damaged place")
	}
	fmt.Fprintf(env.Stdout, "%s removed, %s left\n", what, units.Count(left, "run"))
	return nil
}
