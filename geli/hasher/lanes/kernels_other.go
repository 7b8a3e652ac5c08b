//go:build !amd64 || purego

package lanes

var ivsAVX512, ivsAVX2 func(ivs []byte, state *[8]uint32, off, step uint64)
