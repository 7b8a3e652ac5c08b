// Package format writes runs, one file a format. Every format is a pure
// function from a Run, or a part of one, to bytes.
package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gelibench/results"
)

// pathDetail says how the engine is called: "key expanded per sector", or
// "runs of up to 256 sectors, key cached". runSectors are those of all cases
// that it stands for. It is empty where nothing is known.
func pathDetail(rekey string, runSectors []int) string {
	var parts []string
	known := slices.DeleteFunc(slices.Clone(runSectors), func(n int) bool { return n == 0 })
	slices.Sort(known)
	known = slices.Compact(known)
	switch {
	case len(known) == 0:
	case len(known) == 1 && known[0] == 1:
		parts = append(parts, "runs of 1 sector")
	default:
		var ns []string
		for _, n := range known {
			ns = append(ns, strconv.Itoa(n))
		}
		parts = append(parts, "runs of up to "+list(ns, "or")+" sectors")
	}
	switch rekey {
	case "":
	case "per-sector":
		parts = append(parts, "key expanded per sector")
	case "cached":
		parts = append(parts, "key cached")
	default:
		parts = append(parts, "re-key "+rekey)
	}
	return strings.Join(parts, ", ")
}

// zeroDevice is the setting of gzero as sysctl shows it, or empty where the
// provider is none or it is not known.
func zeroDevice(c results.Case) string {
	if c.Clear == nil {
		return ""
	}
	if !*c.Clear {
		return "kern.geom.zero.clear=0"
	}
	s := "kern.geom.zero.clear=1"
	if c.Byte != nil {
		s += fmt.Sprintf(" kern.geom.zero.byte=%d", *c.Byte)
	}
	return s
}

// list joins words: "a", "a or b", "a, b or c".
func list(words []string, last string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
}

// distinct keeps the first of each, in order, and drops what is empty.
func distinct(words []string) []string {
	var out []string
	for _, w := range words {
		if w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
