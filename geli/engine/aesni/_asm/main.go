// Command _asm generates the AES-NI kernels of package aesni: run "go generate"
// in the folder above.
//
// Everything is in the legacy SSE encodings, because the processors that this
// engine is for (Westmere, Atom C2000) have AES-NI and no AVX. Names follow the
// formulas of FIPS 197, SP 800-38A and IEEE 1619:
//
//	P, C     plaintext and ciphertext block
//	T        XTS tweak of a block
//	k[0..r]  round keys, r = 10, 12 or 14
//
// One file an idea: round.go has the rounds, expand.go the key schedules, run.go
// the way through a run of sectors, xts.go and cbc.go the modes.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego") // the output's name says amd64
	expandKeys()
	invertKeys()
	encryptBlocks()
	xts("xtsEncrypt", forward)
	xts("xtsDecrypt", inverse)
	cbcDecrypt()
	cbcEncrypt()
	Generate()
}
