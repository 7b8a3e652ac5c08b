package report

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mrState collects the lines of openssl's machine readable form. With -multi
// the lines of all children come through each other, and one table, which is
// the sum over the children, stands at the end.
type mrState struct {
	begun    map[string][]int64 // sizes begun by +DT and not ended by +R, by name
	runs     []mrRun
	sizes    []int64
	children int
	got      []childRow
}

// childRow is what the children said of one algorithm, "Got: +F:…", added up.
type childRow struct {
	no       int
	name     string
	values   []float64
	children int
}

// gotChild adds a child's values to those of the others.
func (rd *reader) gotChild(l line, f []string) {
	m := &rd.ssl.mr
	if len(f) < 4 || len(f) > 40 || len(m.got) > 256 {
		return
	}
	var values []float64
	for _, v := range f[3:] {
		n, ok := number(v, false)
		if !ok || n.half > 0.006 {
			rd.broken("a cut line")
			return
		}
		values = append(values, n.v)
	}
	for i := range m.got {
		if g := &m.got[i]; g.name == f[2] && len(g.values) == len(values) {
			for j := range values {
				g.values[j] += values[j]
			}
			g.children++
			return
		}
	}
	m.got = append(m.got, childRow{l.no, f[2], values, 1})
}

// summed forgets what the children said of an algorithm: its sum came.
func (m *mrState) summed(name string) {
	m.got = slices.DeleteFunc(m.got, func(g childRow) bool { return norm(g.name) == norm(name) })
}

// flushGot emits the sums of the children whose own table was left out.
func (m *mrState) flushGot(rd *reader) {
	for _, g := range m.got {
		sizes, assumed := m.sizes, false
		if c := rd.ssl.command; len(sizes) != len(g.values) {
			switch {
			case len(g.values) == 5 && c != nil && c.mb:
				sizes = sizesMB
			case len(g.values) == 5:
				sizes, assumed = sizes5, true
			case len(g.values) == 6:
				sizes, assumed = sizes6, true
			default:
				continue
			}
		}
		if slices.ContainsFunc(m.runs, func(x mrRun) bool { return norm(x.name) == norm(g.name) }) {
			continue // the +R lines say the same
		}
		for i, v := range g.values {
			if v == 0 {
				continue
			}
			r := rd.opensslResult(g.name)
			r.Line, r.BlockBytes, r.BytesPerSecond, r.Threads = g.no, sizes[i], v, g.children
			r.AsPrinted = strconv.FormatFloat(v, 'f', 2, 64)
			if assumed {
				r.fix(SizesAssumed, "no header: values are taken as the tool's usual block sizes")
			}
			rd.emit(r)
		}
	}
	m.got = nil
}

// mrRun is a +R line.
type mrRun struct {
	no     int
	quoted int
	name   string
	size   int64
	count  int64
	sec    float64
	text   string
}

var gotFrom = regexp.MustCompile(`^Got: (\+.*?)(?: from \d+)?$`)

// opensslMR reads +DT, +R, +H and +F lines.
func (rd *reader) opensslMR(l line) verdict {
	s := l.text
	m := &rd.ssl.mr
	if strings.HasPrefix(s, "Forked child ") {
		if n, err := strconv.Atoi(strings.TrimSpace(s[len("Forked child "):])); err == nil && n >= m.children && n < 1<<20 {
			m.children = n + 1
		}
		return yes
	}
	child := false
	if strings.HasPrefix(s, "Got: ") {
		g := gotFrom.FindStringSubmatch(s)
		if g == nil {
			return yes
		}
		s, child = g[1], true
	}
	if len(s) < 4 || s[0] != '+' || !machine(s) {
		return no
	}
	f := strings.Split(s, ":")
	switch f[0] {
	case "+DT":
		if len(f) != 4 {
			return rd.broken("a cut line")
		}
		size, ok := integer(f[3])
		if !ok || size <= 0 || size > 1<<40 {
			return rd.broken("a cut line")
		}
		if m.begun == nil {
			m.begun = map[string][]int64{}
		}
		if q := m.begun[f[1]]; len(m.begun) < 256 && len(q) < 1024 {
			m.begun[f[1]] = append(q, size)
		}
	case "+R":
		if len(f) != 4 {
			return rd.broken("a cut line")
		}
		count, ok := integer(f[1])
		sec, ok2 := number(f[3], false)
		if f[2] == "evp" && len(m.begun) == 1 { // -mb gives the name only at the beginning
			for name := range m.begun {
				f[2] = name
			}
		}
		q := m.begun[f[2]]
		if !ok || !ok2 || len(q) == 0 || sec.v <= 0 || sec.half > 0.05 {
			return rd.broken("a count without its block size, or a cut line")
		}
		if len(m.runs) < 4096 {
			m.runs = append(m.runs, mrRun{l.no, l.quoted, f[2], q[0], count, sec.v, s})
		}
		m.begun[f[2]] = q[1:]
	case "+H":
		m.sizes = nil
		for _, x := range f[1:] {
			n, ok := integer(x)
			if !ok || len(m.sizes) > 32 {
				m.sizes = nil
				return rd.broken("a cut line")
			}
			m.sizes = append(m.sizes, n)
		}
	case "+F":
		if child {
			rd.gotChild(l, f)
			return yes // the sum follows, or was left out
		}
		return rd.mrTable(f)
	}
	return yes // +F2 and so on are public keys
}

