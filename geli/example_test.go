package geli_test

import (
	"fmt"
	"io"
	"log"

	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/zerodev"
)

// A onetime device over gzero, read like a file.
func ExampleOnetime() {
	gzero := zerodev.New(zerodev.Options{Clear: true})
	eli, err := geli.Onetime(gzero, geli.Options{Alg: engine.AESXTS, KeyBits: 256, SectorSize: 4096})
	if err != nil {
		log.Fatal(err)
	}
	defer eli.Close()
	n, err := io.Copy(io.Discard, io.NewSectionReader(geli.Unaligned(eli), 0, 10_000_000))
	fmt.Println(eli.Name(), n, err)
	// Output: gzero.eli 10000000 <nil>
}
