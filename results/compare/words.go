package compare

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// distinct keeps the first of each, in order, and drops what is empty.
func distinct(words []string) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// caseName names what a figure is of, in a few words: "aes-xts-256 4096 read",
// with "2w" for two workers.
func caseName(f Figure) string {
	parts := []string{f.Case.Alg}
	if f.Case.KeyBits > 0 {
		parts[0] += "-" + itoa(f.Case.KeyBits)
	}
	if f.Case.AAlg != "" {
		parts = append(parts, f.Case.AAlg)
	}
	if f.Case.SectorBytes > 0 {
		parts = append(parts, itoa(f.Case.SectorBytes))
	}
	if f.Direction != "" {
		parts = append(parts, f.Direction)
	}
	if f.Case.Workers > 1 {
		parts = append(parts, itoa(f.Case.Workers)+"w")
	}
	if f.Case.GODEBUG != "" {
		parts = append(parts, f.Case.GODEBUG)
	}
	if k := keyOf(f); k.paced != "" {
		parts = append(parts, "at "+k.paced)
	}
	return strings.Join(parts, " ")
}
