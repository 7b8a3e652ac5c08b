package xcrypto

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"

	"gelibench/geli/engine"
)

// cbcSession makes one CBC mode for each key and direction, when it is first
// used: each mode copies the whole key schedule.
type cbcSession struct {
	keyBytes int
	closed   bool
	block    cipher.Block
	enc, dec cipher.BlockMode // nil until used
}

// SetKey expands the key. It allocates.
func (s *cbcSession) SetKey(key []byte) error {
	if s.closed {
		return engine.ErrClosed
	}
	if err := checkKey(key, s.keyBytes); err != nil {
		return err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return fmt.Errorf("crypto/aes: %w", err)
	}
	s.block, s.enc, s.dec = block, nil, nil
	return nil
}

func (s *cbcSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	return s.run(&s.enc, cipher.NewCBCEncrypter, dst, src, ivs, g)
}

func (s *cbcSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	return s.run(&s.dec, cipher.NewCBCDecrypter, dst, src, ivs, g)
}

// ivSetter is what crypto/cipher's CBC modes offer behind their interface.
type ivSetter interface{ SetIV(iv []byte) }

func (s *cbcSession) run(mode *cipher.BlockMode, newMode func(cipher.Block, []byte) cipher.BlockMode, dst, src, ivs []byte, g engine.Geometry) error {
	if s.closed {
		return engine.ErrClosed
	}
	n, err := g.CheckRun(aes.BlockSize, dst, src, ivs)
	if err != nil || n == 0 {
		return err
	}
	if s.block == nil {
		return engine.ErrKey
	}
	if *mode == nil {
		*mode = newMode(s.block, ivs[:engine.IVBytes])
	}
	m := *mode
	setter, canSet := m.(ivSetter)
	for i := range n {
		iv := ivs[i*engine.IVBytes : (i+1)*engine.IVBytes]
		if canSet {
			setter.SetIV(iv)
		} else {
			m = newMode(s.block, iv)
		}
		d, from := i*g.DstStride, i*g.SrcStride
		m.CryptBlocks(dst[d:d+g.Unit], src[from:from+g.Unit])
	}
	return nil
}

// Close lets go of the key schedules. They are the standard library's and
// cannot be wiped.
func (s *cbcSession) Close() error {
	s.closed, s.block, s.enc, s.dec = true, nil, nil, nil
	return nil
}
