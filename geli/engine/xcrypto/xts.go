package xcrypto

import (
	"crypto/aes"
	"encoding/binary"
	"fmt"

	"golang.org/x/crypto/xts"

	"gelibench/geli/engine"
)

// xtsSession gives x/crypto/xts GELI's byte offset as its sector number. Both
// are 64-bit little-endian tweaks padded with zeros.
type xtsSession struct {
	keyBytes int
	closed   bool
	cipher   *xts.Cipher
}

// SetKey expands both halves of the key. It allocates.
func (s *xtsSession) SetKey(key []byte) error {
	if s.closed {
		return engine.ErrClosed
	}
	if err := checkKey(key, s.keyBytes); err != nil {
		return err
	}
	c, err := xts.NewCipher(aes.NewCipher, key)
	if err != nil {
		return fmt.Errorf("x/crypto/xts: %w", err)
	}
	s.cipher = c
	return nil
}

func (s *xtsSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	return s.run((*xts.Cipher).Encrypt, dst, src, ivs, g)
}

func (s *xtsSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	return s.run((*xts.Cipher).Decrypt, dst, src, ivs, g)
}

// run returns an error that wraps ErrUnavailable, before it writes anything,
// for a tweak whose upper 8 bytes are not zero.
func (s *xtsSession) run(crypt func(c *xts.Cipher, dst, src []byte, sectorNum uint64), dst, src, ivs []byte, g engine.Geometry) error {
	if s.closed {
		return engine.ErrClosed
	}
	n, err := g.CheckRun(aes.BlockSize, dst, src, ivs)
	if err != nil || n == 0 {
		return err
	}
	if s.cipher == nil {
		return engine.ErrKey
	}
	for i := range n {
		if binary.LittleEndian.Uint64(ivs[i*engine.IVBytes+8:]) != 0 {
			return fmt.Errorf("tweak of sector %d of the run has more than 64 bits, which x/crypto/xts cannot take: %w", i, engine.ErrUnavailable)
		}
	}
	for i := range n {
		d, from := i*g.DstStride, i*g.SrcStride
		crypt(s.cipher, dst[d:d+g.Unit], src[from:from+g.Unit], binary.LittleEndian.Uint64(ivs[i*engine.IVBytes:]))
	}
	return nil
}

// Close lets go of the key schedules. They are the standard library's and
// cannot be wiped.
func (s *xtsSession) Close() error {
	s.closed, s.cipher = true, nil
	return nil
}
