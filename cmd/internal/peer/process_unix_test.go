//go:build unix

package peer

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gelibench/results/measure"
)

// script makes a program of a few lines of shell.
func script(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func gone(pid int) bool {
	for range 100 {
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// What a tool started ends with it.
func TestOverrunKillsAll(t *testing.T) {
	p := script(t, t.TempDir(), "tool", "sleep 600 &\necho $!\nwait\n")
	begin := time.Now()
	out, err := System().run(context.Background(), process{path: p, limit: 300 * time.Millisecond})
	if !errors.Is(err, errOverran) {
		t.Fatalf("%v", err)
	}
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out.text)))
	if err != nil {
		t.Fatalf("printed %q", out.text)
	}
	// A zombie whose parent is gone may stay where nobody reaps it.
	if stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); !strings.Contains(string(stat), ") Z ") && !gone(pid) {
		t.Errorf("process %d lives on", pid)
	}
}

// The end of the context ends the process, with the context's error.
func TestContextEndsProcess(t *testing.T) {
	p := script(t, t.TempDir(), "tool", "sleep 600\n")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	if _, err := System().run(ctx, process{path: p, limit: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The alarm comes after the first line, and the time between the lines is seen.
func TestAlarmEndsMeasuring(t *testing.T) {
	p := script(t, t.TempDir(), "tool", `
trap 'echo +R:1:x:0.10; exit 0' ALRM
echo +DT:x:1:512
while :; do sleep 0.01; done
`)
	out, err := System().run(context.Background(), process{path: p, limit: 20 * time.Second, begins: "+DT:", ends: "+R:", alarm: 100 * time.Millisecond})
	if err != nil || !strings.Contains(string(out.text), "+R:1") {
		t.Fatalf("%v, %q", err, out.text)
	}
	if out.between < 100*time.Millisecond {
		t.Errorf("between the lines: %v", out.between)
	}
}

// GELI by its recipe, on tools that are made up: what is made is taken away,
// whatever dd did, and dd moves as much as fits into a sample.
func TestGELIRecipe(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script(t, dir, "geli", `echo geli "$@" >>`+log+"\n")
	script(t, dir, "dd", `echo dd "$@" >>`+log+`
[ -e `+dir+`/broken ] && { echo 'dd: /dev/gzero.eli: Device not configured' >&2; exit 1; }
n=${4#count=}
bytes=$((n * 1048576))
echo "$n+0 records in" >&2
echo "$n+0 records out" >&2
echo "$bytes bytes transferred in 0.050000 secs ($((bytes * 20)) bytes/sec)" >&2
`)
	m := System()
	m.OS, m.Root = "freebsd", true
	m.Exists = func(path string) bool { return path == zeroPath }
	m.LookPath = func(name string) (string, error) { return exec.LookPath(filepath.Join(dir, name)) }

	p, err := m.Find(context.Background(), geliTool)
	if err != nil {
		t.Fatal(err)
	}
	e := p.Entries([]Cell{{"aes-xts", 256, 4096, "write"}}, 100*time.Millisecond)[0]
	for range 2 {
		s, err := e.Sample(context.Background(), measure.Want{})
		if err != nil || e.Fault() != nil {
			t.Fatal(err, e.Fault())
		}
		if rate := s.BytesPerSecond() / (20 << 20); rate < float64(firstMiB)*0.999 || rate > float64(2*firstMiB)*1.001 {
			t.Errorf("rate %v", s.BytesPerSecond())
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "broken"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if s, err := e.Sample(context.Background(), measure.Want{}); err != nil || s.Bytes != 0 || !s.Spoiled {
		t.Errorf("%+v, %v", s, err)
	}
	if f := e.Fault(); f == nil || !strings.Contains(f.Error(), "Device not configured") {
		t.Errorf("%v", f)
	}
	got, _ := os.ReadFile(log)
	want := ""
	for _, mib := range []string{"16", "32", "64"} {
		want += "geli onetime -e aes-xts -l 256 -s 4096 gzero\ndd if=/dev/zero of=/dev/gzero.eli bs=1m count=" + mib + "\ngeli detach gzero.eli\n"
	}
	if string(got) != want {
		t.Errorf("ran\n%s, want\n%s", got, want)
	}

	m.Exists = func(string) bool { return true }
	if _, err := m.Find(context.Background(), geliTool); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("gzero.eli is there: %v", err)
	}
}

// A process that prints both directions is run once for the two.
func TestOneProcessTwoCells(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script(t, dir, "cryptsetup", `
[ "$1" = --version ] && { echo 'cryptsetup 2.6.1 flags: UDEV'; exit 0; }
echo "$@" >>`+log+`
echo '# Tests are approximate using memory only (no storage IO).'
echo '# Algorithm |       Key |      Encryption |      Decryption'
echo '    aes-xts        256b      1000.0 MiB/s      2000.0 MiB/s'
`)
	m := System()
	m.OS = "linux"
	m.LookPath = func(name string) (string, error) { return exec.LookPath(filepath.Join(dir, name)) }
	p, err := m.Find(context.Background(), cryptsetupTool)
	if err != nil || p.Version != "2.6.1" {
		t.Fatal(err, p)
	}
	cells := p.Cells([]Cell{{"aes-xts", 128, 512, "read"}, {"aes-xts", 128, 512, "write"}, {"aes-xts", 128, 4096, "read"}})
	if len(cells) != 2 || cells[0].UnitBytes != 64<<10 {
		t.Fatalf("%v", cells)
	}
	es := p.Entries(cells, time.Second)
	for range 3 {
		for i, mib := range []float64{2000, 1000} {
			s, err := es[i].Sample(context.Background(), measure.Want{})
			if err != nil || s.BytesPerSecond() != mib*(1<<20) {
				t.Fatalf("%v: %v, %v", cells[i], s.BytesPerSecond(), err)
			}
		}
	}
	got, _ := os.ReadFile(log)
	if want := strings.Repeat("benchmark -c aes-xts -s 256\n", 3); string(got) != want {
		t.Errorf("ran %q, want %q", got, want)
	}
}
