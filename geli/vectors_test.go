package geli

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engines"
)

// sectorVector is one entry of testdata/computed-sector-kat.json: what one
// sector becomes under master key 00..7f.
type sectorVector struct {
	Version       int    `json:"version"`
	Ealgo         int    `json:"ealgo"`
	KeyBits       int    `json:"keylen"`
	SectorSize    int    `json:"sectorsize"`
	Offset        int64  `json:"offset"`
	SectorKey     string `json:"sector_key"`
	IV            string `json:"iv_or_tweak"`
	Plaintext     string `json:"plaintext"`
	PlainSHA256   string `json:"plaintext_sha256"`
	CipherSHA256  string `json:"ciphertext_sha256"`
	First64       string `json:"ciphertext_first64"`
	Last16        string `json:"ciphertext_last16"`
	DecryptedZero string `json:"decrypt_of_zero_sector_sha256"`
}

func (v sectorVector) String() string {
	return fmt.Sprintf("v%d/%v-%d/sector=%d/offset=%d/%s", v.Version, engine.Alg(v.Ealgo), v.KeyBits, v.SectorSize, v.Offset, v.Plaintext)
}

func (v sectorVector) metadata() Metadata {
	return Metadata{Version: v.Version, Alg: engine.Alg(v.Ealgo), KeyBits: v.KeyBits, SectorSize: v.SectorSize, Flags: FlagOnetime}
}

func (v sectorVector) plaintext() []byte {
	if v.Plaintext == "zero" {
		return make([]byte, v.SectorSize)
	}
	return pattern(v.Offset, v.SectorSize)
}

// pattern is the data of the vectors: SHA-512(le64(offset)||le64(i)) for i = 0,
// 1, 2, cut to n bytes.
func pattern(off int64, n int) []byte {
	var p []byte
	for i := uint64(0); len(p) < n; i++ {
		var in [16]byte
		binary.LittleEndian.PutUint64(in[:], uint64(off))
		binary.LittleEndian.PutUint64(in[8:], i)
		sum := sha512.Sum512(in[:])
		p = append(p, sum[:]...)
	}
	return p[:n]
}

// countingKey is the vectors' master key.
func countingKey() *MasterKey {
	k := new(MasterKey)
	for i := range k {
		k[i] = byte(i)
	}
	return k
}

func loadSectorVectors(t *testing.T) []sectorVector {
	t.Helper()
	raw, err := os.ReadFile("testdata/computed-sector-kat.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Count   int
		Vectors []sectorVector
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != file.Count || file.Count == 0 {
		t.Fatalf("%d vectors, the file says %d", len(file.Vectors), file.Count)
	}
	return file.Vectors
}

// TestSectorVectors runs every vector, both directions, through every engine
// that can serve it here and along both paths.
func TestSectorVectors(t *testing.T) {
	ran := map[string]int{}
	for _, v := range loadSectorVectors(t) {
		for _, e := range engines.All() {
			if e.Probe() != nil || e.Supports(engine.Params{Alg: engine.Alg(v.Ealgo), KeyBits: v.KeyBits}) != nil {
				continue
			}
			for _, path := range []Path{PathGELI, PathBatch} {
				checkVector(t, v, Options{Engine: e, Path: path})
				ran[e.Name()]++
			}
		}
	}
	t.Logf("vectors by engine, two paths each: %v", ran)
	if ran["soft"] == 0 {
		t.Error("soft ran no vector")
	}
}

func checkVector(t *testing.T, v sectorVector, o Options) {
	t.Helper()
	name := fmt.Sprintf("%v/%s/%s", v, o.Engine.Name(), o.Path.Name)
	disk := newMemory(1 << 60)
	d, err := New(disk, v.metadata(), countingKey(), o)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	defer d.Close()
	plain := v.plaintext()
	if got := hexSHA256(plain); got != v.PlainSHA256 {
		t.Fatalf("%s: the test's own plaintext has hash %s", name, got)
	}
	if n, err := d.WriteAt(plain, v.Offset); n != len(plain) || err != nil {
		t.Errorf("%s: WriteAt = %d, %v", name, n, err)
		return
	}
	cipher := make([]byte, v.SectorSize)
	disk.ReadAt(cipher, v.Offset)
	if got := hexSHA256(cipher); got != v.CipherSHA256 {
		t.Errorf("%s: ciphertext starts with\n%x, want\n%s", name, cipher[:64], v.First64)
	}
	if got := hex.EncodeToString(cipher[len(cipher)-16:]); got != v.Last16 {
		t.Errorf("%s: ciphertext ends with %s, want %s", name, got, v.Last16)
	}
	back := make([]byte, v.SectorSize)
	if _, err := d.ReadAt(back, v.Offset); err != nil || !bytes.Equal(back, plain) {
		t.Errorf("%s: reading back: %v, or other data", name, err)
	}
	disk.WriteAt(make([]byte, v.SectorSize), v.Offset)
	if _, err := d.ReadAt(back, v.Offset); err != nil || hexSHA256(back) != v.DecryptedZero {
		t.Errorf("%s: a sector of zeros decrypts to something else (%v)", name, err)
	}
}

// TestVectorKeysAndIVs checks the vectors' intermediate values, so that a
// wrong ciphertext can be traced.
func TestVectorKeysAndIVs(t *testing.T) {
	for _, v := range loadSectorVectors(t) {
		md := v.metadata()
		keyno := uint64(v.Offset) / (uint64(v.SectorSize) << sectorsPerKeyShift)
		var key derivedKey
		newKeySource(countingKey(), md.policy(), false).derive(&key, keyno)
		if md.Alg != engine.Null && hex.EncodeToString(key[:]) != v.SectorKey {
			t.Errorf("%v: data key %d is %x, want %s", v, keyno, key, v.SectorKey)
		}
		for _, h := range engines.Hashers() {
			if h.Probe() != nil {
				continue
			}
			maker := newIVMaker(md.Alg, h, countingKey().ivKey(), false)
			if maker.kind == ivNone {
				continue
			}
			iv := make([]byte, engine.IVBytes)
			maker.fill(iv, uint64(v.Offset), uint64(v.SectorSize))
			if got := hex.EncodeToString(iv)[:len(v.IV)]; got != v.IV {
				t.Errorf("%v: IV by %s is %s, want %s", v, h.Name(), got, v.IV)
			}
		}
	}
}

func hexSHA256(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:])
}
