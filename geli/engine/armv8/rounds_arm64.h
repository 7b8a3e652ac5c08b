// What the kernels share: registers and rounds.
//
// V0 to V7 are the blocks in flight. V16 to V30 are the round keys, right-
// aligned: k[0] is V16, k[r] is V30, and the rounds that 192 and 128 bits lack
// are missing at V17, V18 and V19, V20. R8 is the number of rounds r.
//
// AESE adds its key first and has no MixColumns, so that k[r] is left to be
// added by an xor of its own, which can be joined with others.

// LOADKEYS loads a schedule; p is used up.
#define LOADKEYS(p, keys12, keys10) \
	VLD1.P	16(p), [V16.B16] \
	CMP	$12, R8 \
	BLT	keys10 \
	BEQ	keys12 \
	VLD1.P	32(p), [V17.B16, V18.B16] \
keys12: \
	VLD1.P	32(p), [V19.B16, V20.B16] \
keys10: \
	VLD1.P	64(p), [V21.B16, V22.B16, V23.B16, V24.B16] \
	VLD1.P	64(p), [V25.B16, V26.B16, V27.B16, V28.B16] \
	VLD1	(p), [V29.B16, V30.B16]

// One step of the work on one block B, with the key K. AESE and AESMC stand
// together since many processors join such pairs.
#define ENCRYPT(K, B) \
	AESE	K.B16, B.B16 \
	AESMC	B.B16, B.B16
#define ENCRYPT_LAST(K, B) \
	AESE	K.B16, B.B16
#define DECRYPT(K, B) \
	AESD	K.B16, B.B16 \
	AESIMC	B.B16, B.B16
#define DECRYPT_LAST(K, B) \
	AESD	K.B16, B.B16
#define XOR(K, B) \
	VEOR	K.B16, B.B16, B.B16

// A step on all blocks in flight.
#define ONE(step, K) \
	step(K, V0)
#define EIGHT(step, K) \
	step(K, V0) \
	step(K, V1) \
	step(K, V2) \
	step(K, V3) \
	step(K, V4) \
	step(K, V5) \
	step(K, V6) \
	step(K, V7)

// ROUNDS does what follows the first step up to k[r-1].
#define ROUNDS(all, step, last, from12, from10) \
	CMP	$12, R8 \
	BLT	from10 \
	BEQ	from12 \
	all(step, V17) \
	all(step, V18) \
from12: \
	all(step, V19) \
	all(step, V20) \
from10: \
	all(step, V21) \
	all(step, V22) \
	all(step, V23) \
	all(step, V24) \
	all(step, V25) \
	all(step, V26) \
	all(step, V27) \
	all(step, V28) \
	all(last, V29)

// The 1 to 7 blocks at the end of a sector, n of them; n is used up.
#define LOAD_NEXT(p, n, X, done) \
	VLD1.P	16(p), [X.B16] \
	SUBS	$1, n, n \
	BEQ	done
#define LOAD_FEW(p, n, X0, X1, X2, X3, X4, X5, X6, done) \
	LOAD_NEXT(p, n, X0, done) \
	LOAD_NEXT(p, n, X1, done) \
	LOAD_NEXT(p, n, X2, done) \
	LOAD_NEXT(p, n, X3, done) \
	LOAD_NEXT(p, n, X4, done) \
	LOAD_NEXT(p, n, X5, done) \
	LOAD_NEXT(p, n, X6, done) \
	B	done
#define STORE_NEXT(p, n, X, done) \
	VST1.P	[X.B16], 16(p) \
	SUBS	$1, n, n \
	BEQ	done
#define STORE_FEW(p, n, done) \
	STORE_NEXT(p, n, V0, done) \
	STORE_NEXT(p, n, V1, done) \
	STORE_NEXT(p, n, V2, done) \
	STORE_NEXT(p, n, V3, done) \
	STORE_NEXT(p, n, V4, done) \
	STORE_NEXT(p, n, V5, done) \
	STORE_NEXT(p, n, V6, done) \
	B	done
