//go:build arm64 && !purego

package armv8

import (
	"gelibench/geli/engine"
	"gelibench/geli/internal/aesengine"
)

// tweakBatch is how many sectors' tweaks are encrypted in one pass, whose
// latency they share.
const tweakBatch = 64

type xtsSession struct {
	aesengine.Schedules
	tweakKeys *aesengine.Schedule
	tweaks    *[tweakBatch * block]byte // T[0] of each sector of a pass
}

func newXTS(p engine.Params) engine.Session {
	schedules, m := aesengine.NewSchedules(name, p, aesengine.ScheduleBytes+tweakBatch*block)
	return &xtsSession{
		Schedules: schedules,
		tweakKeys: (*aesengine.Schedule)(m),
		tweaks:    (*[tweakBatch * block]byte)(m[aesengine.ScheduleBytes:]),
	}
}

// SetKey takes the data key and the tweak key, one behind the other.
func (s *xtsSession) SetKey(key []byte) error {
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

func (s *xtsSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err == nil && n > 0 {
		s.run(dst, src, ivs, n, g, s.Enc, false)
	}
	return err
}

func (s *xtsSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err == nil && n > 0 {
		s.run(dst, src, ivs, n, g, decryption(&s.Schedules), true)
	}
	return err
}

// run works on n > 0 sectors.
func (s *xtsSession) run(dst, src, ivs []byte, n int, g engine.Geometry, keys *aesengine.Schedule, decrypt bool) {
	for {
		m := min(n, tweakBatch)
		encryptBlocks(&s.tweaks[0], &ivs[0], m, s.tweakKeys, s.Rounds())
		xts(&dst[0], &src[0], &s.tweaks[0], m, g.Unit, g.DstStride, g.SrcStride, keys, s.Rounds(), decrypt)
		if n -= m; n == 0 {
			return
		}
		dst, src, ivs = dst[m*g.DstStride:], src[m*g.SrcStride:], ivs[m*block:]
	}
}
