package report

import (
	"math"
	"regexp"
	"strings"
)

// goState is the table of benchstat or go test at hand.
type goState struct {
	speed bool // benchstat's table of rates
}

var (
	gocryptRow  = regexp.MustCompile(`^((?:AES-GCM|AES-SIV|XChaCha20-Poly1305|Chacha20Poly1305|ChaCha20-Poly1305)(?:-\d+)?)-(OpenSSL|Go|\w+)[ \t]*(\d+(?:[.,]\d+)?) MB/s(?:[ \t]*\((selected[^()]*)\))?`)
	gocryptName = regexp.MustCompile(`^(?:AES-GCM-256|AES-SIV-512|XChaCha20-Poly1305)-(?:OpenSSL|Go)\b`)
	goVersion   = regexp.MustCompile(`^gocryptfs v?(\d\S*?)(?: without_openssl)?;`)
	goBenchRow  = regexp.MustCompile(`^(Benchmark\S*?)(?:-(\d+))?[ \t]+(\d+)[ \t]+(\d+(?:\.\d+)?) ns/op[ \t]+(\d+(?:\.\d+)?) MB/s`)
	statRow     = regexp.MustCompile(`^(\S+?)(?:-(\d+))? +(\d+(?:\.\d+)?)([kMG]?i?B/s) ± +\d+% +(\d+(?:\.\d+)?)([kMG]?i?B/s) ± +\d+%`)
	statRowNew  = regexp.MustCompile(`^(\S+?)(?:-(\d+))? +(\d+(?:\.\d+)?)([kMG]i?) ± +(?:\d+%|∞[^ ]*)(?: +(\d+(?:\.\d+)?)([kMG]i?) ± +(?:\d+%|∞[^ ]*))?`)
)

// gocryptfsLine reads gocryptfs -speed: blocks of 4 KiB, one thread, MB of 10^6.
func (rd *reader) gocryptfsLine(l line) verdict {
	s := l.text
	if strings.HasPrefix(s, "gocryptfs ") {
		if m := goVersion.FindStringSubmatch(s); m != nil {
			rd.lib.goVersion = m[1]
			return yes
		}
		return no
	}
	if !strings.Contains(s, "-OpenSSL") && !strings.Contains(s, "-Go") {
		return no
	}
	m := gocryptRow.FindStringSubmatch(s)
	if m == nil {
		if gocryptName.MatchString(s) {
			if strings.HasSuffix(s, "N/A") {
				return yes
			}
			return rd.broken("a row of gocryptfs -speed without a rate")
		}
		return no
	}
	v, ok := number(m[3], true)
	if !ok || v.v <= 0 {
		return rd.broken("a rate that can't be read")
	}
	r := Result{Kind: Cipher, Tool: "gocryptfs -speed", Version: rd.lib.goVersion, Name: m[1] + "-" + m[2], Engine: m[2], BlockBytes: 4096, Threads: 1, Clock: Wall,
		Direction: Encrypt, BytesPerSecond: v.v * 1e6, AsPrinted: m[3] + " MB/s", Variant: m[4]}
	if a, ok := parseAlg(m[1]); ok {
		a.to(&r)
	}
	rd.emit(r)
	return yes
}

// goBench reads go test -bench and benchstat's two layouts.
func (rd *reader) goBench(l line) verdict {
	s := l.text
	st := &rd.gotime
	if strings.HasPrefix(s, "Benchmark") {
		m := goBenchRow.FindStringSubmatch(s)
		if m == nil {
			return no
		}
		v, ok := number(m[5], false)
		ns, ok2 := number(m[4], false)
		n, ok3 := integer(m[3])
		if !ok || !ok2 || !ok3 || v.v <= 0 || ns.v <= 0 {
			return rd.broken("numbers out of range")
		}
		r := rd.goResult("go test -bench", strings.TrimPrefix(m[1], "Benchmark"), m[2])
		r.BytesPerSecond, r.AsPrinted, r.Ops = v.v*1e6, m[5]+" MB/s", n
		r.Seconds = ns.v * float64(n) / 1e9
		r.BlockBytes = perCall(v.times(1e6), ns)
		rd.emit(r)
		return yes
	}
	if strings.HasPrefix(s, "name ") && strings.Contains(s, "delta") {
		st.speed = strings.Contains(s, "speed")
		return yes
	}
	if strings.Contains(s, "B/s") && strings.Contains(s, "│") {
		st.speed = true
		return yes
	}
	if !strings.Contains(s, "± ") {
		return no
	}
	m := statRow.FindStringSubmatch(s)
	if m == nil && st.speed {
		m = statRowNew.FindStringSubmatch(s)
		if m != nil {
			for _, i := range []int{4, 6} {
				if m[i] != "" {
					m[i] += "B/s"
				}
			}
		}
	}
	if m == nil {
		return no
	}
	for i, label := range []string{"old", "new"} {
		text, unit := m[3+2*i], m[4+2*i]
		v, ok := number(text, false)
		scale, _, ok2 := rateUnit(unit)
		if !ok || !ok2 {
			continue
		}
		r := rd.goResult("benchstat", m[1], m[2])
		r.BytesPerSecond, r.AsPrinted, r.Variant = v.v*scale, text+unit, label
		rd.emit(r)
	}
	return yes
}

// goResult begins a result of a Go benchmark; the number behind its name is
// GOMAXPROCS, not a count of threads at work.
func (rd *reader) goResult(tool, name, procs string) Result {
	r := Result{Kind: Other, Tool: tool, Name: name, Clock: Wall}
	if a, ok := mentioned(goModes.ReplaceAllString(goWords.ReplaceAllString(name, "$1-$2"), "-$0-")); ok {
		a.to(&r)
		r.Kind = Cipher
	}
	switch words := goOpenSSL.ReplaceAllString(name, ""); {
	case goDec.MatchString(words):
		r.Direction = Decrypt
	case goEnc.MatchString(words):
		r.Direction = Encrypt
	}
	_ = procs
	return r
}

// perCall is how many bytes a call got, by its time and its rate: b.SetBytes,
// where the two leave but one size that is likely, a power of two or a multiple
// of 16. 0 is unknown.
func perCall(rate, ns figure) int64 {
	n := rate.v * ns.v / 1e9
	off := n*(rate.rel()+ns.rel()) + 0.5
	if n < 1 || n > 1<<40 || off > n/16 {
		return 0
	}
	if p := math.Exp2(math.Round(math.Log2(n))); math.Abs(p-n) <= off {
		return int64(p)
	}
	if m := 16 * math.Round(n/16); off < 8 && math.Abs(m-n) <= off {
		return int64(m)
	}
	return 0
}

var (
	goWords   = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	goModes   = regexp.MustCompile(`AES|GCM|CBC|CTR|XTS|SIV|CCM`)
	goOpenSSL = regexp.MustCompile(`(?i)open-?ssl`)
	goEnc     = regexp.MustCompile(`(?:[Ee]nc|[Ss]eal)(?:rypt|[^a-z]|$)`)
	goDec     = regexp.MustCompile(`(?:[Dd]ec|Open)(?:rypt|[^a-z]|$)`)
)
