package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"gelibench/geli/engine"
)

// The scripts run the program itself: testscript makes this test binary answer
// to these names.
func TestMain(m *testing.M) {
	testscript.Main(noHistory{m}, map[string]func(){
		"gelibench":       func() { os.Exit(Main(os.Args, System())) },
		"gelibench-wrong": func() { os.Exit(Main(os.Args, wrongSystem())) },
	})
}

// noHistory keeps the runs of tests out of the history of whoever tests. The
// programs of the scripts do not pass through it; each script has a history of
// its own.
type noHistory struct{ m *testing.M }

func (n noHistory) Run() int {
	folder, err := os.MkdirTemp("", "gelibench-test-state-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	os.Setenv("XDG_STATE_HOME", folder)
	os.Setenv(historyVariable, "")
	return n.m.Run()
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"signal":  signalled,
			"json":    jsonHas,
			"toolbox": toolbox,
			"lines":   lines,
			"mkfile":  mkfile,
			"unhex":   unhexFile, "poke": poke, "relabel": relabel,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("GODEBUG", os.Getenv("GODEBUG"))
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("GELIBENCH_HISTORY", "")
			// Where a line is folded hangs on what the machine has to say: what a
			// script looks for stands on one line, unless it asks for a screen.
			e.Setenv("COLUMNS", "1000")
			return nil
		},
	})
}

// exits CODE PROGRAM ARGS...: the program ends with that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, not %d", code, want)
	}
}

// signal NAMES CODE PROGRAM ARGS...: once the program has written to stderr, it
// gets the signals, a moment apart, and ends with that exit code. Its output
// is left in the files stdout.txt and stderr.txt.
func signalled(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: signal NAMES CODE PROGRAM ARGS...")
	}
	path, err := lookPath(ts.Getenv("PATH"), args[2])
	ts.Check(err)
	cmd := exec.Command(path, args[3:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), append(os.Environ(), "PATH="+ts.Getenv("PATH"), "XDG_STATE_HOME="+ts.Getenv("XDG_STATE_HOME"), "GELIBENCH_HISTORY=")
	stderr := &signalWriter{first: make(chan struct{})}
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	// A hang-up that these tests were told to ignore, by nohup, would be ignored
	// by the program, too; what has a handler here is the default there.
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	ts.Check(cmd.Start())
	signal.Stop(hangUps)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	select {
	case <-stderr.first:
	case err := <-ended:
		ts.Fatalf("ended before it was measuring: %v\n%s", err, stderr.text.String())
	case <-time.After(30 * time.Second):
		cmd.Process.Kill()
		ts.Fatalf("wrote nothing to stderr in 30 s")
	}
	for _, name := range strings.Split(args[0], ",") {
		time.Sleep(300 * time.Millisecond)
		ts.Check(cmd.Process.Signal(signalNames[name]))
	}
	select {
	case err = <-ended:
	case <-time.After(30 * time.Second):
		cmd.Process.Kill()
		<-ended
		ts.Fatalf("did not end 30 s after %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), stdout.Bytes(), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), stderr.text.Bytes(), 0o666))
	ts.Logf("[stdout]\n%s[stderr]\n%s", stdout.String(), stderr.text.String())
	if code := cmd.ProcessState.ExitCode(); strconv.Itoa(code) != args[1] {
		ts.Fatalf("exit code %d (%v), not %s", code, err, args[1])
	}
}

var signalNames = map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}

func init() {
	// SIGUSR1, or SIGINFO, where there is one.
	if len(statusSignals) > 0 {
		signalNames["STATUS"] = statusSignals[0]
	}
}

// signalWriter keeps what is written and tells when the first of it comes.
// Only the process's copying goroutine writes.
type signalWriter struct {
	text  bytes.Buffer
	first chan struct{}
}

func (w *signalWriter) Write(p []byte) (int, error) {
	if w.text.Len() == 0 {
		defer close(w.first)
	}
	return w.text.Write(p)
}

func lookPath(dirs, name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, d := range filepath.SplitList(dirs) {
		if p := filepath.Join(d, name); exists(p) {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s is not in %s", name, dirs)
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// json PATH VALUE: the last stdout is one JSON object that begins with
// "schema", and at PATH (names and indices, with dots) it holds VALUE. "len"
// at the end of PATH gives the length of a list.
func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json PATH VALUE")
	}
	text := ts.ReadFile("stdout")
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	ts.Check(d.Decode(&v))
	if _, err := d.Token(); err != io.EOF {
		ts.Fatalf("there is more behind the JSON object")
	}
	if compact := strings.Join(strings.Fields(text), ""); !strings.HasPrefix(compact, `{"schema":`) {
		ts.Fatalf("schema is not first: %.40s", compact)
	}
	for _, key := range strings.Split(args[0], ".") {
		switch node := v.(type) {
		case map[string]any:
			v = node[key]
		case []any:
			if key == "len" {
				v = len(node)
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(node) {
				ts.Fatalf("%s: no item %s among %d", args[0], key, len(node))
			}
			v = node[i]
		default:
			v = nil
		}
	}
	if got := fmt.Sprint(v); (got == args[1]) == neg {
		ts.Fatalf("%s is %s", args[0], got)
	}
}

// lines FILE N: the file, or the last stdout or stderr, has so many lines.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, "\n"); (strconv.Itoa(n) == args[1]) == neg {
		ts.Fatalf("%s has %d lines", args[0], n)
	}
}

// mkfile FILE BYTES: makes a file of that size, of bytes that differ.
func mkfile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mkfile FILE BYTES")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i ^ i>>8)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

// wrongSystem has one engine only, whose encryption is wrong in one bit of one
// byte from the second sector of a run on.
func wrongSystem() Env {
	env := System()
	e := wrongEngine{env.Engines.Oracle}
	env.Engines.All = []engine.Engine{e}
	env.Engines.Choose = func(engine.Params) (engine.Engine, string, error) { return e, "it is the only one", nil }
	return env
}

type wrongEngine struct{ engine.Engine }

func (wrongEngine) Name() string { return "wrong" }

func (e wrongEngine) NewSession(p engine.Params) (engine.Session, error) {
	s, err := e.Engine.NewSession(p)
	return wrongSession{s}, err
}

type wrongSession struct{ engine.Session }

func (s wrongSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	err := s.Session.Encrypt(dst, src, ivs, g)
	if err == nil && len(ivs) > engine.IVBytes {
		dst[g.DstStride] ^= 1
	}
	return err
}
