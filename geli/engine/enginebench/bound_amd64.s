//go:build !purego

#include "textflag.h"

// Key addition and rounds of 12 blocks, X0 to X11; X12 stands for every round
// key. No memory is touched.
#define EACH(OP) \
	OP X12, X0; OP X12, X1; OP X12, X2; OP X12, X3; OP X12, X4; OP X12, X5; \
	OP X12, X6; OP X12, X7; OP X12, X8; OP X12, X9; OP X12, X10; OP X12, X11

// func bound128(steps, rounds int)
TEXT ·bound128(SB), NOSPLIT, $0-16
	MOVQ steps+0(FP), AX
	MOVQ rounds+8(FP), CX
	TESTQ AX, AX
	JZ   done

step:
	EACH(PXOR)
	EACH(AESENC)
	EACH(AESENC)
	EACH(AESENC)
	EACH(AESENC)
	EACH(AESENC)
	EACH(AESENC)
	EACH(AESENC)
	EACH(AESENC)
	EACH(AESENC)
	CMPQ CX, $12
	JB   last
	EACH(AESENC)
	EACH(AESENC)
	JE   last
	EACH(AESENC)
	EACH(AESENC)

last:
	EACH(AESENCLAST)
	DECQ AX
	JNZ  step

done:
	RET
