//go:build !amd64 || purego

package shani

import (
	"fmt"

	"gelibench/geli/engine"
)

// New returns a hasher whose Probe says that it needs another build.
func New() engine.Hasher { return absent{} }

type absent struct{}

func (absent) Name() string      { return name }
func (absent) Info() engine.Info { return info }
func (absent) Lanes() int        { return lanes }

func (absent) Probe() error {
	return fmt.Errorf("%s needs amd64, and a build without the tag purego: %w", name, engine.ErrUnavailable)
}

// IVs panics: Probe has said that it cannot be called.
func (a absent) IVs([]byte, *[8]uint32, uint64, uint64) { panic(a.Probe()) }
