//go:build arm64 && !purego

package armv8

import "gelibench/geli/engine"

// tweakBatch is how many sectors' tweaks are encrypted in one pass, whose
// latency they share.
const tweakBatch = 64

type xtsSession struct {
	keyed
	tweakKeys *[240]byte
	tweaks    *[tweakBatch * block]byte // T[0] of each sector of a pass
}

func newXTS(p engine.Params) *xtsSession {
	s := &xtsSession{keyed: newKeyed(p, scheduleBytes+tweakBatch*block)}
	m := s.more()
	s.tweakKeys = (*[240]byte)(m)
	s.tweaks = (*[tweakBatch * block]byte)(m[scheduleBytes:])
	return s
}

// SetKey takes the data key and the tweak key, one behind the other.
func (s *xtsSession) SetKey(key []byte) error {
	if err := s.checkKey(key); err != nil {
		return err
	}
	if s.rounds == 10 {
		expandPair128(s.enc, s.tweakKeys, &key[0])
	} else {
		expandPair256(s.enc, s.tweakKeys, &key[0])
	}
	s.decReady, s.state = false, ready
	return nil
}

func (s *xtsSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err == nil && n > 0 {
		s.run(dst, src, ivs, n, g, s.enc, false)
	}
	return err
}

func (s *xtsSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err == nil && n > 0 {
		s.run(dst, src, ivs, n, g, s.decryption(), true)
	}
	return err
}

// run works on n > 0 sectors.
func (s *xtsSession) run(dst, src, ivs []byte, n int, g engine.Geometry, keys *[240]byte, decrypt bool) {
	for {
		m := min(n, tweakBatch)
		encryptBlocks(&s.tweaks[0], &ivs[0], m, s.tweakKeys, s.rounds)
		xts(&dst[0], &src[0], &s.tweaks[0], m, g.Unit, g.DstStride, g.SrcStride, keys, s.rounds, decrypt)
		if n -= m; n == 0 {
			return
		}
		dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
	}
}
