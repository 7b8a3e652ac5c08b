//go:build arm64 && !purego

#include "textflag.h"

// K of FIPS 180-4, section 4.2.2.
DATA k<>+0(SB)/4, $0x428a2f98
DATA k<>+4(SB)/4, $0x71374491
DATA k<>+8(SB)/4, $0xb5c0fbcf
DATA k<>+12(SB)/4, $0xe9b5dba5
DATA k<>+16(SB)/4, $0x3956c25b
DATA k<>+20(SB)/4, $0x59f111f1
DATA k<>+24(SB)/4, $0x923f82a4
DATA k<>+28(SB)/4, $0xab1c5ed5
DATA k<>+32(SB)/4, $0xd807aa98
DATA k<>+36(SB)/4, $0x12835b01
DATA k<>+40(SB)/4, $0x243185be
DATA k<>+44(SB)/4, $0x550c7dc3
DATA k<>+48(SB)/4, $0x72be5d74
DATA k<>+52(SB)/4, $0x80deb1fe
DATA k<>+56(SB)/4, $0x9bdc06a7
DATA k<>+60(SB)/4, $0xc19bf174
DATA k<>+64(SB)/4, $0xe49b69c1
DATA k<>+68(SB)/4, $0xefbe4786
DATA k<>+72(SB)/4, $0x0fc19dc6
DATA k<>+76(SB)/4, $0x240ca1cc
DATA k<>+80(SB)/4, $0x2de92c6f
DATA k<>+84(SB)/4, $0x4a7484aa
DATA k<>+88(SB)/4, $0x5cb0a9dc
DATA k<>+92(SB)/4, $0x76f988da
DATA k<>+96(SB)/4, $0x983e5152
DATA k<>+100(SB)/4, $0xa831c66d
DATA k<>+104(SB)/4, $0xb00327c8
DATA k<>+108(SB)/4, $0xbf597fc7
DATA k<>+112(SB)/4, $0xc6e00bf3
DATA k<>+116(SB)/4, $0xd5a79147
DATA k<>+120(SB)/4, $0x06ca6351
DATA k<>+124(SB)/4, $0x14292967
DATA k<>+128(SB)/4, $0x27b70a85
DATA k<>+132(SB)/4, $0x2e1b2138
DATA k<>+136(SB)/4, $0x4d2c6dfc
DATA k<>+140(SB)/4, $0x53380d13
DATA k<>+144(SB)/4, $0x650a7354
DATA k<>+148(SB)/4, $0x766a0abb
DATA k<>+152(SB)/4, $0x81c2c92e
DATA k<>+156(SB)/4, $0x92722c85
DATA k<>+160(SB)/4, $0xa2bfe8a1
DATA k<>+164(SB)/4, $0xa81a664b
DATA k<>+168(SB)/4, $0xc24b8b70
DATA k<>+172(SB)/4, $0xc76c51a3
DATA k<>+176(SB)/4, $0xd192e819
DATA k<>+180(SB)/4, $0xd6990624
DATA k<>+184(SB)/4, $0xf40e3585
DATA k<>+188(SB)/4, $0x106aa070
DATA k<>+192(SB)/4, $0x19a4c116
DATA k<>+196(SB)/4, $0x1e376c08
DATA k<>+200(SB)/4, $0x2748774c
DATA k<>+204(SB)/4, $0x34b0bcb5
DATA k<>+208(SB)/4, $0x391c0cb3
DATA k<>+212(SB)/4, $0x4ed8aa4a
DATA k<>+216(SB)/4, $0x5b9cca4f
DATA k<>+220(SB)/4, $0x682e6ff3
DATA k<>+224(SB)/4, $0x748f82ee
DATA k<>+228(SB)/4, $0x78a5636f
DATA k<>+232(SB)/4, $0x84c87814
DATA k<>+236(SB)/4, $0x8cc70208
DATA k<>+240(SB)/4, $0x90befffa
DATA k<>+244(SB)/4, $0xa4506ceb
DATA k<>+248(SB)/4, $0xbef9a3f7
DATA k<>+252(SB)/4, $0xc67178f2
GLOBL k<>(SB), NOPTR|RODATA, $256

