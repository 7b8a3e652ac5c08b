// Package aeskey expands AES keys in portable Go: the encryption schedule of
// FIPS 197 section 5.2 and the decryption schedule of its equivalent inverse
// cipher (section 5.3.5), which is also what the AES instructions take.
//
// A round key is four 32-bit columns. As words a column has its first byte
// lowest; as bytes a schedule is (rounds+1)*16 bytes in the order of the
// standard, which is the layout that assembly loads. The S-box is looked up in
// a table, so the time taken depends on the key.
package aeskey

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

const (
	// RoundKeyBytes is the size of one round key.
	RoundKeyBytes = 16
	// MaxRounds is the number of rounds of AES-256.
	MaxRounds = 14
	// MaxScheduleBytes has room for the schedule of any key.
	MaxScheduleBytes = (MaxRounds + 1) * RoundKeyBytes
)

// RoundKey is one round key as four columns, the first byte of each lowest.
type RoundKey = [4]uint32

// Rounds gives the number of rounds, 10, 12 or 14, for a key of 16, 24 or 32
// bytes. Other lengths are a programming error: it panics.
func Rounds(keyBytes int) int {
	switch keyBytes {
	case 16, 24, 32:
		return keyBytes/4 + 6
	}
	panic(fmt.Sprintf("aeskey: %d bytes is not an AES key length", keyBytes))
}

// EncryptWords expands key (16, 24 or 32 bytes) into the first
// Rounds(len(key))+1 round keys of schedule.
func EncryptWords(schedule []RoundKey, key []byte) {
	schedule = schedule[:Rounds(len(key))+1]
	if len(key) == 24 {
		expand192(schedule, key)
		return
	}
	// The key is one or two round keys; each later one is made of the one that
	// far before it and of the last column.
	back := len(key) / RoundKeyBytes
	load(schedule[:back], key)
	rcon := uint32(1)
	for i := back; i < len(schedule); i++ {
		w := schedule[i-1][3]
		if i%back == 0 {
			w = subWord(bits.RotateLeft32(w, -8)) ^ rcon
			rcon = double(rcon)
		} else {
			w = subWord(w)
		}
		from, to := &schedule[i-back], &schedule[i]
		w ^= from[0]
		to[0] = w
		w ^= from[1]
		to[1] = w
		w ^= from[2]
		to[2] = w
		w ^= from[3]
		to[3] = w
	}
}

// expand192 is EncryptWords for 24 bytes: columns come in groups of six, and
// two groups are three round keys.
func expand192(schedule []RoundKey, key []byte) {
	var g [6]uint32
	for i := range g {
		g[i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	rcon := uint32(1)
	for {
		schedule[0] = RoundKey(g[:4])
		if len(schedule) == 1 {
			break
		}
		schedule[1][0], schedule[1][1] = g[4], g[5]
		nextGroup(&g, rcon)
		schedule[1][2], schedule[1][3] = g[0], g[1]
		schedule[2] = RoundKey(g[2:])
		nextGroup(&g, double(rcon))
		rcon = double(double(rcon))
		schedule = schedule[3:]
	}
	clear(g[:])
}

func nextGroup(g *[6]uint32, rcon uint32) {
	w := subWord(bits.RotateLeft32(g[5], -8)) ^ rcon
	for i := range g {
		w ^= g[i]
		g[i] = w
	}
}

// DecryptWords makes the decryption schedule out of the encryption schedule:
// the round keys in reverse, all but the first and last through InvMixColumns.
// Both have Rounds+1 round keys and do not overlap.
func DecryptWords(schedule, encSchedule []RoundKey) {
	last := len(encSchedule) - 1
	schedule = schedule[:last+1]
	schedule[0], schedule[last] = encSchedule[last], encSchedule[0]
	for i := 1; i < last; i++ {
		for j, column := range encSchedule[last-i] {
			schedule[i][j] = invMixColumn(column)
		}
	}
}

func load(dst []RoundKey, src []byte) {
	for i := range dst {
		for j := range dst[i] {
			dst[i][j] = binary.LittleEndian.Uint32(src[RoundKeyBytes*i+4*j:])
		}
	}
}

// subWord puts each byte of a column through the S-box.
func subWord(w uint32) uint32 {
	return uint32(sbox[uint8(w)]) | uint32(sbox[uint8(w>>8)])<<8 |
		uint32(sbox[uint8(w>>16)])<<16 | uint32(sbox[w>>24])<<24
}
