package report

import (
	"regexp"
	"strconv"
	"strings"

	"gelibench/results/units"
)

// ownCase is what gelibench states of a case in its own forms. Zero values were
// not stated.
type ownCase struct {
	provider  string
	alg       algorithm // the key counts one half for XTS
	auth      string    // "hmac/sha256"
	sector    int64
	request   int64
	direction Direction
	workers   int
	engine    string
	path      string // "geli"
	clear     *bool
}

var (
	headSector  = regexp.MustCompile(`^(\d{1,9})-byte sectors$`)
	headKey     = regexp.MustCompile(`^(\d{1,4})-bit key$`)
	headRequest = regexp.MustCompile(`^(\d{1,19} (?:[KMGTPE]i)?B) requests$`)
	headWorkers = regexp.MustCompile(`^(\d{1,6}) workers?$`)
	headPath    = regexp.MustCompile(`^path (\S+)(?: \(.*\)?)?$`)
	headDetail  = regexp.MustCompile(`^(?:runs of (?:up to )?\d.*|key (?:cached|expanded per sector)|re-key \S+)$`)
	headZero    = regexp.MustCompile(`^kern\.geom\.zero\.clear=([01])(?: kern\.geom\.zero\.byte=\d+)?$`)
	headAuth    = regexp.MustCompile(`^(?i:hmac)(?:[-/][\w-]+)?$`)
)

// parseOwnHeading reads the line that gelibench puts above views which don't say
// what was measured (format.Heading). ok asks for enough of its parts that no
// sentence has them, or for one where a line of gelibench's stands above; open
// says that the last part is not known: a mail may have broken the line in it.
//
//	gzero: aes-xts-256, 4096-byte sectors, read (decrypt), 1 MiB requests, 2 workers, engine soft, path geli (key cached), kern.geom.zero.clear=0
func parseOwnHeading(s string, below bool) (c ownCase, open, ok bool) {
	if strings.Count(s, ", ") < 1 && !below || len(s) > 1000 {
		return c, false, false
	}
	if provider, rest, found := strings.Cut(s, ": "); found && !strings.Contains(provider, ", ") {
		c.provider, s = provider, rest
	}
	parts := splitOutside(s)
	known, signs := 0, 0
	for i, p := range parts {
		sign, fits := c.part(p)
		switch {
		case fits:
			known++
			open = open || strings.Count(p, "(") > strings.Count(p, ")")
			if sign {
				signs++
			}
		case i < len(parts)-1 || i == 0:
			return c, false, false
		default:
			open = true
		}
	}
	if below && !open {
		return c, false, signs >= 1 || c.workers > 0 || c.auth != ""
	}
	return c, open, known >= 3 && signs >= 2
}

// part takes one part of a heading. sign tells those whose words gelibench alone
// uses.
func (c *ownCase) part(p string) (sign, ok bool) {
	match := func(re *regexp.Regexp) string {
		if m := re.FindStringSubmatch(p); m != nil {
			return m[1]
		}
		return ""
	}
	switch p {
	case "read (decrypt)":
		c.direction = Reading
		return true, true
	case "write (encrypt)":
		c.direction = Writing
		return true, true
	}
	if v := match(headSector); v != "" {
		c.sector, _ = strconv.ParseInt(v, 10, 64)
		return true, true
	}
	if v := match(headRequest); v != "" {
		n, err := units.ParseBytes(v)
		c.request = n
		return true, err == nil
	}
	if v := match(headWorkers); v != "" {
		c.workers, _ = strconv.Atoi(v)
		return false, true
	}
	if v := match(headPath); v != "" {
		c.path = v
		return true, true
	}
	if v := match(headZero); v != "" {
		on := v == "1"
		c.clear = &on
		return true, true
	}
	if v := match(headKey); v != "" {
		c.alg.keyBits, _ = strconv.Atoi(v)
		return false, true
	}
	if headDetail.MatchString(p) {
		return true, true
	}
	if headAuth.MatchString(p) {
		c.auth = p
		return false, true
	}
	word, rest, _ := strings.Cut(p, " ")
	switch {
	case rest == "" && word != "":
		a, ok := parseOwnAlg(p)
		if ok {
			bits := c.alg.keyBits
			c.alg = a
			c.alg.keyBits = max(a.keyBits, bits)
		}
		return false, ok
	case word == "engine" && !strings.Contains(rest, " "):
		c.engine = rest
		return true, true
	case word == "pinned" && strings.HasPrefix(rest, "to "),
		(word == "IVs" || word == "MACs") && strings.HasPrefix(rest, "by "):
		return false, true
	}
	return false, false
}

// parseOwnAlg reads a cipher as geli(8) and gelibench name it: "aes-xts",
// "3des-cbc-192", "null".
func parseOwnAlg(s string) (algorithm, bool) {
	a, ok := parseAlg(s)
	if !ok || a.hash || a.mode == "" && a.cipher != "null" {
		return algorithm{}, false
	}
	if a.cipher == "3DES" && !strings.Contains(s, "168") {
		a.keyBits = ownKeyBits(a.cipher, a.keyBits)
	}
	return a, true
}

// ownKeyBits is a key's length as geli(8) counts it, where another tool's name
// for the cipher says another or none: with parity for 3DES.
func ownKeyBits(cipher string, bits int) int {
	switch {
	case cipher == "3DES":
		return 192
	case cipher == "Blowfish" && bits == 0:
		return 128
	}
	return bits
}

// splitOutside parts a list at its commas, but for those in parentheses.
func splitOutside(s string) []string {
	var parts []string
	depth, last := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 && i+1 < len(s) && s[i+1] == ' ' {
				parts = append(parts, s[last:i])
				last = i + 2
			}
		}
	}
	return append(parts, strings.TrimSuffix(s[last:], ","))
}
