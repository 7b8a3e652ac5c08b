package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gelibench/results"
	"gelibench/results/compare"
	"gelibench/results/history"
	"gelibench/results/reference"
	importer "gelibench/results/report"
)

// loader finds what an operand of compare stands for:
//
//	@atom-d525           a reference machine
//	last, last~2         runs of the history, wherever a file has that name
//	FILE, -              what gelibench or another tool wrote
//	DIR, 'hosts/*.json'  every file in it, one host each
//	baseline, 3f2a       a tag or the name of a run of the history
type loader struct {
	env     Env
	history *history.File
	listed  history.Listing
	looked  bool
}

// isReference says that an operand names a reference machine.
func isReference(operand string) bool { return strings.HasPrefix(operand, "@") }

// expand turns folders and patterns into files. many says that the operand was
// one of these.
func expand(operand string) (files []string, many bool, err error) {
	if isReference(operand) || operand == "-" || isLast(operand) {
		return []string{operand}, false, nil
	}
	info, err := os.Stat(operand)
	switch {
	case err == nil && info.IsDir():
		entries, err := os.ReadDir(operand)
		if err != nil {
			return nil, true, noHint(err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") && !e.IsDir() {
				files = append(files, filepath.Join(operand, e.Name()))
			}
		}
		if len(files) == 0 {
			return nil, true, usage("one file a host, as onetime --export writes it", "%s holds no files", operand)
		}
		return files, true, nil
	case err == nil || !strings.ContainsAny(operand, "*?["):
		return []string{operand}, false, nil
	}
	files, err = filepath.Glob(operand)
	switch {
	case err != nil:
		return nil, true, usage("", "%q is no pattern", operand)
	case len(files) == 0:
		return nil, true, usage("", "no file matches %q", operand)
	}
	return files, true, nil
}

func isLast(operand string) bool {
	return operand == history.Last || strings.HasPrefix(operand, history.Last+"~")
}

// load reads one operand.
func (l *loader) load(operand string) (compare.Operand, error) {
	switch {
	case isReference(operand):
		m, err := lookupMachine(operand)
		if err != nil {
			return compare.Operand{}, err
		}
		return machineOperand(operand, m), nil
	case isLast(operand):
		return l.saved(operand)
	case operand == "-":
		return l.file(operand, "standard input")
	}
	if _, err := os.Stat(operand); err == nil {
		return l.file(operand, operand)
	} else if !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(operand, `/\.`) {
		return compare.Operand{}, noHint(err)
	}
	return l.saved(operand)
}

// file reads a report, or what gelibench wrote.
func (l *loader) file(path, name string) (compare.Operand, error) {
	rep, err := readReport(l.env, path)
	if rep != nil {
		warnOf(l.env, rep)
	}
	if err != nil {
		return compare.Operand{}, err
	}
	o := compare.FromResults(name, rep.Results)
	if rep.Own != nil {
		o = compare.FromRuns(name, rep.Own)
	}
	if len(o.Figures) > mostFigures {
		return o, usage("gelibench show --format csv has them all", "%s holds %d different figures, more than the %d that are compared", name, len(o.Figures), mostFigures)
	}
	return o, nil
}

// mostFigures is how many figures of an operand are compared: each with each.
const mostFigures = 4096

// saved loads a run of the history.
func (l *loader) saved(ref string) (compare.Operand, error) {
	if !l.looked {
		l.looked = true
		h, err := theHistory(l.env)
		if err != nil {
			return compare.Operand{}, err
		}
		if l.listed, err = listing(l.env, h); err != nil {
			return compare.Operand{}, err
		}
		l.history = h
	}
	if l.history == nil {
		return compare.Operand{}, usage("", "%s: there is no history to look in", ref)
	}
	e, err := l.listed.Find(ref)
	if err != nil {
		return compare.Operand{}, in(fmt.Sprintf("%s is no file, and no run", ref), noRun(l.listed, ref, err))
	}
	run, err := l.history.Load(e)
	if err != nil {
		return compare.Operand{}, noHint(err)
	}
	return compare.FromRuns(ref, []results.Run{run}), nil
}

// machineOperand makes an operand of a reference machine.
func machineOperand(name string, m reference.Machine) compare.Operand {
	var list []importer.Result
	var sources []string
	for _, r := range m.Rows {
		x := r.Result()
		x.File = name
		list = append(list, x)
		if !slices.Contains(sources, r.Source) {
			sources = append(sources, r.Source)
		}
	}
	o := compare.FromResults(name, list)
	if len(sources) > 0 {
		o.About += " (" + strings.Join(sources, "; ") + ")"
	}
	return o
}

// shortNames names files by their last part, where that is enough to tell them
// apart.
func shortNames(operands []compare.Operand) {
	count := map[string]int{}
	for _, o := range operands {
		count[filepath.Base(o.Name)]++
	}
	for i := range operands {
		if base := filepath.Base(operands[i].Name); count[base] == 1 && !isReference(operands[i].Name) {
			operands[i].Rename(base)
		}
	}
}
