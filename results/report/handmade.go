package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

var (
	libraryRow = regexp.MustCompile(`(?i)^(openssl|libressl|boringssl|gnutls|nettle|libgcrypt|botan|wolfssl|mbedtls|cryptsetup)(?: [\w.+-]+){0,3}$`)
	allAbove   = regexp.MustCompile(`(?i)\ball (?:of )?(?:the )?above\b`)
	aboveSize  = regexp.MustCompile(`(?i)\b(\d+) ?(KiB|KB|k|bytes|byte|B)\b`)
)

// handMade reads a row "| libressl -evp | 55 MB/s |" of a table that somebody
// made of several runs, and a line below it that says what it was of.
func (rd *reader) handMade(l line) verdict {
	s := l.text
	t := &rd.typed
	if len(t.made) > 0 && len(s) < 200 && allAbove.MatchString(s) {
		a, ok := mentioned(s)
		if !ok {
			return no
		}
		for _, i := range t.made {
			r := &rd.report.Results[i]
			a.to(r)
			r.Direction = Encrypt
			if m := aboveSize.FindStringSubmatch(s); m != nil {
				r.BlockBytes, _ = integer(m[1])
				if strings.EqualFold(m[2][:1], "k") {
					r.BlockBytes <<= 10
				}
			}
		}
		t.made = nil
		return yes
	}
	if !strings.Contains(s, "|") || !strings.Contains(s, "B/s") || len(s) > 200 {
		return no
	}
	cells := pipeCells(s)
	if len(cells) < 2 || len(cells) > 4 || !libraryRow.MatchString(tidy(cells[0])) {
		return no
	}
	for _, c := range cells[1:] {
		m := rateIn.FindStringSubmatch(c)
		if m == nil || m[0] != c {
			continue
		}
		v, ok := number(m[1], true)
		scale, isBin, ok2 := rateUnit(m[2])
		if !ok || !ok2 || v.v <= 0 {
			continue
		}
		r := Result{Kind: Cipher, Name: tidy(cells[0]), BytesPerSecond: v.v * scale, AsPrinted: c}
		if !isBin {
			unclear(&r, scale)
		}
		if at := rd.emit(r); at >= 0 && len(t.made) < 64 {
			t.made = append(t.made, at)
		}
	}
	return yes
}

// summaries takes out the figures of no tool that repeat, rounded, another
// figure of the text: somebody wrote the same runs down again.
func (rd *reader) summaries() {
	rs := rd.report.Results
	gone := map[int]bool{}
	for i := range rs {
		if rs[i].Tool != "" || !rs[i].HasRate() || len(gone) > 1000 || len(rs) > 4000 {
			continue
		}
		v := rs[i].BytesPerSecond
		for j, o := range rs {
			if o.Tool != "" && o.Cipher == rs[i].Cipher && o.Mode == rs[i].Mode && (o.KeyBits == rs[i].KeyBits || rs[i].KeyBits == 0) && math.Abs(o.BytesPerSecond-v) < 0.006*v {
				rd.warnAt(rs[i].Line, fmt.Sprintf("%s, %s: line %d says the same, not counted again", rs[i].Name, rs[i].AsPrinted, rs[j].Line))
				gone[i] = true
				break
			}
		}
	}
	if len(gone) == 0 {
		return
	}
	i := -1
	rd.report.Results = slices.DeleteFunc(rs, func(Result) bool { i++; return gone[i] })
	i = -1
	rd.meta = slices.DeleteFunc(rd.meta, func(meta) bool { i++; return gone[i] })
}
