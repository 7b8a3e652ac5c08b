package answer

import (
	"slices"
	"strings"
	"testing"

	"gelibench/results"
)

// Two engines, numbers of workers or sector sizes are two answers, each with
// the figures of its own and a name that tells it from the other.
func TestApart(t *testing.T) {
	type expect struct {
		figure, about string
		value         float64
	}
	for _, test := range []struct {
		name string
		ask  func() results.Answer
		want []expect
	}{
		{"tune", func() results.Answer {
			m := newMadeUp(1, 0, 6)
			for i, engine := range []string{"slow", "fast"} {
				for _, sector := range []int{512, 4096} {
					m.add(results.Case{Alg: xts, SectorBytes: sector, Engine: engine}, float64(i+1)*1e8*float64(sector)/512)
					m.add(results.Case{Alg: xts, SectorBytes: sector, Engine: engine, Path: pathBatch}, float64(i+1)*1e9)
				}
			}
			return Tune(m.run, TuneOptions{Within: 0.05, FSBlockBytes: 4096, DiskBytes: 4096})
		}, []expect{
			{"bytes_per_second", "aes-xts-128 read on slow 512 bytes", 1e8},
			{"bytes_per_second", "aes-xts-128 read on fast 512 bytes", 2e8},
			{"sector_bytes", "aes-xts-128 read on fast", 4096},
		}},
		{"scale", func() results.Answer {
			m := newMadeUp(1, 0, 6)
			for i, engine := range []string{"slow", "fast"} {
				for _, sector := range []int{512, 4096} {
					for _, n := range []int{1, 2} {
						m.add(results.Case{Alg: xts, SectorBytes: sector, Engine: engine, Workers: n}, float64((i+1)*n*sector)*1e6)
					}
				}
			}
			return Scale(m.run, nil, 0.05)
		}, []expect{
			{"bytes_per_second", "aes-xts-128 read on slow in 512-byte sectors 1 worker", 512e6},
			{"bytes_per_second", "aes-xts-128 read on fast in 512-byte sectors 2 workers", 2048e6},
			{"bytes_per_second", "aes-xts-128 read on slow in 4096-byte sectors 2 workers", 8192e6},
		}},
		{"headroom", func() results.Answer {
			m := newMadeUp(1, 0, 6)
			for _, c := range []results.Case{
				{SectorBytes: 512, Workers: 1, Engine: "slow"}, {SectorBytes: 4096, Workers: 1, Engine: "slow"},
				{SectorBytes: 4096, Workers: 2, Engine: "slow"}, {SectorBytes: 4096, Workers: 2, Engine: "fast"},
			} {
				c.Alg = xts
				own := float64(c.SectorBytes*c.Workers) * 1e6
				if c.Engine == "fast" {
					own *= 10
				}
				m.add(c, own)
				c.PacedBytesPerSecond = 550e6
				m.add(c, min(own, 550e6))
			}
			return Headroom(m.run, Disk{Read: 550e6})
		}, []expect{
			{"cipher", "aes-xts-128 read by 1 worker on slow in 512-byte sectors geli", 512e6},
			{"cipher", "aes-xts-128 read by 1 worker on slow in 4096-byte sectors geli", 4096e6},
			{"cipher", "aes-xts-128 read by 2 workers on slow in 4096-byte sectors geli", 8192e6},
			{"cipher", "aes-xts-128 read by 2 workers on fast in 4096-byte sectors geli", 81920e6},
		}},
		{"accel", func() results.Answer {
			m := newMadeUp(1, 0, 6)
			for _, n := range []int{1, 2} {
				for _, sector := range []int{512, 1024, 4096, 8192} {
					m.add(results.Case{Alg: xts, SectorBytes: sector, Engine: "soft", Workers: n}, 1e8*float64(n))
					m.add(results.Case{Alg: xts, SectorBytes: sector, Engine: "aesni", Workers: n}, 1e9*float64(n*n))
				}
			}
			return Accel(m.run, []Level{{Engine: "aesni", Hardware: true, Auto: true}, {Engine: "soft"}})
		}, []expect{
			{"times", "aes-xts-128 read by 1 worker aesni 8192 bytes", 10},
			{"times", "aes-xts-128 read by 2 workers aesni 512 bytes", 20},
		}},
	} {
		a := test.ask()
		for _, w := range test.want {
			if f := figure(t, a, w.figure, w.about); f.Value < 0.999*w.value || f.Value > 1.001*w.value {
				t.Errorf("%s: %s of %s is %v, want %v", test.name, w.figure, w.about, f.Value, w.value)
			}
		}
		var names []string
		for _, f := range a.Figures {
			names = append(names, f.Name+" of "+f.About)
		}
		slices.Sort(names)
		if n := len(slices.Compact(slices.Clone(names))); n != len(names) {
			t.Errorf("%s: %d of %d figures have a name of their own: %q", test.name, n, len(names), names)
		}
		for _, line := range a.Lines {
			if len([]rune(line)) > columns && !strings.HasPrefix(line, "note: ") { // folded when it is shown
				t.Errorf("%s: too long: %s", test.name, line)
			}
		}
	}
}

// What cannot be made is not offered.
func TestTuneRemovedCipher(t *testing.T) {
	m := newMadeUp(1, 0, 6)
	m.add(results.Case{Alg: "3des-cbc", KeyBits: 192, SectorBytes: 512}, 1e8)
	a := Tune(m.run, TuneOptions{Within: 0.05})
	if text := strings.Join(a.Lines, "\n"); strings.Contains(text, "geli init -s") || !strings.Contains(text, "no new disk takes 3des-cbc") {
		t.Error(text)
	}
}
