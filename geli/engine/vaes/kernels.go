package vaes

// kernels are the assembly functions of one register width.
type kernels struct {
	xts128, xts256         xtsKernels
	cbc128, cbc192, cbc256 cbcKernels
}

func (k *kernels) xts(keyBits int) *xtsKernels {
	if keyBits == 128 {
		return &k.xts128
	}
	return &k.xts256
}

func (k *kernels) cbc(keyBits int) *cbcKernels {
	switch keyBits {
	case 128:
		return &k.cbc128
	case 192:
		return &k.cbc192
	}
	return &k.cbc256
}

// xtsKernels are those for one key length. All pointers are to memory that is
// aligned to 64 bytes, but for key, iv, dst, src and ivs.
type xtsKernels struct {
	expand           func(key, iv, keys, tweakKeys, tweak *byte)
	invert           func(keys, inverse *byte)
	tweaks           func(tweakKeys, tweaks, ivs *byte, n int)
	encrypt, decrypt func(keys, tweaks, dst, src, scratch *byte, n, unit, dstStride, srcStride int)
}

// cbcKernels are those for one key length.
type cbcKernels struct {
	expand  func(key, keys *byte)
	invert  func(keys, inverse *byte)
	decrypt func(keys, dst, src, ivs *byte, n, unit, dstStride, srcStride int)
}
