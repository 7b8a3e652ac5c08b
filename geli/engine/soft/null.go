package soft

import "gelibench/geli/engine"

// null passes data unchanged.
type null struct{}

func (null) setKey([]byte) error { return nil }
func (null) wipe()               {}

func (null) encrypt(dst, src, _ []byte, n int, g engine.Geometry) {
	for i := range n {
		copy(dst[i*g.DstStride:i*g.DstStride+g.Unit], src[i*g.SrcStride:])
	}
}

func (c null) decrypt(dst, src, ivs []byte, n int, g engine.Geometry) {
	c.encrypt(dst, src, ivs, n, g)
}
