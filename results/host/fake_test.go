package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// fake is a machine out of a txtar archive in testdata. Its comment holds
// settings, one a line:
//
//	goos linux            model NAME           features aes sha
//	gomaxprocs 4          clock 3.0            (GHz)
//	clock-later 2.8       step 20ns            (of the timer)
//	busy 0.5              (the share of the time that the process gets the CPU, later)
//	switches 40           (involuntary ones a second, later)
//	cycles "why not"      (perf counters)
//
// Its files are the tree. In their names, {0-3} stands for every number from 0
// to 3. Files below later/ take the place of others once laterAt has passed.
// The files "sysctl" (lines name=value; text, int:N or load:X), "want" and
// "screen-80", "screen-120" are not part of the tree.
type fake struct {
	*Host
	want, screens map[string]string

	now               time.Duration
	clock, clockLater float64 // GHz
	step              time.Duration
	busy              float64
	switchesPerSecond float64
	files, later      fstest.MapFS
	involuntary       int64
	stood             time.Duration // without the CPU
	turnLeft          time.Duration
}

const laterAt = 200 * time.Millisecond

func (f *fake) isLater() bool { return f.now >= laterAt }

// Open lets a fake be its own file system.
func (f *fake) Open(name string) (fs.File, error) {
	if f.isLater() {
		if _, ok := f.later[name]; ok {
			return f.later.Open(name)
		}
	}
	return f.files.Open(name)
}

// run passes time in which the process works.
func (f *fake) run(d time.Duration) {
	if !f.isLater() || f.busy == 0 {
		f.now += d
		return
	}
	// In turns of 20 ms, as a scheduler would have it.
	const turn = 20 * time.Millisecond
	for d > 0 {
		ran := min(d, f.turnLeft)
		f.now, f.turnLeft, d = f.now+ran, f.turnLeft-ran, d-ran
		if f.turnLeft == 0 {
			f.turnLeft = time.Duration(f.busy * float64(turn))
			f.now += turn - f.turnLeft
			f.stood += turn - f.turnLeft
		}
	}
}

func newFake(t *testing.T, name string) *fake {
	t.Helper()
	path := filepath.Join("testdata", name+".txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{
		want: map[string]string{}, screens: map[string]string{},
		clock: 3, step: 20 * time.Nanosecond, files: fstest.MapFS{}, later: fstest.MapFS{},
	}
	values := map[string][]byte{}
	why := "no cycle counter here"
	h := &Host{files: tree{f}, self: process{
		goos: "linux", gomaxprocs: 4,
		cpuTime: func() (time.Duration, bool) { return f.now - f.stood, true },
		switches: func() (int64, bool) {
			n := f.involuntary
			if f.isLater() {
				n += int64(f.switchesPerSecond * (f.now - laterAt).Seconds())
			}
			return n, true
		},
		sysctl: func(name string) []byte { return values[name] },
		cycles: func() (counter, error) {
			if why == "" {
				return new(fakeCycles), nil
			}
			return nil, fmt.Errorf("%s: %w", why, errors.ErrUnsupported)
		},
		chain: func(n int) {
			ghz := f.clock
			if f.isLater() && f.clockLater > 0 {
				ghz = f.clockLater
			}
			f.run(time.Duration(float64(n) / ghz))
		},
		bind: func(cpu int) error { return nil },
	}}
	h.Now = func() time.Duration {
		f.now += f.step
		return f.now
	}
	f.Host = h
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, _ := strconv.ParseFloat(value, 64)
		switch key {
		case "", "#":
		case "goos":
			h.self.goos = value
		case "model":
			h.CPUModel = value
		case "features":
			h.Features = strings.Fields(value)
		case "gomaxprocs":
			h.self.gomaxprocs = int(number)
		case "clock":
			f.clock = number
		case "clock-later":
			f.clockLater = number
		case "busy":
			f.busy = number
		case "switches":
			f.switchesPerSecond = number
		case "step":
			f.step, err = time.ParseDuration(value)
			if err != nil {
				t.Fatal(err)
			}
		case "cycles":
			why = strings.Trim(value, `"`)
		case "unknown":
			h.self.cpuTime = func() (time.Duration, bool) { return 0, false }
			h.self.switches = func() (int64, bool) { return 0, false }
		default:
			t.Fatalf("%s: setting %q", path, key)
		}
	}
	for _, file := range archive.Files {
		switch data := string(file.Data); {
		case file.Name == "sysctl":
			for line := range strings.Lines(data) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				values[name] = sysctlValue(value)
			}
		case file.Name == "want":
			for line := range strings.Lines(data) {
				name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				f.want[name] = strings.TrimSpace(rest)
			}
		case strings.HasPrefix(file.Name, "screen-"):
			f.screens[file.Name] = data
		default:
			for _, name := range expand(file.Name) {
				if later, ok := strings.CutPrefix(name, "later/"); ok {
					f.later[later] = &fstest.MapFile{Data: file.Data}
				} else {
					f.files[name] = &fstest.MapFile{Data: file.Data}
				}
			}
		}
	}
	return f
}

// update writes the screens into the archive.
func (f *fake) update(t *testing.T, name string, screens map[string]string) {
	path := filepath.Join("testdata", name+".txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range archive.Files {
		if s, ok := screens[file.Name]; ok {
			archive.Files[i].Data = []byte(s)
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

// expand writes the first {a-b} of a name out.
func expand(name string) []string {
	before, after, ok := strings.Cut(name, "{")
	if !ok {
		return []string{name}
	}
	span, after, _ := strings.Cut(after, "}")
	first, last, _ := strings.Cut(span, "-")
	a, _ := strconv.Atoi(first)
	b, _ := strconv.Atoi(last)
	var names []string
	for i := a; i <= b; i++ {
		names = append(names, expand(before+strconv.Itoa(i)+after)...)
	}
	return names
}

// sysctlValue is what the kernel of a 64-bit machine would hand out.
func sysctlValue(text string) []byte {
	if n, ok := strings.CutPrefix(text, "int:"); ok {
		v, _ := strconv.ParseInt(n, 10, 32)
		return binary.NativeEndian.AppendUint32(nil, uint32(v))
	}
	if x, ok := strings.CutPrefix(text, "load:"); ok {
		v, _ := strconv.ParseFloat(x, 64)
		b := binary.NativeEndian.AppendUint32(nil, uint32(v*2048))
		b = append(b, make([]byte, 12)...)
		return binary.NativeEndian.AppendUint64(b, 2048)
	}
	return append([]byte(text), 0)
}

// fakeCycles moves by a million each time that it is read.
type fakeCycles struct{ n uint64 }

func (c *fakeCycles) Read() (uint64, error) { c.n += 1e6; return c.n, nil }
func (c *fakeCycles) Close() error          { return nil }
