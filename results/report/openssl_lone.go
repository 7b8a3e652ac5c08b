package report

import (
	"regexp"
	"strings"
)

// lone collects a table whose cells were pasted one below the other.
type lone struct {
	sizes []int64
	name  string
	line  line
	cells []string
}

var loneSize = regexp.MustCompile(`^(\d{1,3}(?:,\d{3})+|\d+) bytes$`)

// loneCell takes a line that is one cell: a block size, an algorithm's name, or
// a value with its unit.
func (rd *reader) loneCell(l line) verdict {
	s := strings.Trim(l.text, "| \t")
	st := &rd.ssl.lone
	if len(s) > 30 {
		rd.loneEnd()
		return no
	}
	if m := loneSize.FindStringSubmatch(s); m != nil {
		n, ok := integer(m[1])
		if head := rd.ssl.sizes; ok && rd.ssl.headAt > 0 && len(head) > 0 && n > head[len(head)-1] {
			rd.ssl.sizes = append(head[:len(head):len(head)], n) // the header was wrapped
			return yes
		}
		if len(st.sizes) > 0 && n <= st.sizes[len(st.sizes)-1] {
			st.sizes = nil // another table
		}
		if ok && n > 0 && len(st.sizes) < 32 {
			st.sizes = append(st.sizes, n)
		}
		return yes
	}
	if c, ok := parseCell(s); ok && st.name != "" && (c.k || c.v <= 10000) {
		if len(st.sizes) > 1 { // the name stood above the sizes
			rd.ssl.sizes, rd.ssl.stale, rd.ssl.headAlg, rd.ssl.headDir, rd.ssl.groups = st.sizes, false, "", "", nil
			st.sizes = nil
		}
		st.cells = append(st.cells, s)
		if len(st.cells) == len(rd.ssl.sizes) {
			whole := st.line
			whole.text = st.name + " " + strings.Join(st.cells, " ")
			*st = lone{}
			keep := rd.l
			rd.l = whole
			lead, cells, tail := row(whole.text)
			rd.opensslRow(whole, lead, cells, tail)
			rd.l = keep
		}
		return yes
	}
	if a, ok := parseAlg(s); ok && (a.mode != "" || a.hash) {
		if len(st.sizes) < 2 && (len(rd.ssl.sizes) < 2 || rd.ssl.stale) {
			rd.loneEnd()
			st.name, st.line, st.sizes = s, l, nil
			return no
		}
		rd.loneEnd()
		if len(st.sizes) > 1 {
			rd.ssl.sizes, rd.ssl.stale, rd.ssl.headAlg, rd.ssl.headDir, rd.ssl.groups = st.sizes, false, "", "", nil
		}
		st.sizes, st.name, st.line, st.cells = nil, s, l, nil
		return yes
	}
	rd.loneEnd()
	return no
}

// loneEnd gives up a row that did not get all its cells.
func (rd *reader) loneEnd() {
	st := &rd.ssl.lone
	if len(st.cells) > 0 {
		rd.warnAt(st.line.no, "a row with too few values: "+clip(st.name+" "+strings.Join(st.cells, " ")))
	}
	st.name, st.cells = "", nil
}
