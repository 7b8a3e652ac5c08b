package report

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// benchSlope reads the tables of libgcrypt's bench-slope:
//
//	AES            |  nanosecs/byte   mebibytes/sec   cycles/byte
//	       CBC enc |     0.449 ns/B      2123 MiB/s      2.50 c/B      5563
func (rd *reader) benchSlope(l line) verdict {
	s := l.text
	st := &rd.lib
	if !strings.Contains(s, "|") {
		return no
	}
	if strings.Contains(s, "nanosecs/byte") {
		name, _, _ := strings.Cut(s, "|")
		st.slope = strings.TrimSpace(name)
		return yes
	}
	if !strings.Contains(s, "ns/B") {
		return no
	}
	m := slopeRow.FindStringSubmatch(s)
	if m == nil {
		return partial
	}
	ns, ok := number(m[2], true)
	mib, ok2 := number(m[3], true)
	if !ok || !ok2 || ns.v <= 0 || mib.v <= 0 {
		return rd.broken("numbers out of range")
	}
	rate := mib.times(1 << 20)
	if math.Abs(1e9/ns.v-rate.v) > rate.v*(ns.rel()+rate.rel()+0.01) {
		return rd.broken("a bench-slope row whose numbers don't fit each other")
	}
	what := strings.Fields(m[1])
	r := Result{Tool: "bench-slope", Threads: 1, Clock: Wall, AsPrinted: m[3] + " MiB/s",
		BytesPerSecond: rate.v}
	if ns.rel() < rate.rel()/4 { // both have four digits; a short column has fewer
		r.BytesPerSecond = 1e9 / ns.v
	}
	if len(what) == 0 {
		return rd.broken("a row without a name")
	}
	if len(what) == 3 && (what[2] == "enc" || what[2] == "dec" || what[2] == "auth") {
		if a, ok := parseAlg(strings.ToLower(what[0])); ok && !a.hash {
			st.slope, what = what[0], what[1:] // the cipher stands in the row
			m[1] = what[0] + " " + what[1]
		}
	}
	mode := strings.ToUpper(what[0])
	if m := modes[strings.ToLower(what[0])]; m != "" {
		mode = m
	}
	switch {
	case len(what) == 2 && (what[1] == "enc" || what[1] == "dec") || len(what) == 2 && what[1] == "auth":
		if st.slope == "" {
			r.Name, r.Mode, r.Kind = m[1], mode, Cipher
		} else {
			r.Name, r.Kind = st.slope+" "+m[1], Cipher
			if a, ok := parseAlg(strings.ToLower(st.slope)); ok {
				a.to(&r)
			}
			if st.slope == "AES" {
				r.KeyBits = 128
			}
			r.Mode = mode
			if mode == "STREAM" {
				r.Mode = ""
			}
		}
		switch what[1] {
		case "enc":
			r.Direction = Encrypt
		case "dec":
			r.Direction = Decrypt
		case "auth":
			r.Kind, r.Variant = Hash, "auth"
		}
	default:
		r.Name, r.Kind = m[1], Hash
		if a, ok := parseAlg(strings.ReplaceAll(strings.ToLower(m[1]), "_", "-")); ok {
			a.is(&r)
		}
	}
	rd.emit(r)
	return yes
}

var slopeRow = regexp.MustCompile(`^ ?([A-Za-z0-9][\w/ .-]{0,40}?) *\| *([\d.,]+) ns/B +([\d.,]+) MiB/s(?: +(?:[\d.,]+|-) c/B)?`)

