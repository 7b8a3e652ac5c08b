package stats

import "math"

// studentWithin is the probability that Student's t, of df degrees of freedom,
// lies between -t and t (Abramowitz and Stegun, 26.7.3 and 26.7.4).
func studentWithin(t float64, df int) float64 {
	theta := math.Atan(t / math.Sqrt(float64(df)))
	sin, cos := math.Sincos(theta)
	sum, term := 0.0, 1.0
	if df%2 == 0 {
		for k := 0; k <= df-2; k += 2 {
			sum += term
			term *= cos * cos * float64(k+1) / float64(k+2)
		}
		return sin * sum
	}
	for k := 1; k <= df-2; k += 2 {
		sum += term
		term *= cos * cos * float64(k+1) / float64(k+2)
	}
	return 2 / math.Pi * (theta + sin*cos*sum)
}

// student is the t between which and -t Student's t lies with the level
// Confidence; +Inf without a degree of freedom.
func student(df int) float64 {
	if df < 1 {
		return math.Inf(1)
	}
	lo, hi := 0.0, 1e3
	for range 100 {
		if t := (lo + hi) / 2; studentWithin(t, df) < Confidence {
			lo = t
		} else {
			hi = t
		}
	}
	return hi
}
