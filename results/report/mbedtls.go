package report

import (
	"regexp"
	"strings"
)

var mbedRow = regexp.MustCompile(`^([A-Z\d][\w ()/-]{1,40}?) *: +(\d+(?:\.\d+)?) (KiB|KB|Kb)/s, +\d+(?:\.\d+)? cycles/byte`)

// mbedLine reads Mbed TLS's benchmark, "AES-CBC-128 : 1359 KiB/s, 86
// cycles/byte". It divides by 1024 whatever it calls that.
func (rd *reader) mbedLine(l line) verdict {
	if !strings.Contains(l.text, "cycles/byte") {
		return no
	}
	m := mbedRow.FindStringSubmatch(l.text)
	if m == nil {
		return no
	}
	v, ok := number(m[2], false)
	if !ok {
		return rd.broken("a line of Mbed TLS that can't be read")
	}
	if v.v <= 0 || strings.Contains(m[1], "_DRBG") {
		return yes // too slow to be counted; bytes of a generator, not of data
	}
	r := Result{Kind: Other, Tool: "Mbed TLS", Name: m[1], Threads: 1, BytesPerSecond: v.v * 1024, AsPrinted: m[2] + " " + m[3] + "/s"}
	if a, ok := parseAlg(m[1]); ok {
		a.is(&r)
	} else if strings.HasSuffix(m[1], "CMAC") || strings.Contains(m[1], "-CMAC-") {
		r.Kind = Hash
	}
	if r.Kind == Cipher {
		r.Direction = Encrypt
		if r.Cipher == "DES" || r.Cipher == "3DES" {
			r.Mode = "CBC" // the only one that it runs
		}
	}
	if m[3] != "KiB" {
		r.fix(BinaryUnit, "Mbed TLS's "+m[3]+" are 1024 bytes")
	}
	rd.emit(r)
	return yes
}
