package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The block sizes of openssl speed without -bytes, by the number of columns.
var (
	sizes6    = []int64{16, 64, 256, 1024, 8192, 16384} // since 1.1.0
	sizes5    = []int64{16, 64, 256, 1024, 8192}        // before
	sizes5old = []int64{8, 64, 256, 1024, 8192}         // SSLeay
	sizesAEAD = []int64{2, 31, 136, 1024, 8192, 16384}  // -aead
	// -mb; with -multi the table has no header and a sixth column that is 0.
	sizesMB = []int64{8192, 16384, 32768, 65536, 131072, 0}
)

// opensslRow takes a row whose values were parted.
func (rd *reader) opensslRow(l line, lead string, cells []cell, tail string) verdict {
	st := &rd.ssl
	name, variant, known := rowName(lead)
	if !known {
		switch {
		case strings.EqualFold(lead, "evp") && allK(cells): // what -multi called its row before 3.0
			name, variant, known = "evp", "", true
			if c := st.command; c != nil && len(c.names) == 1 {
				name = c.names[0]
			}
		case st.headAlg != "" && !st.stale:
			name, variant, known = st.headAlg, lead, true
		case st.command != nil && len(st.command.names) == 1 && !st.stale && len(st.sizes) > 0:
			name, variant, known = st.command.names[0], strings.TrimPrefix(lead, namelessRow), true
		}
	}
	fresh := len(st.sizes) > 0 && !st.stale
	if !known && (!fresh || !asPrinted(cells)) {
		return no
	}
	sizes, assumed, v := rd.rowSizes(len(cells), known, cells)
	switch v {
	case partial:
		if tail != "" && !l.flat {
			return rd.broken("a row with too few values")
		}
		return partial
	case yes:
		return rd.broken("a row that doesn't fit its header")
	case no:
		if sizes == nil {
			return no
		}
	}
	if bad := rd.unitOf(cells); bad != "" {
		return rd.broken(bad)
	}
	st.mr.summed(name)
	if rd.again(name, cells) {
		return yes
	}
	base := rd.opensslResult(name)
	base.Variant = variant
	rd.rowTail(&base, tail)
	if variant != "" {
		low := strings.ToLower(variant)
		switch {
		case low == "software" || low == "sw":
			base.Accelerator = "none"
		case low == "padlock" || low == "af" || strings.Contains(low, "hardware"):
			base.Engine = variant
		}
	}
	if assumed {
		base.fix(SizesAssumed, fmt.Sprintf("no header: %d values are taken as the tool's usual block sizes", len(cells)))
	}
	if base.Engine != "" && base.Clock == UserCPU && offload.MatchString(base.Engine) {
		base.fix(UserTimeTable, "divided by user CPU time while an engine did the work; the counts to recompute it from are missing")
	}
	zeros := 0
	for i, c := range cells {
		if c.v == 0 {
			zeros++
			continue
		}
		r := base
		r.Repairs = append([]Repair(nil), base.Repairs...)
		r.BytesPerSecond, r.AsPrinted = c.v, c.text
		if sizes[i] > 0 {
			r.BlockBytes = sizes[i]
		}
		if !c.k && st.unit == 0 && !thousandsOf(cells, st) {
			r.fix(NoK, "printed without k: bytes a second, not thousands")
		}
		if len(st.groups) > 0 && len(st.groupOf) == len(cells) && !st.stale {
			r.Variant = strings.TrimSpace(st.groups[st.groupOf[i]] + " " + r.Variant)
		}
		if !rd.paired(&r, name) {
			rd.emit(r)
		}
	}
	if zeros == len(cells) {
		rd.warn(fmt.Sprintf("%s was not run: all values are 0", name))
	}
	return yes
}

// rowSizes finds the block sizes of a row of n values. The verdict is partial
// for a row that may go on, yes for one that can't be right.
func (rd *reader) rowSizes(n int, known bool, cells []cell) (sizes []int64, assumed bool, v verdict) {
	st := &rd.ssl
	if h := len(st.sizes); h > 0 {
		switch {
		case n == h:
			return st.sizes, false, no
		case !st.stale && n < h:
			return nil, false, partial
		case !st.stale:
			return nil, false, yes
		}
	}
	if h := len(st.mr.sizes); h > 0 && known {
		// The children of -multi told theirs. With -mb a column without a size,
		// which is 0, stands behind.
		switch {
		case n == h:
			return st.mr.sizes, false, no
		case n == h+1 && cells[n-1].v == 0:
			return append(st.mr.sizes[:h:h], 0), false, no
		}
	}
	if !known && n < 5 {
		return nil, false, no
	}
	mb := st.command != nil && st.command.mb
	if (n == 6 || n == 5 && mb) && (n == 5 || cells[5].v == 0) && !slices.ContainsFunc(cells[:5], func(c cell) bool { return c.v == 0 }) {
		return sizesMB[:n], !mb, no
	}
	switch n {
	case 6:
		if st.command != nil && st.command.aead {
			return sizesAEAD, true, no
		}
		return sizes6, true, no
	case 5:
		if strings.HasPrefix(st.version, "SSLeay") {
			return sizes5old, true, no
		}
		return sizes5, true, no
	case 1:
		if !cells[0].k {
			return nil, false, no
		}
		if st.command != nil && st.command.bytes > 0 {
			return []int64{st.command.bytes}, false, no
		}
		if c := rd.at(rd.l).openssl; c != nil && c.bytes > 0 {
			return []int64{c.bytes}, false, no
		}
		return nil, false, no
	}
	if known && allK(cells) && n < 5 {
		return nil, false, partial
	}
	return nil, false, no
}

