//go:build arm64 && !purego

package armv8

import "gelibench/geli/engine"

// chains is how many sectors cbcEncryptEight takes at once.
const chains = 8

type cbcSession struct{ keyed }

func newCBC(p engine.Params) *cbcSession { return &cbcSession{newKeyed(p, 0)} }

func (s *cbcSession) SetKey(key []byte) error {
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

// Encrypt takes eight sectors at a time, and the last one or two each for
// itself: one chain alone is several times as fast as one of eight.
func (s *cbcSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	for n > 0 {
		m := 1
		if n > 2 {
			m = min(n, chains)
			cbcEncryptEight(&dst[0], &src[0], &ivs[0], m, g.Unit, g.DstStride, g.SrcStride, s.enc, s.rounds)
		} else {
			cbcEncryptOne(&dst[0], &src[0], &ivs[0], g.Unit, s.enc, s.rounds)
		}
		if n -= m; n > 0 {
			dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
		}
	}
	return nil
}

func (s *cbcSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err == nil && n > 0 {
		cbcDecrypt(&dst[0], &src[0], &ivs[0], n, g.Unit, g.DstStride, g.SrcStride, s.decryption(), s.rounds)
	}
	return err
}
