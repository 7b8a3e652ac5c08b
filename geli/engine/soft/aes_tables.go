package soft

import (
	"math/bits"

	"gelibench/geli/internal/aeskey"
)

// aesTables is one direction of AES. t[0][x] is the column that byte x of row 0
// becomes by substitution and column mix (first byte lowest); t[1] to t[3] are
// the same for the other rows. Four tables instead of one save three rotations
// a column; they stand in one struct so that one register reaches all.
type aesTables struct {
	t   [4][256]uint32
	box [256]uint8
}

var encTables, decTables = makeAESTables()

func makeAESTables() (enc, dec aesTables) {
	enc.box = aeskey.SBox()
	for x, s := range enc.box {
		dec.box[s] = uint8(x)
	}
	enc.fill(2, 1, 1, 3)    // the first column of MixColumns
	dec.fill(14, 9, 13, 11) // and of InvMixColumns
	return enc, dec
}

func (a *aesTables) fill(m0, m1, m2, m3 uint8) {
	for x, s := range a.box {
		column := uint32(aeskey.Mul(s, m0)) | uint32(aeskey.Mul(s, m1))<<8 |
			uint32(aeskey.Mul(s, m2))<<16 | uint32(aeskey.Mul(s, m3))<<24
		for row := range a.t {
			a.t[row][x] = bits.RotateLeft32(column, 8*row)
		}
	}
}