// Two lanes. Each has its variables a to d and e to h in two registers, a copy
// of a to d, W + K of four rounds, and the 16 words of the message schedule:
//
//	abcd  efgh  copy  W + K  words
//	V0    V1    V2    V3     V4  to V7
//	V8    V9    V10   V11    V12 to V15
//
// V16 to V19 are K of 16 rounds, V28 and V29 the state that both start from.

#define FOUR_ROUNDS(W, K, abcd, efgh, copy, WK) \
	VADD	K.S4, W.S4, WK.S4 \
	VMOV	abcd.B16, copy.B16 \
	SHA256H	WK.S4, efgh, abcd \
	SHA256H2	WK.S4, copy, efgh

// SCHEDULE replaces the words W[t-16] to W[t-13] by W[t] to W[t+3].
#define SCHEDULE(W16, W12, W8, W4) \
	SHA256SU0	W12.S4, W16.S4 \
	SHA256SU1	W4.S4, W8.S4, W16.S4

// Each step serves both lanes in turn.
#define ROUNDS(WA, WB, K) \
	FOUR_ROUNDS(WA, K, V0, V1, V2, V3) \
	FOUR_ROUNDS(WB, K, V8, V9, V10, V11)
#define SCHEDULES(A16, A12, A8, A4, B16, B12, B8, B4) \
	SCHEDULE(A16, A12, A8, A4) \
	SCHEDULE(B16, B12, B8, B4)

// MESSAGE writes the last block of prefix || le64(off): the offset, the bit
// that ends the message (R7), zeros, and the length of 72 bytes in bits (R8).
#define MESSAGE(off, W0, W4, W8, W12) \
	VMOV	off, W0.D[0] \
	VMOV	R7, W0.D[1] \
	VREV32	W0.B16, W0.B16 \
	VEOR	W4.B16, W4.B16, W4.B16 \
	VEOR	W8.B16, W8.B16, W8.B16 \
	VEOR	W12.B16, W12.B16, W12.B16 \
	VMOV	R8, W12.S[3]

// func makeIVs(ivs *byte, n int, state *[8]uint32, off, step uint64)
TEXT ·makeIVs(SB), NOSPLIT, $0-40
	MOVD	ivs+0(FP), R0
	MOVD	n+8(FP), R1
	MOVD	state+16(FP), R2
	MOVD	off+24(FP), R3
	MOVD	step+32(FP), R4
	VLD1	(R2), [V28.S4, V29.S4]
	MOVD	$0x80, R7
	MOVD	$(72*8), R8

pair:
	MESSAGE(R3, V4, V5, V6, V7)
	ADD	R4, R3, R3
	MESSAGE(R3, V12, V13, V14, V15)
	ADD	R4, R3, R3
	VMOV	V28.B16, V0.B16
	VMOV	V29.B16, V1.B16
	VMOV	V28.B16, V8.B16
	VMOV	V29.B16, V9.B16
	MOVD	$k<>(SB), R5
	MOVD	$3, R6

sixteen:
	VLD1.P	64(R5), [V16.S4, V17.S4, V18.S4, V19.S4]
	ROUNDS(V4, V12, V16)
	SCHEDULES(V4, V5, V6, V7, V12, V13, V14, V15)
	ROUNDS(V5, V13, V17)
	SCHEDULES(V5, V6, V7, V4, V13, V14, V15, V12)
	ROUNDS(V6, V14, V18)
	SCHEDULES(V6, V7, V4, V5, V14, V15, V12, V13)
	ROUNDS(V7, V15, V19)
	SCHEDULES(V7, V4, V5, V6, V15, V12, V13, V14)
	SUBS	$1, R6, R6
	BNE	sixteen

	VLD1	(R5), [V16.S4, V17.S4, V18.S4, V19.S4]
	ROUNDS(V4, V12, V16)
	ROUNDS(V5, V13, V17)
	ROUNDS(V6, V14, V18)
	ROUNDS(V7, V15, V19)

	// An IV is the first half of the digest. The second lane of an odd last
	// pair worked for nothing, in time that the first one left.
	VADD	V28.S4, V0.S4, V0.S4
	VADD	V28.S4, V8.S4, V8.S4
	VREV32	V0.B16, V0.B16
	VREV32	V8.B16, V8.B16
	VST1.P	[V0.B16], 16(R0)
	SUBS	$1, R1, R1
	BEQ	done
	VST1.P	[V8.B16], 16(R0)
	SUBS	$1, R1, R1
	BNE	pair

done:
	RET
