//go:build !arm64 || purego

package armv8

import (
	"fmt"

	"gelibench/geli/engine"
)

// New returns a hasher whose Probe says that it needs another build.
func New() engine.Hasher { return absent{} }

type absent struct{}

var errAbsent = fmt.Errorf("%s needs arm64, and a build without the tag purego: %w", name, engine.ErrUnavailable)

func (absent) Name() string      { return name }
func (absent) Info() engine.Info { return info }
func (absent) Lanes() int        { return lanes }
func (absent) Probe() error      { return errAbsent }

func (absent) IVs([]byte, *[8]uint32, uint64, uint64) { panic(errAbsent) }
