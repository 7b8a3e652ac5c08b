//go:build race

package racetouch

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"gelibench/geli/engine"
)

// caseVar names the case that a child process, which is to be caught, does.
const caseVar = "GELIBENCH_RACETOUCH"

// TestTouches: a goroutine's plain access to a byte that another one touches
// through this package is reported as a race, to a byte beside it is not.
func TestTouches(t *testing.T) {
	const unit, stride, sectors = 32, 48, 2
	dst, src, ivs := make([]byte, sectors*stride), make([]byte, sectors*stride), make([]byte, sectors*engine.IVBytes)
	state := new([8]uint32)
	run := func() { Run(dst, src, ivs, sectors, engine.Geometry{Unit: unit, DstStride: stride, SrcStride: stride}) }
	makeIVs := func() { IVs(ivs, state) }
	hmacs := func() { HMACs(dst[:32*sectors], src[:stride+unit], stride, unit, state) }
	look := func(b *byte) func() { return func() { sink = *b } }
	change := func(b *byte) func() { return func() { *b++ } }

	cases := map[string]struct {
		touch, access func()
		race          bool
	}{
		"run reads source":         {run, change(&src[stride+unit-1]), true},
		"run reads IVs":            {run, change(&ivs[2*engine.IVBytes-1]), true},
		"run writes destination":   {run, look(&dst[stride+unit-1]), true},
		"run only reads source":    {run, look(&src[stride]), false},
		"run stays in its sectors": {run, change(&dst[unit]), false},
		"IVs are written":          {makeIVs, look(&ivs[2*engine.IVBytes-1]), true},
		"IVs read the state":       {makeIVs, func() { state[7]++ }, true},
		"HMACs are written":        {hmacs, look(&dst[32*sectors-1]), true},
		"HMACs read source":        {hmacs, change(&src[stride+unit-1]), true},
		"HMACs read the state":     {hmacs, func() { state[0]++ }, true},
		"HMACs stay in the units":  {hmacs, change(&src[unit]), false},
	}
	if name, child := os.LookupEnv(caseVar); child {
		done := make(chan bool)
		go func() { cases[name].touch(); close(done) }()
		cases[name].access()
		<-done
		return
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a process that has reported a race waits a second
			cmd := exec.Command(os.Args[0], "-test.run=^TestTouches$")
			cmd.Env = append(os.Environ(), caseVar+"="+name)
			out, err := cmd.CombinedOutput()
			if raced := strings.Contains(string(out), "DATA RACE"); raced != c.race || (err != nil) != c.race {
				t.Errorf("race reported: %v, want %v (%v)\n%s", raced, c.race, err, out)
			}
		})
	}
}

var sink byte
