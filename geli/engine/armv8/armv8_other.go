//go:build !arm64 || purego

package armv8

import (
	"fmt"

	"gelibench/geli/engine"
)

// New returns an engine whose Probe says that it needs another build.
func New() engine.Engine { return absent{} }

type absent struct{}

var errAbsent = fmt.Errorf("%s needs arm64, and a build without the tag purego: %w", name, engine.ErrUnavailable)

func (absent) Name() string                                     { return name }
func (absent) Info() engine.Info                                { return info }
func (absent) Probe() error                                     { return errAbsent }
func (absent) Supports(engine.Params) error                     { return errAbsent }
func (absent) NewSession(engine.Params) (engine.Session, error) { return nil, errAbsent }
