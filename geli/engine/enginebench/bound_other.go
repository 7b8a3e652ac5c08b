//go:build !amd64 || purego

package enginebench

import (
	"fmt"

	"gelibench/geli/engine"
)

// Bound128 is not measured here.
var Bound128 = Bound{
	WidthBits:    128,
	BytesPerStep: 12 * 16,
	Probe: func() error {
		return fmt.Errorf("bound of 128 bits needs amd64, and a build without the tag purego: %w", engine.ErrUnavailable)
	},
}
