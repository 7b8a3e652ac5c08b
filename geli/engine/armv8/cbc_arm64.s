//go:build arm64 && !purego

#include "textflag.h"
#include "rounds_arm64.h"

// func cbcDecrypt(dst, src, ivs *byte, sectors, unit, dstStride, srcStride int, dec *[240]byte, rounds int)
//
// P[i] = D(C[i]) ^ C[i-1], C[-1] = IV. V8 to V15 keep the ciphertext of the
// group, and V31 the block before it, since in place the group overwrites it.
TEXT ·cbcDecrypt(SB), NOSPLIT, $0-72
	MOVD	dst+0(FP), R0
	MOVD	src+8(FP), R1
	MOVD	ivs+16(FP), R2
	MOVD	sectors+24(FP), R3
	MOVD	unit+32(FP), R4
	MOVD	dstStride+40(FP), R5
	MOVD	srcStride+48(FP), R6
	MOVD	dec+56(FP), R7
	MOVD	rounds+64(FP), R8
	LOADKEYS(R7, keys12, keys10)

	// From the end of a sector to the start of the next.
	SUB	R4, R5, R5
	SUB	R4, R6, R6
	LSR	$4, R4, R4

sector:
	VLD1.P	16(R2), [V31.B16]
	MOVD	R4, R9 // blocks left

group:
	CMP	$8, R9
	BLT	loadFew
	VLD1.P	64(R1), [V8.B16, V9.B16, V10.B16, V11.B16]
	VLD1.P	64(R1), [V12.B16, V13.B16, V14.B16, V15.B16]

loaded:
	VMOV	V8.B16, V0.B16
	VMOV	V9.B16, V1.B16
	VMOV	V10.B16, V2.B16
	VMOV	V11.B16, V3.B16
	VMOV	V12.B16, V4.B16
	VMOV	V13.B16, V5.B16
	VMOV	V14.B16, V6.B16
	VMOV	V15.B16, V7.B16
	EIGHT(DECRYPT, V16)
	ROUNDS(EIGHT, DECRYPT, DECRYPT_LAST, from12, from10)
	EIGHT(XOR, V30)
	XOR(V31, V0)
	XOR(V8, V1)
	XOR(V9, V2)
	XOR(V10, V3)
	XOR(V11, V4)
	XOR(V12, V5)
	XOR(V13, V6)
	XOR(V14, V7)
	VMOV	V15.B16, V31.B16
	SUBS	$8, R9, R9
	BLT	storeFew
	VST1.P	[V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	VST1.P	[V4.B16, V5.B16, V6.B16, V7.B16], 64(R0)
	BNE	group

next:
	ADD	R5, R0, R0
	ADD	R6, R1, R1
	SUBS	$1, R3, R3
	BNE	sector
	RET

loadFew:
	MOVD	R9, R10
	LOAD_FEW(R1, R10, V8, V9, V10, V11, V12, V13, V14, loaded)

storeFew:
	ADD	$8, R9, R9
	STORE_FEW(R0, R9, next)

// Encryption: C[i] = k[r] ^ X[i], where X[i] = rounds(P[i] ^ C[i-1]). A block
// waits for the one before it, so the way from X[i-1] to X[i] is kept short:
// the first AESE gets P[i] ^ k[r] ^ k[0] for its key and X[i-1] for its block.

// NEXT_KEY makes the first key of a chain's next block in Q; V16 is k[0] ^ k[r].
#define NEXT_KEY(src, Q) \
	VLD1.P	16(src), [Q.B16] \
	XOR(V16, Q)

// OUTPUT stores C of the chain X, with Q for a while.
#define OUTPUT(X, Q, dst) \
	VEOR	V30.B16, X.B16, Q.B16 \
	VST1.P	[Q.B16], 16(dst)

// func cbcEncryptOne(dst, src, iv *byte, unit int, enc *[240]byte, rounds int)
TEXT ·cbcEncryptOne(SB), NOSPLIT, $0-48
	MOVD	dst+0(FP), R0
	MOVD	src+8(FP), R1
	MOVD	iv+16(FP), R2
	MOVD	unit+24(FP), R3
	MOVD	enc+32(FP), R4
	MOVD	rounds+40(FP), R8
	LOADKEYS(R4, keys12, keys10)
	XOR(V30, V16)
	VLD1	(R2), [V0.B16]
	XOR(V30, V0)

block:
	NEXT_KEY(R1, V8)
	ONE(ENCRYPT, V8)
	ROUNDS(ONE, ENCRYPT, ENCRYPT_LAST, from12, from10)
	OUTPUT(V0, V8, R0)
	SUBS	$16, R3, R3
	BNE	block
	RET

// CHAIN sets up chain i. Chains past the last sector are that sector once more:
// they load, encrypt and store the same.
#define CHAIN(i, before, src, dstBefore, dst, X) \
	CMP	$i, R20 \
	CSEL	GT, R21, ZR, R24 \
	ADD	R24, before, src \
	CSEL	GT, R22, ZR, R24 \
	ADD	R24, dstBefore, dst \
	CSEL	GT, R23, ZR, R24 \
	ADD	R24, R19, R19 \
	VLD1	(R19), [X.B16] \
	XOR(V30, X)

// func cbcEncryptEight(dst, src, ivs *byte, sectors, unit, dstStride, srcStride int, enc *[240]byte, rounds int)
TEXT ·cbcEncryptEight(SB), NOSPLIT, $0-72
	MOVD	dst+0(FP), R9
	MOVD	src+8(FP), R0
	MOVD	ivs+16(FP), R19
	MOVD	sectors+24(FP), R20
	MOVD	unit+32(FP), R17
	MOVD	dstStride+40(FP), R22
	MOVD	srcStride+48(FP), R21
	MOVD	enc+56(FP), R24
	MOVD	rounds+64(FP), R8
	MOVD	$16, R23 // from one IV to the next
	LOADKEYS(R24, keys12, keys10)
	XOR(V30, V16)

	VLD1	(R19), [V0.B16]
	XOR(V30, V0)
	CHAIN(1, R0, R1, R9, R10, V1)
	CHAIN(2, R1, R2, R10, R11, V2)
	CHAIN(3, R2, R3, R11, R12, V3)
	CHAIN(4, R3, R4, R12, R13, V4)
	CHAIN(5, R4, R5, R13, R14, V5)
	CHAIN(6, R5, R6, R14, R15, V6)
	CHAIN(7, R6, R7, R15, R16, V7)

block:
	NEXT_KEY(R0, V8)
	NEXT_KEY(R1, V9)
	NEXT_KEY(R2, V10)
	NEXT_KEY(R3, V11)
	NEXT_KEY(R4, V12)
	NEXT_KEY(R5, V13)
	NEXT_KEY(R6, V14)
	NEXT_KEY(R7, V15)
	ENCRYPT(V8, V0)
	ENCRYPT(V9, V1)
	ENCRYPT(V10, V2)
	ENCRYPT(V11, V3)
	ENCRYPT(V12, V4)
	ENCRYPT(V13, V5)
	ENCRYPT(V14, V6)
	ENCRYPT(V15, V7)
	ROUNDS(EIGHT, ENCRYPT, ENCRYPT_LAST, from12, from10)
	OUTPUT(V0, V8, R9)
	OUTPUT(V1, V9, R10)
	OUTPUT(V2, V10, R11)
	OUTPUT(V3, V11, R12)
	OUTPUT(V4, V12, R13)
	OUTPUT(V5, V13, R14)
	OUTPUT(V6, V14, R15)
	OUTPUT(V7, V15, R16)
	SUBS	$16, R17, R17
	BNE	block
	RET
