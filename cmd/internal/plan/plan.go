// Package plan turns what a person asked for into cases to measure. It is the
// only place that multiplies lists into a matrix.
//
// A combination that makes no sense is an error that names it; nothing is ever
// left out of a matrix without a word.
package plan

import (
	"fmt"
	"io/fs"
	"math"
	"time"

	"gelibench/geli"
	"gelibench/geli/engine"
)

// Op is a direction.
type Op string

// Read decrypts, as dd from gzero.eli does; Write encrypts.
const (
	Read  Op = "read"
	Write Op = "write"
)

// Auto as an engine's name means the table's choice for each cipher.
const Auto = "auto"

const (
	// MaxWorkers bounds the workers of a case, for MaxWorkersReason.
	MaxWorkers       = 255
	MaxWorkersReason = "GELI keeps the number of a worker in 8 bits"
	// MaxRequestBytes bounds one request; each worker has a buffer of that size.
	MaxRequestBytes = 1 << 30
	// MaxCases bounds a matrix.
	MaxCases = 4096
)

// maxBufferBytes bounds the buffers of all workers together.
const maxBufferBytes = min(8<<30, math.MaxInt/2)

// Provider is what a plan needs to know of the provider beneath.
type Provider struct {
	Name        string
	Bytes       int64
	SectorBytes int
	ReadOnly    bool
	// Labelled says that the last sector holds metadata.
	Labelled bool
}

// Plan is a run as it was asked for. Every list holds at least one item.
type Plan struct {
	Provider Provider

	Algs         []engine.Alg
	KeyBits      []int     // one half for XTS; 0: the cipher's default
	AAlg         geli.AAlg // of all cases; 0: no integrity mode
	SectorBytes  []int64   // 0: the provider's
	RequestBytes []int64
	Ops          []Op
	Workers      []int
	Engines      []string // names of the engine table, or Auto
	Paths        []geli.Path
	Rekey        geli.Rekey // "": as the path has it

	BytesPerSecond float64 // that all workers together are held to; 0: none

	Requests int64         // in one sample, all workers together; 0: no bound
	Time     time.Duration // for one case; 0: the default, see Bound

	// For runs in rounds, which are all that have no Requests.
	Budget    time.Duration // for the whole run; 0: see RunBudget
	Samples   int           // of each case; 0: until it is precise
	Precision float64       // half-width of a median's interval, as a share of it; 0: the default
	Seed      int64         // of the random order
	Pin       string        // CPUs of the workers, a list or "auto"; "": not bound

	// FitRequests says that the request size is nobody's wish: a slow machine
	// may take smaller ones.
	FitRequests bool
}

// InRounds says that the cases are measured in rounds, until they are precise.
// With a number of requests they are measured one after the other, as dd does.
func (p Plan) InRounds() bool { return p.Requests == 0 }

// Case is one cell of the matrix, with nothing left to choose.
type Case struct {
	Params       engine.Params
	AAlg         geli.AAlg // 0: no integrity mode
	SectorBytes  int
	RequestBytes int64
	Op           Op
	Workers      int
	Engine       engine.Engine
	// Reason says why auto took the engine; "" if it was asked for by name.
	Reason string
	// Hasher names the maker of CBC IVs that belongs to an engine asked for by
	// name; "" leaves it to the table.
	Hasher string
	Path   geli.Path
	// BytesPerSecond is what all workers together are held to; 0: no bound.
	BytesPerSecond float64
	// GODEBUG, if not empty, has the case measured by a process of its own
	// with this setting, which the standard library reads when it starts.
	GODEBUG string
}

// String names the case as the flags that ask for it.
func (c Case) String() string {
	auth := ""
	if c.AAlg != 0 {
		auth = fmt.Sprintf(" -a %v", c.AAlg)
	}
	text := fmt.Sprintf("-e %v -l %d%s -s %d --bs %d --op %s --workers %d --engine %s --path %s",
		c.Params.Alg, c.Params.KeyBits, auth, c.SectorBytes, c.RequestBytes, c.Op, c.Workers, c.Engine.Name(), c.Path.Name)
	if c.BytesPerSecond > 0 {
		text += fmt.Sprintf(" --rate %.0f", c.BytesPerSecond)
	}
	if c.GODEBUG != "" {
		text = "GODEBUG=" + c.GODEBUG + " " + text
	}
	return text
}

// Table is the engine table as a plan asks it.
type Table interface {
	Lookup(name string) (engine.Engine, error)
	Auto(engine.Params) (e engine.Engine, reason string, err error)
}

// Error says what is wrong with a plan. It wraps fs.ErrInvalid, or
// engine.ErrUnavailable where the plan is sound but this machine cannot run it.
type Error struct {
	Problem string
	Hint    string
	kind    error
}

func (e *Error) Error() string { return e.Problem }
func (e *Error) Unwrap() error { return e.kind }

func invalid(hint, format string, args ...any) error {
	return &Error{fmt.Sprintf(format, args...), hint, fs.ErrInvalid}
}

// Bounds of the time that a run takes when none was asked for.
const (
	defaultTime    = 3 * time.Second        // for a single case
	defaultRunTime = 15 * time.Second       // for a whole matrix ...
	minDefaultTime = 200 * time.Millisecond // ... but at least this for each case
)

// Bound is the time that each of n cases may take: what was asked for; none
// where a number of requests was asked for; otherwise 3 seconds, less for
// matrices so that the whole stays near 15.
func (p Plan) Bound(n int) time.Duration {
	switch {
	case p.Time > 0 || p.Requests > 0:
		return p.Time
	case n*int(defaultTime/time.Millisecond) <= int(defaultRunTime/time.Millisecond):
		return defaultTime
	}
	return max(defaultRunTime/time.Duration(n), minDefaultTime)
}

// RunBudget is the time that a run of n cases may take in rounds; 0 is no
// bound, where a number of samples was asked for and no time.
func (p Plan) RunBudget(n int) time.Duration {
	switch {
	case p.Budget > 0:
		return p.Budget
	case p.Samples > 0 && p.Time == 0:
		return 0
	}
	return time.Duration(n) * p.Bound(n)
}
