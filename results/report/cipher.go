package report

import (
	"strconv"
	"strings"
)

// algorithm is what a name says. Zero values are what it doesn't say.
type algorithm struct {
	cipher, mode, auth string
	keyBits            int
	hash               bool
}

func (a algorithm) kind() Kind {
	if a.hash {
		return Hash
	}
	return Cipher
}

// to writes what is known of the algorithm into r.
func (a algorithm) to(r *Result) {
	r.Cipher, r.Mode, r.Auth, r.KeyBits = a.cipher, a.mode, a.auth, a.keyBits
}

// is says that r is the algorithm's own figure, and not that of a disk under it.
func (a algorithm) is(r *Result) {
	a.to(r)
	r.Kind = a.kind()
}

// halve corrects the key length of r where it can't be one: names that count
// both halves of an XTS key, as "AES-XTS-512" does. What no cipher has stays
// unknown, and is returned.
func (r *Result) halve() (odd int) {
	bits := r.KeyBits
	two := r.Mode == "SIV" || r.Mode == "LRW" // keys of two parts, always counted whole
	switch {
	case r.Mode == "XTS" && (bits == 384 || bits == 512) && r.Cipher != "Threefish" && !r.Has(HalfKey):
		r.KeyBits = bits / 2
		r.fix(HalfKey, strconv.Itoa(bits)+" bits are both halves of the key")
	case r.Cipher == "AES" && !two && bits != 0 && bits != 128 && bits != 192 && bits != 256,
		r.Mode == "XTS" && bits > 256 && r.Cipher != "Threefish":
		r.KeyBits = 0
		return bits
	}
	return 0
}

// bases are the ciphers, by each name that a tool gives them.
var bases = map[string]string{
	"aes": "AES", "rijndael": "AES", "aes128": "AES", "aes192": "AES", "aes256": "AES",
	"des": "DES", "3des": "3DES", "des3": "3DES", "tdes": "3DES", "tripledes": "3DES", "ede3": "3DES",
	"blowfish": "Blowfish", "bf": "Blowfish", "blf": "Blowfish", "cast": "CAST5", "cast5": "CAST5", "cast6": "CAST6", "cast128": "CAST5",
	"rc2": "RC2", "rc4": "RC4", "arc4": "RC4", "arcfour": "RC4", "rc5": "RC5", "rc6": "RC6", "idea": "IDEA", "seed": "SEED",
	"camellia": "Camellia", "camellia128": "Camellia", "camellia192": "Camellia", "camellia256": "Camellia",
	"serpent": "Serpent", "serpent128": "Serpent", "serpent256": "Serpent", "twofish": "Twofish", "twofish128": "Twofish", "kuznyechik": "Kuznyechik",
	"chacha": "ChaCha20", "chacha20": "ChaCha20", "chacha12": "ChaCha12", "chacha8": "ChaCha8",
	"xchacha": "XChaCha20", "xchacha20": "XChaCha20", "xchacha12": "XChaCha12", "salsa20": "Salsa20",
	"sm4": "SM4", "aria": "ARIA", "mars": "MARS", "skipjack": "Skipjack", "skj": "Skipjack", "threefish": "Threefish",
	"gost28147": "GOST28147", "anubis": "Anubis", "khazad": "Khazad", "tea": "TEA", "xtea": "XTEA", "speck": "Speck", "magma": "Magma", "null": "null",
}

// hashes are the hashes, MACs and checksums.
var hashes = map[string]string{
	"md2": "MD2", "md4": "MD4", "md5": "MD5", "mdc2": "MDC2", "sha": "SHA", "sha0": "SHA-0", "sha1": "SHA-1",
	"sha224": "SHA-224", "sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512",
	"sha3": "SHA-3", "rmd160": "RIPEMD-160", "ripemd": "RIPEMD-160", "ripemd160": "RIPEMD-160", "rmd128": "RIPEMD-128", "ripemd128": "RIPEMD-128",
	"whirlpool": "Whirlpool", "tiger": "Tiger", "tiger1": "Tiger", "sm3": "SM3", "ghash": "GHASH", "poly1305": "Poly1305",
	"blake2b512": "BLAKE2b", "blake2s256": "BLAKE2s", "blake2b": "BLAKE2b", "blake2s": "BLAKE2s", "blake3": "BLAKE3",
	"cmac": "CMAC", "gmac": "GMAC", "crc32": "CRC-32", "crc32c": "CRC-32C", "crc24": "CRC-24", "stribog256": "Streebog-256", "stribog512": "Streebog-512",
	"siphash": "SipHash", "polyval": "POLYVAL", "kmac128": "KMAC128", "kmac256": "KMAC256", "shake128": "SHAKE128", "shake256": "SHAKE256",
	"md5-sha1": "MD5-SHA1", "xxhash64": "xxHash64", "adler32": "Adler-32",
}

