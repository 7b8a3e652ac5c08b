package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gelibench/cmd/internal/plan"
	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/results"
	"gelibench/results/measure"
	"gelibench/results/measure/measuretest"
)

// simulation is a machine that is made up, under a hand-wound clock. Only the
// engines' self-tests are real.
type simulation struct {
	clock  *measuretest.Clock
	noise  measuretest.Noise
	sector func(results.Case) float64 // ns that one takes
	taken  int
}

// simulated is an env on that machine, of four CPUs.
func simulated(seed uint64, sector func(results.Case) float64) (Env, *simulation) {
	s := &simulation{
		clock: &measuretest.Clock{ReadTime: 20 * time.Nanosecond},
		noise: measuretest.White(rand.New(rand.NewPCG(seed, 3)), 0.04), sector: sector,
	}
	env := System()
	env.Clock, env.CPU = s.clock, s.clock
	env.Host = func() results.Host {
		return results.Host{OS: "freebsd", Arch: "amd64", CPUModel: "Made-up CPU", CPUs: 4}
	}
	env.Getenv = func(name string) string { return map[string]string{historyVariable: historyOff, "COLUMNS": "80"}[name] }
	soft := env.Engines.Oracle
	env.Engines.All = []engine.Engine{soft}
	env.Engines.Choose = func(engine.Params) (engine.Engine, string, error) { return soft, "it is all there is", nil }
	env.simulate = func(b *bench) {
		b.look = func() watcher { return blind{} }
		b.newSampler = func(j job, _ [][]byte) (sampler, error) {
			if j.GODEBUG != "" {
				return nil, errors.New("no process is made up")
			}
			return s.sampler(b.record(j)), nil
		}
	}
	return env, s
}

// blind sees nothing.
type blind struct{}

func (blind) Begin()                     {}
func (blind) Judge(*results.Sample, int) {}
func (blind) ReadCoreClock() float64     { return 0 }
func (blind) CyclesSource() string       { return "" }
func (blind) AddOwn(time.Duration)       {}
func (blind) After() []results.Finding   { return nil }

func (s *simulation) sampler(c results.Case) *simulatedSampler {
	work := time.Duration(s.sector(c) * float64(c.RequestBytes) / float64(c.SectorBytes) / float64(c.Workers))
	request := work
	if c.PacedBytesPerSecond > 0 {
		request = max(work, time.Duration(1e9*float64(c.RequestBytes)/c.PacedBytesPerSecond))
	}
	return &simulatedSampler{
		Sampler: measuretest.Sampler{Clock: s.clock, RequestBytes: c.RequestBytes, RequestTime: request, Noise: s.noise},
		work:    work * time.Duration(c.Workers), s: s,
	}
}

type simulatedSampler struct {
	measuretest.Sampler
	work time.Duration // CPU of a request
	s    *simulation
}

func (s *simulatedSampler) Sample(ctx context.Context, want measure.Want) (results.Sample, error) {
	x, err := s.Sampler.Sample(ctx, want)
	user, system := x.Requests*int64(s.work), int64(0)
	x.UserNS, x.SystemNS = &user, &system
	s.s.taken++
	return x, err
}

func (s *simulatedSampler) check(_ plan.Op, bytes int64) error {
	if bytes != s.MovedBytes {
		return fmt.Errorf("%d bytes of %d", bytes, s.MovedBytes)
	}
	return nil
}

func (s *simulatedSampler) close() {}

