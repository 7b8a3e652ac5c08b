package report

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// line is a logical line: what one line of the tool's output was.
type line struct {
	no     int
	text   string // unwrapped; pipes still stand between cells
	quoted int    // depth of mail quoting
	hash   bool   // a "# " stood in front: a comment, a root prompt, or cryptsetup's own
	fence  bool   // a Markdown fence; text is empty
	blank  bool
	heavy  bool // bold or a Markdown heading
	flat   bool // cut out of a line that had lost its line breaks
	cr     bool // the next line overwrote it
	gap    bool // a blank line came before it
}

// depths is how many depths of quoting are kept apart, the last for all deeper
// ones.
const depths = 4

// depth is where what belongs to the line's depth of quoting is kept.
func (l line) depth() int { return min(l.quoted, depths-1) }

// maxSoft is the longest line that soft line ends may make up.
const maxSoft = 64 << 10

// unwrapper undoes wrappings line by line.
type unwrapper struct {
	qp     bool   // quoted-printable was seen in this text
	soft   []byte // a line that a soft line end ("=") continues
	softNo int

	number, numberNo, counted int // the last line's number, where it stood, how many counted up
}

// line turns a physical line into logical ones.
func (u *unwrapper) line(p physical, out []line) []line {
	if !u.qp && (strings.IndexByte(p.text, '=') >= 0 || strings.Contains(p.text, "uoted-printable")) {
		u.qp = quotedPrintable(p.text)
	}
	if u.qp && !p.cut && len(u.soft)+len(p.text) < maxSoft && strings.HasSuffix(p.text, "=") && !strings.HasSuffix(p.text, "==") {
		if len(u.soft) == 0 {
			u.softNo = p.no
		}
		u.soft = append(u.soft, p.text[:len(p.text)-1]...)
		return out
	}
	if len(u.soft) > 0 {
		p.text, p.no = string(u.soft)+p.text, u.softNo
		u.soft = u.soft[:0]
	}
	return u.decoded(p, out)
}

// decoded goes on behind soft line ends.
func (u *unwrapper) decoded(p physical, out []line) []line {
	s := p.text
	if u.qp && strings.IndexByte(s, '=') >= 0 {
		s = decodeQP(s)
	}
	s = characters(s)
	if strings.IndexByte(s, '<') >= 0 || strings.IndexByte(s, '&') >= 0 {
		var broken bool
		if s, broken = untag(s); broken {
			s = strings.TrimSuffix(s, "\n") // the line of the source ends here too
			for part := range strings.SplitSeq(s, "\n") {
				out = u.finish(p, part, out)
			}
			return out
		}
	}
	return u.finish(p, s, out)
}

// flush hands out a line whose soft line end was the text's end.
func (u *unwrapper) flush(out []line) []line {
	if len(u.soft) == 0 {
		return out
	}
	p := physical{no: u.softNo, text: string(u.soft)}
	u.soft = nil
	return u.decoded(p, out)
}

// finish strips prefixes and suffixes and reflows.
func (u *unwrapper) finish(p physical, s string, out []line) []line {
	l := line{no: p.no, cr: p.cr}
	if marks := strings.Count(s, " > "); len(s) > 200 && len(s) < 256<<10 && marks >= 3 {
		if quoted := strings.HasPrefix(strings.TrimLeft(s, " \t"), ">"); quoted || len(s) > 400 && marks >= 8 {
			// Quote marks that were at the beginnings of lines.
			for part := range strings.SplitSeq(s, " > ") {
				if quoted {
					part = "> " + strings.TrimPrefix(strings.TrimSpace(part), "> ")
				}
				out = u.strip(l, part, out)
				quoted = true
			}
			return out
		}
	}
	return u.strip(l, s, out)
}

func (u *unwrapper) strip(l line, s string, out []line) []line {
	s = prefixes(&l, u.unnumber(l.no, s))
	s = suffixes(s)
	if len(s) > 60 {
		if parts := reflow(s); len(parts) > 1 {
			for _, part := range parts {
				q := l
				q.flat = true
				out = append(out, settle(q, part))
			}
			return out
		}
	}
	return append(out, settle(l, s))
}

// unnumber takes the line number off where the last lines counted up to it:
// then it is one, whatever stands behind it.
func (u *unwrapper) unnumber(no int, s string) string {
	t := strings.TrimLeft(s, " \t")
	n, i := 0, 0
	for i < len(t) && i < 6 && t[i] >= '0' && t[i] <= '9' {
		n = 10*n + int(t[i]-'0')
		i++
	}
	if i == 0 || i < len(t) && strings.IndexByte(".:) \t|", t[i]) < 0 {
		u.counted = 0
		return s
	}
	if n == u.number+1 && no == u.numberNo+1 {
		u.counted++
	} else {
		u.counted = 0
	}
	u.number, u.numberNo = n, no
	if u.counted < 3 && (u.counted < 1 || n != no) {
		return s
	}
	rest := strings.TrimLeft(t[i:], " \t")
	if rest != "" && strings.IndexByte(".:)|", rest[0]) >= 0 && (len(rest) == 1 || rest[1] == ' ' || rest[1] == '\t') {
		rest = rest[1:]
	}
	return rest
}

