package vaes

import "gelibench/geli/engine"

// cbcMemory is all that a CBC session keeps in memory.
type cbcMemory struct {
	keys, inverse schedule
	key           [64]byte
	chains        [chainBytes]byte
}

type cbcSession struct {
	keyed
	call *cbcKernels
	m    *cbcMemory
}

func newCBC(v vaes, p engine.Params) *cbcSession {
	m, secrets := aligned[cbcMemory]()
	return &cbcSession{
		keyed: keyed{name: v.name, keyBytes: p.KeyBytes(), secrets: secrets, key: &m.key},
		call:  v.kernels.cbc(p.KeyBits),
		m:     m,
	}
}

func (s *cbcSession) start() {
	if !s.expanded {
		s.call.expand(&s.m.key[0], s.m.keys.ptr())
		s.expanded = true
	}
}

func (s *cbcSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	s.start()
	// Whole batches of the widest kernel, and what is left over by the
	// narrowest that takes it at once: a step lasts as long in all of them.
	widest := s.call.encrypt[0].chains
	for i := 0; i < n; {
		take, kernel := n-i, s.call.encrypt[0]
		if rest := take % widest; rest <= s.call.encrypt[1].chains && take > rest {
			take -= rest
		}
		for _, narrower := range s.call.encrypt[1:] {
			if take <= narrower.chains {
				kernel = narrower
			}
		}
		kernel.encrypt(s.m.keys.ptr(), &s.m.chains[0], &dst[i*g.DstStride], &src[i*g.SrcStride], &ivs[i*block],
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
	s.start()
	if !s.inverted {
		s.call.invert(s.m.keys.ptr(), s.m.inverse.ptr())
		s.inverted = true
	}
	s.call.decrypt(s.m.inverse.ptr(), &dst[0], &src[0], &ivs[0], n, g.Unit, g.DstStride, g.SrcStride)
	return nil
}
