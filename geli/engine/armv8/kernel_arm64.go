//go:build !purego

package armv8

// The expansions write the encryption schedule of a key, or of the two halves
// of an XTS key side by side.

//go:noescape
func expand128(enc *[240]byte, key *byte)

//go:noescape
func expand192(enc *[240]byte, key *byte)

//go:noescape
func expand256(enc *[240]byte, key *byte)

//go:noescape
func expandPair128(first, second *[240]byte, key *byte)

//go:noescape
func expandPair256(first, second *[240]byte, key *byte)

// invert writes the decryption schedule that belongs to an encryption schedule.
//
//go:noescape
func invert(dec, enc *[240]byte, rounds int)

// encryptBlocks encrypts each block for itself, 8 in flight.
//
//go:noescape
func encryptBlocks(dst, src *byte, blocks int, enc *[240]byte, rounds int)

// xts works on at least one sector of unit bytes, a multiple of 16, 8 blocks in
// flight. tweaks holds the encrypted tweak T[0] of each sector, and keys the
// schedule for the direction.
//
//go:noescape
func xts(dst, src, tweaks *byte, sectors, unit, dstStride, srcStride int, keys *[240]byte, rounds int, decrypt bool)

// cbcDecrypt works on at least one sector of unit bytes, a multiple of 16, 8
// blocks in flight.
//
//go:noescape
func cbcDecrypt(dst, src, ivs *byte, sectors, unit, dstStride, srcStride int, dec *[240]byte, rounds int)

// cbcEncryptOne works on one sector of unit bytes, a multiple of 16.
//
//go:noescape
func cbcEncryptOne(dst, src, iv *byte, unit int, enc *[240]byte, rounds int)

// cbcEncryptEight works on 1 to 8 sectors of unit bytes, a multiple of 16, in
// the time of 8.
//
//go:noescape
func cbcEncryptEight(dst, src, ivs *byte, sectors, unit, dstStride, srcStride int, enc *[240]byte, rounds int)
