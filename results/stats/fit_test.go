package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// madeUpNoise are factors around 1 whose median is 1.
var madeUpNoise = []struct {
	name   string
	factor func(r *rand.Rand) float64
}{
	{"white 1 %", func(r *rand.Rand) float64 { return math.Exp(0.01 * r.NormFloat64()) }},
	{"one in ten by 30 %", func(r *rand.Rand) float64 {
		if r.IntN(10) == 0 {
			return math.Exp(0.3 * r.NormFloat64())
		}
		return math.Exp(0.01 * r.NormFloat64())
	}},
	{"uniform 5 %", func(r *rand.Rand) float64 { return math.Exp(0.05 * (2*r.Float64() - 1)) }},
}

func fitTrials() int {
	if testing.Short() {
		return 2000
	}
	return 10000
}

// right counts how often intervals held the truth.
type right struct{ hits, of int }

func (x *right) see(i Interval, truth float64) {
	x.of++
	if i.Contains(truth) {
		x.hits++
	}
}

// check wants the share of hits to be 95 %, as near as so many trials show. It
// is asked some fifty times, so the bound is that of one wrong alarm in
// forty seeds, not in one: 3.5 standard errors.
func (x right) check(t *testing.T, what string) {
	t.Helper()
	share := float64(x.hits) / float64(x.of)
	off := 3.5 * math.Sqrt(0.95*0.05/float64(x.of))
	t.Logf("%s: within its bounds in %.2f %% of %d trials", what, 100*share, x.of)
	if share < 0.95-off || share > 0.95+off+0.01 { // an interval that is never wrong tells nothing
		t.Errorf("%s: within its bounds in %.2f %% of %d trials, want 95 %%", what, 100*share, x.of)
	}
}

func TestFitSectorTime(t *testing.T) {
	for i, truth := range []struct{ a, b float64 }{{60, 0.35}, {3400, 0.05}, {5, 12}} {
		for k, noise := range madeUpNoise {
			var a, b, rate, half right
			for trial := range fitTrials() {
				r := rand.New(rand.NewPCG(uint64(trial), uint64(10*i+k)))
				var sizes []SectorTimes
				for size := 512; size <= 65536; size *= 2 {
					s := SectorTimes{SectorBytes: size}
					for range 12 {
						s.NS = append(s.NS, (truth.a+truth.b*float64(size))*noise.factor(r))
					}
					sizes = append(sizes, s)
				}
				f := FitSectorTime(sizes)
				a.see(f.FixedNS, truth.a)
				b.see(f.NSPerByte, truth.b)
				rate.see(f.BytesPerSecond, 1e9/truth.b)
				half.see(f.HalfSpeedBytes, truth.a/truth.b)
			}
			t.Logf("%v ns + %v ns a byte, noise %s", truth.a, truth.b, noise.name)
			a.check(t, "fixed")
			b.check(t, "per byte")
			rate.check(t, "asymptote")
			half.check(t, "half-speed size")
		}
	}
}

func TestFitScaling(t *testing.T) {
	for i, serial := range []float64{0, 0.02, 0.3} {
		for k, noise := range madeUpNoise {
			var one, fraction right
			for trial := range fitTrials() {
				r := rand.New(rand.NewPCG(uint64(trial), uint64(100+10*i+k)))
				var counts []WorkerRates
				for n := 1; n <= 8; n++ {
					c := WorkerRates{Workers: n}
					for range 12 {
						c.BytesPerSecond = append(c.BytesPerSecond, 2e9*float64(n)/(1+serial*float64(n-1))*noise.factor(r))
					}
					counts = append(counts, c)
				}
				f := FitScaling(counts)
				one.see(f.OneWorker, 2e9)
				fraction.see(f.SerialFraction, serial)
			}
			t.Logf("serial fraction %v, noise %s", serial, noise.name)
			one.check(t, "one worker")
			fraction.check(t, "serial fraction")
		}
	}
}