// botanLine reads botan's speed test in its forms since 2008.
func (rd *reader) botanLine(l line) verdict {
	s := l.text
	if !strings.Contains(s, "MiB/sec") {
		return no
	}
	if m := botanNew.FindStringSubmatch(s); m != nil {
		v, ok := number(m[5], false)
		mib, ok2 := number(m[6], false)
		ms, ok3 := number(m[7], false)
		if !ok || v.v <= 0 {
			return rd.broken("numbers out of range")
		}
		r := Result{Kind: Cipher, Tool: "botan speed", Name: m[1], Engine: m[2], Threads: 1, Clock: Wall, AsPrinted: m[5] + " MiB/sec", BytesPerSecond: v.v * (1 << 20)}
		if a, ok := parseAlg(m[1]); ok {
			a.is(&r)
		}
		switch {
		case m[3] == "encrypt":
			r.Direction = Encrypt
		case m[3] == "decrypt":
			r.Direction = Decrypt
		case r.Kind == Cipher:
			r.Kind = Other
		}
		r.BlockBytes, _ = integer(m[4])
		if ok2 && ok3 && ms.v > 0 {
			if math.Abs(mib.v/ms.v*1000-v.v) > 0.02*v.v {
				return rd.broken("a botan line whose numbers don't fit each other")
			}
			r.Bytes, r.Seconds = int64(mib.v*(1<<20)), ms.v/1000
		}
		if r.KeyBits == 0 && r.Cipher == "AES" {
			r.KeyBits = 128
		}
		rd.emit(r)
		return yes
	}
	if m := botanOld.FindStringSubmatch(s); m != nil {
		v, ok := number(m[2], false)
		if !ok || v.v <= 0 {
			return rd.broken("numbers out of range")
		}
		r := Result{Kind: Other, Tool: "botan", Name: m[1], Threads: 1, AsPrinted: m[2] + " MiB/sec", BytesPerSecond: v.v * (1 << 20)}
		if a, ok := parseAlg(m[1]); ok {
			a.is(&r)
		}
		rd.emit(r)
		return yes
	}
	return no
}

var (
	botanNew = regexp.MustCompile(`^([^\s\[]+(?: [^\s\[]+)?)(?: \[(\w+)\])? (encrypt|decrypt|hash|mac|process|generate)(?: buffer size (\d+) bytes)?: (\d+(?:\.\d+)?) MiB/sec(?: [\d.]+ cycles/byte)?(?: \((\d+(?:\.\d+)?) MiB in (\d+(?:\.\d+)?) ms\))?`)
	botanOld = regexp.MustCompile(`^([A-Za-z][\w/()-]*(?: \[\w+\])?): +(\d+(?:\.\d+)?) MiB/sec`)
)

// gnutlsLine reads gnutls-cli --benchmark-ciphers.
func (rd *reader) gnutlsLine(l line) verdict {
	s := l.text
	st := &rd.lib
	if strings.HasPrefix(s, "Checking ") {
		m := gnutlsHead.FindStringSubmatch(s)
		if m == nil {
			if m := gnutlsOldHead.FindStringSubmatch(s); m != nil {
				st.gnutls = m[1]
				st.payload, _ = integer(m[2])
				return yes
			}
			return no
		}
		st.gnutls = m[1]
		st.payload, _ = integer(m[2])
		return yes
	}
	if st.gnutls == "" {
		return no
	}
	if strings.HasPrefix(s, "Processed ") { // older releases
		m := gnutlsDone.FindStringSubmatch(s)
		if m == nil {
			return partial
		}
		mb, ok := number(m[1], false)
		sec, ok2 := number(m[3], false)
		v, ok3 := number(m[4], false)
		sc, _, ok4 := byteUnit(m[2])
		vs, _, ok5 := rateUnit(m[5])
		if !ok || !ok2 || !ok3 || !ok4 || !ok5 || sec.v <= 0 {
			return rd.broken("a gnutls line that can't be read")
		}
		r := rd.gnutlsResult(st.gnutls, m[4]+" "+m[5])
		r.Bytes, r.Seconds = int64(mb.v*sc), sec.v
		r.BytesPerSecond = exact(v.times(vs), over(mb.times(sc), sec)).v
		rd.emit(r)
		return yes
	}
	m := gnutlsRow.FindStringSubmatch(s)
	if m == nil {
		return no
	}
	v, ok := number(m[2], false)
	scale, _, ok2 := rateUnit(m[3])
	if !ok || !ok2 || v.v <= 0 {
		return no
	}
	r := rd.gnutlsResult(m[1], m[2]+" "+m[3])
	r.BytesPerSecond = v.v * scale
	rd.emit(r)
	return yes
}

func (rd *reader) gnutlsResult(name, printed string) Result {
	r := Result{Kind: Other, Tool: "gnutls-cli", Name: name, BlockBytes: rd.lib.payload, AsPrinted: printed, Threads: 1}
	if a, ok := parseAlg(name); ok {
		a.is(&r)
		if r.Kind == Cipher {
			r.Direction = Encrypt
		}
	}
	return r
}

