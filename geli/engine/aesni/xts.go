//go:build amd64 && !purego

package aesni

import "gelibench/geli/engine"

// tweakBatch is how many sectors' tweaks are encrypted in one pass. Their
// latency is shared by all, and 64 is past where more would show.
const tweakBatch = 64

type xts struct {
	keyed
	tweakKeys *[240]byte
	tweaks    *[tweakBatch * block]byte // T[0] of each sector of a pass
	masks     *[128]byte                // of the group in flight
}

func newXTS(p engine.Params) *xts {
	s := &xts{keyed: newKeyed(p, scheduleBytes+tweakBatch*block+128)}
	m := s.more()
	s.tweakKeys = (*[240]byte)(m)
	s.tweaks = (*[tweakBatch * block]byte)(m[scheduleBytes:])
	s.masks = (*[128]byte)(m[scheduleBytes+tweakBatch*block:])
	return s
}

// SetKey takes the data key and the tweak key, one behind the other.
func (s *xts) SetKey(key []byte) error {
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

func (s *xts) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	for n > 0 {
		m := s.encryptTweaks(ivs, n)
		xtsEncrypt(&dst[0], &src[0], &s.tweaks[0], m, g.Unit, g.DstStride, g.SrcStride, s.enc, s.rounds, s.masks)
		if n -= m; n > 0 {
			dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
		}
	}
	return nil
}

func (s *xts) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.checkRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	dec := s.decryption()
	for n > 0 {
		m := s.encryptTweaks(ivs, n)
		xtsDecrypt(&dst[0], &src[0], &s.tweaks[0], m, g.Unit, g.DstStride, g.SrcStride, dec, s.rounds, s.masks)
		if n -= m; n > 0 {
			dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
		}
	}
	return nil
}

// encryptTweaks makes the T[0] of the first m of n sectors.
func (s *xts) encryptTweaks(ivs []byte, n int) (m int) {
	m = min(n, tweakBatch)
	encryptBlocks(&s.tweaks[0], &ivs[0], m, s.tweakKeys, s.rounds)
	return m
}