// run runs a command line, and returns stdout.
func (s *simulation) run(t *testing.T, env Env, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env.Stdout, env.Stderr = &stdout, &stderr
	if code := Main(append([]string{"gelibench"}, args...), env); code != exitDone {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// usualSector is what a sector costs on a machine of no surprises: a fixed time
// and one for each byte, more of both for CBC's encryption.
func usualSector(c results.Case) float64 {
	fixed, perByte := 200.0, 0.2
	if c.Alg == "aes-cbc" && c.Op == "write" {
		fixed, perByte = 250, 0.8
	}
	if c.Path == "batch" {
		fixed /= 4
	}
	return fixed + perByte*float64(c.SectorBytes)
}

// Every verb ends in the time asked for, on one screen, with its answer and the
// command that repeats it.
func TestAnswersInTime(t *testing.T) {
	for _, test := range []struct {
		command string
		want    time.Duration
		answer  string
	}{
		{"onetime", 15 * time.Second, "verdict: "},
		{"onetime --budget 40s --mix 50:50", 40 * time.Second, "verdict: "},
		{"onetime -e aes-xts,aes-cbc -s 4096 --op both --budget 10s gzero", 10 * time.Second, "verdict: "},
		{"tune", 20 * time.Second, "tune: aes-xts-128 read: -s "},
		{"tune -e aes-xts,aes-cbc -l 256 --budget 20s", 20 * time.Second, "tune: aes-xts-256 read: -s "},
		{"tune -e aes-xts -s 512,4k,16k --op both --budget 5s", 5 * time.Second, "tune: "},
		{"scale", 20 * time.Second, "scale: aes-xts-128 read: 4 workers"},
		{"scale --workers 1-3 --budget 6s", 6 * time.Second, "scale: aes-xts-128 read: 3 workers"},
		{"headroom --disk-read 550M --disk-write 520M", 20 * time.Second, "headroom: aes-xts-128 reading at 550 MB/s takes"},
		{"headroom --disk-read 90G --budget 8s", 8 * time.Second, "the CPU is the limit"},
	} {
		env, s := simulated(1, usualSector)
		out := s.run(t, env, strings.Fields(test.command)...)
		if d := (s.clock.Now() - test.want).Abs(); d > test.want/10 {
			t.Errorf("%s: took %v", test.command, s.clock.Now())
		}
		// The answer may be broken into lines.
		if text := strings.ReplaceAll(strings.ReplaceAll(out, "\n  ", " "), " (unreliable)", ""); !strings.Contains(text, test.answer) {
			t.Errorf("%s: %q is missing in\n%s", test.command, test.answer, out)
		}
		if want := "again: gelibench " + test.command + "\n"; !strings.HasSuffix(out, want) {
			t.Errorf("%s: does not end with %q:\n%s", test.command, want, out)
		}
		if n := strings.Count(out, "\n"); n > 50 {
			t.Errorf("%s: %d lines", test.command, n)
		}
	}
}

// device is an engine like soft under another name, which claims hardware.
type device struct {
	engine.Engine
	name string
}

func (d device) Name() string { return d.name }
func (d device) Info() engine.Info {
	i := d.Engine.Info()
	i.Needs = []cpu.Feature{cpu.AES}
	return i
}

// accel on a machine whose hardware engine costs 3.4 µs a call.
func TestAccelOnMadeUpMachine(t *testing.T) {
	env, s := simulated(1, func(c results.Case) float64 {
		if c.Engine == "qat" {
			return 3400 + 0.5*float64(c.SectorBytes)
		}
		return 50 + 5*float64(c.SectorBytes)
	})
	qat := device{env.Engines.Oracle, "qat"}
	env.Engines.All = []engine.Engine{qat, env.Engines.Oracle}
	env.Engines.Choose = func(engine.Params) (engine.Engine, string, error) { return qat, "it is hardware", nil }
	out := s.run(t, env, "accel", "-e", "aes-cbc")
	if d := (s.clock.Now() - inquiryBudget).Abs(); d > inquiryBudget/10 {
		t.Errorf("took %v", s.clock.Now())
	}
	text := strings.ReplaceAll(out, "\n  ", " ")
	for _, want := range []string{"qat makes sectors of up to about 7", "bytes slower than soft does", "acceleration is used: auto takes qat, ×3.", "again: gelibench accel -e aes-cbc\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

func TestWorkerLadder(t *testing.T) {
	for cpus, want := range map[int]string{0: "[1]", 1: "[1]", 3: "[1 2 3]", 16: "[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16]", 40: "[1 2 3 4 6 8 12 16 24 32 40]"} {
		if got := fmt.Sprint(workerLadder(cpus)); got != want {
			t.Errorf("%d CPUs: %s, want %s", cpus, got, want)
		}
	}
	if l := workerLadder(1000); l[len(l)-1] != plan.MaxWorkers {
		t.Errorf("1000 CPUs: %v", l)
	}
}
