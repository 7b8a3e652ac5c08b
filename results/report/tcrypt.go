package report

import (
	"regexp"
	"strconv"
	"strings"
)

// tcryptState is the section of the Linux tcrypt module at hand.
type tcryptState struct {
	known  bool
	alg    algorithm
	algOK  bool
	name   string
	driver string
	dir    Direction
	last   int // number of the last test
}

var (
	tcryptHead = regexp.MustCompile(`testing speed of (?:multibuffer )?(?:async |sync )?(\S+)(?: \(([^\s]+)\))?(?: (encryption|decryption))?`)
	tcryptRow  = regexp.MustCompile(`\btest +(\d+) \((?:(\d+) bit key, )?(\d+) byte blocks(?:, [^()]*)?\): +(\d+) operations? in (\d+) (seconds|cycles) \((\d+) bytes\)`)
	tcryptHash = regexp.MustCompile(`\btest +(\d+) \( *(\d+) byte blocks, *(\d+) bytes per update, *\d+ updates\): +(?:(\d+) opers/sec, +(\d+) bytes/sec|(\d+) operations? in (\d+) seconds \((\d+) bytes\))`)
)

// tcryptLine reads the kernel log of modprobe tcrypt mode=200 and on.
func (rd *reader) tcryptLine(l line) verdict {
	st := &rd.tc[l.depth()]
	if left, right, ok := sideBySide(l.text); ok {
		l.text = left
		v := rd.tcryptHalf(l, st, "left column")
		l.text = right
		return max(v, min(yes, rd.tcryptHalf(l, &rd.tcRight, "right column")))
	}
	return rd.tcryptHalf(l, st, "")
}

// sideBySide parts a line of "diff --side-by-side" of two logs.
func sideBySide(s string) (left, right string, ok bool) {
	for _, sign := range []string{"testing speed of ", " byte blocks"} {
		if strings.Count(s, sign) != 2 {
			continue
		}
		if m := gutter.FindStringIndex(s); m != nil && strings.Contains(s[:m[0]], sign) && strings.Contains(s[m[1]:], sign) {
			return s[:m[0]], s[m[1]:], true
		}
	}
	return "", "", false
}

var gutter = regexp.MustCompile(`[ \t]+[|<>][ \t]+`)

// tcryptHalf reads a line, or one column of two that stand side by side.
func (rd *reader) tcryptHalf(l line, st *tcryptState, column string) verdict {
	s := l.text
	if strings.Contains(s, "testing speed of ") {
		m := tcryptHead.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		*st = tcryptState{known: true, name: m[1], driver: m[2], last: -1}
		st.alg, st.algOK = parseAlg(m[1])
		switch m[3] {
		case "encryption":
			st.dir = Encrypt
		case "decryption":
			st.dir = Decrypt
		}
		return yes
	}
	if !strings.Contains(s, "byte blocks") {
		if s == "tcrypt:" || strings.HasPrefix(s, "tcrypt: ") {
			return yes
		}
		return no
	}
	r := Result{Kind: Cipher, Tool: "tcrypt", Name: st.name, Engine: st.driver, Variant: column, Direction: st.dir, Clock: Wall, Threads: 1}
	if st.algOK {
		st.alg.is(&r)
	} else if st.name == "" {
		r.Name = ""
	}
	if m := tcryptRow.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		if st.known && n <= st.last {
			// The numbers begin again: another section whose header is missing.
			*st = tcryptState{}
			r.Name, r.Engine, r.Direction, r.Cipher, r.Mode, r.Auth = "", "", "", "", "", ""
		}
		st.last = n
		size, ok := integer(m[3])
		ops, ok2 := integer(m[4])
		sec, ok3 := integer(m[5])
		bytes, ok4 := integer(m[7])
		if !ok || !ok2 || !ok3 || !ok4 || sec <= 0 || size <= 0 {
			return rd.broken("numbers out of range")
		}
		if m[6] == "cycles" {
			rd.warn("cycles, no seconds: " + clip(s))
			return yes
		}
		if bytes != ops*size {
			return rd.broken("a tcrypt row whose numbers don't fit each other")
		}
		if bits, err := strconv.Atoi(m[2]); err == nil {
			if salt := nonceBits(st.name); bits > salt+64 {
				bits -= salt
			}
			r.KeyBits = bits
			if r.Mode == "XTS" {
				r.KeyBits = bits / 2
				r.fix(HalfKey, m[2]+" bits are both halves of the key")
			}
		}
		r.BlockBytes, r.Ops, r.Bytes, r.Seconds = size, ops, bytes, float64(sec)
		r.BytesPerSecond = float64(bytes) / float64(sec)
		r.AsPrinted = m[4] + " operations in " + m[5] + " seconds"
		if r.BytesPerSecond > 0 {
			rd.emit(r)
		}
		return yes
	}
	if m := tcryptHash.FindStringSubmatch(s); m != nil {
		size, _ := integer(m[2])
		r.Kind, r.BlockBytes, r.Direction = Hash, size, ""
		if m[5] != "" {
			v, ok := number(m[5], false)
			if !ok || v.v <= 0 {
				return rd.broken("numbers out of range")
			}
			r.BytesPerSecond, r.AsPrinted = v.v, m[5]+" bytes/sec"
		} else {
			bytes, ok := integer(m[8])
			sec, ok2 := integer(m[7])
			if !ok || !ok2 || sec <= 0 || bytes <= 0 {
				return rd.broken("numbers out of range")
			}
			r.Bytes, r.Seconds, r.BytesPerSecond, r.AsPrinted = bytes, float64(sec), float64(bytes)/float64(sec), m[8]+" bytes in "+m[7]+" seconds"
		}
		rd.emit(r)
		return yes
	}
	if strings.Contains(s, "operations") && strings.Contains(s, "cycles") || strings.Contains(s, "cycles/operation") {
		rd.warn("cycles, no seconds: " + clip(s))
		return yes
	}
	if strings.Contains(s, "test ") && strings.Contains(s, "byte blocks") {
		return partial
	}
	return no
}

// nonceBits is how much of the key of an IPsec template is a nonce.
func nonceBits(name string) int {
	switch template, _, _ := strings.Cut(strings.TrimLeft(name, "_"), "("); template {
	case "rfc4106", "rfc4543", "rfc3686", "rfc7539esp":
		return 32
	case "rfc4309":
		return 24
	}
	return 0
}