// settle does what is left for a line of its own: fences, emphasis, blanks.
func settle(l line, s string) line {
	t := strings.TrimSpace(s)
	if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
		rest := strings.TrimLeft(t, "`~")
		if !strings.ContainsAny(rest, " \t") || rest == "" {
			l.fence = true
			return l
		}
		t = rest
	}
	if strings.Contains(t, "**") {
		l.heavy = strings.HasPrefix(t, "**")
		t = strings.ReplaceAll(t, "**", "")
	}
	if strings.IndexByte(t, '`') >= 0 {
		if strings.HasPrefix(t, "`") && strings.HasSuffix(t, "`") {
			l.heavy = true
		}
		t = strings.Trim(t, "`")
		t = strings.ReplaceAll(t, "`", "")
	}
	if strings.HasPrefix(t, "## ") || strings.HasPrefix(t, "### ") || strings.HasPrefix(t, "#### ") {
		l.heavy, t = true, strings.TrimLeft(t, "# ")
	}
	if strings.IndexByte(t, '\\') >= 0 {
		t = unescape.ReplaceAllString(t, "$1")
	}
	l.text = strings.TrimSpace(t)
	l.blank = l.text == ""
	return l
}

var unescape = regexp.MustCompile(`\\([_*#>|~\[\]])`)

// characters makes plain blanks, quotes and commas of the finer ones, and
// drops what a terminal would not show.
func characters(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 || s[i] < ' ' && s[i] != '\t' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = escapes.ReplaceAllString(s, "")
	}
	if strings.Contains(s, "â€") { // UTF-8 read as Latin-1 once too often
		s = mojibake.Replace(s)
	}
	return strings.Map(func(c rune) rune {
		switch c {
		case '\u00a0', '\u2007', '\u2009', '\u202f', '\u3000', '\u2002', '\u2003', '\u2006', '\u2008', '\u200a':
			return ' '
		case '\u200b', '\u200c', '\u200d', '\ufeff', '\u00ad', '\u200e', '\u200f':
			return -1
		case '\u2018', '\u2019', '\u02bc', '\u00b4':
			return '\''
		case '\u201c', '\u201d', '\u201e', '\u00ab', '\u00bb':
			return '"'
		case '，', '、':
			return ','
		case '：':
			return ':'
		case '（':
			return '('
		case '）':
			return ')'
		case '\u2502', '\u2503', '\u2551', '\uff5c': // box drawing
			return '|'
		case '\b', '\f', '\v', 0:
			return -1
		}
		return c
	}, s)
}

var (
	escapes  = regexp.MustCompile("\x1b(\\[[0-9;?]*[A-Za-z]|\\][^\x07]*\x07|[()][A-Z0-9])")
	mojibake = strings.NewReplacer("â€™", "'", "â€˜", "'", "â€œ", "\"", "â€\u009d", "\"", "â€“", "-", "â€¦", "...", "Â ", " ")
)

// quotedPrintable tells whether a line shows that the text is so encoded.
func quotedPrintable(s string) bool {
	if strings.Contains(s, "=3D") || strings.Contains(s, "=E2=80=") || strings.Contains(s, "=C2=A0") {
		return true
	}
	// A soft line end and nothing else; lines of base64 hold no blanks.
	if len(s) >= 74 && len(s) <= 76 && s[len(s)-1] == '=' && s[len(s)-2] != '=' && s[len(s)-2] != ' ' && strings.IndexByte(s, ' ') > 0 {
		return true
	}
	low := strings.ToLower(s)
	return strings.Contains(low, "content-transfer-encoding:") && strings.Contains(low, "quoted-printable")
}

// decodeQP decodes quoted-printable; "= ", which was a soft line end before the
// line breaks were lost, goes.
func decodeQP(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '=' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		if i+1 < len(s) && s[i+1] == ' ' {
			i++ // also eats the blank that stands for the lost line break
			continue
		}
		b.WriteByte('=')
	}
	if d := b.String(); utf8.ValidString(d) {
		return d
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// untag undoes HTML: entities, and the tags that stand around text. Other
// angle brackets stay: "<FPU,VME>" and "< 2344.33 us>" are no tags.
func untag(s string) (text string, broken bool) {
	if strings.IndexByte(s, '<') >= 0 {
		s = breaks.ReplaceAllString(s, "\n")
		s = cells.ReplaceAllString(s, " | ")
		s = tags.ReplaceAllString(s, "")
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
		s = strings.ReplaceAll(s, "\u00a0", " ")
	}
	return s, strings.IndexByte(s, '\n') >= 0
}

var (
	breaks = regexp.MustCompile(`(?i)<br ?/?>|</?(p|pre|tr|li|div|h[1-6]|table|tbody|thead|ul|ol|blockquote)( [^<>]*)?>`)
	cells  = regexp.MustCompile(`(?i)</t[dh]>[ \t]*<t[dh][^<>]*>`)
	tags   = regexp.MustCompile(`(?i)</?(code|b|strong|em|i|span|tt|a|td|th|font|u|small|samp|kbd|body|html)( [^<>]*)?>`)
)
