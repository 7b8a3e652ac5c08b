package app

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every example of the help runs, shortened to one request where it would
// measure for long.
func TestHelpExamplesRun(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleFiles(t)
	t.Setenv("PATH", t.TempDir()) // peers finds nothing: its script has tools that are made up
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
		line, _, _ = strings.Cut(line, " >")
		args := append([]string{"gelibench"}, strings.Fields(strings.ReplaceAll(line, "reports/*.txt", "reports/1.txt reports/2.txt"))...)
		for i, a := range args {
			switch a {
			case "--time", "--count":
				args[i], args[i+1] = "--count", "2"
			case "--budget":
				args[i+1] = "50ms"
			case "--scale":
				args[i+1] = "1/64"
			}
		}
		switch args[1] {
		case "compare", "history":
			exampleRun(t, nil) // is the last
		case "replay":
			if !strings.Contains(line, "--scale") {
				args = append(args, "--scale", "1/64")
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
			args = append(args, "--count", "2")
		}
		var stdout, stderr bytes.Buffer
		env := System()
		env.Stdout, env.Stderr = &stdout, &stderr
		code := Main(args, env)
		if code == exitSlower && strings.Contains(line, "--fail-over") {
			code = exitDone // as it may be, of two short runs
		}
		if code != exitDone || stdout.Len() == 0 {
			t.Errorf("%v: exit code %d\n%s%s", args, code, stdout.String(), stderr.String())
		}
	}
	if len(ran) < 5 {
		t.Errorf("only %d examples were found", len(ran))
	}
}

// exampleFiles makes what the examples read and don't make themselves.
func exampleFiles(t *testing.T) {
	mail := `type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes
aes-128-cbc      52011.08k    56712.54k    58192.13k    58564.61k    58673.83k
`
	recipe := "# geli onetime -s 4096 -e aes-cbc gzero\n# dd if=/dev/gzero.eli of=/dev/null bs=64k count=64\n"
	for name, text := range map[string]string{
		"pass.txt": "example\n", "mail.txt": mail, "recipe.txt": recipe, "reports/1.txt": mail, "reports/2.txt": mail,
		"a.json": "", "b.json": "", "hosts/a.json": "", "hosts/b.json": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			continue
		}
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		exampleRun(t, f, "--json")
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// exampleRun measures a little, of all that the examples compare.
func exampleRun(t *testing.T, to io.Writer, flags ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := System()
	env.Stdout, env.Stderr = &stdout, &stderr
	if to != nil {
		env.Stdout = to
	}
	args := append([]string{"gelibench", "onetime", "-e", "aes-xts,aes-cbc", "-l", "256", "-s", "4096", "--op", "both", "--count", "2"}, flags...)
	if code := Main(append(args, "gzero"), env); code != exitDone {
		t.Fatalf("%v: exit code %d\n%s", args, code, stderr.String())
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
