package app

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// toolbox DIR: PATH holds the folder, gelibench, and nothing of this machine.
func toolbox(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: toolbox DIR")
	}
	self := ""
	for _, d := range filepath.SplitList(ts.Getenv("PATH")) {
		if self == "" && exists(filepath.Join(d, "gelibench-wrong")) {
			self = d
		}
	}
	if self == "" {
		ts.Fatalf("gelibench is not in PATH")
	}
	ts.Setenv("PATH", strings.Join([]string{ts.MkAbs(args[0]), self}, string(os.PathListSeparator)))
}
