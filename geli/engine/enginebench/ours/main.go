// Command ours is one of gelibench's engines as a child in a comparison of
// cipher libraries (see package peer). The environment variable OURS names the
// engine; without it, the choice is that of the engine table.
package main

import (
	"encoding/binary"
	"fmt"
	"os"

	"gelibench/geli/engine"
	"gelibench/geli/engine/enginebench/peer"
	"gelibench/geli/engines"
)

func main() {
	if err := peer.Serve(os.Stdin, os.Stdout, setup); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func setup(job peer.Job, key []byte) (peer.Run, error) {
	e, _, err := engines.Auto(job.Params)
	if name := os.Getenv("OURS"); name != "" {
		e, err = engines.Lookup(name)
	}
	if err != nil {
		return nil, err
	}
	s, err := e.NewSession(job.Params)
	if err != nil {
		return nil, err
	}
	if err := s.SetKey(key); err != nil {
		return nil, err
	}
	do := s.Decrypt
	if job.Encrypt {
		do = s.Encrypt
	}
	n := job.BufferBytes / job.SectorBytes
	ivs := make([]byte, n*engine.IVBytes)
	return func(buf []byte) error {
		for i := range n {
			binary.LittleEndian.PutUint64(ivs[i*engine.IVBytes:], uint64(i))
		}
		buf = buf[:n*job.SectorBytes]
		return do(buf, buf, ivs, engine.Packed(job.SectorBytes))
	}, nil
}
