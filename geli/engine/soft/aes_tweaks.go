package soft

import "encoding/binary"

// fourTweaks are the tweaks of four blocks as columns, for processors whose
// words are columns: there 64-bit tweaks cost half as much as the cipher.
type fourTweaks [4][4]uint32

// fill makes the other tweaks from the first.
func (t *fourTweaks) fill() {
	t[1] = double(&t[0])
	t[2] = double(&t[1])
	t[3] = double(&t[2])
}

// xor puts src xored with the tweaks into dst.
func (t *fourTweaks) xor(dst, src *[64]byte) {
	for i := range t {
		w := &t[i]
		d, s := (*[16]byte)(dst[16*i:]), (*[16]byte)(src[16*i:])
		binary.LittleEndian.PutUint32(d[0:], binary.LittleEndian.Uint32(s[0:])^w[0])
		binary.LittleEndian.PutUint32(d[4:], binary.LittleEndian.Uint32(s[4:])^w[1])
		binary.LittleEndian.PutUint32(d[8:], binary.LittleEndian.Uint32(s[8:])^w[2])
		binary.LittleEndian.PutUint32(d[12:], binary.LittleEndian.Uint32(s[12:])^w[3])
	}
}

// double is nextTweak on columns.
func double(t *[4]uint32) [4]uint32 {
	carry := uint32(int32(t[3]) >> 31)
	return [4]uint32{
		t[0]<<1 ^ carry&0x87,
		t[1]<<1 | t[0]>>31,
		t[2]<<1 | t[1]>>31,
		t[3]<<1 | t[2]>>31,
	}
}
