package measuretest

import (
	"math/rand/v2"
	"time"
)

// Noise is the mean speed of a machine in the stretch of length d from at on,
// by the clock, where 1 is full speed. It is asked for stretches one
// behind the other, by one goroutine.
type Noise func(at, d time.Duration) float64

// White is noise of each sample by itself, normal, with the standard deviation
// sd as a share of the speed.
func White(r *rand.Rand, sd float64) Noise {
	return func(_, _ time.Duration) float64 { return 1 + sd*r.NormFloat64() }
}

// Drift is a speed that falls evenly, by the share change until the time over.
func Drift(change float64, over time.Duration) Noise {
	return func(at, d time.Duration) float64 {
		return 1 - change*(at+d/2).Seconds()/over.Seconds()
	}
}

// Steal is bursts, of random length with the given mean, that take the share
// busy of the time, in which the speed falls to the level slow.
func Steal(r *rand.Rand, busy, slow float64, mean time.Duration) Noise {
	calm := time.Duration(float64(mean) * (1 - busy) / busy)
	return switching(r, [2]float64{1, slow}, [2]time.Duration{calm, mean})
}

// Levels is a clock that hops between two levels, apart by that share of the
// higher one, and stays on each for a random time with the given mean.
func Levels(r *rand.Rand, apart float64, mean time.Duration) Noise {
	return switching(r, [2]float64{1, 1 - apart}, [2]time.Duration{mean, mean})
}

// switching goes from one of two speeds to the other after times that are
// exponentially distributed. It begins in a random state, as if it had run
// for long.
func switching(r *rand.Rand, speed [2]float64, mean [2]time.Duration) Noise {
	state := 0
	if r.Float64()*float64(mean[0]+mean[1]) >= float64(mean[0]) {
		state = 1
	}
	next := func() time.Duration { return time.Duration(r.ExpFloat64() * float64(mean[state])) }
	until := next()
	return func(at, d time.Duration) float64 {
		for until <= at {
			state = 1 - state
			until += next()
		}
		sum, t := 0.0, at
		for until < at+d {
			sum += speed[state] * float64(until-t)
			t = until
			state = 1 - state
			until += next()
		}
		sum += speed[state] * float64(at+d-t)
		return sum / float64(d)
	}
}

// All is several noises at once.
func All(noises ...Noise) Noise {
	return func(at, d time.Duration) float64 {
		speed := 1.0
		for _, n := range noises {
			speed *= n(at, d)
		}
		return speed
	}
}
