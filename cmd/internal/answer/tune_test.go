package answer

import (
	"math"
	"strings"
	"testing"

	"gelibench/results"
)

// sweep adds sectors that cost a fixed time and a time for each byte, ns.
func (m *madeUp) sweep(alg string, fixed, perByte float64) {
	for size := 512; size <= 64<<10; size *= 2 {
		m.add(results.Case{Alg: alg, KeyBits: 256, SectorBytes: size}, 1e9*float64(size)/(fixed+perByte*float64(size)))
		m.add(results.Case{Alg: alg, KeyBits: 256, SectorBytes: size, Path: pathBatch}, 1e9/perByte)
	}
}

var usual = TuneOptions{Within: 0.05, FSBlockBytes: 4096, DiskBytes: 4096}

func TestTune(t *testing.T) {
	m := newMadeUp(1, 0.004, 12)
	m.sweep(xts, 300, 0.1) // 65536: 96 % of the asymptote, so 5 % below it is at 10.2 %: 32768
	m.sweep(cbc, 20, 1)    // 1024 is within 2 %
	a := Tune(m.run, usual)
	golden(t, "tune", m.run, a)
	for _, want := range []struct {
		name, about string
		value       float64
	}{
		{"fixed_per_sector", "aes-xts-256 read", 300},
		{"per_byte", "aes-xts-256 read", 0.1},
		{"asymptote", "aes-xts-256 read", 1e10},
		{"half_speed", "aes-xts-256 read", 3000},
		{"fixed_per_sector", "aes-cbc-256 read", 20},
		{"per_byte", "aes-cbc-256 read", 1},
	} {
		if f := figure(t, a, want.name, want.about); math.Abs(f.Value/want.value-1) > 0.02 {
			t.Errorf("%s %s: %v, want %v", want.name, want.about, f.Value, want.value)
		}
	}
	if f := figure(t, a, "sector_bytes", "aes-xts-256 read"); f.Value != 65536 && f.Value != 32768 {
		t.Errorf("aes-xts: -s %v", f.Value)
	}
	for _, line := range []string{
		"  geli init -s 512 -e aes-cbc -l 256 DISK",
		"  cryptsetup luksFormat -c aes-xts-plain64 -s 512 --sector-size 4096 DISK",
		"  cryptsetup luksFormat -c aes-cbc-essiv:sha256 -s 256 --sector-size 512 DISK",
	} {
		if !strings.Contains(strings.Join(a.Lines, "\n")+"\n", line+"\n") {
			t.Errorf("missing: %s", line)
		}
	}
}

// The size that is named is the smallest one near enough to the best, with the
// cost of blocks that are larger or smaller.
func TestTuneChoice(t *testing.T) {
	for _, test := range []struct {
		fixed, perByte float64
		o              TuneOptions
		size           float64
		words          []string
	}{
		{0, 1, usual, 512, []string{"-s 512: file system blocks of 4096 are whole sectors", "disk sectors of 4096 are larger", "writes 16 times the bytes"}},
		{100, 1, usual, 2048, []string{"-s 2048:"}},
		{500, 1, usual, 16384, []string{"-s 16384: file system blocks of 4096 are smaller", "written: 8 times the bytes", "fit into it"}},
		{500, 1, TuneOptions{Within: 0.2, FSBlockBytes: 4096, DiskBytes: 512}, 2048, []string{"disk sectors of 512 fit into it"}},
		{500, 1, TuneOptions{Within: 0.05, FSBlockBytes: 10000, DiskBytes: 10000}, 16384, []string{"blocks of 10000 are smaller", "do not fit into it"}},
	} {
		m := newMadeUp(1, 0, 6)
		m.sweep(xts, test.fixed, test.perByte)
		a := Tune(m.run, test.o)
		if f := figure(t, a, "sector_bytes", "aes-xts-256 read"); f.Value != test.size {
			t.Errorf("%v + %v: -s %v, want %v", test.fixed, test.perByte, f.Value, test.size)
		}
		for _, w := range test.words {
			if !strings.Contains(strings.Join(a.Lines, "\n"), w) {
				t.Errorf("%v + %v: %q is missing in\n%s", test.fixed, test.perByte, w, strings.Join(a.Lines, "\n"))
			}
		}
	}
}

// Of 2000 sweeps, the stated intervals hold fixed and byte cost in 95 %.
func TestTuneIntervals(t *testing.T) {
	const trials = 2000
	fixed, perByte := 0, 0
	for seed := range uint64(trials) {
		m := newMadeUp(seed, 0.01, 9)
		m.sweep(xts, 300, 0.1)
		a := Tune(m.run, usual)
		if holds(figure(t, a, "fixed_per_sector", "aes-xts-256 read"), 300) {
			fixed++
		}
		if holds(figure(t, a, "per_byte", "aes-xts-256 read"), 0.1) {
			perByte++
		}
	}
	if least := trials*0.95 - 3*10; float64(fixed) < least || float64(perByte) < least {
		t.Errorf("of %d sweeps, %d hold the fixed cost and %d that of a byte", trials, fixed, perByte)
	}
}

func TestTuneLittle(t *testing.T) {
	m := newMadeUp(1, 0, 6)
	if a := Tune(m.run, usual); !strings.HasPrefix(a.Text, "no answer") {
		t.Errorf("of nothing: %q", a.Text)
	}
	m.add(results.Case{Alg: "blowfish-cbc", SectorBytes: 512}, 1e8)
	a := Tune(m.run, usual)
	if text := strings.Join(a.Lines, "\n"); !strings.Contains(text, "one sector size makes no line") || strings.Contains(text, "cryptsetup luksFormat") {
		t.Errorf("of one size:\n%s", text)
	}
}
