//go:build amd64 && !purego

package aesni

import (
	"gelibench/geli/engine"
	"gelibench/geli/internal/aesengine"
	"gelibench/geli/mem"
)

// What cbcEncrypt takes at once: maxChains sectors, in groups.
const (
	groupChains = 4
	maxGroups   = 3
	maxChains   = groupChains * maxGroups
)

type cbc struct {
	aesengine.Schedules
	last *[maxChains * block]byte // of cbcEncrypt
}

func newCBC(p engine.Params) engine.Session {
	schedules, m := aesengine.NewSchedules(name, p, maxChains*block)
	return &cbc{schedules, (*[maxChains * block]byte)(m)}
}

func (s *cbc) SetKey(key []byte) error {
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

func (s *cbc) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err != nil || n == 0 {
		return err
	}
	cbcDecrypt(&dst[0], &src[0], &ivs[0], n, g.Unit, g.DstStride, g.SrcStride, decryption(&s.Schedules), s.Rounds())
	return nil
}

func (s *cbc) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.CheckRun(dst, src, ivs, g)
	if err != nil {
		return err
	}
	r := cbcRun{s, dst, src, ivs, g}
	if n > groupChains && (collide(g.DstStride) || collide(g.SrcStride)) {
		r.staggered(n)
	} else {
		r.together(n)
	}
	return nil
}

// collide reports whether the same block of every sector falls into the same
// set of the first-level cache, which has room for 8 lines.
func collide(stride int) bool { return stride%mem.Page == 0 }

// cbcRun is an encryption of a run.
type cbcRun struct {
	*cbc
	dst, src, ivs []byte
	engine.Geometry
}

// together works on up to 12 sectors from their start to their end, then on the
// next. The passes are nearly equal: 13 sectors are faster as 7 and 6 than as
// 12 and a lonely one.
func (r *cbcRun) together(n int) {
	next := 0
	for passes := (n + maxChains - 1) / maxChains; passes > 0; passes-- {
		m := (n - next + passes - 1) / passes
		var dst, src [maxGroups]*byte
		for i := 0; i*groupChains < m; i++ {
			sector := next + i*groupChains
			dst[i] = &r.dst[sector*r.DstStride]
			src[i] = &r.src[sector*r.SrcStride]
		}
		r.encrypt(&dst, &src, &r.ivs[next*block], m, r.Unit/block, m)
		next += m
	}
}

// encrypt does the next blocks of some chains. Sectors further on, those that
// follow the first one at a distance of ahead sectors, are fetched meanwhile:
// the processor does not see a dozen short streams coming. Long sectors need no
// help, and would come so early that they are gone again when they are needed.
func (r *cbcRun) encrypt(dst, src *[maxGroups]*byte, first *byte, chains, blocks, ahead int) {
	step := chains * block
	if r.Unit > maxAheadUnit {
		ahead, step = 0, 0
	}
	cbcEncrypt(dst, src, first, &r.last[0], chains, blocks, r.DstStride, r.SrcStride, ahead*r.DstStride, ahead*r.SrcStride, step, r.Enc, r.Rounds())
}

const maxAheadUnit = 4096