// Without noise, the fits find what was put in; a hardware engine that costs
// 3.4 us a call loses up to the size at which the lines cross.
func TestFitsExact(t *testing.T) {
	sizes := func(a, b float64) (out []SectorTimes) {
		for size := 512; size <= 65536; size *= 2 {
			out = append(out, SectorTimes{size, []float64{a + b*float64(size)}})
		}
		return out
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	soft, hard := FitSectorTime(sizes(40, 5)), FitSectorTime(sizes(3400, 0.6))
	near("fixed", hard.FixedNS.Value, 3400)
	near("per byte", hard.NSPerByte.Value, 0.6)
	near("asymptote", hard.BytesPerSecond.Value, 1e9/0.6)
	near("half-speed size", hard.HalfSpeedBytes.Value, 3400/0.6)
	at, ok := Crossover(soft, hard)
	if !ok {
		t.Error("the lines do not cross")
	}
	near("crossover", at, 3360/4.4)
	if _, ok := Crossover(hard, soft); ok {
		t.Error("software overtakes the hardware, as sectors grow")
	}

	var counts []WorkerRates
	for n := 1; n <= 5; n++ {
		counts = append(counts, WorkerRates{n, []float64{1e9 * float64(n) / (1 + 0.1*float64(n-1))}})
	}
	s := FitScaling(counts)
	near("serial fraction", s.SerialFraction.Value, 0.1)
	near("one worker", s.OneWorker.Value, 1e9)

	for n, bounded := range []bool{false, false, false, true} {
		f, s := FitSectorTime(sizes(40, 5)[:n]), FitScaling(counts[:n])
		if f.FixedNS.Bounded() != bounded && n >= 2 || s.SerialFraction.Bounded() != bounded && n >= 2 {
			t.Errorf("%d points: %+v, %+v", n, f, s)
		}
		if few := n < 3; (len(f.Notes) > 0) != few || (len(s.Notes) > 0) != few {
			t.Errorf("%d points: notes %v and %v", n, f.Notes, s.Notes)
		}
		if n < 2 && !math.IsNaN(f.NSPerByte.Value) {
			t.Errorf("a line through %d points: %+v", n, f)
		}
	}
}

// A relation that is no line has wide bounds, and says so.
func TestFitMisfit(t *testing.T) {
	var bent []SectorTimes
	for size := 512; size <= 65536; size *= 2 {
		ns := 100 + 0.3*float64(size)
		if size > 8192 {
			ns *= 1.5 // out of the cache
		}
		bent = append(bent, SectorTimes{size, []float64{ns}})
	}
	f := FitSectorTime(bent)
	if f.Misfit < 0.1 || len(f.Notes) != 1 || f.Notes[0].Kind != "not-a-line" || f.NSPerByte.Relative() < 0.05 {
		t.Errorf("%+v", f)
	}
}

func TestStudent(t *testing.T) {
	// From the tables of the t distribution, 97.5 %.
	for df, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 10: 2.228, 30: 2.042, 120: 1.980} {
		if got := student(df); math.Abs(got-want) > 6e-4 {
			t.Errorf("%d degrees of freedom: %.4f, want %.3f", df, got, want)
		}
	}
	if !math.IsInf(student(0), 1) {
		t.Error("bounds without a degree of freedom")
	}
}

func TestSmallestWithin(t *testing.T) {
	for _, test := range []struct {
		rates  []float64
		within float64
		want   int
	}{
		{nil, 0.05, -1},
		{[]float64{1, 2, 3, 3.1, 3.0}, 0.05, 2},
		{[]float64{1, 2, 3, 3.1, 3.0}, 0, 3},
		{[]float64{5, 4}, 0.5, 0},
	} {
		if got := SmallestWithin(test.rates, test.within); got != test.want {
			t.Errorf("%v within %v: %d, want %d", test.rates, test.within, got, test.want)
		}
	}
}