var modes = map[string]string{
	"ecb": "ECB", "cbc": "CBC", "cfb": "CFB", "cfb1": "CFB1", "cfb8": "CFB8", "cfb64": "CFB", "cfb128": "CFB", "ofb": "OFB", "ofb64": "OFB",
	"ctr": "CTR", "icm": "CTR", "xts": "XTS", "gcm": "GCM", "ccm": "CCM", "ocb": "OCB", "ocb3": "OCB", "siv": "SIV", "gcmsiv": "GCM-SIV",
	"eax": "EAX", "lrw": "LRW", "adiantum": "Adiantum", "wrap": "WRAP", "ige": "IGE", "hctr2": "HCTR2", "poly1305": "Poly1305", "poly": "Poly1305",
	"cts": "CTS", "xtr": "XTS",
}

// parseAlg reads a name of an algorithm as openssl, cryptsetup, geli, botan and
// the like print it: "aes-256-cbc", "aes-128 cbc", "AES-256/XTS", "des ede3",
// "hmac(md5)", "xchacha12,aes-adiantum", "AEAD-AES-128-GCM", "cbc(aes)".
func parseAlg(name string) (algorithm, bool) {
	if len(name) < 2 || len(name) > 60 {
		return algorithm{}, false
	}
	low := strings.ToLower(strings.TrimRight(name, ":"))
	if i := strings.IndexByte(low, '('); i > 0 && strings.HasSuffix(low, ")") {
		return parseTemplate(low)
	}
	if h, ok := hashes[low]; ok {
		return algorithm{cipher: h, hash: true}, true
	}
	low = strings.TrimPrefix(low, "aead-")
	low = strings.TrimPrefix(low, "evp-")
	low = strings.TrimPrefix(low, "id-")
	if strings.HasSuffix(low, ",aes-adiantum") {
		c, ok := bases[strings.TrimSuffix(low, ",aes-adiantum")]
		return algorithm{cipher: c, mode: "Adiantum"}, ok
	}
	words := strings.FieldsFunc(low, func(c rune) bool { return c == '-' || c == ' ' || c == '/' || c == '_' || c == '.' })
	if len(words) == 0 || len(words) > 8 {
		return algorithm{}, false
	}
	var a algorithm
	for i, w := range words {
		if ok := a.word(w, i, words); !ok {
			return algorithm{}, false
		}
	}
	if a.cipher == "" {
		return algorithm{}, false
	}
	switch a.keyBits {
	case 0, 128, 192, 256, 384, 512: // the last two are both halves of an XTS key
	default:
		if a.cipher == "AES" {
			return algorithm{}, false
		}
	}
	switch {
	case a.cipher == "DES" && a.keyBits == 0:
		a.keyBits = 56
	case a.cipher == "3DES" && a.keyBits == 0:
		a.keyBits = 168
	case strings.Contains(a.cipher, "ChaCha20") && a.keyBits == 0:
		a.keyBits = 256
	}
	return a, true
}

// word takes one part of a name; false where it makes no sense there.
func (a *algorithm) word(w string, i int, words []string) bool {
	if a.cipher == "" {
		if h, ok := hashes[w]; ok && len(words) <= 2 {
			if len(words) == 2 { // "sha3-256", "blake2b-512", "sha-256"
				other := words[1-i]
				if _, err := strconv.Atoi(other); err != nil {
					return false
				}
				h += "-" + other
			}
			a.cipher, a.hash = h, true
			return true
		}
		c, ok := bases[w]
		if !ok {
			// "aria256": the key's length is glued on.
			for _, bits := range []string{"128", "192", "256"} {
				if b, found := strings.CutSuffix(w, bits); found && bases[b] != "" {
					c, ok = bases[b], true
				}
			}
		}
		if !ok {
			return false
		}
		a.cipher = c
		if d := strings.TrimLeft(w, "abcdefghijklmnopqrstuvwxyz"); d != "" && strings.HasSuffix(w, d) && c != "3DES" && !strings.Contains(c, d) {
			a.keyBits, _ = strconv.Atoi(d)
		}
		if c == "CAST5" {
			a.keyBits = 0
		}
		return true
	}
	if a.hash {
		_, err := strconv.Atoi(w)
		return err == nil
	}
	switch w {
	case "ede", "ede3":
		a.cipher = "3DES"
		return true
	case "hmac":
		a.auth = "HMAC"
		return true
	case "plain", "plain64", "plain64be", "essiv", "essiv:sha256", "essiv:sha512", "essiv:sha1", "essiv:md5", "benbi", "null", "bits", "bit", "generic", "encrypt", "padlock":
		return true
	case "gcmsiv", "siv":
		if a.mode == "GCM" {
			a.mode = "GCM-SIV"
			return true
		}
	case "12", "8", "20", "32", "16":
		if a.cipher == "RC5" || strings.Contains(a.cipher, "ChaCha") || a.mode == "CCM" || a.mode == "GCM" {
			return true
		}
	}
	if m, ok := modes[w]; ok && a.mode == "" {
		a.mode = m
		return true
	}
	if h, ok := hashes[w]; ok && a.mode != "" {
		a.auth = strings.TrimPrefix(a.auth+"-"+h, "-")
		return true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(w, "b"))
	if err == nil && n >= 40 && n <= 1024 && a.keyBits == 0 {
		a.keyBits = n
		return true
	}
	return false
}

