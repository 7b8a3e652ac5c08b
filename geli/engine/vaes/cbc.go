package vaes

import (
	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// cbcMemory is all that a CBC session keeps in memory.
type cbcMemory struct {
	key                   [64]byte
	keys, inverse         compactSchedule
	wideKeys, wideInverse wideSchedule
	chains                [chainBytes]byte
}

type cbcSession struct {
	keyed
	call *cbcKernels
	m    *cbcMemory
	_    mem.Pad
}

func newCBC(v vaes, p engine.Params) *cbcSession {
	m, secrets := aligned[cbcMemory]()
	return &cbcSession{
		keyed: newKeyed(v, p, secrets, &m.key),
		call:  v.kernels.cbc(p.KeyBits),
		m:     m,
	}
}

func (s *cbcSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	m := s.m
	if !s.made.has(encryption) {
		s.call.expand(&m.key[0], &m.keys[0])
		s.made |= encryption
	}
	// Whole batches of the widest kernel, and what is left over by the
	// narrowest that takes it at once: a step lasts as long in all of them.
	const compactMost = 4 // chains of kernels that read compact schedules
	widest, second := s.call.encrypt[0].chains, s.call.encrypt[1].chains
	for i := 0; i < n; {
		take := n - i
		if rest := take % widest; rest <= second && take > rest {
			take -= rest
		}
		kernel := &s.call.encrypt[0]
		for k := range s.call.encrypt {
			if take <= s.call.encrypt[k].chains {
				kernel = &s.call.encrypt[k]
			}
		}
		keys := &m.keys[0]
		if kernel.chains > compactMost {
			keys = s.wide(wideEncryption, &m.keys[0], &m.wideKeys[0])
		}
		kernel.encrypt(keys, &m.chains[0], &dst[i*g.DstStride], &src[i*g.SrcStride], &ivs[i*block],
			take, g.Unit, g.DstStride, g.SrcStride)
		i += take
	}
	return nil
}

func (s *cbcSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	m := s.m
	switch {
	case s.made == 0:
		s.call.expandBoth(&m.key[0], &m.keys[0], &m.inverse[0])
		s.made = encryption | decryption
	case !s.made.has(decryption):
		s.call.invert(&m.keys[0], &m.inverse[0])
		s.made |= decryption
	}
	kernel, keys := s.call.decryptOne, &m.inverse[0]
	if n > 1 {
		kernel, keys = s.call.decrypt, s.wide(wideDecryption, &m.inverse[0], &m.wideInverse[0])
	}
	kernel(keys, &dst[0], &src[0], &ivs[0], n, g.Unit, g.DstStride, g.SrcStride)
	return nil
}