var (
	gnutlsHead    = regexp.MustCompile(`^Checking ([\w-]+(?: combinations| algorithms| ciphers)?), payload size: (\d+)`)
	gnutlsOldHead = regexp.MustCompile(`^Checking ([A-Z0-9-]+(?: with [\w-]+)?) \((\d+) bytes? payload\)`)
	gnutlsDone    = regexp.MustCompile(`^Processed ([\d.]+) ([KMG]?B) in ([\d.]+) secs?: ([\d.]+) ([KMG]?B/sec)`)
	gnutlsRow     = regexp.MustCompile(`^([A-Z\d][\w-]+(?:-[\w-]+)*):? +([\d.]+) ([KMG]?B/sec)`)
)

// cryptodevLine reads the speed test of cryptodev-linux.
func (rd *reader) cryptodevLine(l line) verdict {
	s := l.text
	st := &rd.lib
	if strings.HasPrefix(s, "Testing ") {
		if m := cryptodevHead.FindStringSubmatch(s); m != nil {
			st.chunks = m[1]
			return yes
		}
		return no
	}
	if !strings.Contains(s, "in chunks of ") {
		return no
	}
	m := cryptodevRow.FindStringSubmatch(s)
	if m == nil {
		return partial
	}
	size, ok := integer(m[2])
	amount, ok2 := number(m[3], false)
	scale, _, ok3 := byteUnit(m[4])
	sec, ok4 := number(m[5], false)
	v, ok5 := number(m[6], false)
	vs, _, ok6 := rateUnit(m[7])
	if !ok || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || sec.v <= 0 || v.v <= 0 {
		return rd.broken("a cryptodev line that can't be read")
	}
	rate := over(amount.times(scale), sec)
	if math.Abs(rate.v-v.v*vs) > 0.02*rate.v {
		return rd.broken("a cryptodev line whose numbers don't fit each other")
	}
	r := Result{Kind: Cipher, Tool: "cryptodev speed", Name: st.chunks, Engine: "cryptodev", BlockBytes: size, Clock: Wall, AsPrinted: m[6] + " " + m[7],
		BytesPerSecond: exact(v.times(vs), rate).v, Seconds: sec.v, Bytes: int64(amount.v * scale), Direction: Encrypt, Threads: 1}
	if m[1] == "Decrypting" {
		r.Direction = Decrypt
	}
	if a, ok := parseAlg(st.chunks); ok {
		a.is(&r)
	}
	rd.emit(r)
	return yes
}

var (
	cryptodevHead = regexp.MustCompile(`^Testing ([\w-]+)(?: cipher| hash)?:? *$`)
	cryptodevRow  = regexp.MustCompile(`(Encrypting|Decrypting|Hashing) in chunks of (\d+) bytes: done\. +([\d.]+) ([KMG]?B) in ([\d.]+) secs?: ([\d.]+) ([KMG]?B/sec)`)
)

// bsslLine reads BoringSSL's speed tool, its text and its JSON.
func (rd *reader) bsslLine(l line) verdict {
	s := l.text
	if strings.HasPrefix(s, "Did ") {
		m := bsslRow.FindStringSubmatch(s)
		if m == nil {
			if strings.Contains(s, " operations in ") && strings.HasSuffix(s, " ops/sec)") {
				return yes // a public key, or an operation without bytes
			}
			if bsslBegin.MatchString(s) && !strings.Contains(s, "MB/s") {
				return partial
			}
			return no
		}
		ops, ok := integer(m[1])
		us, ok2 := integer(m[5])
		size, ok3 := integer(m[3])
		if !ok || !ok2 || !ok3 || us <= 0 || size <= 0 || ops <= 0 || float64(ops)*float64(size) > 1e18 {
			return rd.broken("numbers out of range")
		}
		v, ok := number(m[6], false)
		rate := float64(ops) * float64(size) / float64(us) * 1e6
		if ok && math.Abs(v.v*1e6-rate) > 0.02*rate+v.half*1e6 {
			return rd.broken("a line of bssl whose numbers don't fit each other")
		}
		rd.emit(rd.bsslResult(m[2], m[4], ops, size, float64(us)/1e6, m[6]+" MB/s"))
		return yes
	}
	if strings.Contains(s, `"numCalls"`) {
		var x struct {
			Description  string `json:"description"`
			NumCalls     int64  `json:"numCalls"`
			Microseconds int64  `json:"microseconds"`
			BytesPerCall int64  `json:"bytesPerCall"`
		}
		if err := json.Unmarshal([]byte(strings.Trim(s, "[], ")), &x); err != nil {
			return rd.broken("a line of bssl's JSON that can't be read")
		}
		name, op := x.Description, ""
		size := x.BytesPerCall
		if m := bsslDesc.FindStringSubmatch(x.Description); m != nil {
			name, op = m[1], m[3]
			if n, ok := integer(m[2]); ok && size == 0 {
				size = n
			}
		}
		if size <= 0 || x.NumCalls <= 0 || x.Microseconds <= 0 || float64(x.NumCalls)*float64(size) > 1e18 {
			return yes // a public key, or calls of unknown size
		}
		rd.emit(rd.bsslResult(name, op, x.NumCalls, size, float64(x.Microseconds)/1e6, strconv.FormatInt(x.NumCalls, 10)+" calls"))
		return yes
	}
	return no
}

