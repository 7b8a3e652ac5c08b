package report

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ownColumn is a column of the table that gelibench prints and writes.
type ownColumn int

const (
	ownProvider ownColumn = iota
	ownCipher
	ownKey
	ownAuth
	ownSector
	ownRequest
	ownOp
	ownWorkers
	ownPath
	ownEngine
	ownRate
	ownSpread
	ownNS
	ownCPU
	ownCPUPerGB
)

// ownHeads are the heads of columns, on one line or only the lower of two; the
// longer ones first. "bytes" alone is the sector's at first, then the request's.
var ownHeads = []struct {
	words  []string
	column ownColumn
}{
	{[]string{"CPU-s", "per", "GB"}, ownCPUPerGB},
	{[]string{"ns", "per", "request"}, ownNS},
	{[]string{"key", "bits"}, ownKey},
	{[]string{"sector", "bytes"}, ownSector},
	{[]string{"request", "bytes"}, ownRequest},
	{[]string{"CPU", "%"}, ownCPU},
	{[]string{"per", "GB"}, ownCPUPerGB},
	{[]string{"±", "%"}, ownSpread},
	{[]string{"provider"}, ownProvider},
	{[]string{"cipher"}, ownCipher},
	{[]string{"bits"}, ownKey},
	{[]string{"integrity"}, ownAuth},
	{[]string{"bytes"}, ownSector},
	{[]string{"op"}, ownOp},
	{[]string{"workers"}, ownWorkers},
	{[]string{"path"}, ownPath},
	{[]string{"engine"}, ownEngine},
	{[]string{"MB/s"}, ownRate},
	{[]string{"request"}, ownNS},
}

// parseOwnHead adds the columns whose heads stand at the beginning of words to
// those known so far, and returns the words behind them.
func parseOwnHead(known []ownColumn, words []string) (columns []ownColumn, rest []string) {
	columns = known
next:
	for len(words) > 0 && len(columns) < 32 {
		for _, h := range ownHeads {
			if !headIs(h.words, words) {
				continue
			}
			column := h.column
			if h.words[0] == "bytes" && has(columns, ownSector) {
				column = ownRequest
			}
			if has(columns, column) {
				break next
			}
			columns, words = append(columns, column), words[len(h.words):]
			continue next
		}
		break
	}
	return columns, words
}

// headIs tells whether words begin with a head. Mails of another character set
// have something else for the "±".
func headIs(head, words []string) bool {
	if len(words) < len(head) {
		return false
	}
	for i, w := range head {
		odd := w == "±" && words[i] != "CPU" && utf8.RuneCountInString(words[i]) <= 3
		if words[i] != w && !odd {
			return false
		}
	}
	return true
}

func has(columns []ownColumn, c ownColumn) bool {
	for _, x := range columns {
		if x == c {
			return true
		}
	}
	return false
}

// wholeHead tells whether columns are enough of gelibench's table: those that it
// never leaves out.
func wholeHead(columns []ownColumn) bool {
	for _, c := range []ownColumn{ownProvider, ownCipher, ownKey, ownSector, ownOp, ownWorkers, ownRate} {
		if !has(columns, c) {
			return false
		}
	}
	return true
}

var (
	ownCount = regexp.MustCompile(`^(?:-|\d{1,18})$`)
	ownReal  = regexp.MustCompile(`^(?:-|\d{1,15}(?:\.\d{1,9})?)$`)
	ownMB    = regexp.MustCompile(`^(?:-|(\d{1,12}(?:\.\d{1,3})?)([!*]?))$`)
	ownShare = regexp.MustCompile(`^(?:[-?]|\d{1,9}(?:\.\d)?)$`)
)

// fits tells whether a cell can stand in a column.
func (c ownColumn) fits(cell string) bool {
	switch c {
	case ownCipher:
		_, ok := parseOwnAlg(cell)
		return ok || cell == "-"
	case ownKey, ownSector, ownRequest, ownWorkers:
		return ownCount.MatchString(cell)
	case ownAuth:
		return cell == "-" || headAuth.MatchString(cell)
	case ownOp:
		return cell == "read" || cell == "write" || cell == "-"
	case ownRate:
		return ownMB.MatchString(cell)
	case ownSpread:
		return ownShare.MatchString(cell)
	case ownNS, ownCPU, ownCPUPerGB:
		return ownReal.MatchString(cell)
	}
	return cell != ""
}

// into writes a cell into a case and its figure. A "-" is not known, and what
// was cut to fit a screen isn't either.
func (c ownColumn) into(cell string, oc *ownCase, r *Result) {
	if cell == "-" || strings.HasSuffix(cell, "…") {
		return
	}
	count := func() int64 {
		n, _ := strconv.ParseInt(cell, 10, 64)
		return n
	}
	switch c {
	case ownProvider:
		oc.provider = cell
	case ownCipher:
		a, _ := parseOwnAlg(cell)
		a.keyBits = oc.alg.keyBits
		oc.alg = a
	case ownKey:
		oc.alg.keyBits = int(min(count(), 1<<16))
	case ownAuth:
		oc.auth = cell
	case ownSector:
		oc.sector = count()
	case ownRequest:
		oc.request = count()
	case ownOp:
		oc.direction = map[string]Direction{"read": Reading, "write": Writing}[cell]
	case ownWorkers:
		oc.workers = int(min(count(), 1<<20))
	case ownPath:
		oc.path, _, _ = strings.Cut(cell, "/") // the policy of keys behind it
	case ownEngine:
		oc.engine = cell
	case ownRate:
		m := ownMB.FindStringSubmatch(cell)
		v, _ := strconv.ParseFloat(m[1], 64)
		r.BytesPerSecond, r.AsPrinted = v*1e6, m[1]+" MB/s"
		switch m[2] {
		case "!":
			r.fix(Unreliable, unreliableText)
		case "*":
			r.fix(Stated, "stated by a report, not measured by gelibench")
		}
	case ownCPU:
		if p, err := strconv.ParseFloat(cell, 64); err == nil {
			r.Usage = &Usage{CPUPercent: &p, Computed: true}
		}
	}
}

const unreliableText = "graded unreliable by gelibench"
