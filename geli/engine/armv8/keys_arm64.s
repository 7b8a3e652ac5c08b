//go:build arm64 && !purego

#include "textflag.h"

// Key schedules (FIPS 197, section 5.2). AESE does SubBytes; on a word that
// stands in all four columns its ShiftRows changes nothing, and its key is the
// zero in V31. V30 is the table index that takes one word, rotated, to every
// column, and V29 is rcon in every column.

DATA rcon<>+0(SB)/4, $0x01
DATA rcon<>+4(SB)/4, $0x02
DATA rcon<>+8(SB)/4, $0x04
DATA rcon<>+12(SB)/4, $0x08
DATA rcon<>+16(SB)/4, $0x10
DATA rcon<>+20(SB)/4, $0x20
DATA rcon<>+24(SB)/4, $0x40
DATA rcon<>+28(SB)/4, $0x80
DATA rcon<>+32(SB)/4, $0x1b
DATA rcon<>+36(SB)/4, $0x36
GLOBL rcon<>(SB), NOPTR|RODATA, $40

#define ROT_WORD_3 $0x0c0f0e0d0c0f0e0d
#define ROT_WORD_1 $0x0407060504070605

#define CONSTANTS(rotWord) \
	MOVD	rotWord, R10 \
	VDUP	R10, V30.D2 \
	VEOR	V31.B16, V31.B16, V31.B16 \
	MOVD	$rcon<>(SB), R11

#define NEXT_RCON \
	VLD1R.P	4(R11), [V29.S4]

// SUB_ROT_WORD sets every column of T to SubWord(RotWord(w)) ^ rcon, w being
// the word of W that V30 takes.
#define SUB_ROT_WORD(W, T) \
	VTBL	V30.B16, [W.B16], T.B16 \
	AESE	V31.B16, T.B16 \
	VEOR	V29.B16, T.B16, T.B16

// SUB_WORD_3 sets every column of T to SubWord of W's word 3.
#define SUB_WORD_3(W, T) \
	VDUP	W.S[3], T.S4 \
	AESE	V31.B16, T.B16

// ADD_WORDS replaces word j of W by T xor the words 0 to j of W.
#define ADD_WORDS(T, W, temp) \
	VEXT	$12, W.B16, V31.B16, temp.B16 \
	VEOR	temp.B16, W.B16, W.B16 \
	VEXT	$8, W.B16, V31.B16, temp.B16 \
	VEOR	temp.B16, W.B16, W.B16 \
	VEOR	T.B16, W.B16, W.B16

// STEP128 makes one round key out of the one before it, W.
#define STEP128(W, T, temp, out) \
	SUB_ROT_WORD(W, T) \
	ADD_WORDS(T, W, temp) \
	VST1.P	[W.B16], 16(out)

// EVEN256 and ODD256 make one round key each out of the two before it.
#define EVEN256(even, odd, T, temp, out) \
	SUB_ROT_WORD(odd, T) \
	ADD_WORDS(T, even, temp) \
	VST1.P	[even.B16], 16(out)
#define ODD256(even, odd, T, temp, out) \
	SUB_WORD_3(even, T) \
	ADD_WORDS(T, odd, temp) \
	VST1.P	[odd.B16], 16(out)

#define ONE128 \
	NEXT_RCON \
	STEP128(V0, V1, V2, R0)
#define TWO128 \
	NEXT_RCON \
	STEP128(V0, V1, V2, R0) \
	STEP128(V4, V5, V6, R1)

#define ONE256 \
	NEXT_RCON \
	EVEN256(V0, V1, V2, V3, R0) \
	ODD256(V0, V1, V2, V3, R0)
#define TWO256 \
	NEXT_RCON \
	EVEN256(V0, V1, V2, V3, R0) \
	EVEN256(V4, V5, V6, V7, R1) \
	ODD256(V0, V1, V2, V3, R0) \
	ODD256(V4, V5, V6, V7, R1)

// func expand128(enc *[240]byte, key *byte)
TEXT ·expand128(SB), NOSPLIT, $0-16
	MOVD	enc+0(FP), R0
	MOVD	key+8(FP), R2
	CONSTANTS(ROT_WORD_3)
	VLD1	(R2), [V0.B16]
	VST1.P	[V0.B16], 16(R0)
	ONE128; ONE128; ONE128; ONE128; ONE128
	ONE128; ONE128; ONE128; ONE128; ONE128
	RET

