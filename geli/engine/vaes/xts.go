package vaes

import "gelibench/geli/engine"

// tweakBatch is the number of sectors whose tweaks are encrypted in one pass.
const tweakBatch = 32

// xtsMemory is all that an XTS session keeps in memory.
type xtsMemory struct {
	keys, inverse, tweakKeys schedule
	key                      [64]byte
	// One batch of tweaks is in use while the next is made; behind each there
	// is room for the one that the kernel reads ahead.
	tweaks  [2][tweakBatch*block + 64]byte
	scratch [512]byte
}

type xtsSession struct {
	keyed
	call *xtsKernels
	m    *xtsMemory
}

func newXTS(v vaes, p engine.Params) *xtsSession {
	m, secrets := aligned[xtsMemory]()
	return &xtsSession{
		keyed: keyed{name: v.name, keyBytes: p.KeyBytes(), secrets: secrets, key: &m.key},
		call:  v.kernels.xts(p.KeyBits),
		m:     m,
	}
}

func (s *xtsSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	s.start(ivs, n)
	s.run(s.call.encrypt, s.m.keys.ptr(), dst, src, ivs, n, g)
	return nil
}

func (s *xtsSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	s.start(ivs, n)
	if !s.inverted {
		s.call.invert(s.m.keys.ptr(), s.m.inverse.ptr())
		s.inverted = true
	}
	s.run(s.call.decrypt, s.m.inverse.ptr(), dst, src, ivs, n, g)
	return nil
}

// start expands the key if need be and encrypts the tweaks of the first batch.
// The expansion brings that of the first sector with it.
func (s *xtsSession) start(ivs []byte, n int) {
	if !s.expanded {
		s.call.expand(&s.m.key[0], &ivs[0], s.m.keys.ptr(), s.m.tweakKeys.ptr(), &s.m.tweaks[0][0])
		s.expanded = true
		if n == 1 {
			return
		}
	}
	s.call.tweaks(s.m.tweakKeys.ptr(), &s.m.tweaks[0][0], &ivs[0], min(n, tweakBatch))
}

// run goes through the batches. The tweaks of a batch are asked for before the
// data of the one before, so that nothing waits for them.
func (s *xtsSession) run(kernel func(keys, tweaks, dst, src, scratch *byte, n, unit, dstStride, srcStride int), keys *byte, dst, src, ivs []byte, n int, g engine.Geometry) {
	for i, now := 0, 0; i < n; i, now = i+tweakBatch, 1-now {
		if next := i + tweakBatch; next < n {
			s.call.tweaks(s.m.tweakKeys.ptr(), &s.m.tweaks[1-now][0], &ivs[next*block], min(n-next, tweakBatch))
		}
		kernel(keys, &s.m.tweaks[now][0], &dst[i*g.DstStride], &src[i*g.SrcStride], &s.m.scratch[0],
			min(n-i, tweakBatch), g.Unit, g.DstStride, g.SrcStride)
	}
}
