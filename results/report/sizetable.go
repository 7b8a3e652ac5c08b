package report

import (
	"regexp"
	"strings"
)

// sizeTable is a table made by hand with a block size at the head of each row:
//
//	Size (bytes) | software (MB/s) | accelerator (MB/s)
//	16           | 28.02           | 0.28
//
// The cipher stands in its caption, in the heading, over the columns, or in the
// command above. The unit may follow in a sentence; until then the rows are kept.
type sizeTable struct {
	caption string
	columns
	alg  *algorithm
	line int // of the last row
	kept []sizeRow
}

type sizeRow struct {
	l     line
	size  int64
	cells []string
}

const maxKept = 64

var (
	sizeHead  = regexp.MustCompile(`(?i)^(?:(?:block|buffer|data|packet|chunk|message|request|payload|i/?o) ?)?size(?:s)?\b|^bytes$`)
	sizeCell  = regexp.MustCompile(`(?i)^(\d{1,3}(?:,\d{3})+|\d+) ?(k|m)?(?:ib|b|bytes?)?$`)
	rstTable  = regexp.MustCompile(`^\.\. (?:csv-table|list-table|table):: *(.*)$`)
	unitAfter = regexp.MustCompile(`(?i)\b(?:it'?s|its|in|are|is|units?|numbers|values|results)\b[^.|]{0,24}?\b([kmg]i?b/s(?:ec)?)\b`)
)

// tableCells parts a row of a Markdown or CSV table.
func tableCells(s string) []string {
	if strings.Contains(s, "|") {
		return pipeCells(s)
	}
	if strings.Count(s, `"`) < 4 {
		return nil
	}
	var cells []string
	for c := range strings.SplitSeq(s, ",") {
		cells = append(cells, strings.Trim(c, ` "`))
	}
	return cells
}

// sizeRows reads such a table.
func (rd *reader) sizeRows(l line) verdict {
	s := l.text
	t := &rd.sizeTab
	if len(s) > 300 {
		return no
	}
	if m := rstTable.FindStringSubmatch(s); m != nil {
		rd.sizeTab = sizeTable{caption: m[1], line: l.no}
		return yes
	}
	if len(t.kept) > 0 && l.no-t.line <= 12 && strings.Contains(strings.ToLower(s), "b/s") {
		if m := unitAfter.FindStringSubmatch(s); m != nil {
			u, _, _ := strings.Cut(strings.ToLower(m[1]), "b/")
			rd.sizesEmit(strings.ToUpper(u[:1]) + u[1:] + "B/s")
			return no
		}
	}
	if !strings.ContainsAny(s, `|"`) {
		return no
	}
	cells := tableCells(strings.TrimSpace(strings.TrimPrefix(s, ":header:")))
	if len(cells) < 2 || len(cells) > 12 {
		return no
	}
	if sizeHead.MatchString(cells[0]) {
		if _, ok := number(cells[1], false); ok {
			return no
		}
		h := sizeTable{columns: headed(cells), line: l.no}
		if len(t.names) == 0 && l.no-t.line <= 4 {
			h.caption = t.caption
		}
		c := rd.at(l)
		for _, text := range []string{h.caption, c.label, c.onlyCipher()} {
			if a, ok := mentioned(text); ok && a.mode != "" {
				h.alg = &a
				break
			}
		}
		if u := caption.FindStringSubmatch("in " + strings.Trim(lastUnit.FindString(h.caption+" "+c.label), "()[]")); u != nil {
			scale, _, _ := byteUnit(u[1])
			for i := range h.scales[1:] {
				if h.scales[i+1] == 0 {
					h.scales[i+1], h.units[i+1] = scale, u[1]+"/s"
				}
			}
		}
		*t = h
		return yes
	}
	if len(t.names) == 0 || l.no-t.line > 3 || l.no < t.line {
		return no
	}
	if ruler.MatchString(s) {
		t.line = l.no
		return yes
	}
	m := sizeCell.FindStringSubmatch(cells[0])
	if m == nil || len(cells) > len(t.names) {
		return no
	}
	size, ok := integer(m[1])
	if !ok || size <= 0 || size > 1<<30 {
		return no
	}
	switch strings.ToLower(m[2]) {
	case "k":
		size <<= 10
	case "m":
		size <<= 20
	}
	t.line = l.no
	if len(t.kept) < maxKept {
		t.kept = append(t.kept, sizeRow{l, size, cells})
	}
	for _, x := range t.scales {
		if x > 0 {
			rd.sizesEmit("")
			break
		}
	}
	return yes
}

var lastUnit = regexp.MustCompile(`[(\[][kKMG]i?B/s(?:ec)?[)\]]`)

// sizesEmit emits the rows kept; unit is that of the columns without one.
func (rd *reader) sizesEmit(unit string) {
	t := &rd.sizeTab
	kept := t.kept
	t.kept = nil
	keep := rd.l
	defer func() { rd.l = keep }()
	common, _, _ := rateUnit(unit)
	for _, row := range kept {
		rd.l = row.l
		for i, c := range row.cells[1:] {
			scale, u := t.scales[i+1], t.units[i+1]
			if scale == 0 {
				scale, u = common, unit
			}
			v, ok := number(c, false)
			if !ok || v.v <= 0 || scale == 0 {
				continue
			}
			name := t.names[i+1]
			r := Result{Kind: Other, Name: name, BlockBytes: row.size, BytesPerSecond: v.v * scale, AsPrinted: c + " " + u, Label: t.caption}
			if a, ok := parseAlg(name); ok && (a.mode != "" || a.hash) {
				a.is(&r)
			} else if t.alg != nil {
				t.alg.to(&r)
				r.Kind, r.Variant = Cipher, name
				r.Name = strings.ToLower(strings.TrimSuffix(t.alg.cipher+"-"+t.alg.mode, "-"))
			} else {
				continue // rates of who knows what
			}
			switch {
			case decryptHead.MatchString(name):
				r.Direction = Decrypt
			case encryptHead.MatchString(name):
				r.Direction = Encrypt
			}
			if !strings.Contains(u, "i") {
				unclear(&r, scale)
			}
			rd.emit(r)
		}
	}
}
