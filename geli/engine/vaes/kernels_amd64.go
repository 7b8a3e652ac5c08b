//go:build amd64 && !purego

package vaes

var kernelsAVX512 = &kernels{
	widen: widenAVX512,
	xts128: xtsKernels{
		expandXTS128, invert128, xtsOneEnc128AVX512, xtsOneDec128AVX512,
		xtsTweaks128AVX512, xtsEnc128AVX512, xtsDec128AVX512,
	},
	xts256: xtsKernels{
		expandXTS256, invert256, xtsOneEnc256AVX512, xtsOneDec256AVX512,
		xtsTweaks256AVX512, xtsEnc256AVX512, xtsDec256AVX512,
	},
	cbc128: cbcKernels{
		expand128, expandBoth128, invert128, cbcDecOne128AVX512, cbcDec128AVX512, [4]chainKernel{
			{32, cbcEnc128x32AVX512}, {16, cbcEnc128x16AVX512}, {4, cbcEncFew128x4}, {1, cbcEncFew128x1},
		},
	},
	cbc192: cbcKernels{
		expand192, expandBoth192, invert192, cbcDecOne192AVX512, cbcDec192AVX512, [4]chainKernel{
			{32, cbcEnc192x32AVX512}, {16, cbcEnc192x16AVX512}, {4, cbcEncFew192x4}, {1, cbcEncFew192x1},
		},
	},
	cbc256: cbcKernels{
		expand256, expandBoth256, invert256, cbcDecOne256AVX512, cbcDec256AVX512, [4]chainKernel{
			{32, cbcEnc256x32AVX512}, {16, cbcEnc256x16AVX512}, {4, cbcEncFew256x4}, {1, cbcEncFew256x1},
		},
	},
}

var kernelsAVX2 = &kernels{
	xts128: xtsKernels{
		expandXTS128, invert128, xtsOneEnc128AVX2, xtsOneDec128AVX2,
		xtsTweaks128AVX2, xtsEnc128AVX2, xtsDec128AVX2,
	},
	xts256: xtsKernels{
		expandXTS256, invert256, xtsOneEnc256AVX2, xtsOneDec256AVX2,
		xtsTweaks256AVX2, xtsEnc256AVX2, xtsDec256AVX2,
	},
	cbc128: cbcKernels{
		expand128, expandBoth128, invert128, cbcDec128AVX2, cbcDec128AVX2, [4]chainKernel{
			{16, cbcEnc128x16AVX2}, {8, cbcEnc128x8AVX2}, {4, cbcEncFew128x4}, {1, cbcEncFew128x1},
		},
	},
	cbc192: cbcKernels{
		expand192, expandBoth192, invert192, cbcDec192AVX2, cbcDec192AVX2, [4]chainKernel{
			{16, cbcEnc192x16AVX2}, {8, cbcEnc192x8AVX2}, {4, cbcEncFew192x4}, {1, cbcEncFew192x1},
		},
	},
	cbc256: cbcKernels{
		expand256, expandBoth256, invert256, cbcDec256AVX2, cbcDec256AVX2, [4]chainKernel{
			{16, cbcEnc256x16AVX2}, {8, cbcEnc256x8AVX2}, {4, cbcEncFew256x4}, {1, cbcEncFew256x1},
		},
	},
}
