package format

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gelibench/results"
	"gelibench/results/units"
)

// tableHeading says in a few lines what the table's rows have in common, and
// what the words in them mean.
func tableHeading(run results.Run) []string {
	var lines []string
	add := func(line string) {
		if line != "" {
			lines = append(lines, line)
		}
	}
	origin := distinct([]string{strings.TrimSpace(run.Tool + " " + run.Version)})
	if !run.Start.IsZero() {
		origin = append(origin, run.Start.UTC().Format(time.RFC3339))
	}
	add(strings.Join(origin, ", "))
	add(hostLine(run))
	add(providerLine(run.Series))
	for _, line := range pathLines(run.Series) {
		add(line)
	}
	add(hasherLine(run.Series))
	add("MB = 10^6 bytes, GB = 10^9; ns per request = workers * elapsed / requests; CPU-s = user + system time of the process")
	return lines
}

// hostLine is the machine, or that it is not known.
func hostLine(run results.Run) string {
	h := run.Host
	parts := distinct([]string{h.CPUModel})
	if h.CPUs > 0 {
		parts = append(parts, units.Count(h.CPUs, "CPU"))
	}
	parts = append(parts, distinct([]string{strings.Trim(h.OS+"/"+h.Arch, "/"), h.GoVersion})...)
	if len(parts) == 0 {
		parts = append(parts, "host not known")
	}
	// What held while a case ran counts, not what held before.
	var procs, pins []string
	for _, s := range run.Series {
		if n := s.Case.GOMAXPROCS; n > 0 {
			procs = append(procs, strconv.Itoa(n))
		}
		pins = append(pins, s.Case.Pin)
	}
	if len(procs) == 0 && h.GOMAXPROCS > 0 {
		procs = append(procs, strconv.Itoa(h.GOMAXPROCS))
	}
	if procs = distinct(procs); len(procs) > 0 {
		parts = append(parts, "GOMAXPROCS "+list(procs, "or"))
	}
	if pins = distinct(pins); len(pins) > 0 {
		parts = append(parts, "pinned to "+list(pins, "or"))
	}
	return strings.Join(parts, ", ")
}

// providerLine is what the zero devices read as.
func providerLine(series []results.Series) string {
	var all []string
	for _, s := range series {
		if z := zeroDevice(s.Case); z != "" {
			all = append(all, orDash(s.Case.Provider)+": "+z)
		}
	}
	return strings.Join(distinct(all), "; ")
}

// pathLines say, for each path in use, how the engine is called.
func pathLines(series []results.Series) []string {
	type path struct{ name, rekey string }
	var order []path
	runs := map[path][]int{}
	name := pathNames(series)
	for _, s := range series {
		p := path{name(s.Case), s.Case.Rekey}
		if p.name == "" {
			continue
		}
		if !slices.Contains(order, p) {
			order = append(order, p)
		}
		runs[p] = append(runs[p], s.Case.RunSectors)
	}
	var lines []string
	for _, p := range order {
		if d := pathDetail(p.rekey, runs[p]); d != "" {
			lines = append(lines, "path "+p.name+": "+d)
		}
	}
	return lines
}

// hasherLine says what made the IVs, and for which engine where that differs.
func hasherLine(series []results.Series) string {
	var hashers []string
	engines := map[string][]string{}
	for _, s := range series {
		if h := s.Case.IVHash; h != "" {
			hashers = append(hashers, h)
			engines[h] = distinct(append(engines[h], s.Case.Engine))
		}
	}
	switch hashers = distinct(hashers); len(hashers) {
	case 0:
		return ""
	case 1:
		return "IVs hashed by " + hashers[0]
	}
	for i, h := range hashers {
		if e := engines[h]; len(e) > 0 {
			hashers[i] = h + " (engine " + list(e, "and") + ")"
		}
	}
	return "IVs hashed by " + strings.Join(hashers, ", ")
}

// tableFooter is what travels with the figures, and the command that repeats
// them. Words are folded at prose columns; 0 has no bounds, but for the answers,
// which then have 80.
func tableFooter(run results.Run, prose int) []string {
	var lines []string
	if slices.ContainsFunc(run.Series, isStated) {
		lines = append(lines, statedMark+" stated by the report, not measured here")
	}
	if n := count(run.Series, isUnreliable); n > 0 {
		lines = append(lines, fmt.Sprintf("%s unreliable: %d of %s", unreliableMark, n, units.Count(len(run.Series), "case")))
	}
	if run.Interrupted {
		lines = append(lines, "interrupted: cases without figures were not reached, or moved nothing")
	}
	note := func(about string, n results.Note) {
		line := "note: "
		if about != "" {
			line += about + ": "
		}
		line += n.Text
		if n.Advice != "" {
			line += " (" + n.Advice + ")"
		}
		lines = append(lines, line)
	}
	for _, n := range run.Notes {
		note("", n)
	}
	// What many cases have in common is said once, with one of them.
	for _, kind := range noteKinds(run.Series) {
		about, first := "", results.Note{}
		cases := count(run.Series, func(s results.Series) bool {
			i := slices.IndexFunc(s.Notes, func(n results.Note) bool { return n.Kind == kind })
			if i >= 0 && about == "" {
				about, first = label(s.Case), s.Notes[i]
			}
			return i >= 0
		})
		if cases > 1 {
			about = fmt.Sprintf("%d cases, such as %s", cases, about)
		}
		note(about, first)
	}
	for _, f := range run.Findings {
		if f.Grade != results.Good && f.Grade != "" {
			note("host: "+f.Name, results.Note{Text: f.Text, Advice: f.Advice})
		}
	}
	lines = fold(lines, prose)
	if answers := answerLines(run, cmp.Or(prose, proseColumns)); len(answers) > 0 {
		lines = append(append(lines, answers...), answerTexts(run, cmp.Or(prose, proseColumns))...)
	}
	if len(run.Command) > 0 {
		lines = append(lines, "again: "+ShellLine(run.Command))
	}
	return lines
}

// noteKinds lists the kinds of notes that the series have, in order.
func noteKinds(series []results.Series) []string {
	var kinds []string
	for _, s := range series {
		for _, n := range s.Notes {
			kinds = append(kinds, n.Kind)
		}
	}
	return distinct(kinds)
}

func count(series []results.Series, f func(results.Series) bool) int {
	n := 0
	for _, s := range series {
		if f(s) {
			n++
		}
	}
	return n
}

// label names a case among others in a few words, those of its row.
func label(c results.Case) string {
	var parts []string
	for _, n := range []int64{int64(c.KeyBits), int64(c.SectorBytes)} {
		if n != 0 {
			parts = append(parts, strconv.FormatInt(n, 10))
		}
	}
	if c.RequestBytes != 0 {
		parts = append(parts, units.Bytes(c.RequestBytes))
	}
	parts = append(distinct([]string{c.Alg}), parts...)
	parts = append(parts, distinct([]string{c.Op})...)
	if c.Workers != 0 {
		parts = append(parts, units.Count(c.Workers, "worker"))
	}
	parts = append(parts, distinct([]string{c.Path, c.Engine})...)
	return strings.Join(parts, " ")
}

// ShellLine quotes words for a Unix shell where they need it.
func ShellLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if w == "" || strings.ContainsFunc(w, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=+@%^", r))
		}) {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
