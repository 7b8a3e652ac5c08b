package enginetest

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"gelibench/geli/engine"
)

// accumulators are the ends of the chain of accumulate after 500 and after
// 10000 sectors, computed with OpenSSL 3.0 (null: with hashing alone).
var accumulators = map[engine.Params][2]string{
	{Alg: engine.AESXTS, KeyBits: 128}: {
		"5cb5da39000ff22e0753e9528afb747d8baf6b20a179af2c4eda3acf2bba3a9d",
		"e9881d4a405e2e41d8dc4a49ad4dab70aef2ccbeb6db60c1b7f98a5899dd4ab0"},
	{Alg: engine.AESXTS, KeyBits: 256}: {
		"a037c48d1890949ca08c073d1d169cd285b512679e2daf0a54af2f5a78f3952d",
		"c78156e87f39c38492ecfe0fdb68f3458a1d6518cc71553869265edfb16f5286"},
	{Alg: engine.AESCBC, KeyBits: 128}: {
		"6031036fb87a2cf9b6a7232bf9e2a13845f582ee61ea3335806cdf5b3dd3a0ee",
		"91954aae4f19d55f2c4f17c305647f199bb178c930d4ae3ad4ab8a8d7b528943"},
	{Alg: engine.AESCBC, KeyBits: 192}: {
		"54fd5a2e12b46acd83e649f2d3f6fcdea892d9677a2848d8e8bf173b640a6049",
		"23c809313c5fa976b1440c33c9e2bf724cf614098926a74a06c95439c2c7ab16"},
	{Alg: engine.AESCBC, KeyBits: 256}: {
		"6520509bacfe70ab18afe5780069b09c20907458bc35bb7fd293efb7a4858751",
		"e296a43f557676040f715052c30c02c38ef260ad0550619eaad00ba7af07007c"},
	{Alg: engine.CamelliaCBC, KeyBits: 128}: {
		"14478ccb67a156f85d5cb25682f3674f42c19b5832aeb124113408800fa9d9c1",
		"c3f71b0710c055b91c9b3c08b8455b2b83555e3e40e8048f2ee6977bf3d380cb"},
	{Alg: engine.CamelliaCBC, KeyBits: 192}: {
		"a20b401caabcee1f6884bd249386eeb5d1c31fb019e256fcdc7baf573344def7",
		"ca2d3235cecc7ae299941e43734b3ec81ccffdd00066a0bff92575877cabf3cd"},
	{Alg: engine.CamelliaCBC, KeyBits: 256}: {
		"25901eb62355145f1b92c8702f1602beb52fd31ae4d0b62e9e651542efcf360f",
		"3d971f0705d7cc66f082676705a5176bc0d0c45a7c37622a1ad58f48ace5f42c"},
	{Alg: engine.BlowfishCBC, KeyBits: 128}: {
		"6ed85be1b30c2ff66baa3cbe5e1512af12aa2aa2de1fbe8a5750177afca1a0ed",
		"569e7cd059e57ae2203b10831e88a978c04b349fb4d5f9a63a5701c26f1baffd"},
	{Alg: engine.BlowfishCBC, KeyBits: 448}: {
		"40868960a97ac32e2fa45058cffe919b3cb13e724875f1722a1e10c9192aa1bc",
		"ec7e20863b90b11dc000c59fd647ca1bc04f05c7b2dc8320f12e818269a926b4"},
	{Alg: engine.TripleDESCBC, KeyBits: 192}: {
		"e4f773ac0b5a90f700ddbfa891fb3053b4ef4041cee2502cd786b230f8e355a3",
		"ed24a9ede20ac1b56fd6e6e5eafc3320df4918cfa77cc6b822b0304a328e8965"},
	{Alg: engine.Null, KeyBits: 512}: {
		"1d3fb2672ae9cf54500e79e568d72baee22336b3709c5ae76657f651f2b388aa",
		"0445536256162a7b0e00b738b0961ad77d57e371084388ae6e39e0aff48cd8e1"},
}

// testAccumulator holds 10000 sectors (500 under -short) against one constant.
func testAccumulator(t testing.TB, e engine.Engine) {
	t.Helper()
	sectors, column := 10000, 1
	if short() {
		sectors, column = 500, 0
	}
	for _, p := range supported(t, e) {
		want, ok := accumulators[p]
		if !ok {
			continue
		}
		got, err := accumulate(t, e, p, sectors)
		if err != nil {
			t.Fatalf("%s: %v", describe(e, p), err)
		}
		if got := hex.EncodeToString(got[:]); got != want[column] {
			t.Errorf("%s: accumulator of %d sectors is %s, not %s", describe(e, p), sectors, got, want[column])
		}
	}
}

// accumulate encrypts sectors in place in one buffer, over and over, and hashes
// every run. Shape, key and IVs of a run come from the hash so far, so that one
// wrong byte changes all that follows:
//
//	acc    = SHA-256("gelibench accumulator " || "aes-xts-256")
//	n      = 1 + acc[0] mod (acc[1] odd ? 70 : 8) sectors, at most what is left
//	unit   = 16 * (1 + le16(acc[2:4]) mod (most/16)) bytes, where most is 8192 if
//	         bits 1 to 3 of acc[1] are zero, otherwise 1024
//	key    = the first bytes of SHA-512(acc)
//	IV i   = the first 16 bytes of SHA-256(acc || le32(i)); for XTS the first 8
//	acc    = SHA-256(acc || the run's ciphertext)
//
// The buffer starts as zeros and is never reset. Each run is also decrypted,
// out of place, and compared.
func accumulate(t testing.TB, e engine.Engine, p engine.Params, sectors int) (acc [32]byte, err error) {
	s, err := e.NewSession(p)
	if err != nil {
		return acc, err
	}
	defer s.Close()
	buf := make([]byte, maxSectors*maxUnit)
	was, back := make([]byte, len(buf)), make([]byte, len(buf))
	ivs := make([]byte, maxSectors*engine.IVBytes)
	acc = sha256.Sum256([]byte("gelibench accumulator " + p.String()))
	for sectors > 0 {
		n, most := 1+int(acc[0])%8, 1024
		if acc[1]&1 != 0 {
			n = 1 + int(acc[0])%70
		}
		if acc[1]&0x0e == 0 {
			most = 8192
		}
		n = min(n, sectors)
		unit := 16 * (1 + int(binary.LittleEndian.Uint16(acc[2:]))%(most/16))
		key := sha512.Sum512(acc[:])
		if err := s.SetKey(key[:p.KeyBytes()]); err != nil {
			return acc, err
		}
		clear(ivs)
		for i := range n {
			iv := sha256.Sum256(binary.LittleEndian.AppendUint32(bytes.Clone(acc[:]), uint32(i)))
			if p.Alg == engine.AESXTS {
				copy(ivs[i*engine.IVBytes:], iv[:8])
			} else {
				copy(ivs[i*engine.IVBytes:], iv[:engine.IVBytes])
			}
		}
		run, g := buf[:n*unit], engine.Packed(unit)
		copy(was, run)
		if err := s.Encrypt(run, run, ivs[:n*engine.IVBytes], g); err != nil {
			return acc, err
		}
		if err := s.Decrypt(back, run, ivs[:n*engine.IVBytes], g); err != nil {
			return acc, err
		}
		if !bytes.Equal(back[:len(run)], was[:len(run)]) {
			t.Errorf("%s: a run of %d sectors of %d bytes, %d before the end, does not decrypt to what it was", describe(e, p), n, unit, sectors)
		}
		acc = sha256.Sum256(append(bytes.Clone(acc[:]), run...))
		sectors -= n
	}
	return acc, nil
}
