package main

import (
	"fmt"
	"math/big"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The message of GELI's IV behind its 64-byte prefix: 8 bytes of offset, the
// padding's first bit, and the length of all in bits.
const (
	firstPadWord = 0x80000000
	lengthBits   = (64 + 8) * 8
)

// kt is K: the first 32 bits of the fractions of the cube roots of the first 64
// primes (FIPS 180-4, section 4.2.2).
var kt = func() (k [64]uint32) {
	p := int64(2)
	for i := range k {
		for !big.NewInt(p).ProbablyPrime(0) {
			p++
		}
		// The cube root of p * 2^96 is the cube root of p, times 2^32.
		n := new(big.Int).Lsh(big.NewInt(p), 96)
		lo, hi := big.NewInt(0), new(big.Int).Lsh(big.NewInt(8), 32)
		for new(big.Int).Sub(hi, lo).Cmp(big.NewInt(1)) > 0 {
			mid := new(big.Int).Rsh(new(big.Int).Add(lo, hi), 1)
			if new(big.Int).Exp(mid, big.NewInt(3), nil).Cmp(n) <= 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		k[i] = uint32(lo.Uint64())
		p++
	}
	return k
}()

// initial is H(0) of FIPS 180-4, section 5.3.3: the first 32 bits of the
// fractions of the square roots of the first 8 primes.
func initial() chaining {
	const a, b, c, d = 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
	const e, f, g, h = 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
	return chaining{words("initialABEF", f, e, b, a), words("initialCDGH", h, g, d, c)}
}

// roundK is K[4g] to K[4g+3].
func roundK(g int) Mem { return words(fmt.Sprintf("roundK%d", g), kt[4*g:4*g+4]...) }

// paddedK is roundK(g), g = 0..3, with the constant words of the message added.
func paddedK(g int) Mem {
	w := append([]uint32(nil), kt[4*g:4*g+4]...)
	switch g {
	case 0:
		w[2] += firstPadWord
	case 3:
		w[3] += lengthBits
	}
	return words(fmt.Sprintf("paddedK%d", g), w...)
}

func padding() Mem   { return words("padding", 0, 0, firstPadWord, 0) }
func bitLength() Mem { return words("bitLength", 0, 0, 0, lengthBits) }

// swapWords makes big-endian words of the low 8 bytes and zeros of the rest.
func swapWords() Mem { return words("swapWords", 0x00010203, 0x04050607, 0x80808080, 0x80808080) }

// swapEach makes big-endian words of 16 bytes.
func swapEach() Mem { return words("swapEach", 0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f) }

// reverse turns 16 bytes around.
func reverse() Mem { return words("reverse", 0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203) }

// words is a constant of 16 bytes, made once.
func words(name string, w ...uint32) Mem {
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i, v := range w {
		DATA(4*i, U32(v))
	}
	constants[name] = m
	return m
}

var constants = map[string]Mem{}
