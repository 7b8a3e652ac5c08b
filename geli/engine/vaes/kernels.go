package vaes

// kernels are the assembly functions of one register width. All pointers they
// take are aligned to 64 bytes, but for key, iv, dst, src and ivs.
type kernels struct {
	// widen makes the schedules that the kernels for long runs read, where
	// they read others than the rest; nil where not.
	widen                  func(compact, keys *byte, rounds int)
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

// xtsKernels are those for one key length.
type xtsKernels struct {
	expand           func(key, keys *byte)
	invert           func(keys, inverse *byte)
	encryptOne       func(key, iv, keys, dst, src, scratch *byte, unit int)
	decryptOne       func(key, iv, keys, inverse, dst, src, scratch *byte, unit int)
	tweaks           func(tweakKeys, tweaks, ivs *byte, n int)
	encrypt, decrypt xtsRun
}

type xtsRun func(keys, tweaks, dst, src, scratch *byte, n, unit, dstStride, srcStride int)

// cbcKernels are those for one key length. encrypt takes 32, 16, 4 and 1 sectors
// side by side (at 256 bits 16, 8, 4 and 1). decryptOne and the last two of
// encrypt read compact schedules.
type cbcKernels struct {
	expand              func(key, keys *byte)
	expandBoth          func(key, keys, inverse *byte)
	invert              func(keys, inverse *byte)
	decryptOne, decrypt func(keys, dst, src, ivs *byte, n, unit, dstStride, srcStride int)
	encrypt             [4]chainKernel
}

// chainKernel encrypts so many chains at once, or runs of so many where they
// are no more than 4.
type chainKernel struct {
	chains  int
	encrypt func(keys, chains, dst, src, ivs *byte, n, unit, dstStride, srcStride int)
}

// chainBytes is the memory that the widest chainKernel needs: buffers of 64
// bytes for two lines in and two out and a padded one, three tables, two lines
// that nobody reads, six numbers for each register and some more.
const chainBytes = 32*(5*64+2*8+block) + 2*64 + 6*64 + 7*32 + 64
