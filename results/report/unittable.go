package report

import (
	"regexp"
	"slices"
	"strings"
)

// unitTable is a table that somebody made by hand, with the unit in the heads
// of its columns: "Operation | before (MB/s) | after (MB/s)".
//
// Or one with a cipher at the head of each column, and rates with units under
// it: "Chip | AES-128-GCM | ChaCha20-Poly1305".
type unitTable struct {
	ciphers []algorithm // of the columns, in the second kind
	columns
	line int // of the last row
}

// columns is the head of a table.
type columns struct {
	names  []string
	scales []float64 // of the units; 0 for a column without one
	units  []string
}

// headed parts the cells of a head into names and units.
func headed(cells []string) columns {
	var h columns
	for _, c := range cells {
		name, scale, unit := c, 0.0, ""
		if m := unitHead.FindStringSubmatch(c); m != nil {
			name, unit = m[1], m[2]
			scale, _, _ = rateUnit(unit)
		}
		h.names, h.scales, h.units = append(h.names, name), append(h.scales, scale), append(h.units, unit)
	}
	return h
}

var (
	unitHead = regexp.MustCompile(`^(.*?)[ \t]*[(\[] ?([kKMG]i?B/s(?:ec)?) ?[)\]]$`)
	sizedOp  = regexp.MustCompile(`^(.*?) *\((\d+) ?([KM]?)(?:iB|B|[bB]ytes?)\)$`)
)

// maxTableGap is by how many lines a row may be below the one before it.
const maxTableGap = 2

// near says that a line is a row's place below the table at hand.
func (t *unitTable) near(l line) bool { return l.no >= t.line && l.no-t.line <= maxTableGap }

// unitRows reads the head and the rows of such a table.
func (rd *reader) unitRows(l line) verdict {
	s := l.text
	t := &rd.units
	if (len(t.names) > 0 || len(t.ciphers) > 0) && t.near(l) && ruler.MatchString(s) {
		t.line = l.no
		return yes
	}
	if strings.Count(s, "|") < 1 || len(s) > 400 {
		return no
	}
	if strings.Contains(s, "B/s") {
		if len(t.ciphers) > 0 && t.near(l) && l.no > t.line {
			return rd.cipherColumns(l)
		}
		if t.names = nil; !t.unitHead(l) {
			return no
		}
		return yes
	}
	if t.ciphers = nil; t.cipherHead(l) {
		return yes
	}
	if len(t.names) == 0 || len(t.scales) == 0 {
		return no
	}
	return rd.unitRow(l)
}

// unitHead takes a head with units in it; false where it is none.
func (t *unitTable) unitHead(l line) bool {
	cells := pipeCells(l.text)
	if len(cells) < 2 || len(cells) > 12 {
		return false
	}
	h := headed(cells)
	if slices.Max(h.scales) == 0 || h.scales[0] > 0 {
		return false
	}
	*t = unitTable{columns: h, line: l.no}
	return true
}

// cipherHead takes a head with a cipher above each column but the first; false
// where it is none.
func (t *unitTable) cipherHead(l line) bool {
	cells := pipeCells(l.text)
	if len(cells) < 3 || len(cells) > 12 {
		return false
	}
	if _, named := parseAlg(cells[0]); named {
		return false
	}
	var found []algorithm
	for _, c := range cells[1:] {
		a, ok := parseAlg(c)
		if !ok || a.mode == "" {
			return false
		}
		found = append(found, a)
	}
	*t = unitTable{ciphers: found, columns: columns{names: cells}, line: l.no}
	return true
}

// unitRow takes a row of numbers whose units are in the head.
func (rd *reader) unitRow(l line) verdict {
	t := &rd.units
	cells := pipeCells(l.text)
	for len(cells) > len(t.names) && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	if !t.near(l) || !t.fits(cells) {
		t.names = nil
		return no
	}
	t.line = l.no
	name, size := sizedName(cells[0])
	r := rd.bsslResult(name, "", 0, size, 1, "")
	r.Tool, r.Clock, r.Threads, r.Seconds = "", UnknownClock, 0, 0
	if r.Cipher == "" {
		name, _, _ := strings.Cut(r.Name, ":")
		a, ok := parseAlg(strings.TrimSpace(name))
		if !ok || a.mode == "" && !a.hash {
			return no
		}
		a.is(&r)
	}
	for i, c := range cells {
		if i >= len(t.names) || t.scales[i] == 0 {
			continue
		}
		v, ok := number(c, false)
		if !ok || v.v <= 0 {
			continue
		}
		x := r
		x.BytesPerSecond, x.AsPrinted, x.Variant = v.v*t.scales[i], c+" "+t.units[i], t.names[i]
		if !strings.Contains(t.units[i], "i") {
			unclear(&x, t.scales[i])
		}
		rd.emit(x)
	}
	return yes
}

// fits says that there is a number under some of the units, and none of
// something else. One column more, of ratios, was seen without a head.
func (t *unitTable) fits(cells []string) bool {
	numbers := 0
	for i, c := range cells {
		if i >= len(t.names) || t.scales[i] == 0 || c == "" || c == "-" || c == "N/A" {
			continue
		}
		if _, ok := number(c, false); !ok {
			return false
		}
		numbers++
	}
	return numbers > 0 && len(cells) >= len(t.names) && len(cells) <= len(t.names)+1
}

// sizedName parts "AES-128-GCM (16 KiB)" into the name and the bytes, which are 0
// where none are stated, or where they are those of a whole file and not of one
// call.
func sizedName(cell string) (name string, size int64) {
	m := sizedOp.FindStringSubmatch(cell)
	if m == nil {
		return cell, 0
	}
	name = strings.TrimSpace(m[1])
	const largest = 1 << 30
	n, ok := integer(m[2])
	if !ok || n > largest {
		return name, 0
	}
	if n <<= map[string]uint{"K": 10, "M": 20}[m[3]]; n > largest {
		return name, 0
	}
	return name, n
}

// cipherColumns takes a row whose cells are rates of the ciphers above them.
func (rd *reader) cipherColumns(l line) verdict {
	t := &rd.units
	cells := pipeCells(l.text)
	if len(cells) < 2 || len(cells) > len(t.names) {
		t.ciphers = nil
		return no
	}
	t.line = l.no
	for i, c := range cells[1:] {
		m := rateIn.FindStringSubmatch(c)
		if m == nil || m[0] != c {
			continue
		}
		v, ok := number(m[1], true)
		scale, isBin, ok2 := rateUnit(m[2])
		if !ok || !ok2 || v.v <= 0 {
			continue
		}
		r := Result{Kind: Cipher, Name: t.names[i+1], Variant: cells[0], BytesPerSecond: v.v * scale, AsPrinted: c}
		t.ciphers[i].to(&r)
		if looksLikeCPU(cells[0]) {
			r.CPU, r.Variant = modelOf(cells[0], "table"), ""
		}
		if !isBin {
			unclear(&r, scale)
		}
		rd.emit(r)
	}
	return yes
}
