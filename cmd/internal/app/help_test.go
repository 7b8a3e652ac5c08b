package app

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// Every example of the help runs, shortened to one request where it would
// measure for long.
func TestHelpExamplesRun(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("pass.txt", []byte("example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	app := New(System())
	helps := []string{app.CustomAppHelpTemplate}
	for _, c := range app.Commands {
		helps = append(helps, c.CustomHelpTemplate)
	}
	ran := map[string]bool{}
	for _, line := range strings.Split(strings.Join(helps, "\n"), "\n") {
		line, ok := strings.CutPrefix(line, "  gelibench ")
		if !ok || ran[line] {
			continue
		}
		ran[line] = true
		line, _, _ = strings.Cut(line, " #")
		args := append([]string{"gelibench"}, strings.Fields(line)...)
		for i, a := range args {
			switch a {
			case "--time", "--count":
				args[i], args[i+1] = "--count", "1"
			case "--budget":
				args[i+1] = "50ms"
			}
		}
		switch args[1] {
		case "tune", "scale", "accel", "headroom", "peers":
			if !strings.Contains(line, "--budget") {
				args = append(args, "--budget", "50ms")
			}
		}
		if line == "onetime" {
			args = append(args, "--budget", "50ms")
		} else if args[1] == "onetime" && !strings.Contains(line, "--time") && !strings.Contains(line, "--count") {
			args = append(args, "--count", "1")
		}
		var stdout, stderr bytes.Buffer
		env := System()
		env.Stdout, env.Stderr = &stdout, &stderr
		if code := Main(args, env); code != exitDone || stdout.Len() == 0 {
			t.Errorf("%v: exit code %d\n%s%s", args, code, stdout.String(), stderr.String())
		}
	}
	if len(ran) < 5 {
		t.Errorf("only %d examples were found", len(ran))
	}
}

// A screen is 80 wide.
func TestHelpWidth(t *testing.T) {
	app := New(System())
	for commands := app.Commands; len(commands) > 0; commands = commands[1:] {
		c := commands[0]
		for _, line := range strings.Split(c.CustomHelpTemplate, "\n") {
			if len(line) > 80 {
				t.Errorf("%s: %d wide: %s", c.Name, len(line), line)
			}
		}
		commands = append(commands, c.Subcommands...)
	}
	for _, line := range strings.Split(app.CustomAppHelpTemplate, "\n") {
		if len(line) > 80 {
			t.Errorf("%d wide: %s", len(line), line)
		}
	}
}
