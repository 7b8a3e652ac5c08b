//go:build arm64 && !purego

#include "textflag.h"
#include "rounds_arm64.h"

// func encryptBlocks(dst, src *byte, blocks int, enc *[240]byte, rounds int)
//
// The tweaks T[0] of several sectors: AES of each sector's IV under the second
// half of the key.
TEXT ·encryptBlocks(SB), NOSPLIT, $0-40
	MOVD	dst+0(FP), R0
	MOVD	src+8(FP), R1
	MOVD	blocks+16(FP), R2
	MOVD	enc+24(FP), R3
	MOVD	rounds+32(FP), R8
	LOADKEYS(R3, keys12, keys10)

eight:
	SUBS	$8, R2, R2
	BLT	rest
	VLD1.P	64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P	64(R1), [V4.B16, V5.B16, V6.B16, V7.B16]
	EIGHT(ENCRYPT, V16)
	ROUNDS(EIGHT, ENCRYPT, ENCRYPT_LAST, eight12, eight10)
	EIGHT(XOR, V30)
	VST1.P	[V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	VST1.P	[V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)
	B	eight

rest:
	ADDS	$8, R2, R2
	BEQ	done

one:
	VLD1.P	16(R1), [V0.B16]
	ONE(ENCRYPT, V16)
	ROUNDS(ONE, ENCRYPT, ENCRYPT_LAST, one12, one10)
	ONE(XOR, V30)
	VST1.P	[V0.B16], 16(R0)
	SUBS	$1, R2, R2
	BNE	one

done:
	RET

// Tweaks are elements of GF(2^128) as IEEE 1619 writes them, little-endian, and
// x^128 = x^7 + x^2 + x + 1. To multiply by x^k, the 128 bits are rotated left
// by k; the k bits that came round at the bottom belong at 0x87 times
// themselves, so 0x86 times themselves is added. For k up to 8 the product has
// less than 16 bits, and V31 holds 0x86 in its lowest byte and zeros, so that
// the polynomial multiplication of bytes that every arm64 has does it.

// TIMES_X sets T to x^k times V8, whose halves are exchanged in V0.
#define TIMES_X(k, T, temp) \
	VSHL	$k, V8.D2, T.D2 \
	VSRI	$(64-k), V0.D2, T.D2 \
	VUSHR	$(64-k), V0.D2, temp.D2 \
	VPMULL	V31.B8, temp.B8, temp.H8 \
	VEOR	temp.B16, T.B16, T.B16

// TIMES_X8 multiplies T by x^8.
#define TIMES_X8(T, temp) \
	VEXT	$15, T.B16, T.B16, temp.B16 \
	VPMULL	V31.B8, temp.B8, T.H8 \
	VEOR	temp.B16, T.B16, T.B16

#define XOR_TWEAKS \
	XOR(V8, V0) \
	XOR(V9, V1) \
	XOR(V10, V2) \
	XOR(V11, V3) \
	XOR(V12, V4) \
	XOR(V13, V5) \
	XOR(V14, V6) \
	XOR(V15, V7)

// func xts(dst, src, tweaks *byte, sectors, unit, dstStride, srcStride int, keys *[240]byte, rounds int, decrypt bool)
//
// C = T ^ k[r] ^ rounds(P ^ T), and the same with the inverse rounds, for the
// eight blocks whose tweaks are in V8 to V15.
TEXT ·xts(SB), NOSPLIT, $0-73
	MOVD	dst+0(FP), R0
	MOVD	src+8(FP), R1
	MOVD	tweaks+16(FP), R2
	MOVD	sectors+24(FP), R3
	MOVD	unit+32(FP), R4
	MOVD	dstStride+40(FP), R5
	MOVD	srcStride+48(FP), R6
	MOVD	keys+56(FP), R7
	MOVD	rounds+64(FP), R8
	MOVBU	decrypt+72(FP), R11
	LOADKEYS(R7, keys12, keys10)
	MOVD	$0x86, R12
	VEOR	V31.B16, V31.B16, V31.B16
	VMOV	R12, V31.B[0]

	// From the end of a sector to the start of the next.
	SUB	R4, R5, R5
	SUB	R4, R6, R6
	LSR	$4, R4, R4

sector:
	VLD1.P	16(R2), [V8.B16]
	VEXT	$8, V8.B16, V8.B16, V0.B16
	TIMES_X(1, V9, V1)
	TIMES_X(2, V10, V2)
	TIMES_X(3, V11, V3)
	TIMES_X(4, V12, V4)
	TIMES_X(5, V13, V5)
	TIMES_X(6, V14, V6)
	TIMES_X(7, V15, V7)
	MOVD	R4, R9 // blocks left

group:
	CMP	$8, R9
	BLT	loadFew
	VLD1.P	64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P	64(R1), [V4.B16, V5.B16, V6.B16, V7.B16]

loaded:
	XOR_TWEAKS
	CBNZ	R11, inverse
	EIGHT(ENCRYPT, V16)
	ROUNDS(EIGHT, ENCRYPT, ENCRYPT_LAST, encrypt12, encrypt10)
	B	finish

inverse:
	EIGHT(DECRYPT, V16)
	ROUNDS(EIGHT, DECRYPT, DECRYPT_LAST, decrypt12, decrypt10)

finish:
	EIGHT(XOR, V30)
	XOR_TWEAKS
	SUBS	$8, R9, R9
	BLT	storeFew
	VST1.P	[V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	VST1.P	[V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)
	BEQ	next
	TIMES_X8(V8, V0)
	TIMES_X8(V9, V1)
	TIMES_X8(V10, V2)
	TIMES_X8(V11, V3)
	TIMES_X8(V12, V4)
	TIMES_X8(V13, V5)
	TIMES_X8(V14, V6)
	TIMES_X8(V15, V7)
	B	group

loadFew:
	MOVD	R9, R10
	LOAD_FEW(R1, R10, V0, V1, V2, V3, V4, V5, V6, loaded)

storeFew:
	ADD	$8, R9, R9
	STORE_FEW(R0, R9, next)

next:
	ADD	R5, R0, R0
	ADD	R6, R1, R1
	SUBS	$1, R3, R3
	BNE	sector
	RET
