package measure

import "time"

// paced is do as the worker of a paced loop calls it from now on: each request
// is followed by a rest, until the time is over that all of them so far have.
// Without a pace it is do itself, which reads no clock.
func (l *Loop) paced(do func([]byte, int64) (int, error), g *gate) func([]byte, int64) (int, error) {
	if l.pace == 0 {
		return do
	}
	begin, moved := l.clock.Now(), 0.0
	return func(p []byte, off int64) (int, error) {
		n, err := do(p, off)
		if err != nil {
			return n, err
		}
		moved += float64(n)
		due := begin + time.Duration(moved*l.pace)
		if now := l.clock.Now(); now < due {
			sleep(l.clock, due-now, g.wake)
		}
		return n, nil
	}
}