// mrTable takes "+F:22:aes-128-cbc:v:v:…", in bytes a second.
func (rd *reader) mrTable(f []string) verdict {
	m := &rd.ssl.mr
	if len(f) < 4 {
		return rd.broken("a cut line")
	}
	name, values := f[2], f[3:]
	m.summed(name)
	sizes, assumed := m.sizes, false
	if len(sizes) == 0 {
		switch len(values) {
		case 5:
			sizes, assumed = sizes5, true
			if c := rd.ssl.command; c != nil && c.mb {
				sizes, assumed = sizesMB[:5], false
			}
		case 6:
			sizes, assumed = sizes6, true
		}
	}
	if len(sizes) != len(values) {
		return rd.broken("a row that doesn't fit its header")
	}
	cells := make([]figure, len(values))
	for i, v := range values {
		n, ok := number(v, false)
		if !ok || n.half > 0.006 {
			return rd.broken("a cut line")
		}
		cells[i] = n
	}
	for i, n := range cells {
		if n.v == 0 {
			continue
		}
		r := rd.opensslResult(name)
		r.BlockBytes, r.BytesPerSecond, r.AsPrinted = sizes[i], n.v, values[i]
		if assumed {
			r.fix(SizesAssumed, "no header: values are taken as the tool's usual block sizes")
		}
		m.paired(rd, &r, norm(name))
		if at := rd.emit(r); at >= 0 && len(rd.ssl.doing) < 4096 && rd.at(rd.l).owned() == nil { // a table may say it again
			rd.ssl.doing = append(rd.ssl.doing, doingRef{at, norm(name), r.BlockBytes, n.v, 3})
		}
	}
	return yes
}

// paired completes a table's value with the +R lines that it sums up. It always
// leaves the emitting to the caller.
func (m *mrState) paired(rd *reader, r *Result, key string) bool {
	if len(m.runs) == 0 {
		return false
	}
	var sum, longest float64
	var ops int64
	n := 0
	for _, x := range m.runs {
		if norm(x.name) == key && x.size == r.BlockBytes {
			sum += float64(x.count) * float64(x.size) / x.sec
			longest = max(longest, x.sec)
			ops += x.count
			n++
		}
	}
	if n == 0 || math.Abs(sum-r.BytesPerSecond) > 0.02*sum {
		return false
	}
	r.Ops, r.Bytes, r.Seconds, r.Threads = ops, ops*r.BlockBytes, longest, n
	kept := m.runs[:0]
	for _, x := range m.runs {
		if norm(x.name) != key || x.size != r.BlockBytes {
			kept = append(kept, x)
		}
	}
	m.runs = kept
	return false
}

// flushMR emits the +R lines that no table summed up: those of several children
// added up.
func (s *opensslState) flushMR(rd *reader) {
	m := &s.mr
	m.flushGot(rd)
	for len(m.runs) > 0 {
		x := m.runs[0]
		r := rd.opensslResult(x.name)
		r.Line, r.BlockBytes, r.AsPrinted = x.no, x.size, x.text
		kept := m.runs[:0:0]
		n := 0
		for _, y := range m.runs {
			if y.name != x.name || y.size != x.size {
				kept = append(kept, y)
				continue
			}
			r.BytesPerSecond += float64(y.count) * float64(y.size) / y.sec
			r.Ops += y.count
			r.Seconds = max(r.Seconds, y.sec)
			n++
		}
		r.Bytes, r.Threads = r.Ops*r.BlockBytes, n
		m.runs = kept
		rd.emit(r)
	}
	*m = mrState{}
}
