package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"gelibench/results/textgrid"
)

// Machine is where tools are looked for and run.
type Machine struct {
	LookPath func(name string) (string, error)
	Environ  []string
	OS       string
	Root     bool
	Exists   func(path string) bool
}

// System is this machine. Of its environment, what an empty value of would
// switch every feature of the processor off is left out, and numbers are
// printed with a point.
func System() Machine {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return v == "OPENSSL_ia32cap=" || strings.HasPrefix(v, "LC_ALL=")
	})
	return Machine{
		LookPath: exec.LookPath,
		Environ:  append(env, "LC_ALL=C"),
		OS:       runtime.GOOS,
		Root:     os.Geteuid() == 0,
		Exists:   func(path string) bool { _, err := os.Lstat(path); return err == nil },
	}
}

// process is a program with bounds.
type process struct {
	path  string
	args  []string
	limit time.Duration // it is killed after
	// begins and ends are what a process prints right before and right after
	// what it measures; "": nothing. alarm, if not 0, is when it is sent the
	// signal that ends the measuring, from the former on.
	begins, ends string
	alarm        time.Duration
}

// output is what a process left: what it printed on both of its outputs, the
// CPU time that it took, and the time from process.begins to process.ends, 0 if
// it did not print them.
type output struct {
	text    []byte
	cpu     time.Duration
	between time.Duration
}

// maxOutput is how much a tool may print; the longest list has a few KiB.
const maxOutput = 256 << 10

var (
	errOverran = errors.New("did not end in time")
	errTooMuch = fmt.Errorf("printed more than %d KiB", maxOutput>>10)
)

// run runs a process to its end, or kills it and what it started. The output
// is there beside an error, too.
func (m Machine) run(ctx context.Context, p process) (output, error) {
	if err := ctx.Err(); err != nil {
		return output{}, err
	}
	bound, cancel := context.WithTimeoutCause(ctx, p.limit, errOverran)
	defer cancel()
	cmd := exec.CommandContext(bound, p.path, p.args...)
	cmd.Args[0] = strings.TrimSuffix(filepath.Base(p.path), ".exe")
	cmd.Env = m.Environ
	apart(cmd)
	cmd.Cancel = func() error { return kill(cmd) }
	cmd.WaitDelay = time.Second // for what it started and did not end
	w := &listener{process: p, alarmed: func() { alarm(cmd) }}
	cmd.Stdout, cmd.Stderr = w, w
	err := cmd.Run()
	if w.timer != nil {
		w.timer.Stop()
	}
	out := output{text: w.text.Bytes()}
	if !w.ended.IsZero() {
		out.between = w.ended.Sub(w.began)
	}
	if s := cmd.ProcessState; s != nil {
		out.cpu = s.UserTime() + s.SystemTime()
	}
	switch cause := context.Cause(bound); {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case w.full:
		return out, errTooMuch
	case err != nil && cause == errOverran:
		return out, fmt.Errorf("%w: killed after %v", errOverran, p.limit)
	case err != nil:
		return out, failed(err, out.text)
	}
	return out, nil
}

// failed puts the exit of a process into words: its own, if it left any.
func failed(err error, text []byte) error {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "You have chosen") {
			return fmt.Errorf("%w: %s", err, clip(line))
		}
	}
	return err
}

// clip makes a line of another program fit for a screen.
func clip(line string) string {
	const most = 120
	r := []rune(textgrid.Printable(line))
	if len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(r)
}

// listener keeps what a process prints, as far as it is not too much, and hears
// when it begins and ends. It is written to by the one goroutine that os/exec
// has for two outputs that are the same writer; the process's Wait waits for it.
type listener struct {
	process
	alarmed      func()
	text         bytes.Buffer
	full         bool
	timer        *time.Timer
	began, ended time.Time
}

func (l *listener) Write(p []byte) (int, error) {
	now := time.Now()
	if l.text.Len()+len(p) > maxOutput {
		l.full = true
		return 0, errTooMuch
	}
	l.text.Write(p)
	switch {
	case l.begins == "":
	case l.began.IsZero():
		if !bytes.Contains(l.text.Bytes(), []byte(l.begins)) {
			break
		}
		l.began = now
		if l.alarm > 0 {
			l.timer = time.AfterFunc(l.alarm, l.alarmed)
		}
	case l.ended.IsZero() && bytes.Contains(l.text.Bytes(), []byte(l.ends)):
		l.ended = now
	}
	return len(p), nil
}

var number = regexp.MustCompile(`\d+(?:\.\d+)+[\w.+-]*`)

// versionIn finds the version in what a tool says of itself.
func versionIn(text []byte) string { return string(number.Find(text)) }

// join is a command line for people; no argument here holds a blank.
func join(name string, args []string) string {
	return strings.Join(append([]string{name}, args...), " ")
}
