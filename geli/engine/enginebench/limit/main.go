// Command limit is the register-only bound as a child in a comparison of cipher
// libraries (see package peer): it does the AES rounds of a job and leaves the
// buffer alone. The environment variable LIMIT is the register width, 128, 256
// or 512 bits; without it, it is the widest that the processor has.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"gelibench/geli/engine/enginebench"
	"gelibench/geli/engine/enginebench/peer"
	"gelibench/geli/engine/vaes/bound"
)

var bounds = []enginebench.Bound{bound.AVX512, bound.AVX2, enginebench.Bound128}

func main() {
	if err := peer.Serve(os.Stdin, os.Stdout, setup); err != nil {
		fmt.Fprintln(os.Stderr, "limit:", err)
		os.Exit(1)
	}
}

func setup(job peer.Job, _ []byte) (peer.Run, error) {
	width := os.Getenv("LIMIT")
	for _, b := range bounds {
		if b.Probe() != nil || width != "" && width != strconv.Itoa(b.WidthBits) {
			continue
		}
		return func(buf []byte) error {
			b.Run(len(buf)/b.BytesPerStep, job.KeyBits/32+6)
			return nil
		}, nil
	}
	return nil, errors.New("no bound of this width here")
}
