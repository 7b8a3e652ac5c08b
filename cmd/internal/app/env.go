package app

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"gelibench/geli/cpu"
	"gelibench/results"
	"gelibench/results/measure"
)

// Env is everything of the outside world that a verb sees, so that a test can
// hand it another one.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Clock          measure.Clock
	CPU            measure.CPUClock
	Date           func() time.Time
	Host           func() results.Host
	Engines        EngineTable
	Getenv         func(string) string
	// StateDir is the folder for what outlives a run; nothing need be there.
	StateDir func() (string, error)
	// Signals begins to deliver signals; stop ends that, after which they do
	// what the system has them do.
	Signals func() (s Signals, stop func())
	Version string

	command []string // as typed, for the line that repeats it
	// simulate, if set, puts a machine that is made up in the place of this one.
	simulate func(*bench)
}

// Signals are the requests that a person makes of a running program. Either
// channel may be nil.
type Signals struct {
	Interrupt <-chan os.Signal // SIGINT, SIGTERM, SIGHUP: end at the next request
	Status    <-chan os.Signal // SIGINFO, SIGUSR1: say where you are
}

// System is the real world.
func System() Env {
	return Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Clock:    measure.SystemClock(),
		CPU:      measure.ProcessCPU(),
		Date:     time.Now,
		Host:     host,
		Engines:  systemEngines(),
		Getenv:   os.Getenv,
		StateDir: stateDir,
		Signals:  systemSignals,
		Version:  version(),
	}
}

func host() results.Host {
	h := results.Host{
		OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPUModel: cpu.Model(), CPUs: runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0), GoVersion: runtime.Version(),
	}
	for _, f := range cpu.Present() {
		h.Features = append(h.Features, string(f))
	}
	for _, f := range cpu.SwitchedOff() {
		h.FeaturesOff = append(h.FeaturesOff, string(f))
	}
	return h
}

// stateDir follows the XDG base directories; where they are unknown, the
// system's own folder for application data.
func stateDir() (string, error) {
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "gelibench"), nil
	}
	switch runtime.GOOS {
	case "windows", "darwin":
		d, err := os.UserConfigDir()
		return filepath.Join(d, "gelibench"), err
	}
	d, err := os.UserHomeDir()
	return filepath.Join(d, ".local", "state", "gelibench"), err
}

// version is what the Go toolchain wrote into the program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
