package answer

import (
	"math"
	"strings"
	"testing"

	"gelibench/results"
)

// ladder adds an engine whose sectors cost a fixed time and one for each byte, ns.
func (m *madeUp) ladder(engine string, fixed, perByte float64) {
	for _, size := range []int{512, 4096, 65536} {
		rate := 1e9 * float64(size) / (fixed + perByte*float64(size))
		m.add(results.Case{Alg: cbc, Engine: engine, SectorBytes: size}, rate)
		if size == 4096 {
			m.add(results.Case{Alg: cbc, Engine: engine, SectorBytes: size, Path: pathBatch}, 1.2*rate)
		}
	}
}

func TestAccel(t *testing.T) {
	m := newMadeUp(1, 0.004, 12)
	levels := []Level{{Engine: "soft"}, {Engine: libraryWithout}, {Engine: libraryWith, Hardware: true}, {Engine: "aesni", Hardware: true, Auto: true}}
	m.ladder("soft", 100, 3)
	m.ladder(libraryWithout, 400, 5)
	m.ladder(libraryWith, 400, 0.8)
	m.ladder("aesni", 90, 0.25)
	a := Accel(m.run, levels)
	golden(t, "accel", m.run, a)
	if n := AccelComparisons(levels, 3); n != 7 || !strings.Contains(strings.Join(a.Lines, "\n"), "7 comparisons") {
		t.Errorf("%d comparisons", n)
	}
	want := (400 + 5*4096.) / (400 + 0.8*4096)
	if f := figure(t, a, "aes_instructions", "aes-cbc-128 read 4096 bytes"); !holds(f, want) || math.Abs(f.Value/want-1) > 0.01 {
		t.Errorf("AES instructions give %v, want %v", f.Value, want)
	}
	if !strings.Contains(a.Text, "AES instructions give ×5.") || !strings.Contains(a.Text, "auto takes aesni, ×1") {
		t.Error(a.Text)
	}
}

// A device that costs 3.4 µs a call makes small sectors slower, up to where the
// lines of both cross.
func TestAccelHarm(t *testing.T) {
	levels := []Level{{Engine: "soft"}, {Engine: "qat", Hardware: true, Auto: true}}
	for _, test := range []struct {
		soft, device [2]float64 // fixed, per byte
		words        string
	}{
		{[2]float64{50, 5}, [2]float64{3400, 0.5}, "qat makes sectors of up to about 74"},
		{[2]float64{50, 5}, [2]float64{34000, 0.5}, "qat makes sectors of up to about 75"}, // 7544
		{[2]float64{50, 0.4}, [2]float64{3400, 0.5}, "qat makes sectors of all sizes measured (512 to 65536 bytes) slower"},
		{[2]float64{50, 5}, [2]float64{60, 0.5}, ""},
	} {
		m := newMadeUp(1, 0.004, 12)
		m.ladder("soft", test.soft[0], test.soft[1])
		m.ladder("qat", test.device[0], test.device[1])
		a := Accel(m.run, levels)
		if test.words == "" && strings.Contains(a.Text, "slower") || !strings.Contains(a.Text, test.words) {
			t.Errorf("%+v: %q", test, a.Text)
		}
		if test.words != "" && test.soft[1] == 5 && test.device[0] == 3400 {
			golden(t, "accel_harm", m.run, a)
		}
	}
}

func TestAccelNothing(t *testing.T) {
	m := newMadeUp(1, 0.004, 12)
	m.ladder("soft", 50, 5)
	if a := Accel(m.run, []Level{{Engine: "soft", Auto: true}}); !strings.Contains(a.Text, "no acceleration is used: auto takes soft") {
		t.Error(a.Text)
	}
	if a := Accel(m.run, []Level{{Engine: "aesni", Hardware: true}}); !strings.HasPrefix(a.Text, "no answer") {
		t.Error(a.Text)
	}
	few := newMadeUp(1, 0.004, 5)
	few.ladder("soft", 50, 5)
	few.ladder("qat", 50, 0.5)
	a := Accel(few.run, []Level{{Engine: "soft"}, {Engine: "qat", Hardware: true, Auto: true}})
	if !strings.Contains(a.Text, "too few rounds") || strings.Contains(a.Text, "no difference") {
		t.Error(a.Text)
	}
}