// parseTemplate reads the names of the Linux crypto API, "cbc(aes)",
// "__xts(aes-generic)", "authenc(hmac(sha1),cbc(aes))", and "hmac(md5)".
func parseTemplate(low string) (algorithm, bool) {
	low = strings.Trim(low, "_")
	outer, inner, _ := strings.Cut(strings.TrimSuffix(low, ")"), "(")
	switch outer {
	case "hmac", "cmac", "xcbc", "vmac", "umac":
		return algorithm{cipher: strings.ToUpper(outer) + "-" + strings.TrimSuffix(strings.ToUpper(inner), ")"), hash: true}, true
	case "authenc", "authencesn":
		mac, ciph, ok := strings.Cut(inner, "),")
		if !ok {
			return algorithm{}, false
		}
		a, ok := parseTemplate(ciph)
		a.auth = strings.ReplaceAll(strings.ToUpper(strings.Replace(mac, "(", "-", 1)), ")", "")
		return a, ok
	case "rfc4106", "rfc4309", "rfc3686", "rfc4543", "essiv", "cryptd":
		inner, _, _ = strings.Cut(inner, ",")
		return parseTemplate(inner)
	case "rfc7539", "adiantum":
		first, _, _ := strings.Cut(inner, ",")
		c, ok := bases[first]
		return algorithm{cipher: c, mode: map[string]string{"rfc7539": "Poly1305", "adiantum": "Adiantum"}[outer]}, ok
	}
	m, ok := modes[outer]
	if !ok {
		// "twofish(aes)" and the like are cascades: named, but no cipher we know.
		return algorithm{}, false
	}
	base := strings.FieldsFunc(inner, func(c rune) bool { return strings.ContainsRune("-_,()", c) })
	for i := range base {
		if base[i] == "des3" || base[i] == "ede" || base[i] == "3des" {
			return algorithm{cipher: "3DES", mode: m}, true
		}
		if c, ok := bases[base[i]]; ok {
			return algorithm{cipher: c, mode: m}, true
		}
	}
	return algorithm{}, false
}

// mentioned finds the first algorithm with a mode in prose: "XTS-AES-128",
// "AES-CBC", "aes-xts-plain64", "AES 256-bit XTS".
func mentioned(s string) (algorithm, bool) {
	low := strings.ToLower(s)
	if !strings.Contains(low, "aes") && !strings.Contains(low, "serpent") && !strings.Contains(low, "twofish") &&
		!strings.Contains(low, "camellia") && !strings.Contains(low, "blowfish") && !strings.Contains(low, "3des") && !strings.Contains(low, "adiantum") {
		return algorithm{}, false
	}
	words := strings.FieldsFunc(low, func(c rune) bool { return strings.ContainsRune(" \t-/_,;:()[]\"'`=", c) })
	var a algorithm
	at := -1
	for i, w := range words {
		if c, ok := bases[w]; ok && c != "null" && c != "DES" {
			a.cipher, at = c, i
			if d := strings.TrimLeft(w, "abcdefghijklmnopqrstuvwxyz"); c == "AES" && d != "" {
				a.keyBits, _ = strconv.Atoi(d)
			}
			break
		}
	}
	if at < 0 {
		return a, false
	}
	for _, i := range []int{at + 1, at + 2, at + 3, at - 1, at - 2} {
		if i < 0 || i >= len(words) {
			continue
		}
		w := strings.TrimSuffix(words[i], "bit")
		if m := modes[w]; m != "" && a.mode == "" && w != "poly" && w != "wrap" {
			a.mode = m
			if w == "xtr" {
				a.mode = ""
			}
		}
		if w == "xta" && a.mode == "" { // a slip of the pen that was seen
			a.mode = "XTS"
		}
		if n, err := strconv.Atoi(w); err == nil && (n == 128 || n == 192 || n == 256 || n == 512) && a.keyBits == 0 {
			a.keyBits = n
		}
	}
	return a, true
}
