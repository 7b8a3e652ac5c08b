package vaes

import "gelibench/geli/engine"

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
	widest, narrow, narrowest := &s.call.encrypt[0], &s.call.encrypt[1], &s.call.encrypt[2]
	for i := 0; i < n; {
		take := n - i
		if rest := take % widest.chains; rest <= narrow.chains && take > rest {
			take -= rest
		}
		kernel, keys := narrowest, &m.keys[0]
		if take > narrowest.chains {
			kernel, keys = narrow, s.wide(wideEncryption, &m.keys[0], &m.wideKeys[0])
		}
		if take > narrow.chains {
			kernel = widest
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
