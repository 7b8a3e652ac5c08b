//go:build !amd64 || purego

package enginebench

import "gelibench/geli/engine"

// Bound128 is not measured here.
var Bound128 = Bound{
	WidthBits:    128,
	BytesPerStep: 12 * 16,
	Probe:        func() error { return engine.NeedsBuild("bound of 128 bits", "amd64") },
}
