package stats

import "math"

// point is one of those that a line is laid through. Its error is a share of
// y, and the smaller the more samples it stands for.
type point struct {
	x, y    float64
	samples int
}

// line is y = a + b*x, with the variances of a and b.
type line struct {
	a, b          float64
	vaa, vab, vbb float64
	t             float64 // Student's, for the bounds
}

// fitLine lays a line through points by weighted least squares. How large the
// errors are is read off the distances that remain, so that a relation which
// is not straight has wider bounds. Two points have no bounds, and fewer (or
// all at one x) have no line: everything is NaN.
func fitLine(points []point) line {
	nan := math.NaN()
	f := line{nan, nan, nan, nan, nan, nan}
	if len(points) < 2 {
		return f
	}
	at := func(p point) float64 { return p.y }
	for range 4 { // the weights are those of the line, which the weights make
		var w, wx, wy, wxx, wxy float64
		weight := func(p point) float64 {
			y := at(p)
			if !(y > p.y/4) { // a line that misses a point by far
				y = p.y / 4
			}
			return float64(p.samples) / (y * y)
		}
		for _, p := range points {
			k := weight(p)
			w += k
			wx += k * p.x
			wy += k * p.y
		}
		mx, my := wx/w, wy/w
		for _, p := range points {
			k := weight(p)
			wxx += k * (p.x - mx) * (p.x - mx)
			wxy += k * (p.x - mx) * (p.y - my)
		}
		if wxx == 0 {
			return f
		}
		b := wxy / wxx
		a := my - b*mx
		var rest float64
		for _, p := range points {
			d := p.y - a - b*p.x
			rest += weight(p) * d * d
		}
		df := len(points) - 2
		s2 := math.Inf(1)
		if df > 0 {
			s2 = rest / float64(df)
		}
		f = line{
			a: a, b: b,
			vbb: s2 / wxx, vaa: s2 * (1/w + mx*mx/wxx), vab: -s2 * mx / wxx,
			t: student(df),
		}
		at = func(p point) float64 { return a + b*p.x }
	}
	return f
}

func (f line) intercept() Interval { return bounds(f.a, f.t, f.vaa) }
func (f line) slope() Interval     { return bounds(f.b, f.t, f.vbb) }

func bounds(v, t, variance float64) Interval {
	if math.IsInf(t, 0) {
		return Interval{v, math.Inf(-1), math.Inf(1)}
	}
	d := t * math.Sqrt(variance)
	return Interval{v, v - d, v + d}
}

// ratio is p/q of two estimates with their variances, with the bounds of
// Fieller's theorem (1954). There are none where q may be 0.
func ratio(p, q, vpp, vpq, vqq, t float64) Interval {
	r := Interval{p / q, math.Inf(-1), math.Inf(1)}
	if math.IsInf(t, 0) {
		return r
	}
	// Those r with (p - r*q)^2 <= t^2 * variance of p - r*q.
	t2 := t * t
	a, b, c := q*q-t2*vqq, p*q-t2*vpq, p*p-t2*vpp
	if a <= 0 {
		return r
	}
	d := math.Sqrt(max(0, b*b-a*c))
	r.Lo, r.Hi = (b-d)/a, (b+d)/a
	return r
}