// again tells whether a row stands in the text already, to the last digit: it
// was copied, nobody measures that twice.
func (rd *reader) again(name string, cells []cell) bool {
	if len(cells) < 5 {
		return false
	}
	key := norm(name)
	for _, c := range cells {
		if c.v > 0 {
			key += " " + c.text
		}
	}
	if first, ok := rd.rows[key]; ok {
		rd.warn(fmt.Sprintf("%s: the same row as in line %d, not counted again", name, first))
		return true
	}
	if len(rd.rows) < 4096 && strings.Count(key, " ") >= 5 {
		if rd.rows == nil {
			rd.rows = map[string]int{}
		}
		rd.rows[key] = rd.l.no
	}
	return false
}

// thousandsOf tells whether a row without any k is in thousands all the same:
// openssl prints no k only up to 10000 bytes a second.
func thousandsOf(cells []cell, st *opensslState) bool {
	big := false
	for _, c := range cells {
		if c.k {
			return false
		}
		big = big || c.v > 10000.5
	}
	return big && st.thousands
}

// unitOf brings values without k to bytes a second; it returns what is wrong
// with the row, if anything.
func (rd *reader) unitOf(cells []cell) string {
	st := &rd.ssl
	thousands := thousandsOf(cells, st)
	var before float64
	for i := range cells {
		c := &cells[i]
		switch {
		case c.k:
			before = c.v
		case st.unit > 0:
			c.v *= st.unit
		case thousands:
			c.v *= 1000
		case c.v > 10000.5:
			return "a value that lost its k"
		case c.v > 0 && c.v < 100:
			return "a ratio, or a value that lost its k" // no cipher is that slow
		case c.v > 0 && before > 20*c.v:
			return "a value cut off before its k"
		}
	}
	return ""
}

// rowName finds the algorithm in what stands before a row's values.
func rowName(lead string) (name, variant string, known bool) {
	lead = strings.Trim(lead, " :,|*")
	if m := variantIn.FindStringSubmatch(lead + " "); m != nil {
		variant = m[1]
		lead = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(lead), "("+m[1]+")"))
	}
	if strings.HasSuffix(lead, "chacha20-poly") { // the tool's own cut
		return lead, variant, true
	}
	f := strings.Fields(lead)
	for _, n := range []int{2, 1} {
		if len(f) < n {
			continue
		}
		name = strings.Join(f[len(f)-n:], " ")
		if n == 2 {
			// "aes-256 cbc" is a name, "SW aes-256-cbc" is a label and a name.
			if _, ok := modes[strings.ToLower(f[len(f)-1])]; !ok && strings.ToLower(f[len(f)-1]) != "ede3" {
				continue
			}
		}
		if _, ok := parseAlg(name); ok {
			return name, strings.TrimSpace(strings.Join(f[:len(f)-n], " ") + " " + variant), true
		}
	}
	if len(f) > 1 { // "AES-128-GCM master"
		if a, ok := parseAlg(f[0]); ok && a.mode != "" {
			return f[0], strings.Join(f[1:], " "), true
		}
	}
	return lead, "", false
}

// rowTail reads what stands behind a row's last value.
func (rd *reader) rowTail(r *Result, tail string) {
	if tail == "" || len(tail) > 48 {
		return
	}
	t := strings.Trim(tail, " -><;")
	switch {
	case strings.HasPrefix(t, "(") && strings.HasSuffix(t, ")"):
		t = t[1 : len(t)-1]
		if strings.Contains(t, "parallel") {
			r.Variant, r.PerThread = t, true
			return
		}
		if rd.ssl.sbc || looksLikeCPU(t) {
			r.CPU = rd.at(rd.l).cpu
			r.CPU.Core = t
			if strings.HasPrefix(t, "Cortex") {
				r.CPU.Model = t
			}
			return
		}
		r.Variant = strings.TrimSpace(r.Variant + " " + t)
	case strings.HasPrefix(t, "bef"):
		r.Variant = "before"
	case strings.HasPrefix(t, "aft"):
		r.Variant = "after"
	case len(strings.Fields(t)) <= 3 && !rd.l.flat:
		r.Variant = strings.TrimSpace(r.Variant + " " + t)
	}
}

// paired joins a table's value with the Doing line or the children's lines of
// the same run. They agree to within the rounding of the printed seconds.
func (rd *reader) paired(r *Result, name string) bool {
	st := &rd.ssl
	key := norm(name)
	if rd.at(rd.l).owned() != nil {
		return st.mr.paired(rd, r, key) // no table of gelibench repeats another form
	}
	for i := len(st.doing) - 1; i >= 0; i-- {
		d := st.doing[i]
		if d.size != r.BlockBytes || d.name != key {
			continue
		}
		slack := 0.003
		if d.sec > 0 {
			slack += 0.006 / d.sec
		}
		old := &rd.report.Results[d.at]
		agree := math.Abs(r.BytesPerSecond-d.raw) <= slack*d.raw
		if math.IsInf(d.raw, 1) {
			agree = r.BytesPerSecond > old.BytesPerSecond
		}
		if !agree {
			continue
		}
		if !old.Has(UserTime) {
			old.BytesPerSecond = r.BytesPerSecond
		}
		old.AsPrinted += ", " + r.AsPrinted
		if old.Version == "" {
			old.Version = r.Version
		}
		if old.Variant == "" {
			old.Variant = r.Variant
		}
		st.doing = append(st.doing[:i:i], st.doing[i+1:]...)
		return true
	}
	return st.mr.paired(rd, r, key)
}
