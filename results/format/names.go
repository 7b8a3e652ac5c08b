package format

import (
	"strings"

	"gelibench/results"
)

// cipherAndMode parts an algorithm's name: "aes-xts" is "aes" and "xts", "null"
// has no mode.
func cipherAndMode(alg string) (cipher, mode string) {
	if i := strings.LastIndexByte(alg, '-'); i >= 0 {
		return alg[:i], alg[i+1:]
	}
	return alg, ""
}

// usualKeyBits counts the key as most tools do: both halves for XTS.
func usualKeyBits(c results.Case) int {
	if _, mode := cipherAndMode(c.Alg); mode == "xts" {
		return 2 * c.KeyBits
	}
	return c.KeyBits
}
