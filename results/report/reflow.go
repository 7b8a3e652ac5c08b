package report

import (
	"regexp"
	"strings"
)

// Where a line began before the text lost its line breaks. None of these can
// stand in the middle of a line that the tools print, except as its beginning.
var (
	begins = regexp.MustCompile(`\bDoing \S+(?: \S+)?(?: ops)? for \d+(?:\.\d+)?s on |` +
		`You have chosen to measure |` +
		`\b(?:OpenSSL|SSLeay) \d\S+ +\d{1,2}[ -][A-Z][a-z]{2}[ -]\d{4}|\bLibreSSL \d\S+ built on: |\bbuilt on: |\boptions: ?bn\(|\bcompiler: |The 'numbers' are in |` +
		`\btype +\d+ bytes|` +
		`\b[A-Za-z][A-Za-z0-9/,()_-]*(?: (?:cbc|ede3|cfb|ecb|ige))?(?: +\d+[.,]\d\dk?){3,}|` +
		`\b\d+\+\d+ records (?:in|out)\b|\b\d+ bytes (?:transferred in|\(\d[^()]*\) copied)|` +
		`(?:[^\s|]+[@:][^\s|]* ?(?:~|/\S*)? ?)?[#$%] (?:time |sudo )?(?:dd|geli|openssl|cryptsetup|sysctl|kldload|kldunload|modprobe|rmmod|insmod|cryptotest) |` +
		`\bCPU: [A-Z]|\bOrigin ?=|` +
		`# *Algorithm \||\b(?:aes|serpent|twofish|camellia|blowfish)-(?:cbc|xts|ecb|ctr|lrw) +\d+b +|\bPBKDF2-\w+ +\d+ iterations|\bargon2id? +\d+ iterations|` +
		`\b\d+\.\d{3} sec, +\d+ +\w+ crypts|` +
		`\b(?:READ|WRITE): (?:bw|io)=|\b(?:real|user|sys)\s+\d+m ?[\d.]+s|` +
		`\[?tcrypt: (?:test \d|testing )|\bDid \d+ \S+ |\bEncrypting in chunks of `)
	geliBegins = regexp.MustCompile(`Geom name: |State: [A-Z]|EncryptionAlgorithm: |KeyLength: |AuthenticationAlgorithm: |Crypto: |Version: \d|UsedKey: |` +
		`Flags: |KeysAllocated: |KeysTotal: |Providers: ?\d|Consumers: ?\d|\d\. Name: |Mediasize: |Sectorsize: |Stripesize: |Stripeoffset: |Mode: r\d`)
)

// hints are cheap to look for; a long line without any isn't searched.
var hints = []string{"size blocks", "bytes transferred", " copied,", "+0 records", "OpenSSL ", "iterations per", "MiB/s", "crypts,", "READ: ", "geli ", "CPU: ", "tcrypt: ",
	"openssl speed", "bytes 64 bytes", "real\t", "real 0m"}

// reflow breaks a line that had lost its line breaks. The result has one
// element where it is whole.
func reflow(s string) []string {
	if strings.Contains(s, "EncryptionAlgorithm: ") {
		return breakAt(s, geliBegins)
	}
	if strings.Count(s, "k ") > 4 {
		return breakAt(s, begins)
	}
	for _, h := range hints {
		if strings.Contains(s, h) {
			return breakAt(s, begins)
		}
	}
	return nil
}

func breakAt(s string, at *regexp.Regexp) []string {
	var out []string
	last := 0
	all := at.FindAllStringIndex(s, -1)
	if len(all) == 1 && all[0][0] < 60 {
		return nil // a label before a row, not a lost line break
	}
	for _, m := range all {
		if m[0] > last && strings.TrimSpace(s[last:m[0]]) != "" {
			out = append(out, s[last:m[0]])
			last = m[0]
		}
	}
	return append(out, s[last:])
}
