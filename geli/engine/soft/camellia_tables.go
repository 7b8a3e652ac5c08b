package soft

import "math/bits"

// camelliaBoxes does the S- and P-functions of Camellia (RFC 3713 section
// 2.4.1) by look-up. s[i][x] is s_(i+1)(x) in three of the four bytes of a
// word. In the P-function the last four bytes of a round's input go alike into
// both halves of its output (low), and what the first four add to the right
// half is what they add to the left one, xored with itself turned by a byte;
// so four tables of 1 KiB do for the whole round.
type camelliaBoxes struct{ s [4][256]uint32 }

var camelliaTables = makeCamelliaTables()

func makeCamelliaTables() (t camelliaBoxes) {
	for x := range 256 {
		s1 := camelliaSBox1[x]
		spread := func(s uint8, mask uint32) uint32 { return uint32(s) * 0x01010101 & mask }
		t.s[0][x] = spread(s1, 0xffffff00)
		t.s[1][x] = spread(bits.RotateLeft8(s1, 1), 0x00ffffff)
		t.s[2][x] = spread(bits.RotateLeft8(s1, -1), 0xff00ffff)
		t.s[3][x] = spread(camelliaSBox1[bits.RotateLeft8(uint8(x), 1)], 0xffff00ff)
	}
	return t
}

// high is what the higher word of a round's input adds to the higher word of
// its output.
func (t *camelliaBoxes) high(x uint32) uint32 {
	return t.s[0][x>>24] ^ t.s[1][uint8(x>>16)] ^ t.s[2][uint8(x>>8)] ^ t.s[3][uint8(x)]
}

// low is what the lower word of a round's input adds to both words of its
// output.
func (t *camelliaBoxes) low(x uint32) uint32 {
	return t.s[1][x>>24] ^ t.s[2][uint8(x>>16)] ^ t.s[3][uint8(x>>8)] ^ t.s[0][uint8(x)]
}

// camelliaSBox1 is SBOX1 of RFC 3713 section 2.4.1.
var camelliaSBox1 = [256]uint8{
	112, 130, 44, 236, 179, 39, 192, 229, 228, 133, 87, 53, 234, 12, 174, 65,
	35, 239, 107, 147, 69, 25, 165, 33, 237, 14, 79, 78, 29, 101, 146, 189,
	134, 184, 175, 143, 124, 235, 31, 206, 62, 48, 220, 95, 94, 197, 11, 26,
	166, 225, 57, 202, 213, 71, 93, 61, 217, 1, 90, 214, 81, 86, 108, 77,
	139, 13, 154, 102, 251, 204, 176, 45, 116, 18, 43, 32, 240, 177, 132, 153,
	223, 76, 203, 194, 52, 126, 118, 5, 109, 183, 169, 49, 209, 23, 4, 215,
	20, 88, 58, 97, 222, 27, 17, 28, 50, 15, 156, 22, 83, 24, 242, 34,
	254, 68, 207, 178, 195, 181, 122, 145, 36, 8, 232, 168, 96, 252, 105, 80,
	170, 208, 160, 125, 161, 137, 98, 151, 84, 91, 30, 149, 224, 255, 100, 210,
	16, 196, 0, 72, 163, 247, 117, 219, 138, 3, 230, 218, 9, 63, 221, 148,
	135, 92, 131, 2, 205, 74, 144, 51, 115, 103, 246, 243, 157, 127, 191, 226,
	82, 155, 216, 38, 200, 55, 198, 59, 129, 150, 111, 75, 19, 190, 99, 46,
	233, 121, 167, 140, 159, 110, 188, 142, 41, 245, 249, 182, 47, 253, 180, 89,
	120, 152, 6, 106, 231, 70, 113, 186, 212, 37, 171, 66, 136, 162, 141, 250,
	114, 7, 185, 85, 248, 238, 172, 10, 54, 73, 42, 104, 60, 56, 241, 164,
	64, 40, 211, 123, 187, 201, 67, 193, 21, 227, 173, 244, 119, 199, 128, 158,
}
