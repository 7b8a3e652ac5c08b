package measure

// For the tests, which are in a package of their own, as measuretest imports
// this one.

const ShortSample = shortSample

var ErrWrongLength = errWrongLength

// Offset is that of a worker's next request.
func (l *Loop) Offset(worker int) int64 { return l.workers[worker].off }

// SetSetup is for a set-up that needs to know the loop.
func (l *Loop) SetSetup(setup func(worker int) (undo func(), err error)) { l.setup = setup }
