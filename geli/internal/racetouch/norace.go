//go:build !race

package racetouch

import "gelibench/geli/engine"

// Enabled says whether this build has the race detector.
const Enabled = false

// Run is for the n sectors of an engine.Session's run.
func Run(dst, src, ivs []byte, n int, g engine.Geometry) {}

// IVs is for engine.Hasher's method; ivs is no longer than what is written.
func IVs(ivs []byte, state *[8]uint32) {}

// HMACs is for engine.Authenticator's method; dst is no longer than what is
// written, and src than what is read.
func HMACs(dst, src []byte, stride, unit int, state *[8]uint32) {}
