package engine_test

import (
	"errors"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engine/null"
	"gelibench/geli/engine/xcrypto"
	"gelibench/geli/hasher/std"
)

func TestScratch(t *testing.T) {
	for _, p := range []engine.Params{{engine.AESXTS, 128}, {engine.AESXTS, 256}, {engine.AESCBC, 128}, {engine.AESCBC, 192}, {engine.AESCBC, 256}} {
		if err := engine.SelfTest(xcrypto.New(), nil, p); err != nil {
			t.Error(err)
		}
		if err := engine.Agree(xcrypto.New(), xcrypto.New(), p, 1); err != nil {
			t.Error(err)
		}
	}
	if err := engine.SelfTest(null.New(), nil, engine.Params{engine.Null, 512}); err != nil {
		t.Error(err)
	}
	if err := engine.SelfTestHasher(std.New()); err != nil {
		t.Error(err)
	}
	_ = errors.Is
}
