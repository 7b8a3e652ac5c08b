package vaes

import (
	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

// tweakBatch is the number of sectors whose tweaks are encrypted in one pass.
const tweakBatch = 32

// xtsMemory is all that an XTS session keeps in memory.
type xtsMemory struct {
	key                                  [64]byte
	keys, inverse                        compactSchedule
	wideKeys, wideInverse, wideTweakKeys wideSchedule
	// One batch of tweaks is in use while the next is made; behind each there
	// is room for the one that the kernel reads ahead.
	tweaks  [2][tweakBatch*block + 64]byte
	scratch [64 + 2*512]byte
}

type xtsSession struct {
	keyed
	call *xtsKernels
	m    *xtsMemory
	_    mem.Pad
}

func newXTS(v vaes, p engine.Params) *xtsSession {
	m, secrets := aligned[xtsMemory]()
	return &xtsSession{
		keyed: newKeyed(v, p, secrets, &m.key),
		call:  v.kernels.xts(p.KeyBits),
		m:     m,
	}
}

func (s *xtsSession) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	m := s.m
	if n == 1 && s.made == 0 {
		s.call.encryptOne(&m.key[0], &ivs[0], &m.keys[0], &dst[0], &src[0], &m.scratch[0], g.Unit)
		s.made = encryption
		return nil
	}
	s.expand()
	s.run(s.call.encrypt, s.wide(wideEncryption, &m.keys[0], &m.wideKeys[0]), dst, src, ivs, n, g)
	return nil
}

func (s *xtsSession) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	n, err := s.check(dst, src, ivs, g)
	if n == 0 {
		return err
	}
	m := s.m
	if n == 1 && s.made == 0 {
		s.call.decryptOne(&m.key[0], &ivs[0], &m.keys[0], &m.inverse[0], &dst[0], &src[0], &m.scratch[0], g.Unit)
		s.made = encryption | decryption
		return nil
	}
	s.expand()
	if !s.made.has(decryption) {
		s.call.invert(&m.keys[0], &m.inverse[0])
		s.made |= decryption
	}
	s.run(s.call.decrypt, s.wide(wideDecryption, &m.inverse[0], &m.wideInverse[0]), dst, src, ivs, n, g)
	return nil
}

func (s *xtsSession) expand() {
	if !s.made.has(encryption) {
		s.call.expand(&s.m.key[0], &s.m.keys[0])
		s.made |= encryption
	}
}

// run goes through the batches. The tweaks of a batch are asked for before the
// data of the one before, so that nothing waits for them.
func (s *xtsSession) run(kernel xtsRun, keys *byte, dst, src, ivs []byte, n int, g engine.Geometry) {
	m := s.m
	tweakKeys := s.wide(wideTweak, &m.keys[block], &m.wideTweakKeys[0])
	s.call.tweaks(tweakKeys, &m.tweaks[0][0], &ivs[0], min(n, tweakBatch))
	for i, now := 0, 0; i < n; i, now = i+tweakBatch, 1-now {
		if next := i + tweakBatch; next < n {
			s.call.tweaks(tweakKeys, &m.tweaks[1-now][0], &ivs[next*block], min(n-next, tweakBatch))
		}
		kernel(keys, &m.tweaks[now][0], &dst[i*g.DstStride], &src[i*g.SrcStride], &m.scratch[0],
			min(n-i, tweakBatch), g.Unit, g.DstStride, g.SrcStride)
	}
}
