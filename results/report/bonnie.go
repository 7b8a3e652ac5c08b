package report

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	bonnieRow   = regexp.MustCompile(`^(\S.*?) +((?:(?:[\d.]+[kmgKMG]?|\++) +(?:\d+|\++) *){6})$`)
	bonnieTests = []struct {
		name string
		dir  Direction
	}{{"per character output", Writing}, {"block output", Writing}, {"rewrite", UnknownDirection}, {"per character input", Reading}, {"block input", Reading}}
)

// bonnie reads the table of bonnie++: K/sec without letters up to 1.97, with
// letters (532k, 10.4m) since; "+++++" is a test that was too fast.
func (rd *reader) bonnie(l line) verdict {
	s := l.text
	st := &rd.disk
	if strings.Contains(s, "Sequential Output") {
		st.bonnie, st.bonnieK = true, false
		if m := bonnieHead.FindStringSubmatch(s); m != nil {
			st.version = m[1]
		}
		return yes
	}
	if !st.bonnie {
		return no
	}
	if strings.Contains(s, "/sec %CP") || strings.Contains(s, "/sec  %CP") {
		st.bonnieK = st.bonnieK || strings.Contains(s, "K/sec")
		return yes
	}
	if strings.Contains(s, "Per Chr") {
		return yes
	}
	if strings.HasPrefix(s, "Latency") || strings.Contains(s, "Sequential Create") {
		st.bonnie = false
		return yes
	}
	m := bonnieRow.FindStringSubmatch(s)
	if m == nil {
		if f := strings.Fields(s); len(f) >= 3 && len(f) <= 13 && strings.ContainsAny(s, "0123456789") {
			return partial
		}
		return no
	}
	f := strings.Fields(m[2])
	if len(f) != 12 {
		return rd.broken("a row of bonnie++ that can't be read")
	}
	st.bonnie = false
	for i, test := range bonnieTests {
		v, cp := f[2*i], f[2*i+1]
		if v[0] == '+' {
			continue
		}
		scale := 1.0
		switch c := v[len(v)-1] | 0x20; c {
		case 'k', 'm', 'g':
			scale = float64(int64(1) << (10 * (strings.IndexByte("kmg", c) + 1)))
			v = v[:len(v)-1]
		default:
			if st.bonnieK {
				scale = 1024
			}
		}
		n, ok := number(v, false)
		if !ok || n.v <= 0 {
			continue
		}
		r := Result{Kind: Disk, Tool: "bonnie++", Version: st.version, Name: test.name, Variant: test.name, Direction: test.dir, Clock: Wall, BytesPerSecond: n.v * scale, AsPrinted: f[2*i]}
		r.fix(BinaryUnit, "bonnie++'s K are 1024 bytes")
		if p, err := strconv.ParseFloat(cp, 64); err == nil {
			r.Usage = &Usage{CPUPercent: &p}
		}
		rd.emit(r)
	}
	return yes
}
