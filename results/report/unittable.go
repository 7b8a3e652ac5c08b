package report

import (
	"regexp"
	"strings"
)

// unitTable is a table that somebody made by hand, with the unit in the heads
// of its columns: "Operation | before (MB/s) | after (MB/s)".
//
// Or one with a cipher at the head of each column, and rates with units under
// it: "Chip | AES-128-GCM | ChaCha20-Poly1305".
type unitTable struct {
	ciphers []algorithm // of the columns, in the second kind
	names   []string
	scales  []float64 // 0 for a column without a unit
	units   []string
	line    int // of the last row
}

var (
	unitHead = regexp.MustCompile(`^(.*?)[ \t]*[(\[] ?([kKMG]i?B/s(?:ec)?) ?[)\]]$`)
	sizedOp  = regexp.MustCompile(`^(.*?) *\((\d+) ?([KM]?)(?:iB|B|[bB]ytes?)\)$`)
)

// unitRows reads the head and the rows of such a table.
func (rd *reader) unitRows(l line) verdict {
	s := l.text
	t := &rd.units
	if (len(t.names) > 0 || len(t.ciphers) > 0) && l.no-t.line <= 2 && l.no >= t.line && ruler.MatchString(s) {
		t.line = l.no
		return yes
	}
	if strings.Count(s, "|") < 1 || len(s) > 400 {
		return no
	}
	if strings.Contains(s, "B/s") {
		if len(t.ciphers) > 0 && l.no-t.line <= 2 && l.no > t.line {
			return rd.cipherColumns(l)
		}
		t.names = nil
		cells := pipeCells(s)
		if len(cells) < 2 || len(cells) > 12 {
			return no
		}
		h := unitTable{line: l.no}
		found := false
		for _, c := range cells {
			name, scale, unit := c, 0.0, ""
			if m := unitHead.FindStringSubmatch(c); m != nil {
				name, unit = m[1], m[2]
				scale, _, _ = rateUnit(unit)
				found = found || scale > 0
			}
			h.names, h.scales, h.units = append(h.names, name), append(h.scales, scale), append(h.units, unit)
		}
		if !found || h.scales[0] > 0 {
			return no
		}
		*t = h
		return yes
	}
	if t.ciphers = nil; strings.Count(s, "|") >= 2 {
		if cells := pipeCells(s); len(cells) >= 3 && len(cells) <= 12 {
			var found []algorithm
			for _, c := range cells[1:] {
				if a, ok := parseAlg(c); ok && a.mode != "" {
					found = append(found, a)
				}
			}
			if _, named := parseAlg(cells[0]); len(found) == len(cells)-1 && !named {
				*t = unitTable{ciphers: found, names: cells, line: l.no}
				return yes
			}
		}
	}
	if len(t.scales) == 0 {
		return no
	}
	if len(t.names) == 0 {
		return no
	}
	if l.no-t.line > 2 || l.no < t.line {
		t.names = nil
		return no
	}
	t.line = l.no
	cells := pipeCells(s)
	for len(cells) > len(t.names) && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	numbers := 0
	for i, c := range cells {
		if i >= len(t.names) || t.scales[i] == 0 {
			continue
		}
		if _, ok := number(c, false); ok {
			numbers++
		} else if c != "" && c != "-" && c != "N/A" {
			numbers = -100 // the columns are not those of the head
		}
	}
	// A column more, of ratios, was seen without a head.
	if numbers <= 0 || len(cells) < len(t.names) || len(cells) > len(t.names)+1 {
		t.names = nil
		return no
	}
	r := Result{Name: cells[0]}
	if m := sizedOp.FindStringSubmatch(cells[0]); m != nil {
		r.Name = strings.TrimSpace(m[1])
		if n, ok := integer(m[2]); ok && n < 1<<30 {
			switch m[3] {
			case "K":
				r.BlockBytes = n << 10
			case "M":
				r.BlockBytes = n << 20
			default:
				r.BlockBytes = n
			}
		}
		if r.BlockBytes > 1<<30 {
			r.BlockBytes = 0 // a whole file, not what one call gets
		}
	}
	r = rd.bsslResult(r.Name, "", 0, r.BlockBytes, 1, "")
	r.Tool, r.Clock, r.Threads, r.Seconds = "", UnknownClock, 0, 0
	if r.Cipher == "" {
		name, _, _ := strings.Cut(r.Name, ":")
		a, ok := parseAlg(strings.TrimSpace(name))
		if !ok || a.mode == "" && !a.hash {
			return no
		}
		a.to(&r)
		r.Kind = a.kind()
	}
	for i, c := range cells[1:] {
		if i+1 >= len(t.names) || t.scales[i+1] == 0 {
			continue
		}
		v, ok := number(c, false)
		if !ok || v.v <= 0 {
			continue
		}
		x := r
		x.BytesPerSecond, x.AsPrinted, x.Variant = v.v*t.scales[i+1], c+" "+t.units[i+1], t.names[i+1]
		if !strings.Contains(t.units[i+1], "i") {
			unclear(&x, t.scales[i+1])
		}
		rd.emit(x)
	}
	return yes
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
