package enginetest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/subtle"
	"fmt"

	"golang.org/x/crypto/blowfish" //lint:ignore SA1019 GELI had this cipher

	"gelibench/geli/engine"
	"gelibench/geli/engine/soft"
)

// oracleFor is who knows better: soft for every engine, and for soft the
// reference. Nobody else here has Camellia, so soft's Camellia is compared with
// soft one sector at a time; the constants of the accumulator and the known
// answers say whether that is Camellia at all.
func oracleFor(e engine.Engine, p engine.Params) engine.Engine {
	if e.Name() == soft.New().Name() && (reference{}).Supports(p) == nil {
		return reference{}
	}
	return soft.New()
}

// reference is the modes as the standards write them, one block after the
// other, over the block ciphers of the standard library and x/crypto.
type reference struct{}

func (reference) Name() string      { return "reference" }
func (reference) Info() engine.Info { return engine.Info{About: "textbook", Allocates: true} }
func (reference) Probe() error      { return nil }

func (reference) Supports(p engine.Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	if p.Alg == engine.CamelliaCBC {
		return fmt.Errorf("reference has no Camellia: %w", engine.ErrUnavailable)
	}
	return nil
}

func (r reference) NewSession(p engine.Params) (engine.Session, error) {
	if err := r.Supports(p); err != nil {
		return nil, err
	}
	return &textbook{p: p}, nil
}

type textbook struct {
	p      engine.Params
	closed bool
	data   cipher.Block // nil: no key
	tweak  cipher.Block // XTS only
	block  [16]byte
	chain  [16]byte
}

func (s *textbook) SetKey(key []byte) (err error) {
	switch {
	case s.closed:
		return engine.ErrClosed
	case len(key) != s.p.KeyBytes():
		return engine.ErrKey
	}
	switch s.p.Alg {
	case engine.AESXTS:
		if s.tweak, err = aes.NewCipher(key[len(key)/2:]); err == nil {
			s.data, err = aes.NewCipher(key[:len(key)/2])
		}
	case engine.AESCBC:
		s.data, err = aes.NewCipher(key)
	case engine.BlowfishCBC:
		s.data, err = blowfish.NewCipher(key)
	case engine.TripleDESCBC:
		s.data, err = des.NewTripleDESCipher(key)
	}
	return err
}

func (s *textbook) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	return s.run(dst, src, ivs, g, true)
}

func (s *textbook) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	return s.run(dst, src, ivs, g, false)
}

func (s *textbook) run(dst, src, ivs []byte, g engine.Geometry, encrypt bool) error {
	if s.closed {
		return engine.ErrClosed
	}
	n, err := g.CheckRun(s.p.Alg.BlockBytes(), dst, src, ivs)
	if err != nil || n == 0 {
		return err
	}
	if s.data == nil && s.p.Alg != engine.Null {
		return engine.ErrKey
	}
	for i := range n {
		d := dst[i*g.DstStride : i*g.DstStride+g.Unit]
		copy(d, src[i*g.SrcStride:])
		copy(s.chain[:], ivs[i*engine.IVBytes:])
		switch {
		case s.p.Alg == engine.Null:
		case s.p.Alg == engine.AESXTS:
			s.xts(d, encrypt)
		case encrypt:
			s.cbcEncrypt(d)
		default:
			s.cbcDecrypt(d)
		}
	}
	return nil
}

// xts: C = E(P ^ T) ^ T, with T = E_tweak(iv) times x^j in GF(2^128).
func (s *textbook) xts(sector []byte, encrypt bool) {
	s.tweak.Encrypt(s.chain[:], s.chain[:])
	for ; len(sector) > 0; sector = sector[16:] {
		subtle.XORBytes(sector[:16], sector[:16], s.chain[:])
		if encrypt {
			s.data.Encrypt(sector[:16], sector[:16])
		} else {
			s.data.Decrypt(sector[:16], sector[:16])
		}
		subtle.XORBytes(sector[:16], sector[:16], s.chain[:])
		carry := byte(0)
		for i, b := range s.chain {
			s.chain[i], carry = b<<1|carry, b>>7
		}
		s.chain[0] ^= 0x87 * carry
	}
}

// cbcEncrypt: C[j] = E(P[j] ^ C[j-1]).
func (s *textbook) cbcEncrypt(sector []byte) {
	block := s.data.BlockSize()
	chain := s.chain[:block]
	for ; len(sector) > 0; sector = sector[block:] {
		subtle.XORBytes(sector[:block], sector[:block], chain)
		s.data.Encrypt(sector[:block], sector[:block])
		chain = sector[:block]
	}
}

// cbcDecrypt: P[j] = D(C[j]) ^ C[j-1].
func (s *textbook) cbcDecrypt(sector []byte) {
	block := s.data.BlockSize()
	for ; len(sector) > 0; sector = sector[block:] {
		copy(s.block[:], sector[:block])
		s.data.Decrypt(sector[:block], sector[:block])
		subtle.XORBytes(sector[:block], sector[:block], s.chain[:block])
		s.chain = s.block
	}
}

func (s *textbook) Close() error {
	s.closed, s.data, s.tweak = true, nil, nil
	return nil
}
