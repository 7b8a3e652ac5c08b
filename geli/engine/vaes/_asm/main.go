// Command vaesasm writes the kernels of package vaes. Run it through go
// generate in the folder above.
//
// One file comes out of each call:
//
//	go run . -kernel xts -width 512 -pkg vaes -out FILE.s -stubs FILE.go
//
// What is common to all kernels: a run has n sectors of unit bytes; schedules
// hold the round keys in the order in which the rounds use them. Round key 0
// is "first", the one of the last round "last".
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	kernel := flag.String("kernel", "", "schedule, xts, cbcdec, cbcfew, cbcenc or bound")
	bits := flag.Int("width", 512, "register width in bits: 256 or 512")
	flag.Parse()

	w := width512
	if *bits == 256 {
		w = width256
	}
	ConstraintExpr("amd64,!purego")
	switch *kernel {
	case "schedule":
		scheduleKernels()
	case "xts":
		xtsKernels(w)
	case "cbcdec":
		cbcDecKernels(w)
	case "cbcfew":
		cbcFew()
	case "cbcenc":
		cbcEncKernels(w)
	case "bound":
		boundKernel(w)
	default:
		log.Fatalf("unknown kernel %q", *kernel)
	}
	Generate()
}

// roundsOf gives the rounds of AES for a key length in bits.
var roundsOf = map[int]int{128: 10, 192: 12, 256: 14}
