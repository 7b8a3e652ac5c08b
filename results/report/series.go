package report

import (
	"math"
	"strconv"
	"strings"

	"gelibench/results"
	"gelibench/results/format"
)

// UnitBytes is how many bytes were ciphered under one IV: the sector of a
// provider, or the block that a library was called with. 0 is unknown.
func (r Result) UnitBytes() int64 {
	if r.Sector > 0 {
		return r.Sector
	}
	switch r.Tool {
	case "dd", "fio", "cryptsetup benchmark", "VeraCrypt", "TrueCrypt":
		return 0 // their blocks are requests, cut into sectors below
	}
	if r.Kind == Cipher {
		return r.BlockBytes
	}
	return 0
}

// Alg is the algorithm as geli(8) would name it: "aes-xts"; "" is unknown.
func (r Result) Alg() string {
	if r.Cipher == "" || r.Mode == "" && r.Cipher != "null" {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(r.Cipher+"-"+r.Mode, "-"))
}

// Series makes a series with a stated rate of the figure: a case that can be
// compared with measured ones, and everything that is to be doubted as notes.
func (r Result) Series() results.Series {
	s := results.Series{Case: results.Case{
		Alg: r.Alg(), KeyBits: r.KeyBits, AAlg: strings.ToLower(r.Auth), Engine: r.Engine, Workers: r.Threads, Provider: r.Device, Clear: r.Clear,
		RequestBytes: r.BlockBytes,
	}}
	if u := r.UnitBytes(); u > 0 && u <= math.MaxInt32 {
		s.Case.SectorBytes = int(u)
	}
	switch r.Direction {
	case Encrypt, Writing:
		s.Case.Op = "write"
	case Decrypt, Reading:
		s.Case.Op = "read"
	}
	if r.HasRate() {
		s.Stated = &results.StatedRate{BytesPerSecond: r.BytesPerSecond, AsPrinted: r.AsPrinted}
	}
	note := func(kind, text string) {
		if text != "" {
			s.Notes = append(s.Notes, results.Note{Kind: kind, Text: text})
		}
	}
	for _, x := range r.Repairs {
		text := x.Text
		if x.Offered > 0 {
			text += "; " + strconv.FormatFloat(math.Round(x.Offered), 'f', 0, 64) + " B/s instead"
		}
		note(string(x.Fix), text)
	}
	if r.Direction == Both {
		note("both-directions", "the mean of encryption and decryption")
	}
	if ok, why := r.Comparable(); !ok {
		note("not-comparable", why)
	}
	note("clock", map[Clock]string{Wall: "wall time", UserCPU: "user CPU time", UnknownClock: "the clock is not stated"}[r.Clock])
	note("label", strings.Trim(r.Label+"; "+r.Variant, "; "))
	note("state", r.State)
	note("source", r.File+":"+strconv.Itoa(r.Line))
	return s
}

// Runs makes runs of a report: one for each tool, version and processor, in the
// order of their first figures. Figures without a rate are left out.
func (rep *Report) Runs() []results.Run {
	type key struct {
		tool, version, command string
		cpu                    Machine
	}
	at := map[key]int{}
	var runs []results.Run
	for _, r := range rep.Results {
		if !r.HasRate() {
			continue
		}
		k := key{r.Tool, r.Version, r.Command, r.CPU}
		i, ok := at[k]
		if !ok {
			i = len(runs)
			at[k] = i
			run := results.Run{Schema: results.SchemaVersion, Tool: r.Tool, Version: r.Version, Host: results.Host{CPUModel: r.CPU.String()}}
			if r.Command != "" {
				run.Command = strings.Fields(r.Command)
			}
			runs = append(runs, run)
		}
		runs[i].Series = append(runs[i].Series, r.Series())
	}
	return runs
}

// FromRuns makes figures of runs that gelibench saved, so that they can be shown
// beside those of other tools.
func FromRuns(runs []results.Run, name string) []Result {
	var out []Result
	for _, run := range runs {
		for i, s := range run.Series {
			c := s.Case
			r := Result{File: name, Line: i + 1, Kind: Cipher, Tool: run.Tool, Version: run.Version, Command: strings.Join(run.Command, " "),
				Name: c.Alg, KeyBits: c.KeyBits, Auth: strings.ToUpper(c.AAlg), BlockBytes: c.RequestBytes, Sector: int64(c.SectorBytes), Threads: c.Workers,
				Engine: c.Engine, Device: c.Provider, Clear: c.Clear, Clock: Wall, BytesPerSecond: format.RateOf(s).Value, CPU: Machine{Model: run.Host.CPUModel}}
			if a, ok := parseAlg(c.Alg); ok {
				r.Cipher, r.Mode = a.cipher, a.mode
			}
			if c.Path != "" {
				r.Variant = "path " + c.Path
			}
			switch c.Op {
			case "read":
				r.Direction = Reading
			case "write":
				r.Direction = Writing
			}
			if r.CPU.Model != "" {
				r.CPU.Source = "record"
			}
			if s.Grade == results.Unreliable {
				r.fix(Unreliable, unreliableText)
			}
			if s.Stated != nil {
				r.AsPrinted = s.Stated.AsPrinted
			}
			total := s.Total()
			r.Bytes, r.Seconds = total.Bytes, float64(total.ElapsedNS)/1e9
			if p, ok := total.CPUPercent(); ok {
				r.Usage = &Usage{CPUPercent: &p, Computed: true}
			}
			out = append(out, r)
		}
	}
	return out
}
