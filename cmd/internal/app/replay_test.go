package app

import (
	"math"
	"testing"

	"gelibench/results"
)

func TestParseScale(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "1/16": 1.0 / 16, "3/4": 0.75, "10%": 0.1, "0.5": 0.5, "100%": 1} {
		if got, err := parseScale(text); err != nil || got != want {
			t.Errorf("%q: %g, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "2", "1/0", "0/4", "5/4", "1/16x", "-1/4", "1/-4", "x", "120%", "NaN"} {
		if got, err := parseScale(text); err == nil || exitCode(err) != exitUsage {
			t.Errorf("%q: %g, %v", text, got, err)
		}
	}
}

// The rate of both directions is that of as many bytes each way.
func TestBothDirections(t *testing.T) {
	s := func(op string, sector int, mbps float64) results.Series {
		return results.Series{Case: results.Case{Op: op, Alg: "aes-cbc", SectorBytes: sector}, Stated: &results.StatedRate{BytesPerSecond: mbps * 1e6}}
	}
	got := bothDirections([]results.Series{s("read", 512, 300), s("write", 512, 100), s("write", 4096, 100), s("read", 8192, 1)})
	if len(got) != 1 || got[0].Case.Op != "" || got[0].Case.SectorBytes != 512 || math.Abs(got[0].BytesPerSecond()-150e6) > 1 {
		t.Errorf("%+v", got)
	}
}
