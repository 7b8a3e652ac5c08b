package engine

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Alg is a data cipher. Its value is the number that GELI metadata stores in
// the field ealgo (sys/opencrypto/cryptodev.h).
type Alg uint16

// The ciphers that GELI knows or once knew.
const (
	TripleDESCBC Alg = 2  // FreeBSD up to 12
	BlowfishCBC  Alg = 3  // FreeBSD up to 12
	AESCBC       Alg = 11 // every version
	Null         Alg = 16 // data passes unchanged
	CamelliaCBC  Alg = 21 // metadata version 4 and later
	AESXTS       Alg = 22 // metadata version 5 and later
)

// Algs lists every cipher, the ones in use today first.
var Algs = []Alg{AESXTS, AESCBC, CamelliaCBC, Null, BlowfishCBC, TripleDESCBC}

// algFacts is one row of geli(8)'s table of ciphers. Key lengths are in bits
// and, for XTS, count one half of the key.
type algFacts struct {
	name        string
	aliases     []string
	defaultBits int
	bits        func(int) bool
	bitsHint    string
}

var algTable = map[Alg]algFacts{
	AESXTS:       {"aes-xts", []string{"aes"}, 128, oneOf(128, 256), "128 or 256: one half of the XTS key, as geli(8) counts"},
	AESCBC:       {"aes-cbc", nil, 128, oneOf(128, 192, 256), "128, 192 or 256"},
	CamelliaCBC:  {"camellia-cbc", []string{"camellia"}, 128, oneOf(128, 192, 256), "128, 192 or 256"},
	Null:         {"null", []string{"null-cbc"}, 512, func(b int) bool { return b >= 1 && b <= 512 }, "1 to 512"},
	BlowfishCBC:  {"blowfish-cbc", []string{"blowfish"}, 128, func(b int) bool { return b >= 128 && b <= 448 && b%32 == 0 }, "128 to 448 in steps of 32"},
	TripleDESCBC: {"3des-cbc", []string{"3des"}, 192, oneOf(192), "192"},
}

func oneOf(allowed ...int) func(int) bool {
	return func(bits int) bool { return slices.Contains(allowed, bits) }
}

// ParseAlg reads a cipher name as geli(8) takes it behind -e: in any case, and
// with its aliases, of which "aes" means AES-XTS.
func ParseAlg(name string) (Alg, error) {
	lower := strings.ToLower(name)
	for _, a := range Algs {
		f := algTable[a]
		if f.name == lower {
			return a, nil
		}
		for _, alias := range f.aliases {
			if alias == lower {
				return a, nil
			}
		}
	}
	return 0, fmt.Errorf("unknown encryption algorithm %q (known: aes, aes-xts, aes-cbc, camellia[-cbc], blowfish[-cbc], 3des[-cbc], null): %w", name, fs.ErrInvalid)
}

// String gives the canonical lower-case name, such as "aes-xts".
func (a Alg) String() string {
	if f, ok := algTable[a]; ok {
		return f.name
	}
	return fmt.Sprintf("ealgo(%d)", uint16(a))
}

// BlockBytes is the cipher's block: data units are multiples of it. Sessions
// ask for every run, so it is no look-up in the table.
func (a Alg) BlockBytes() int {
	switch a {
	case Null:
		return 1
	case BlowfishCBC, TripleDESCBC:
		return 8
	}
	return 16
}

// Params is a cipher with its key length, all that a session is made for; the
// data unit's size comes with each call.
type Params struct {
	Alg     Alg
	KeyBits int // one half for XTS
}

// Default returns p with a KeyBits of 0 replaced by the algorithm's default.
func (p Params) Default() Params {
	if p.KeyBits == 0 {
		p.KeyBits = algTable[p.Alg].defaultBits
	}
	return p
}

// Check reports whether GELI allows the key length for the cipher.
func (p Params) Check() error {
	f, ok := algTable[p.Alg]
	if !ok {
		return fmt.Errorf("%v is not a cipher GELI knows: %w", p.Alg, fs.ErrInvalid)
	}
	if !f.bits(p.KeyBits) {
		return fmt.Errorf("%s has no key length of %d bits (allowed: %s): %w", f.name, p.KeyBits, f.bitsHint, fs.ErrInvalid)
	}
	return nil
}

// KeyBytes is the length of the key that Session.SetKey takes: both halves for
// XTS, none for the null cipher.
func (p Params) KeyBytes() int {
	switch p.Alg {
	case AESXTS:
		return 2 * p.KeyBits / 8
	case Null:
		return 0
	}
	return p.KeyBits / 8
}

// String gives, for example, "aes-xts-256".
func (p Params) String() string { return fmt.Sprintf("%v-%d", p.Alg, p.KeyBits) }
