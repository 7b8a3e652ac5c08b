package app

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"gelibench/results"
	"gelibench/results/history"
)

// historyVariable names another file for the history, or switches it off.
const (
	historyVariable = "GELIBENCH_HISTORY"
	historyOff      = "off"
)

// openHistory is the history that runs are kept in; nil if it is off. named
// says that a person chose the file.
func openHistory(env Env) (h *history.File, named bool, err error) {
	path := env.Getenv(historyVariable)
	switch named = path != ""; {
	case strings.EqualFold(path, historyOff):
		return nil, true, nil
	case !named:
		folder, err := env.StateDir()
		if err != nil {
			return nil, false, err
		}
		path = filepath.Join(folder, "history.jsonl")
	}
	h = history.Open(path)
	h.Waiting = func() {
		fmt.Fprintf(env.Stderr, "waiting: another gelibench holds the lock of %s\n", path)
	}
	return h, named, nil
}

// historyTrouble gives an error of the history its hint.
func historyTrouble(err error) error {
	if errors.Is(err, history.ErrNotFile) {
		return &failure{exitFailed, trimInvalid(err), historyVariable + "=" + historyOff + " keeps no history; " + historyVariable + "=FILE keeps it in a file"}
	}
	return noHint(err)
}

// keepRun adds a run to the history. A machine that has no place for one, such
// as a container without a home, is told so and no more; a history that cannot
// take the run is an error, and so is any trouble with a file that was named.
func keepRun(env Env, run results.Run) error {
	measured := false
	for _, s := range run.Series {
		measured = measured || len(s.Samples) > 0
	}
	if !measured {
		return nil
	}
	h, named, err := openHistory(env)
	homeless := err != nil
	if err == nil {
		if h == nil {
			return nil
		}
		_, err = h.Append(run)
	}
	const hint = "--no-history, or " + historyVariable + "=" + historyOff + ", keeps nothing; " + historyVariable + "=FILE keeps it elsewhere"
	switch {
	case err == nil:
		return nil
	case homeless, !named && noPlace(err):
		fmt.Fprintf(env.Stderr, "warning: the run is not in the history: %v\nhint: %s\n", err, hint)
		return nil
	}
	return &failure{exitFailed, fmt.Errorf("the run is not in the history: %w", trimInvalid(err)), hint}
}

// noPlace says whether an error means that there is no place to write to, and
// not that writing went wrong.
func noPlace(err error) bool {
	for _, reason := range []error{fs.ErrPermission, fs.ErrNotExist, syscall.EROFS, syscall.ENOTDIR} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}
