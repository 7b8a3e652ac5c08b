package answer

import (
	"math"
	"strings"
	"testing"

	"gelibench/results"
)

// paced adds a case at its own rate and at the disk's, with CPU time that a
// byte takes, ns.
func (m *madeUp) paced(op, path string, cipher, disk, cpuPerByte float64) {
	c := results.Case{Alg: xts, SectorBytes: 4096, Op: op, Path: path, Workers: 4, Engine: "aesni"}
	m.add(c, cipher)
	c.PacedBytesPerSecond = disk
	m.add(c, min(disk, cipher))
	for _, s := range m.run.Series {
		for i, x := range s.Samples {
			user, system := int64(float64(x.Bytes)*cpuPerByte), int64(0)
			s.Samples[i].UserNS, s.Samples[i].SystemNS = &user, &system
		}
	}
}

func TestHeadroom(t *testing.T) {
	m := newMadeUp(1, 0.004, 12)
	m.paced("read", pathGELI, 8e9, 550e6, 0.32)
	m.paced("write", pathGELI, 7e9, 520e6, 0.32)
	a := Headroom(m.run, Disk{Read: 550e6, Write: 520e6})
	golden(t, "headroom", m.run, a)
	for _, want := range []struct {
		name, about string
		value       float64
	}{
		{"cores_needed", "aes-xts-128 read geli", 0.176},
		{"cpu_of_all", "aes-xts-128 read geli", 4.4},
		{"bound_at_once", "aes-xts-128 read geli", 550e6},
		{"bound_in_turn", "aes-xts-128 read geli", 1 / (1/550e6 + 1/8e9)},
	} {
		if f := figure(t, a, want.name, want.about); math.Abs(f.Value/want.value-1) > 0.01 {
			t.Errorf("%s: %v, want %v", want.name, f.Value, want.value)
		}
	}
	if !strings.Contains(a.Text, "reading at 550 MB/s takes 4.4 % of 4 CPUs (0.18 cores): the disk is the limit") {
		t.Error(a.Text)
	}
}

func TestHeadroomLimits(t *testing.T) {
	m := newMadeUp(1, 0, 6)
	m.paced("read", pathGELI, 4e8, 550e6, 9.75)
	a := Headroom(m.run, Disk{Read: 550e6, Measured: "/dev/ada0"})
	if !strings.Contains(a.Text, "the CPU is the limit, at 400 of the disk's 550 MB/s (5.36 cores would do)") {
		t.Error(a.Text)
	}
	if !strings.Contains(strings.Join(a.Lines, "\n"), "/dev/ada0 was read through the system's cache") {
		t.Error(a.Lines)
	}

	// CPU time that nobody knows is taken from the full speed.
	m = newMadeUp(1, 0, 6)
	m.paced("read", pathGELI, 8e9, 1e9, 1)
	for _, s := range m.run.Series {
		for i := range s.Samples {
			s.Samples[i].UserNS = nil
		}
	}
	if f := figure(t, Headroom(m.run, Disk{Read: 1e9}), "cores_needed", "aes-xts-128 read geli"); f.Value != 0.5 {
		t.Errorf("%v cores", f.Value)
	}

	// A machine that was busy with something else.
	m = newMadeUp(1, 0, 6)
	m.paced("read", pathGELI, 8e9, 1e9, 0.1)
	for i := range m.run.Series[1].Samples {
		m.run.Series[1].Samples[i].Bytes /= 2
	}
	a = Headroom(m.run, Disk{Read: 1e9})
	if text := strings.Join(a.Lines, "\n"); !strings.Contains(text, "kept 500 of 1000 MB/s only") {
		t.Error(text)
	}
	if a := Headroom(newMadeUp(1, 0, 6).run, Disk{}); !strings.HasPrefix(a.Text, "no answer") {
		t.Error(a.Text)
	}
}
