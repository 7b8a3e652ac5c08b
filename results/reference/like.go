package reference

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gelibench/results"
)

// Ratio is how many times as fast a measured series is as a published figure.
type Ratio struct {
	Times float64
	Row   Row
	// Exact says that the figure was taken in the same way: through a provider
	// of the same sector size. Otherwise the tools differ, or the sizes do.
	Exact bool
}

// Like sets a series beside a machine: cipher, mode, key length and direction
// must be the same; the same sector size is preferred, and of other sizes the
// nearest. Of several figures for one case the fastest counts. An error wraps
// fs.ErrNotExist where the machine has no such figure.
func Like(s results.Series, m Machine) (Ratio, error) {
	var best Ratio
	bestScore := math.Inf(1)
	for _, r := range m.Rows {
		x := r.Series()
		if x.Case.Alg == "" || x.Case.Alg != s.Case.Alg || x.Case.KeyBits != s.Case.KeyBits || x.Case.Op != s.Case.Op || r.BytesPerSecond <= 0 {
			continue
		}
		geli := strings.Contains(r.Tool, "geli")
		score := 0.0
		if !geli {
			score += 100
		}
		switch {
		case r.BlockBytes == 0 || s.Case.SectorBytes == 0:
			score += 50
		default:
			score += math.Abs(math.Log2(float64(r.BlockBytes) / float64(s.Case.SectorBytes)))
		}
		if score < bestScore || score == bestScore && r.BytesPerSecond > best.Row.BytesPerSecond {
			bestScore = score
			best = Ratio{Times: s.BytesPerSecond() / r.BytesPerSecond, Row: r, Exact: geli && r.BlockBytes == int64(s.Case.SectorBytes)}
		}
	}
	if math.IsInf(bestScore, 1) {
		return Ratio{}, missing(fmt.Sprintf("@%s has no figure for %s of %s with %d bits", m.ID, s.Case.Op, s.Case.Alg, s.Case.KeyBits))
	}
	return best, nil
}

// String is as in "reads AES-XTS-256 at 412 × an Atom D525".
func (r Ratio) String() string {
	verb := map[string]string{"read": "reads", "decrypt": "decrypts", "write": "writes", "encrypt": "encrypts"}[string(r.Row.Direction)]
	if verb == "" {
		verb = "runs"
	}
	name := strings.TrimSuffix(strings.TrimPrefix(r.Row.CPU, "Intel "), " (model not stated)")
	article := "a"
	if strings.ContainsRune("AEIOaeio", rune(name[0])) || strings.HasPrefix(name, "FX") || strings.HasPrefix(name, "N1") {
		article = "an"
	}
	s := fmt.Sprintf("%s %s-%s-%d at %s × %s %s", verb, r.Row.Cipher, r.Row.Mode, r.Row.KeyBits, times(r.Times), article, name)
	if a := r.Row.Accelerator; a != "" && !strings.HasPrefix(a, "none") {
		s += " with " + a
	}
	if !r.Exact {
		s += " (" + r.Row.Tool
		if r.Row.BlockBytes > 0 {
			s += fmt.Sprintf(", blocks of %d bytes", r.Row.BlockBytes)
		}
		s += ")"
	}
	return s
}

// times prints a ratio with three digits, or all before the point.
func times(v float64) string {
	switch {
	case v >= 99.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
