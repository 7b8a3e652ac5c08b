// Command lanesasm writes the kernels of package lanes. Run it through go
// generate in the folder above.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	bits := flag.Int("width", 512, "register width in bits: 256 or 512")
	flag.Parse()
	ConstraintExpr("amd64,!purego")
	if *bits == 512 {
		kernel("digests32AVX512", ops512, 2)
		kernel("digests16AVX512", ops512, 1)
		constants512.write()
		digestNumbers(ops512, ops512.numbers)
	} else {
		kernel("digests8AVX2", ops256, 1)
		constants256.write()
		digestNumbers(ops256, ops256.numbers)
	}
	Generate()
}
