package report

import (
	"fmt"
	"regexp"
	"strings"
)

// typedState is a table that somebody typed from a window: VeraCrypt's and
// TrueCrypt's benchmark has no text output.
type typedState struct {
	product string // "VeraCrypt" or "TrueCrypt" once the text names it
	buffer  int64
	unit    float64
	unitTxt string
	columns []string
	window  line // the last row of two or three rates behind a cipher
	// windowOpen says that two such rows followed each other.
	windowOpen bool
	ruled      bool // a line was drawn: what follows is a mean
	rows       int
	made       []int    // results of a hand-made table, whose cipher may be named below it
	md         []string // column headings of a Markdown table
}

func (t *typedState) blank() { t.columns, t.ruled, t.rows, t.md = nil, false, 0, nil }

var (
	bufferHead = regexp.MustCompile(`(?i)(\d+) ?([KMG])i?B buffer\b.*\(([kKMG]i?B/s(?:ec)?)\)`)
	rateIn     = regexp.MustCompile(`(\d+(?:[.,]\d+)?) ?([kKMGT]i?B/s(?:ec)?)\b`)
	proseBoth  = regexp.MustCompile(`(?i)(\d+(?:[.,]\d+)?) ?([kMG]i?B/s) (?:for )?(?:in )?(encryption|decryption)`)
	windowRow  = regexp.MustCompile(`^[A-Za-z][\w()-]*(?:[ :\t]+\d+(?:[.,]\d+)? ?[kKMGT]i?B/s){2,3}$`)
	rowAlg     = regexp.MustCompile(`^\|? *([A-Za-z][\w/()-]*(?:-\d+)?)(?: +\((\d+)[- ]?bits?\))? *(?:\||:|\t| )`)
	messages   = regexp.MustCompile(`\b(\d+) ?K(?:i?B)? messages\b|\b(\d+)[- ]byte messages\b`)
)

// rateTable reads rows of a cipher's name and rates with units: a Markdown
// table (Before | After), VeraCrypt's columns, prose about VeraCrypt.
func (rd *reader) rateTable(l line) verdict {
	s := l.text
	t := &rd.typed
	if strings.Contains(s, "eraCrypt") || strings.Contains(s, "eracrypt") || strings.Contains(s, "rueCrypt") {
		t.product = "VeraCrypt"
		if strings.Contains(s, "rueCrypt") {
			t.product = "TrueCrypt"
		}
	}
	if len(s) > 400 {
		return no
	}
	if strings.Contains(s, "|") && !strings.ContainsAny(s, "0123456789") && strings.Count(s, "|") >= 2 && !ruler.MatchString(s) {
		t.md = pipeCells(s)
		return no
	}
	if strings.Contains(s, "messages") && messages.MatchString(s) {
		m := messages.FindStringSubmatch(s)
		t.buffer = 0
		if n, ok := integer(m[1]); ok && n < 1<<20 {
			t.buffer = n << 10
		} else if n, ok := integer(m[2]); ok {
			t.buffer = n
		}
	}
	if !strings.Contains(s, "B/s") {
		return no
	}
	if t.product != "" && proseBoth.MatchString(s) {
		return rd.veraProse(s)
	}
	m := rowAlg.FindStringSubmatch(s)
	if m == nil {
		return no
	}
	alg, ok := parseAlg(m[1])
	cascade := false
	if !ok && t.product != "" {
		for part := range strings.FieldsFuncSeq(m[1], func(c rune) bool { return c == '(' || c == ')' || c == '-' }) {
			if _, ok := bases[strings.ToLower(part)]; !ok {
				return no
			}
			cascade = true
		}
	}
	if !ok && !cascade {
		return no
	}
	rates := rateIn.FindAllStringSubmatch(s, 8)
	if len(rates) == 0 || rd.onlyWords(s, m[0]) {
		return no
	}
	table := len(t.md) > 0 && strings.Contains(s, "|")
	if !table && t.product == "" {
		// Without a product's name one such row is a remark; two are a table.
		if !windowRow.MatchString(s) {
			return no
		}
		first := t.window
		t.window = l
		if first.no == 0 || l.no-first.no > 2 || l.no < first.no {
			return yes
		}
		if !t.windowOpen {
			t.windowOpen = true
			rd.l = first
			rd.windowRates(first.text)
			rd.l = l
		}
		rd.windowRates(s)
		return yes
	}
	base := Result{Kind: Cipher, Name: m[1]}
	if ok {
		alg.is(&base)
	}
	if !table {
		base.Tool = t.product
		base.Mode = "XTS"
		if base.KeyBits == 0 {
			base.KeyBits = 256
		}
		if cascade {
			base.Cipher, base.KeyBits = m[1], 0
		}
		base.fix(ToolDefault, t.product+" knows only XTS with two keys of 256 bits")
	} else {
		base.Tool = ""
		base.BlockBytes = t.buffer
	}
	for i, x := range rates {
		v, ok := number(x[1], true)
		scale, isBin, ok2 := rateUnit(x[2])
		if !ok || !ok2 || v.v <= 0 {
			return rd.broken("a rate that can't be read")
		}
		r := base
		r.Repairs = append([]Repair(nil), base.Repairs...)
		r.BytesPerSecond, r.AsPrinted = v.v*scale, x[1]+" "+x[2]
		if !isBin {
			unclear(&r, scale)
		}
		if table && i+1 < len(t.md) {
			r.Variant = t.md[i+1]
			switch {
			case decryptHead.MatchString(r.Variant):
				r.Direction = Decrypt
			case encryptHead.MatchString(r.Variant):
				r.Direction = Encrypt
			}
		}
		if !table {
			switch i {
			case 0:
				r.Direction = Encrypt
			case 1:
				r.Direction = Decrypt
			case 2:
				r.Summary, r.Variant, r.Direction = true, "mean", Both
			default:
				continue
			}
		}
		rd.emit(r)
	}
	return yes
}

