package report

import (
	"math"
	"regexp"
	"strings"
)

// libState is what the tools of crypto libraries have said before their rows.
type libState struct {
	cryptotestThreads int

	slope string // bench-slope's cipher

	payload int64  // gnutls-cli
	gnutls  string // "ciphers", "cipher-MAC", "MAC"

	chunks    string // cryptodev-linux: the cipher under test
	goVersion string // gocryptfs' version line

	wolfBlock int64 // of wolfCrypt, bytes
}

var cryptotest = regexp.MustCompile(`(\d+\.\d{3}) sec, +(\d+) +(\w+) crypts, +(\d+) bytes, +(\d+) byte/sec(?:, +(\d+\.\d) Mb/sec)?`)

// cryptotestNames are the -a names of FreeBSD's cryptotest.
var cryptotestNames = map[string]algorithm{
	"null": {cipher: "null"}, "des": {cipher: "DES", mode: "CBC", keyBits: 56}, "3des": {cipher: "3DES", mode: "CBC", keyBits: 168},
	"blf": {cipher: "Blowfish", mode: "CBC"}, "cast": {cipher: "CAST5", mode: "CBC"}, "skj": {cipher: "Skipjack", mode: "CBC", keyBits: 80},
	"aes": {cipher: "AES", mode: "CBC", keyBits: 128}, "aes128": {cipher: "AES", mode: "CBC", keyBits: 128},
	"aes192": {cipher: "AES", mode: "CBC", keyBits: 192}, "aes256": {cipher: "AES", mode: "CBC", keyBits: 256},
	"md5": {cipher: "MD5", hash: true}, "sha1": {cipher: "SHA-1", hash: true}, "sha256": {cipher: "SHA-256", hash: true},
	"sha384": {cipher: "SHA-384", hash: true}, "sha512": {cipher: "SHA-512", hash: true},
}

// cryptotestRow reads a row of FreeBSD's tools/tools/crypto/cryptotest.
func (rd *reader) cryptotestRow(l line) verdict {
	s := l.text
	if !strings.Contains(s, " crypts") {
		return no
	}
	m := cryptotest.FindStringSubmatch(s)
	if m == nil {
		if strings.Contains(s, " sec,") {
			return partial
		}
		return no
	}
	sec, ok := number(m[1], false)
	ops, ok2 := integer(m[2])
	size, ok3 := integer(m[4])
	rate, ok4 := number(m[5], false)
	if !ok || !ok2 || !ok3 || !ok4 || size <= 0 || rate.v <= 0 || float64(ops)*float64(size) > 1e18 {
		return rd.broken("numbers out of range")
	}
	// Seconds have three digits: they only show that nothing was cut.
	if sec.v > 0 && math.Abs(float64(ops*size)/sec.v-rate.v) > rate.v*(sec.rel()+0.02) {
		return rd.broken("a cryptotest row whose numbers don't fit each other")
	}
	a, known := cryptotestNames[m[3]]
	r := Result{Kind: Other, Tool: "cryptotest", Name: m[3], BlockBytes: size, BytesPerSecond: rate.v, AsPrinted: m[5] + " byte/sec",
		Seconds: sec.v, Ops: ops, Bytes: ops * size, Clock: Wall, Threads: max(1, rd.lib.cryptotestThreads)}
	if known {
		a.is(&r)
	}
	if r.Kind == Cipher {
		r.Direction = Both
		r.fix(TwoOps, "one encryption and one decryption a loop: the mean of both directions")
	}
	if m[6] != "" {
		r.AsPrinted += ", " + m[6] + " Mb/sec"
		r.fix(Megabits, "the tool's Mb/sec are bits in units of 2^20")
	}
	if r.Threads > 1 {
		r.PerThread = true
	}
	rd.emit(r)
	return yes
}
