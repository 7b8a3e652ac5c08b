package peer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gelibench/results/report"
)

// Paths of tools, as the record names them.
const (
	PathLibrary = "library" // a library in the tool's own process, one call a unit
	PathSocket  = "af_alg"  // the kernel's ciphers through a socket, one call a unit
	PathKernel  = "kernel"  // a device of the kernel
)

// slack is what a process may take beyond what it measures.
const slack = 4 * time.Second

// simple is a call that is one process.
func simple(t Tool, path string, p process, cells []Cell, is func(report.Result, Cell) bool) *call {
	p.path = path
	return &call{
		command: join(t.Name, p.args), cells: cells, is: is,
		run: func(ctx context.Context, m Machine) (output, error) { return m.run(ctx, p) },
	}
}

// sameCase says whether a figure is that of a cell by all that it states.
func sameCase(r report.Result, c Cell) bool {
	return r.Alg() == c.Alg && r.KeyBits == c.KeyBits && r.Auth == "" && sameCall(r, c)
}

// sameCall says so by the direction and the unit.
func sameCall(r report.Result, c Cell) bool {
	op := map[report.Direction]string{report.Encrypt: "write", report.Decrypt: "read"}[r.Direction]
	return op == c.Op && (r.BlockBytes == 0 || r.BlockBytes == int64(c.UnitBytes))
}

// mode is the last part of an algorithm: "xts".
func mode(c Cell) string { return c.Alg[strings.LastIndexByte(c.Alg, '-')+1:] }

var opensslTool = Tool{
	Name: "openssl", IV: Once, Path: PathLibrary, Rekey: "cached",
	Does:    "key and IV set once: CBC chains on from block to block, XTS takes one tweak for all",
	Divisor: "wall time (-elapsed)",
	version: []string{"version"},
	calls: func(t Tool, path string, cells []Cell, sample time.Duration) []*call {
		var calls []*call
		for _, c := range cells {
			// A second is the least that it can be told. Its own timer is an
			// alarm, and it looks at the clock when that went off, so an alarm
			// that comes earlier ends a shorter sample.
			p := process{limit: time.Second + slack, begins: "+DT:", ends: "+R:"}
			p.args = []string{"speed", "-elapsed", "-mr", "-seconds", "1", "-bytes", strconv.Itoa(c.UnitBytes)}
			if c.Op == "read" {
				p.args = append(p.args, "-decrypt")
			}
			p.args = append(p.args, "-evp", fmt.Sprintf("aes-%d-%s", c.KeyBits, mode(c)))
			if canAlarm && sample < time.Second {
				p.alarm = sample
			}
			calls = append(calls, simple(t, path, p, []Cell{c}, sameCase))
		}
		return calls
	},
}

var botanTool = Tool{
	Name: "botan", IV: Given, Path: PathLibrary, Rekey: "cached",
	Does:    "key set once, an IV set for each block but not made; CBC pads",
	Divisor: "wall time",
	version: []string{"version"},
	calls: func(t Tool, path string, cells []Cell, sample time.Duration) []*call {
		name := func(c Cell) string { return fmt.Sprintf("AES-%d/%s", c.KeyBits, strings.ToUpper(mode(c))) }
		is := func(r report.Result, c Cell) bool {
			// "AES-128/CBC/PKCS7" is how it calls its CBC.
			return (r.Name == name(c) || strings.HasPrefix(r.Name, name(c)+"/")) && sameCall(r, c)
		}
		var calls []*call
		for _, both := range directions(cells) {
			p := process{limit: 4*sample + slack, args: []string{
				"speed", "--msec=" + strconv.FormatInt(max(1, sample.Milliseconds()), 10),
				"--buf-size=" + strconv.Itoa(both[0].UnitBytes), name(both[0]),
			}}
			calls = append(calls, simple(t, path, p, both, is))
		}
		return calls
	},
}

// directions puts cells together that differ in the direction alone.
func directions(cells []Cell) [][]Cell {
	at := map[Cell]int{}
	var all [][]Cell
	for _, c := range cells {
		key := c
		key.Op = ""
		i, ok := at[key]
		if !ok {
			i = len(all)
			at[key] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], c)
	}
	return all
}

var cryptsetupTool = Tool{
	Name: "cryptsetup", Package: "cryptsetup-bin", IV: Given, Path: PathSocket, Rekey: "cached",
	Does:      "the kernel's cipher in calls of 64 KiB, an IV given to each but not made",
	Divisor:   "wall time",
	UnitBytes: 64 << 10,
	version:   []string{"--version"},
	absent: func(m Machine) string {
		if m.OS != "linux" {
			return "measures Linux's kernel"
		}
		return ""
	},
	calls: func(t Tool, path string, cells []Cell, _ time.Duration) []*call {
		var calls []*call
		for _, both := range directions(cells) {
			bits := both[0].KeyBits
			if mode(both[0]) == "xts" {
				bits *= 2 // it counts both halves
			}
			p := process{limit: 20 * time.Second, args: []string{"benchmark", "-c", both[0].Alg, "-s", strconv.Itoa(bits)}}
			calls = append(calls, simple(t, path, p, both, sameCase))
		}
		return calls
	},
}

var gnutlsTool = Tool{
	Name: "gnutls-cli", Package: "gnutls-bin", IV: Once, Path: PathLibrary, Rekey: "cached",
	Does:      "key and IV set once, calls of 16 KiB",
	Divisor:   "wall time",
	UnitBytes: 16 << 10,
	Lasts:     2 * time.Minute,
	version:   []string{"--version"},
	has: func(c Cell) bool {
		return c.Op == "write" && (c.Alg == "aes-xts" && c.KeyBits != 192 || c.Alg == "aes-cbc" && c.KeyBits == 128)
	},
	calls: func(t Tool, path string, cells []Cell, _ time.Duration) []*call {
		p := process{limit: 4 * time.Minute, args: []string{"--benchmark-ciphers"}}
		// "AES-128-CBC-SHA1" is not it.
		is := func(r report.Result, c Cell) bool {
			return r.Name == fmt.Sprintf("AES-%d-%s", c.KeyBits, strings.ToUpper(mode(c))) && sameCase(r, c)
		}
		return []*call{simple(t, path, p, cells, is)}
	},
}

var gocryptfsTool = Tool{
	Name: "gocryptfs", IV: Given, Path: PathLibrary,
	Does:    "its own file encryption, blocks of 4 KiB with a MAC",
	Divisor: "wall time",
	Lasts:   15 * time.Second,
	version: []string{"-version"},
	has:     func(Cell) bool { return false },
	calls: func(t Tool, path string, cells []Cell, _ time.Duration) []*call {
		p := process{limit: 40 * time.Second, args: []string{"-speed"}}
		return []*call{simple(t, path, p, cells, sameCase)}
	},
}
