package stats

import "math"

// uDistribution is that of the Mann-Whitney U of two samples without ties,
// from the same source.
type uDistribution struct {
	n1, n2 int
	exact  []float64 // probability of each U, for small samples
}

// exactU is up to what size, n1*n2, the distribution is counted out. Above it
// the normal one is near enough.
const exactU = 400

func mannWhitney(n1, n2 int) uDistribution {
	d := uDistribution{n1: n1, n2: n2}
	if n1*n2 > exactU {
		return d
	}
	// The coefficients of the Gaussian binomial (n1+n2 over n1): multiply by
	// 1-q^(n2+i), divide by 1-q^i.
	c := make([]float64, n1*n2+1)
	c[0] = 1
	total := 1.0
	for i := 1; i <= n1; i++ {
		for u := len(c) - 1; u >= n2+i; u-- {
			c[u] -= c[u-n2-i]
		}
		for u := i; u < len(c); u++ {
			c[u] += c[u-i]
		}
		total *= float64(n2+i) / float64(i)
	}
	for u := range c {
		c[u] /= total
	}
	d.exact = c
	return d
}

// atMost is the probability that U is u or less.
func (d uDistribution) atMost(u int) float64 {
	if d.exact != nil {
		p := 0.0
		for i := 0; i <= min(u, len(d.exact)-1); i++ {
			p += d.exact[i]
		}
		return min(1, p)
	}
	n1, n2 := float64(d.n1), float64(d.n2)
	sd := math.Sqrt(n1 * n2 * (n1 + n2 + 1) / 12)
	return math.Erfc((n1*n2/2-float64(u)-0.5)/sd/math.Sqrt2) / 2
}

// rank is k, where the interval of the median ratio reaches from the k-th
// smallest to the k-th largest of all ratios, with an error of alpha at most
// on both sides together; 0 where there is none.
func (d uDistribution) rank(alpha float64) int {
	lo, hi := 0, d.n1*d.n2/2+1 // atMost(k-1) <= alpha/2 for k = lo, not for hi
	for hi-lo > 1 {
		k := (lo + hi) / 2
		if 2*d.atMost(k-1) <= alpha {
			lo = k
		} else {
			hi = k
		}
	}
	return lo
}
