package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// maxLine is the most of one line that is looked at, in bytes. Mails that lost
// their line breaks are a few KiB; what is longer is no text.
const maxLine = 1 << 20

// physical is a line as it stands in the text.
type physical struct {
	no   int
	text string
	cut  bool // longer than maxLine; the rest was skipped
	cr   bool // ended by a carriage return alone: the next one overwrote it
}

// lines reads a text line by line in bounded memory. LF, CR LF and CR end a
// line; UTF-16 with a byte order mark is decoded.
type lines struct {
	r       *bufio.Reader
	no      int
	midLine bool // the last one ended by a carriage return alone: the same line of the file goes on
	buf     []byte
}

func newLines(b *bufio.Reader) *lines { return &lines{r: decoded(b)} }

// decoded makes UTF-8 of UTF-16, which PowerShell writes behind a ">".
func decoded(b *bufio.Reader) *bufio.Reader {
	if head, _ := b.Peek(2); len(head) == 2 {
		switch {
		case head[0] == 0xff && head[1] == 0xfe:
			b = bufio.NewReaderSize(&utf16Reader{r: b, low: 0, high: 1}, 64<<10)
		case head[0] == 0xfe && head[1] == 0xff:
			b = bufio.NewReaderSize(&utf16Reader{r: b, low: 1, high: 0}, 64<<10)
		}
	}
	return b
}

// next returns one line, or io.EOF behind the last.
func (l *lines) next() (physical, error) {
	l.buf = l.buf[:0]
	p := physical{}
	for {
		if _, err := l.r.Peek(1); err != nil {
			if err != io.EOF {
				return p, fmt.Errorf("line %d: %w", l.no+1, err)
			}
			if len(l.buf) == 0 {
				return p, io.EOF
			}
			break
		}
		part, _ := l.r.Peek(l.r.Buffered())
		end := bytes.IndexByte(part, '\n')
		if end < 0 {
			end = len(part)
		}
		if i := bytes.IndexByte(part[:end], '\r'); i >= 0 {
			end = i
		}
		keep := part[:end]
		if room := maxLine - len(l.buf); end > room {
			keep, p.cut = part[:room], true
		}
		l.buf = append(l.buf, keep...)
		if end == len(part) {
			l.r.Discard(end)
			continue
		}
		p.cr = part[end] == '\r'
		l.r.Discard(end + 1)
		if next, _ := l.r.Peek(1); p.cr && len(next) == 1 && next[0] == '\n' {
			p.cr = false
			l.r.Discard(1)
		}
		break
	}
	if !l.midLine {
		l.no++
	}
	l.midLine = p.cr
	p.no, p.text = l.no, valid(l.buf)
	return p, nil
}

// valid makes a string of bytes that may be Latin-1 or no text at all.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// utf16Reader turns UTF-16 into UTF-8.
type utf16Reader struct {
	r         *bufio.Reader
	low, high int // which byte of a pair is which
	out       []byte
	err       error
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// fill decodes up to 4096 units.
func (u *utf16Reader) fill() {
	u.out = u.out[:0]
	var held rune = -1
	for n := 0; n < 4096 || held >= 0; n++ {
		var pair [2]byte
		if _, err := io.ReadFull(u.r, pair[:]); err != nil {
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			u.err = err
			break
		}
		c := rune(pair[u.low]) | rune(pair[u.high])<<8
		switch {
		case held >= 0:
			u.out = utf8.AppendRune(u.out, utf16.DecodeRune(held, c))
			held = -1
		case c >= 0xd800 && c < 0xdc00:
			held = c
		case c != 0xfeff:
			u.out = utf8.AppendRune(u.out, c)
		}
	}
	if held >= 0 {
		u.out = utf8.AppendRune(u.out, utf8.RuneError)
	}
}