// func expandPair128(first, second *[240]byte, key *byte)
TEXT ·expandPair128(SB), NOSPLIT, $0-24
	MOVD	first+0(FP), R0
	MOVD	second+8(FP), R1
	MOVD	key+16(FP), R2
	CONSTANTS(ROT_WORD_3)
	VLD1.P	16(R2), [V0.B16]
	VLD1	(R2), [V4.B16]
	VST1.P	[V0.B16], 16(R0)
	VST1.P	[V4.B16], 16(R1)
	TWO128; TWO128; TWO128; TWO128; TWO128
	TWO128; TWO128; TWO128; TWO128; TWO128
	RET

// func expand256(enc *[240]byte, key *byte)
TEXT ·expand256(SB), NOSPLIT, $0-16
	MOVD	enc+0(FP), R0
	MOVD	key+8(FP), R2
	CONSTANTS(ROT_WORD_3)
	VLD1	(R2), [V0.B16, V1.B16]
	VST1.P	[V0.B16, V1.B16], 32(R0)
	ONE256; ONE256; ONE256; ONE256; ONE256; ONE256
	NEXT_RCON
	EVEN256(V0, V1, V2, V3, R0)
	RET

// func expandPair256(first, second *[240]byte, key *byte)
TEXT ·expandPair256(SB), NOSPLIT, $0-24
	MOVD	first+0(FP), R0
	MOVD	second+8(FP), R1
	MOVD	key+16(FP), R2
	CONSTANTS(ROT_WORD_3)
	VLD1.P	32(R2), [V0.B16, V1.B16]
	VLD1	(R2), [V4.B16, V5.B16]
	VST1.P	[V0.B16, V1.B16], 32(R0)
	VST1.P	[V4.B16, V5.B16], 32(R1)
	TWO256; TWO256; TWO256; TWO256; TWO256; TWO256
	NEXT_RCON
	EVEN256(V0, V1, V2, V3, R0)
	EVEN256(V4, V5, V6, V7, R1)
	RET

// FOUR192 makes words 6i to 6i+3 in V0, TWO192 words 6i+4 and 6i+5 in the low
// half of V1, out of the six words before.
#define FOUR192 \
	NEXT_RCON \
	SUB_ROT_WORD(V1, V2) \
	ADD_WORDS(V2, V0, V3) \
	VST1.P	[V0.B16], 16(R0)
#define TWO192 \
	VDUP	V0.S[3], V2.S4 \
	VEXT	$12, V1.B16, V31.B16, V3.B16 \
	VEOR	V3.B16, V1.B16, V1.B16 \
	VEOR	V2.B16, V1.B16, V1.B16 \
	VST1.P	[V1.B8], 8(R0)

// func expand192(enc *[240]byte, key *byte)
TEXT ·expand192(SB), NOSPLIT, $0-16
	MOVD	enc+0(FP), R0
	MOVD	key+8(FP), R2
	CONSTANTS(ROT_WORD_1)
	VLD1.P	16(R2), [V0.B16]
	VLD1	(R2), [V1.B8]
	VST1.P	[V0.B16], 16(R0)
	VST1.P	[V1.B8], 8(R0)
	FOUR192; TWO192; FOUR192; TWO192; FOUR192; TWO192; FOUR192; TWO192
	FOUR192; TWO192; FOUR192; TWO192; FOUR192; TWO192; FOUR192
	RET

// func invert(dec, enc *[240]byte, rounds int)
//
// The schedule of the equivalent inverse cipher (FIPS 197, section 5.3.5).
TEXT ·invert(SB), NOSPLIT, $0-24
	MOVD	dec+0(FP), R0
	MOVD	enc+8(FP), R1
	MOVD	rounds+16(FP), R2
	ADD	R2<<4, R1, R1
	MOVD	$-16, R3
	VLD1.P	(R1)(R3), [V0.B16]
	VST1.P	[V0.B16], 16(R0)
	SUB	$1, R2, R2

middle:
	VLD1.P	(R1)(R3), [V0.B16]
	AESIMC	V0.B16, V0.B16
	VST1.P	[V0.B16], 16(R0)
	SUBS	$1, R2, R2
	BNE	middle

	VLD1	(R1), [V0.B16]
	VST1	[V0.B16], (R0)
	RET
