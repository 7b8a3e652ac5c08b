//go:build amd64 && !purego

package aesni

import "gelibench/geli/engine"

// maxChains is how many sectors cbcEncrypt takes at once.
const maxChains = 12

type cbc struct{ keyed }

func newCBC(p engine.Params) *cbc { return &cbc{newKeyed(p, 0)} }

func (s *cbc) SetKey(key []byte) error {
	if err := s.checkKey(key); err != nil {
		return err
	}
	switch s.rounds {
	case 10:
		expand128(s.enc, &key[0])
	case 12:
		expand192(s.enc, &key[0])
	default:
		expand256(s.enc, &key[0])
	}
	s.decReady, s.state = false, ready
	return nil
}

// Encrypt splits the run into passes of nearly equal width: 13 sectors are
// faster as 7 and 6 than as 12 and a lonely one.
func (s *cbc) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	for passes := (n + maxChains - 1) / maxChains; passes > 0; passes-- {
		m := (n + passes - 1) / passes
		cbcEncrypt(&dst[0], &src[0], &ivs[0], m, g.Unit, g.DstStride, g.SrcStride, s.enc, s.rounds)
		if n -= m; n > 0 {
			dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
		}
	}
	return nil
}

func (s *cbc) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err != nil || n == 0 {
		return err
	}
	cbcDecrypt(&dst[0], &src[0], &ivs[0], n, g.Unit, g.DstStride, g.SrcStride, s.decryption(), s.rounds)
	return nil
}
