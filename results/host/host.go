// Package host looks at the machine that figures are taken on, and says what
// about it would spoil them.
//
//	System(root)  a machine, seen through the files below root
//	Static        what can be said of it at once
//	Watch         the same looks before, during and after a run
//	Examine       both, with a second of watching: the doctor's report
//
// All that Linux tells is read below a root directory (procfs, sysfs, cgroup
// v1 and v2), so that a test can hand over a tree of its own. Elsewhere
// sysctl(3) is asked. What a system does not tell is a finding without a
// grade; it is never an error.
//
// The thresholds stand in thresholds.go, with their reasons.
package host

import (
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"gelibench/results"
	"gelibench/results/pin"
)

// About is what the caller knows better than the files do.
type About struct {
	CPUModel string   // "": to be looked up
	Features []string // CPU features that the engines can use
	// SwitchedOff lists the features that the user took away, so that nobody
	// else is suspected.
	SwitchedOff []string
	// Now is a monotonic clock; nil means Go's own.
	Now func() time.Duration
}

// Host is a machine. Its methods may be called from several goroutines; two
// that time something at once disturb each other.
type Host struct {
	About
	files tree
	self  process

	additions atomic.Int64 // of a chain that takes chainTime or so; 0: not known yet
	step      atomic.Int64 // of the timer, ns; 0: not known yet
}

// process is what a program finds out about the machine without files.
type process struct {
	goos       string
	gomaxprocs int
	cpuTime    func() (time.Duration, bool) // of this process: user and system
	switches   func() (int64, bool)         // involuntary, of this process
	sysctl     func(name string) []byte     // nil: no such name
	cycles     func() (counter, error)      // begins to count
	chain      func(additions int)          // runs dependent additions, see chain.go
	bind       func(cpu int) error          // the calling thread
}

// System is the machine whose files lie below root: "/" for this one. With
// another root, the files decide everything that they can, as on Linux.
func System(root string, about About) *Host {
	h := &Host{About: about, files: tree{os.DirFS(root)}, self: process{
		goos:       runtime.GOOS,
		gomaxprocs: runtime.GOMAXPROCS(0),
		cpuTime:    cpuTime,
		switches:   involuntarySwitches,
		sysctl:     sysctl,
		cycles:     countCycles,
		chain:      runChain,
		bind:       pin.Thread,
	}}
	switch real := filepath.Clean(root) == string(filepath.Separator); {
	case !real:
		h.self.goos = "linux"
		h.self.sysctl = func(string) []byte { return nil }
	case runtime.GOOS != "linux":
		h.files = tree{}
	}
	if h.Now == nil {
		start := time.Now()
		h.Now = func() time.Duration { return time.Since(start) }
	}
	return h
}

// Static is everything that can be said of the machine without waiting, in the
// order of a report. It takes some milliseconds.
func (h *Host) Static() []results.Finding {
	var all []results.Finding
	for _, look := range []func(*Host) results.Finding{
		(*Host).cpu, (*Host).crypto, (*Host).hypervisor, (*Host).cores,
		(*Host).governor, (*Host).boost,
		(*Host).quota, (*Host).affinity,
		(*Host).load, (*Host).pressure, (*Host).steal, (*Host).throttling,
		(*Host).timer, (*Host).power, (*Host).hugepages, (*Host).perf,
	} {
		all = append(all, look(h))
	}
	return all
}

// notKnown is the finding of a look that could not be taken.
func notKnown(name string) results.Finding {
	return results.Finding{Name: name, Text: "not known"}
}

func good(name, text string) results.Finding {
	return results.Finding{Name: name, Text: text, Grade: results.Good}
}
