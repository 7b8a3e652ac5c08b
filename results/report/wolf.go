package report

import (
	"math"
	"regexp"
	"strings"
)

var (
	wolfHead  = regexp.MustCompile(`wolfCrypt Benchmark \(block bytes (\d+)`)
	wolfRow   = regexp.MustCompile(`^([A-Za-z\d][\w/ -]{1,40}?) +(\d+(?:\.\d+)?) ([KMG]i?B) took (\d+\.\d+) seconds?,? +(\d+\.\d+) ([KMG]i?B)/s`)
	wolfBegin = regexp.MustCompile(`^[A-Za-z\d][\w/ -]{1,40}? +\d+(?:\.\d+)? [KMG]i?B took(?: \d+\.\d+(?: seconds?,)?)?$`)
	wolfWord  = regexp.MustCompile(`(?i)^(.+?)[- ](enc|dec)(?:[- ].*)?$`)
	rustRow   = regexp.MustCompile(`^test (\S+)(?: - should panic)? +\.\.\. bench: +(\d{1,3}(?:,\d{3})*(?:\.\d+)?) ns/iter \(\+/- [\d,.]+\) = (\d+(?:,\d{3})*) MB/s`)
	rustSize  = regexp.MustCompile(`_(\d{2,8})(?:_?bytes?|b)?(?:_|$)`)
)

// wolfLine reads wolfCrypt's benchmark,
// "AES-128-CBC-enc  65 MB took 1.066 seconds,  60.987 MB/s". Two logs may stand
// side by side. Its MB are 2^20 bytes, and newer releases say MiB.
func (rd *reader) wolfLine(l line) verdict {
	s := l.text
	if m := wolfHead.FindStringSubmatch(s); m != nil {
		rd.lib.wolfBlock, _ = integer(m[1])
		return yes
	}
	if !strings.Contains(s, " took ") {
		return no
	}
	if !strings.Contains(s, "B/s") {
		if wolfBegin.MatchString(s) {
			return partial
		}
		return no
	}
	if strings.Count(s, " took ") == 2 {
		if m := gutter.FindStringIndex(s); m != nil && strings.Contains(s[:m[0]], " took ") && strings.Contains(s[m[1]:], " took ") {
			return max(rd.wolfHalf(s[:m[0]], "left column"), rd.wolfHalf(s[m[1]:], "right column"))
		}
	}
	return rd.wolfHalf(s, "")
}

func (rd *reader) wolfHalf(s, column string) verdict {
	m := wolfRow.FindStringSubmatch(s)
	if m == nil {
		return no
	}
	amount, ok := number(m[2], false)
	sec, ok2 := number(m[4], false)
	v, ok3 := number(m[5], false)
	scale, isBin, ok4 := byteUnit(m[3])
	vs, _, ok5 := byteUnit(m[6])
	if !ok || !ok2 || !ok3 || !ok4 || !ok5 || sec.v <= 0 || v.v <= 0 {
		return rd.broken("a line of wolfCrypt that can't be read")
	}
	if !isBin {
		scale, vs = binaryScale(scale), binaryScale(vs)
	}
	if rate := over(figure{amount.v * scale, amount.half * scale}, sec); math.Abs(rate.v-v.v*vs) > rate.v*(rate.rel()+0.02) {
		return rd.broken("a line of wolfCrypt whose numbers don't fit each other")
	}
	name := strings.TrimSpace(m[1])
	if strings.HasPrefix(name, "PBKDF") || strings.HasPrefix(name, "SCRYPT") || strings.HasPrefix(name, "RNG") {
		return yes // bytes of keys, not of data
	}
	r := Result{Kind: Other, Tool: "wolfCrypt", Name: name, Variant: column, BlockBytes: rd.lib.wolfBlock, Threads: 1, Clock: Wall, Seconds: sec.v, BytesPerSecond: v.v * vs, AsPrinted: m[5] + " " + m[6] + "/s"}
	if w := wolfWord.FindStringSubmatch(name); w != nil {
		name = w[1]
		r.Direction = map[string]Direction{"enc": Encrypt, "dec": Decrypt}[strings.ToLower(w[2])]
	}
	if a, ok := parseAlg(name); ok {
		a.is(&r)
	} else if strings.HasPrefix(name, "HMAC-") {
		r.Cipher, r.Kind = name, Hash
	}
	if !isBin {
		r.fix(BinaryUnit, "wolfCrypt's MB are 2^20 bytes")
	}
	rd.emit(r)
	return yes
}

// rustBench reads cargo bench with libtest, "test x ... bench: 306 ns/iter
// (+/- 80) = 3346 MB/s". MB = 10^6.
func (rd *reader) rustBench(l line) verdict {
	s := l.text
	if !strings.HasPrefix(s, "test ") || !strings.Contains(s, "ns/iter") {
		return no
	}
	m := rustRow.FindStringSubmatch(s)
	if m == nil {
		return no // without bytes
	}
	v, ok := number(m[3], false)
	if !ok || v.v <= 0 {
		return no // slower than 1 MB/s
	}
	r := Result{Kind: Other, Tool: "cargo bench", Name: m[1], Threads: 1, Clock: Wall, BytesPerSecond: v.v * 1e6, AsPrinted: m[3] + " MB/s"}
	if a, ok := mentioned(strings.NewReplacer("::", " ").Replace(m[1])); ok {
		a.to(&r)
		r.Kind = Cipher
	}
	switch low := strings.ToLower(m[1]); {
	case strings.Contains(low, "encrypt"), strings.Contains(low, "seal"):
		r.Direction = Encrypt
	case strings.Contains(low, "decrypt"), strings.Contains(low, "open"):
		r.Direction = Decrypt
	}
	// The size in the name is the block where the time of a call says so too.
	ns, ok := number(m[2], false)
	for _, x := range rustSize.FindAllStringSubmatch(m[1], 8) {
		if n, ok2 := integer(x[1]); ok && ok2 && math.Abs(float64(n)-ns.v*v.v/1e3) <= 0.02*float64(n)+ns.v*v.half/1e3+v.v*ns.half/1e3 {
			r.BlockBytes = n
		}
	}
	rd.emit(r)
	return yes
}