// windowRates takes a row that was typed from a window whose program the text
// doesn't name: encryption, decryption, and perhaps their mean.
func (rd *reader) windowRates(s string) {
	name := rowAlg.FindStringSubmatch(s)[1]
	for i, x := range rateIn.FindAllStringSubmatch(s, 3) {
		v, ok := number(x[1], true)
		scale, isBin, ok2 := rateUnit(x[2])
		if !ok || !ok2 || v.v <= 0 {
			return
		}
		r := Result{Kind: Cipher, Name: name, BytesPerSecond: v.v * scale, AsPrinted: x[1] + " " + x[2], Direction: Encrypt}
		if a, ok := parseAlg(name); ok {
			a.to(&r)
		}
		switch i {
		case 1:
			r.Direction = Decrypt
		case 2:
			r.Direction, r.Variant, r.Summary = Both, "mean", true
		}
		if !isBin {
			unclear(&r, scale)
		}
		rd.emit(r)
	}
}

// onlyWords tells whether a row is a sentence about a rate.
func (rd *reader) onlyWords(s, lead string) bool {
	first := rateIn.FindStringIndex(s)
	between := strings.Trim(s[min(len(lead), first[0]):first[0]], " |:\t(=~")
	return len(strings.Fields(between)) > 1
}

// veraProse reads "… for AES is 15.1 GiB/s Encryption and 13.5 GiB/s Decryption".
func (rd *reader) veraProse(s string) verdict {
	all := proseBoth.FindAllStringSubmatch(s, 4)
	a, ok := mentioned(s)
	if !ok {
		return no
	}
	for _, m := range all {
		v, ok := number(m[1], true)
		scale, isBin, ok2 := rateUnit(m[2])
		if !ok || !ok2 {
			return no
		}
		r := Result{Kind: Cipher, Tool: rd.typed.product, Name: a.cipher, Cipher: a.cipher, Mode: "XTS", KeyBits: 256, BytesPerSecond: v.v * scale, AsPrinted: m[1] + " " + m[2], Direction: Encrypt}
		if strings.EqualFold(m[3], "decryption") {
			r.Direction = Decrypt
		}
		if !isBin {
			unclear(&r, scale)
		}
		r.fix(ToolDefault, rd.typed.product+" knows only XTS with two keys of 256 bits")
		rd.emit(r)
	}
	return yes
}

// typedTable reads columns of bare numbers under names of ciphers, with the
// unit in the heading, and a mean under a drawn line.
func (rd *reader) typedTable(l line) verdict {
	s := l.text
	t := &rd.typed
	if len(s) > 200 {
		return no
	}
	if t.product == "" {
		return no
	}
	if m := bufferHead.FindStringSubmatch(s); m != nil {
		n, _ := integer(m[1])
		e, _ := expand("1" + m[2])
		t.buffer = min(n, 1<<20) * e
		t.unit, _, _ = rateUnit(m[3])
		t.unitTxt = m[3]
		t.columns, t.ruled, t.rows = nil, false, 0
		return yes
	}
	if t.unit == 0 {
		return no
	}
	f := strings.Fields(strings.ReplaceAll(s, "|", " "))
	if len(t.columns) == 0 {
		if len(f) < 1 || len(f) > 8 {
			return no
		}
		for _, w := range f {
			if _, ok := parseAlg(w); !ok {
				return no
			}
		}
		t.columns, t.ruled, t.rows = f, false, 0
		return yes
	}
	if strings.Trim(s, "_-=+ ") == "" {
		t.ruled = true
		return yes
	}
	if len(f) != len(t.columns) {
		return no
	}
	values := make([]figure, len(f))
	for i, w := range f {
		v, ok := number(w, true)
		if !ok || v.v <= 0 {
			return no
		}
		values[i] = v
	}
	if !t.ruled {
		t.rows++
	}
	for i, v := range values {
		a, _ := parseAlg(t.columns[i])
		r := Result{Kind: Cipher, Tool: t.product, Name: t.columns[i], BlockBytes: t.buffer, Direction: Both, BytesPerSecond: v.v * t.unit, AsPrinted: f[i] + " " + t.unitTxt}
		a.to(&r)
		r.Mode, r.KeyBits = "XTS", 256
		unclear(&r, t.unit)
		r.fix(ToolDefault, t.product+" knows only XTS with two keys of 256 bits")
		if t.ruled {
			r.Summary, r.Variant = true, fmt.Sprintf("mean of %d runs", t.rows)
		}
		rd.emit(r)
	}
	return yes
}
