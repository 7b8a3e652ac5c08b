package aeskey

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The keys of FIPS 197 appendix A with the last round key of each expansion,
// and one word of the middle (w[4], w[6], w[8]: the first after the key).
func TestKnownExpansions(t *testing.T) {
	for _, v := range []struct{ key, first, last string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "a0fafe17", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "fe0c91f7", "e98ba06f448c773c8ecc720401002202"},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "9ba35411", "fe4890d1e6188d0b046df344706c631e"},
	} {
		key := unhex(t, v.key)
		schedule := make([]byte, scheduleBytes(len(key)))
		encrypt(schedule, key)
		if !bytes.Equal(schedule[:len(key)], key) {
			t.Errorf("key of %d bytes: the schedule does not begin with the key", len(key))
		}
		if got := schedule[len(key) : len(key)+4]; !bytes.Equal(got, unhex(t, v.first)) {
			t.Errorf("key of %d bytes: first new word is %x, want %s", len(key), got, v.first)
		}
		if got := schedule[len(schedule)-16:]; !bytes.Equal(got, unhex(t, v.last)) {
			t.Errorf("key of %d bytes: last round key is %x, want %s", len(key), got, v.last)
		}
	}
}

// The decryption schedule of FIPS 197 appendix C.1 (ik_sch of the equivalent
// inverse cipher).
func TestKnownInverse(t *testing.T) {
	key := unhex(t, "000102030405060708090a0b0c0d0e0f")
	enc := make([]byte, scheduleBytes(len(key)))
	encrypt(enc, key)
	dec := make([]byte, len(enc))
	decrypt(dec, enc)
	for round, want := range map[int]string{
		0:  "13111d7fe3944a17f307a78b4d2b30c5",
		1:  "13aa29be9c8faff6f770f58000f7bf03",
		9:  "8c56dff0825dd3f9805ad3fc8659d7fd",
		10: "000102030405060708090a0b0c0d0e0f",
	} {
		if got := dec[16*round : 16*round+16]; !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("round key %d is %x, want %s", round, got, want)
		}
	}
	decrypt(enc, enc)
	if !bytes.Equal(enc, dec) {
		t.Error("Decrypt in place differs")
	}
}

// The ciphers of FIPS 197 written out with the schedules must be those of
// crypto/aes: the plain cipher with Encrypt's, the equivalent inverse cipher
// with Decrypt's.
func TestSchedulesMakeAES(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, keyBytes := range []int{16, 24, 32} {
		t.Run(fmt.Sprint(8*keyBytes), func(t *testing.T) {
			for range 100 {
				key := randomBytes(random, keyBytes)
				plain := randomBytes(random, 16)
				block, err := aes.NewCipher(key)
				if err != nil {
					t.Fatal(err)
				}
				want := make([]byte, 16)
				block.Encrypt(want, plain)

				enc := make([]byte, scheduleBytes(keyBytes))
				encrypt(enc, key)
				if got := run(plain, enc, sbox, 1, [4]byte{2, 3, 1, 1}); !bytes.Equal(got, want) {
					t.Fatalf("encryption of %x gave %x, want %x", plain, got, want)
				}
				dec := make([]byte, len(enc))
				decrypt(dec, enc)
				if got := run(want, dec, inverse(sbox), -1, [4]byte{14, 11, 13, 9}); !bytes.Equal(got, plain) {
					t.Fatalf("decryption of %x gave %x, want %x", want, got, plain)
				}
			}
		})
	}
}

// run is the cipher of FIPS 197 by its definition: rounds of substitution, row
// shift (direction 1 or -1), column mix by the given row and key addition.
func run(in, schedule []byte, box [256]byte, direction int, mix [4]byte) []byte {
	state := bytes.Clone(in)
	add := func(k []byte) {
		for i := range state {
			state[i] ^= k[i]
		}
	}
	add(schedule)
	for schedule = schedule[16:]; len(schedule) > 0; schedule = schedule[16:] {
		shifted := make([]byte, 16)
		for column := range 4 {
			for row := range 4 {
				shifted[4*column+row] = box[state[4*((column+direction*row+4)%4)+row]]
			}
		}
		copy(state, shifted)
		if len(schedule) > 16 {
			for column := range 4 {
				for row := range 4 {
					sum := byte(0)
					for i := range 4 {
						sum ^= Mul(shifted[4*column+(row+i)%4], mix[i])
					}
					state[4*column+row] = sum
				}
			}
		}
		add(schedule)
	}
	return state
}

func inverse(box [256]byte) (inv [256]byte) {
	for i, v := range box {
		inv[v] = byte(i)
	}
	return inv
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

func TestRoundsRefusesOtherLengths(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Rounds(20) did not panic")
		}
	}()
	Rounds(20)
}

func BenchmarkExpand(b *testing.B) {
	for _, keyBytes := range []int{16, 24, 32} {
		var enc, dec [MaxRounds + 1]RoundKey
		n := Rounds(keyBytes) + 1
		key := make([]byte, keyBytes)
		b.Run(fmt.Sprintf("encrypt/%d", 8*keyBytes), func(b *testing.B) {
			for b.Loop() {
				EncryptWords(enc[:n], key)
			}
		})
		b.Run(fmt.Sprintf("decrypt/%d", 8*keyBytes), func(b *testing.B) {
			for b.Loop() {
				DecryptWords(dec[:n], enc[:n])
			}
		})
	}
}

// scheduleBytes is the size of a schedule, in bytes, for a key of keyBytes.
func scheduleBytes(keyBytes int) int { return (Rounds(keyBytes) + 1) * RoundKeyBytes }

// encrypt is EncryptWords as bytes, which the standard's examples are.
func encrypt(schedule, key []byte) {
	var words [MaxRounds + 1]RoundKey
	n := Rounds(len(key)) + 1
	EncryptWords(words[:n], key)
	store(schedule, words[:n])
}

// decrypt is DecryptWords as bytes. The two may be the same slice.
func decrypt(schedule, encSchedule []byte) {
	var enc, dec [MaxRounds + 1]RoundKey
	n := len(encSchedule) / RoundKeyBytes
	load(enc[:n], encSchedule)
	DecryptWords(dec[:n], enc[:n])
	store(schedule, dec[:n])
}

func store(dst []byte, src []RoundKey) {
	for i := range src {
		for j, column := range src[i] {
			binary.LittleEndian.PutUint32(dst[RoundKeyBytes*i+4*j:], column)
		}
	}
}
