package app

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says for each of the four rooms which others its packages may
// import, tests left aside.
var mayImport = map[string][]string{
	"geli":    {"geli"},
	"zerodev": {"zerodev"},
	"results": {"results"},
	"cmd":     {"cmd", "geli", "zerodev", "results"},
}

// libraries says which modules each room may import beside the standard library.
var libraries = map[string][]string{
	"geli":    {"golang.org/x/crypto", "golang.org/x/sys"},
	"zerodev": {},
	"results": {"golang.org/x/sys", "golang.org/x/perf"},
	"cmd":     {"github.com/urfave/cli/v2", "golang.org/x/sys", "golang.org/x/term"},
}

func TestImports(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command")
	}
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "gelibench/...").Output()
	if err != nil {
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Skipf("no go command: %v", err)
	}
	checked := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		room, _, _ := strings.Cut(strings.TrimPrefix(p.ImportPath, "gelibench/"), "/")
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("%s lies in none of the four rooms", p.ImportPath)
			continue
		}
		checked++
		for _, path := range p.Imports {
			first, _, _ := strings.Cut(path, "/")
			switch {
			case first == "gelibench":
				other, _, _ := strings.Cut(strings.TrimPrefix(path, "gelibench/"), "/")
				if !slices.Contains(allowed, other) {
					t.Errorf("%s imports %s", p.ImportPath, path)
				}
			case strings.Contains(first, "."):
				if !slices.ContainsFunc(libraries[room], func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") }) {
					t.Errorf("%s imports %s, which is not among its libraries", p.ImportPath, path)
				}
			case path == "testing" && !strings.HasSuffix(p.ImportPath, "test") && !strings.HasSuffix(p.ImportPath, "bench"):
				t.Errorf("%s imports testing outside of tests", p.ImportPath)
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d packages were looked at", checked)
	}
}
