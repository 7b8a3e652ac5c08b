// Package peer runs the other programs of a machine that measure ciphers, and
// reads what they print, so that their figures can stand beside ours.
//
// Only the programs listed here are run, from PATH, with arguments that are
// fixed but for the case. Each process is bounded in time and output.
package peer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gelibench/results"
	"gelibench/results/report"
)

// IV says what a tool does about the IV of a unit (a sector, or the block that
// a library is called with). It decides which figures may stand side by side.
type IV string

const (
	Made  IV = "made"  // made for each unit, as GELI does, and set
	Given IV = "given" // set for each unit, but not made
	Once  IV = "once"  // set once before all units
)

// Cell is a case as tools know it.
type Cell struct {
	Alg       string // "aes-xts" or "aes-cbc"
	KeyBits   int    // one half for XTS
	UnitBytes int    // under one IV
	Op        string // "read" decrypts, "write" encrypts
}

// Tool is a program that measures ciphers.
type Tool struct {
	Name    string // of the program
	Package string // that it is installed with, where that is not its name
	IV      IV
	Path    string // results.Case.Path
	Rekey   string // results.Case.Rekey; "" is not known
	Does    string // what is timed, for people
	Divisor string // what bytes are divided by
	// UnitBytes is the only unit that it has; 0: any that it is asked for.
	UnitBytes int
	// Lasts is how long a tool takes that does its own list of ciphers and
	// can't be bound: it is run once, and not in rounds. 0: it can be.
	Lasts time.Duration

	version []string // arguments that print it
	absent  func(Machine) string
	has     func(Cell) bool // nil: all
	calls   func(tool Tool, path string, cells []Cell, sample time.Duration) []*call
}

// All are the tools that are known, in the order of the screen.
func All() []Tool {
	return []Tool{geliTool, botanTool, cryptsetupTool, opensslTool, gnutlsTool, gocryptfsTool}
}

// Names are the names of all tools.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// Cells are those of the cells that the tool can measure; a tool with one unit
// measures that in place of those asked for.
func (t Tool) Cells(wish []Cell) []Cell {
	var cells []Cell
	for _, c := range wish {
		if t.UnitBytes > 0 {
			c.UnitBytes = t.UnitBytes
		}
		if (t.has == nil || t.has(c)) && !slices.Contains(cells, c) {
			cells = append(cells, c)
		}
	}
	return cells
}

// Program is a tool that was found.
type Program struct {
	Tool
	Version string
	machine Machine
	path    string
	gaveUp  error // what the tool did that keeps it from being run again
	CPU     time.Duration
}

// Find looks for a tool, and asks for its version. The error says, for people,
// why it can't be used here.
func (m Machine) Find(ctx context.Context, t Tool) (*Program, error) {
	if t.absent != nil {
		if why := t.absent(m); why != "" {
			return nil, fmt.Errorf("%s", why)
		}
	}
	path, err := m.LookPath(t.Name)
	if err != nil {
		why := "not in PATH"
		if t.Package != "" {
			why += "; package " + t.Package
		}
		return nil, fmt.Errorf("%s", why)
	}
	p := &Program{Tool: t, machine: m, path: path}
	if t.version == nil {
		return p, nil
	}
	out, err := m.run(ctx, process{path: path, args: t.version, limit: versionLimit})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", join(t.Name, t.version), err)
	}
	p.Version = versionIn(out.text)
	return p, nil
}

// versionLimit bounds asking for a version.
const versionLimit = 5 * time.Second

// Entry is what measures one cell: a measure.Sampler.
type Entry struct {
	Cell Cell
	Case results.Case
	// Notes say how: the tool and its version, command, divisor, IV.
	Notes []results.Note
	call  *call
	slot  *results.Sample // of a process that another cell of the call started
	fault error
}

// Entries makes the samplers of cells. sample is how long a sample should be,
// as far as the tool can be told. A process that prints several cells is run
// for the first of them that is asked for a sample, and the others have theirs
// from it, once.
func (p *Program) Entries(cells []Cell, sample time.Duration) []*Entry {
	var entries []*Entry
	for _, c := range p.calls(p.Tool, p.path, cells, sample) {
		c.program = p
		for _, cell := range c.cells {
			e := &Entry{Cell: cell, Case: p.record(cell), Notes: p.notes(c, cell), call: c}
			c.entries = append(c.entries, e)
			entries = append(entries, e)
		}
	}
	return entries
}

func (p *Program) record(c Cell) results.Case {
	return results.Case{
		Engine: p.Name, Op: c.Op, Alg: c.Alg, KeyBits: c.KeyBits, SectorBytes: c.UnitBytes, RequestBytes: int64(c.UnitBytes),
		Workers: 1, Path: p.Path, RunSectors: 1, Rekey: p.Rekey,
	}
}

func (p *Program) notes(c *call, cell Cell) []results.Note {
	return []results.Note{
		{Kind: "tool", Text: p.Label() + ": " + c.command},
		{Kind: "iv", Text: p.Does},
		{Kind: "divisor", Text: p.Divisor},
	}
}

// Label is the tool with its version.
func (p *Program) Label() string {
	if p.Version == "" {
		return p.Name
	}
	return p.Name + " " + p.Version
}

// call is one process, or what stands for one.
type call struct {
	program *Program
	command string // for people, and for the reader of what it prints
	cells   []Cell
	entries []*Entry
	run     func(ctx context.Context, m Machine) (output, error)
	// is says whether a figure is that of a cell.
	is func(r report.Result, c Cell) bool
}
