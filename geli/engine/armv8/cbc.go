//go:build arm64 && !purego

package armv8

import (
	"gelibench/geli/engine"
	"gelibench/geli/internal/aesengine"
)

// chains is how many sectors cbcEncryptEight takes at once.
const chains = 8

type cbcSession struct{ aesengine.Schedules }

func newCBC(p engine.Params) engine.Session {
	schedules, _ := aesengine.NewSchedules(name, p, 0)
	return &cbcSession{schedules}
}

func (s *cbcSession) SetKey(key []byte) error {
	if err := s.Accept(key); err != nil {
		return err
	}
	switch s.Rounds() {
	case 10:
		expand128(s.Enc, &key[0])
	case 12:
		expand192(s.Enc, &key[0])
	default:
		expand256(s.Enc, &key[0])
	}
	return nil
}

// Encrypt takes eight sectors at a time, and the last one or two each for
// itself: one chain alone is several times as fast as one of eight.
func (s *cbcSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	for n > 0 {
		m := 1
		if n > 2 {
			m = min(n, chains)
			cbcEncryptEight(&dst[0], &src[0], &ivs[0], m, g.Unit, g.DstStride, g.SrcStride, s.Enc, s.Rounds())
		} else {
			cbcEncryptOne(&dst[0], &src[0], &ivs[0], g.Unit, s.Enc, s.Rounds())
		}
		if n -= m; n > 0 {
			dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
		}
	}
	return nil
}

func (s *cbcSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err == nil && n > 0 {
		cbcDecrypt(&dst[0], &src[0], &ivs[0], n, g.Unit, g.DstStride, g.SrcStride, decryption(&s.Schedules), s.Rounds())
	}
	return err
}
