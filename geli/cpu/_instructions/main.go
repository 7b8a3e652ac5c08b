//go:build amd64

// Command instructions executes one instruction of a feature that package cpu
// knows, named by its only argument, and prints "right" or "wrong"; where the
// processor has no such instruction, it dies of an illegal instruction.
//
// With it .ci/emulate compares what package cpu says of a processor, and what
// the emulator is worth, with what happens. It looks at no feature flags.
package main

import (
	"bytes"
	"fmt"
	"os"
)

// instruction computes out from a and b.
type instruction func(out, a, b *[64]byte)

var byFeature = map[string]struct {
	do     instruction
	result func(a, b []byte) []byte // nil: not checked
}{
	"ssse3":      {pshufb, nil},
	"sse41":      {pmulld, nil},
	"aes":        {aesenc, nil},
	"pclmulqdq":  {pclmulqdq, nil},
	"sha":        {sha256msg1, nil},
	"avx":        {vxorps, xor(32)},
	"avx2":       {vpxor, xor(32)},
	"bmi2":       {sarx, nil},
	"vaes":       {vaesenc, aesTwice},
	"vpclmulqdq": {vpclmulqdq, nil},
	"avx512f":    {vpxorq, xor(64)},
}

func xor(n int) func(a, b []byte) []byte {
	return func(a, b []byte) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = a[i] ^ b[i]
		}
		return out
	}
}

// aesTwice is what 256 bits of VAESENC are by definition: AESENC on each half.
func aesTwice(a, b []byte) []byte {
	var out []byte
	for i := 0; i < 32; i += 16 {
		var x, y, z [64]byte
		copy(x[:], a[i:i+16])
		copy(y[:], b[i:i+16])
		aesenc(&z, &x, &y)
		out = append(out, z[:16]...)
	}
	return out
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: instructions FEATURE")
		os.Exit(2)
	}
	f, ok := byFeature[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "no instruction for %q\n", os.Args[1])
		os.Exit(2)
	}
	var out, a, b [64]byte
	for i := range a {
		a[i], b[i] = byte(i*37+11), byte(i*i+5)
	}
	f.do(&out, &a, &b)
	if f.result != nil {
		if want := f.result(a[:], b[:]); !bytes.Equal(out[:len(want)], want) {
			fmt.Println("wrong")
			return
		}
	}
	fmt.Println("right")
}
