#include "textflag.h"

#define ARGS \
	MOVQ out+0(FP), DI \
	MOVQ a+8(FP), SI   \
	MOVQ b+16(FP), DX

#define SSE(instruction) \
	ARGS               \
	MOVOU (SI), X0     \
	MOVOU (DX), X1     \
	instruction X1, X0 \
	MOVOU X0, (DI)     \
	RET

#define SSE_SELECTED(instruction) \
	ARGS                   \
	MOVOU (SI), X0         \
	MOVOU (DX), X1         \
	instruction $0, X1, X0 \
	MOVOU X0, (DI)         \
	RET

// The loads and stores of 256 bits that the AVX ones need are AVX themselves.
#define AVX(instruction) \
	ARGS                   \
	VMOVUPS (SI), Y0       \
	VMOVUPS (DX), Y1       \
	instruction Y1, Y0, Y0 \
	VMOVUPS Y0, (DI)       \
	VZEROUPPER             \
	RET

TEXT ·pshufb(SB), NOSPLIT, $0-24
	SSE(PSHUFB)

TEXT ·pmulld(SB), NOSPLIT, $0-24
	SSE(PMULLD)

TEXT ·aesenc(SB), NOSPLIT, $0-24
	SSE(AESENC)

TEXT ·pclmulqdq(SB), NOSPLIT, $0-24
	SSE_SELECTED(PCLMULQDQ)

TEXT ·sha256msg1(SB), NOSPLIT, $0-24
	SSE(SHA256MSG1)

TEXT ·vxorps(SB), NOSPLIT, $0-24
	AVX(VXORPS)

TEXT ·vpxor(SB), NOSPLIT, $0-24
	AVX(VPXOR)

TEXT ·sarx(SB), NOSPLIT, $0-24
	ARGS
	MOVQ (SI), AX
	MOVQ (DX), CX
	SARXQ CX, AX, AX
	MOVQ AX, (DI)
	RET

TEXT ·vaesenc(SB), NOSPLIT, $0-24
	AVX(VAESENC)

TEXT ·vpclmulqdq(SB), NOSPLIT, $0-24
	ARGS
	VMOVUPS (SI), Y0
	VMOVUPS (DX), Y1
	VPCLMULQDQ $0, Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	VZEROUPPER
	RET

TEXT ·vpxorq(SB), NOSPLIT, $0-24
	ARGS
	VMOVDQU64 (SI), Z0
	VMOVDQU64 (DX), Z1
	VPXORQ Z1, Z0, Z0
	VMOVDQU64 Z0, (DI)
	VZEROUPPER
	RET