func (rd *reader) bsslResult(name, op string, ops, size int64, sec float64, printed string) Result {
	r := Result{Kind: Other, Tool: "bssl speed", Name: name, BlockBytes: size, Ops: ops, Bytes: ops * size, Seconds: sec,
		BytesPerSecond: float64(ops) * float64(size) / sec, AsPrinted: printed, Clock: Wall, Threads: 1}
	if m := bsslOp.FindStringSubmatch(name); m != nil && op == "" {
		r.Name, op = m[1], m[2]
	}
	if a, ok := parseAlg(r.Name); ok {
		a.is(&r)
	}
	switch op = strings.TrimPrefix(strings.ToLower(op), "init and "); {
	case strings.HasPrefix(op, "seal"), strings.HasPrefix(op, "encrypt"):
		r.Direction = Encrypt
	case strings.HasPrefix(op, "open"), strings.HasPrefix(op, "decrypt"):
		r.Direction = Decrypt
	}
	return r
}

var (
	bsslRow   = regexp.MustCompile(`^Did (\d+) (\S.{0,50}?) \((\d+) bytes?\) ?((?:\w+ )*?)operations in (\d+)us \([\d.]+ ops/sec\): ([\d.]+) MB/s`)
	bsslBegin = regexp.MustCompile(`^Did \d+ \S.{0,50}? \(\d+ bytes?\)`)
	// What AWS-LC prints in front of the size: "AEAD-AES-128-GCM seal (16 bytes)".
	bsslOp   = regexp.MustCompile(`(?i)^(\S+(?: \S+)*?) ((?:init and )?(?:seal|open|encrypt|decrypt)(?: init)?)$`)
	bsslDesc = regexp.MustCompile(`^(.+?) \((\d+) bytes?\) ?(.*)$`)
)

// aesNiBench reads VeraCrypt's AesNiBenchmark.
func (rd *reader) aesNiBench(l line) verdict {
	if !strings.HasPrefix(l.text, "AES-NI ") {
		return no
	}
	m := aesNiRow.FindStringSubmatch(l.text)
	if m == nil {
		return no
	}
	for i, dir := range []Direction{Encrypt, Decrypt} {
		v, ok := number(m[2+2*i], true)
		scale, _, ok2 := rateUnit(m[3+2*i])
		if !ok || !ok2 || v.v <= 0 {
			return rd.broken("a rate that can't be read")
		}
		r := Result{Kind: Cipher, Tool: "AesNiBenchmark", Name: "AES", Cipher: "AES", Variant: m[1], Accelerator: "AES-NI", Direction: dir, Threads: 1,
			BytesPerSecond: v.v * scale, AsPrinted: m[2+2*i] + " " + m[3+2*i]}
		unclear(&r, scale)
		rd.emit(r)
	}
	return yes
}

var aesNiRow = regexp.MustCompile(`^AES-NI (\d+-way): ok \(Enc = ([\d.,]+) ([kMG]i?B/s), Dec = ([\d.,]+) ([kMG]i?B/s)\)`)

// unclear marks a decimal unit that may be meant binary.
func unclear(r *Result, scale float64) {
	r.Repairs = append(r.Repairs, Repair{Fix: UnitUnclear, Text: "MB may be 10^6 or 2^20 bytes; taken as 10^6",
		Offered: r.BytesPerSecond / scale * binaryScale(scale)})
}
