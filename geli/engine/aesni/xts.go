//go:build amd64 && !purego

package aesni

import (
	"gelibench/geli/engine"
	"gelibench/geli/internal/aesengine"
)

// tweakBatch is how many sectors' tweaks are encrypted in one pass. Their
// latency is shared by all, and 64 is past where more would show.
const tweakBatch = 64

type xts struct {
	aesengine.Schedules
	tweakKeys *aesengine.Schedule
	tweaks    *[tweakBatch * block]byte // T[0] of each sector of a pass
	masks     *[128]byte                // of the group in flight
}

func newXTS(p engine.Params) engine.Session {
	schedules, m := aesengine.NewSchedules(name, p, aesengine.ScheduleBytes+tweakBatch*block+128)
	return &xts{
		Schedules: schedules,
		tweakKeys: (*aesengine.Schedule)(m),
		tweaks:    (*[tweakBatch * block]byte)(m[aesengine.ScheduleBytes:]),
		masks:     (*[128]byte)(m[aesengine.ScheduleBytes+tweakBatch*block:]),
	}
}

// SetKey takes the data key and the tweak key, one behind the other.
func (s *xts) SetKey(key []byte) error {
	if err := s.Accept(key); err != nil {
		return err
	}
	if s.Rounds() == 10 {
		expandPair128(s.Enc, s.tweakKeys, &key[0])
	} else {
		expandPair256(s.Enc, s.tweakKeys, &key[0])
	}
	return nil
}

func (s *xts) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	for n > 0 {
		m := s.encryptTweaks(ivs, n)
		xtsEncrypt(&dst[0], &src[0], &s.tweaks[0], m, g.Unit, g.DstStride, g.SrcStride, s.Enc, s.Rounds(), s.masks)
		if n -= m; n > 0 {
			dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
		}
	}
	return nil
}

func (s *xts) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	dec := decryption(&s.Schedules)
	for n > 0 {
		m := s.encryptTweaks(ivs, n)
		xtsDecrypt(&dst[0], &src[0], &s.tweaks[0], m, g.Unit, g.DstStride, g.SrcStride, dec, s.Rounds(), s.masks)
		if n -= m; n > 0 {
			dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
		}
	}
	return nil
}

// encryptTweaks makes the T[0] of the first m of n sectors.
func (s *xts) encryptTweaks(ivs []byte, n int) (m int) {
	m = min(n, tweakBatch)
	encryptBlocks(&s.tweaks[0], &ivs[0], m, s.tweakKeys, s.Rounds())
	return m
}
