package geli

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engines"
)

// authVector is one entry of testdata/computed-auth-kat.json: the underlying
// sectors of one decrypted sector under master key 00..7f.
type authVector struct {
	Version         int    `json:"version"`
	Ealgo           int    `json:"ealgo"`
	KeyBits         int    `json:"keylen"`
	Aalgo           int    `json:"aalgo"`
	Under           int    `json:"provider_sectorsize"`
	SectorSize      int    `json:"sectorsize"`
	Offset          int64  `json:"offset"`
	Data            int    `json:"data_per_sector"`
	Subs            int    `json:"sectors_per_sector"`
	Bytes           int    `json:"bytes_per_sector"`
	EncryptedSHA256 string `json:"encrypted_sha256"`
	SubSectors      []struct {
		Index  int    `json:"index"`
		Offset int64  `json:"enc_offset"`
		Data   int    `json:"data_len"`
		HMAC   string `json:"hmac"`
		First  string `json:"cipher_first16"`
	} `json:"subsectors"`
}

func (v authVector) metadata() Metadata {
	return Metadata{Version: v.Version, Flags: FlagOnetime | FlagAuth, Alg: engine.Alg(v.Ealgo), KeyBits: v.KeyBits, AAlg: AAlg(v.Aalgo), SectorSize: v.SectorSize}
}

func loadAuthVectors(t *testing.T) []authVector {
	t.Helper()
	raw, err := os.ReadFile("testdata/computed-auth-kat.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Count   int
		Vectors []authVector
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != file.Count || file.Count == 0 {
		t.Fatalf("%d vectors, the file says %d", len(file.Vectors), file.Count)
	}
	return file.Vectors
}

// TestAuthVectors writes every vector's sector with every engine and hasher of
// this machine, along both paths, and reads it back.
func TestAuthVectors(t *testing.T) {
	for _, v := range loadAuthVectors(t) {
		for _, e := range engines.All() {
			if e.Probe() != nil || e.Supports(engine.Params{Alg: engine.Alg(v.Ealgo), KeyBits: v.KeyBits}) != nil {
				continue
			}
			for _, h := range engines.Hashers() {
				if h.Probe() != nil {
					continue
				}
				for _, path := range []Path{PathGELI, PathBatch} {
					checkAuthVector(t, v, Options{Engine: e, Hasher: h, Path: path})
				}
			}
		}
	}
}

func checkAuthVector(t *testing.T, v authVector, o Options) {
	t.Helper()
	name := fmt.Sprintf("v%d/%v-%d/%v/sector=%d/offset=%d/%s/%s/%s", v.Version, engine.Alg(v.Ealgo), v.KeyBits, AAlg(v.Aalgo), v.SectorSize, v.Offset, o.Engine.Name(), o.Hasher.Name(), o.Path.Name)
	disk := newMemory(1 << 60)
	disk.sector = v.Under
	d, err := New(disk, v.metadata(), countingKey(), o)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	defer d.Close()
	if l := d.layout; l.data != v.Data || l.subs != v.Subs || l.bytes != v.Bytes {
		t.Errorf("%s: layout %+v, want %d bytes in each of %d sub-sectors, %d in all", name, l, v.Data, v.Subs, v.Bytes)
	}
	plain := pattern(v.Offset, v.SectorSize)
	if n, err := d.WriteAt(plain, v.Offset); n != len(plain) || err != nil {
		t.Errorf("%s: WriteAt = %d, %v", name, n, err)
		return
	}
	raw := make([]byte, v.Bytes)
	disk.ReadAt(raw, v.Offset/int64(v.SectorSize)*int64(v.Bytes))
	for _, sub := range v.SubSectors {
		at := raw[sub.Index*v.Under:]
		digest := AAlg(v.Aalgo).DigestBytes()
		if got := hex.EncodeToString(at[digest : digest+16]); got != sub.First {
			t.Errorf("%s: sub-sector %d starts with %s, want %s", name, sub.Index, got, sub.First)
		}
		if got := hex.EncodeToString(at[:digest]); got != sub.HMAC {
			t.Errorf("%s: sub-sector %d has MAC %s, want %s", name, sub.Index, got, sub.HMAC)
		}
	}
	if got := hexSHA256(raw); got != v.EncryptedSHA256 {
		t.Errorf("%s: the underlying sectors have hash %s, want %s", name, got, v.EncryptedSHA256)
	}
	back := make([]byte, v.SectorSize)
	if _, err := d.ReadAt(back, v.Offset); err != nil || !bytes.Equal(back, plain) {
		t.Errorf("%s: reading back: %v, or other data", name, err)
	}
}

// TestAuthRequests: long requests, split or whole, across a change of the data
// key (which goes by underlying sectors and can fall inside a decrypted one).
func TestAuthRequests(t *testing.T) {
	for _, aalg := range []AAlg{HMACSHA1, HMACSHA256, HMACSHA512} {
		for _, alg := range []engine.Alg{engine.AESXTS, engine.AESCBC, engine.Null} {
			for _, path := range []Path{PathGELI, PathBatch} {
				for _, piece := range []int{0, 8192} {
					disk := newMemory(1 << 60)
					disk.piece = piece
					d := onetime(t, disk, Options{Alg: alg, AAlg: aalg, SectorSize: 4096, Path: path})
					perKey := int64(512) << sectorsPerKeyShift // underlying bytes
					nearChange := perKey / int64(d.layout.bytes) * 4096
					for _, off := range []int64{0, nearChange - 35*4096, d.Size() - 70*4096} {
						data := pattern(off, 70*4096)
						name := fmt.Sprintf("%v, %v, path %s, piece %d, offset %d", aalg, alg, path.Name, piece, off)
						if n, err := d.WriteAt(data, off); n != len(data) || err != nil {
							t.Fatalf("%s: WriteAt = %d, %v", name, n, err)
						}
						back := make([]byte, len(data))
						if n, err := d.ReadAt(back, off); n != len(data) || err != nil || !bytes.Equal(back, data) {
							t.Fatalf("%s: ReadAt = %d, %v, or other data", name, n, err)
						}
						one := make([]byte, 4096)
						if _, err := d.ReadAt(one, off+34*4096); err != nil || !bytes.Equal(one, data[34*4096:35*4096]) {
							t.Fatalf("%s: a sector alone: %v, or other data", name, err)
						}
					}
				}
			}
		}
	}
}

// TestTampering: a flipped data bit, a flipped MAC bit, a sub-sector moved and
// a whole sector moved are all caught, and the error names the sector.
func TestTampering(t *testing.T) {
	const sector = 4096
	for _, aalg := range []AAlg{HMACMD5, HMACSHA1, HMACRIPEMD160, HMACSHA256, HMACSHA384, HMACSHA512} {
		l, err := newLayout(aalg, 512, sector)
		if err != nil {
			t.Fatal(err)
		}
		under := int64(l.bytes)
		for _, c := range []struct {
			name   string
			tamper func(m *memory)
			bad    int64 // offset of the underlying sub-sector named
		}{
			{"data bit", func(m *memory) { m.flip(under+512*3, l.digest+5) }, under + 512*3},
			{"last data byte", func(m *memory) { m.flip(under+int64(512*(l.subs-1)), l.digest+l.last-1) }, under + int64(512*(l.subs-1))},
			{"MAC bit", func(m *memory) { m.flip(under+512, 0) }, under + 512},
			{"sub-sector moved", func(m *memory) { m.move(under+512, under+1024, 1) }, under + 1024},
			{"sector moved", func(m *memory) { m.move(0, under, l.subs) }, under},
			{"sector lost", func(m *memory) {
				for i := range int64(l.subs) {
					delete(m.sectors, under+512*i)
				}
			}, under},
		} {
			for _, path := range []Path{PathGELI, PathBatch} {
				disk := newMemory(1 << 30)
				d := onetime(t, disk, Options{AAlg: aalg, SectorSize: sector, Path: path})
				data := pattern(0, 3*sector)
				if _, err := d.WriteAt(data, 0); err != nil {
					t.Fatal(err)
				}
				c.tamper(disk)
				_, err := d.ReadAt(make([]byte, len(data)), 0)
				var where *IntegrityError
				if !errors.Is(err, ErrIntegrity) || !errors.As(err, &where) || where.Offset != sector || where.ProviderOffset != c.bad {
					t.Errorf("%v, path %s, %s: %v; want sector %d, sub-sector %d named", aalg, path.Name, c.name, err, sector, c.bad)
				}
				for _, good := range []int64{0, 2 * sector} {
					if _, err := d.ReadAt(make([]byte, sector), good); err != nil {
						t.Errorf("%v, %s: the untouched sector at %d: %v", aalg, c.name, good, err)
					}
				}
			}
		}
		// Padding is not authenticated: older kernels left junk in it.
		disk := newMemory(1 << 30)
		d := onetime(t, disk, Options{AAlg: aalg, SectorSize: sector})
		d.WriteAt(make([]byte, sector), 0)
		if l.digest+l.data < 512 {
			disk.flip(0, 511)
		}
		if _, err := d.ReadAt(make([]byte, sector), 0); err != nil {
			t.Errorf("%v: changed padding: %v", aalg, err)
		}
	}
}

func (m *memory) flip(off int64, i int) {
	s := m.sectors[off]
	s[i] ^= 0x10
	m.sectors[off] = s
}

func (m *memory) move(from, to int64, sectors int) {
	for i := range int64(sectors) {
		m.sectors[to+512*i] = m.sectors[from+512*i]
	}
}

// TestAuthOnZeros: zeros never carry a valid MAC, so gzero cannot be read.
func TestAuthOnZeros(t *testing.T) {
	d := onetime(t, newMemory(1<<60), Options{AAlg: HMACSHA256})
	if _, err := d.ReadAt(make([]byte, 512), 0); !errors.Is(err, ErrIntegrity) {
		t.Errorf("zeros read with -a: %v", err)
	}
	if want := int64(1<<60) / 1024 * 512; d.Size() != want {
		t.Errorf("size %d, want %d: two underlying sectors for each", d.Size(), want)
	}
}

func TestAuthNoAllocations(t *testing.T) {
	for _, aalg := range []AAlg{HMACSHA1, HMACRIPEMD160, HMACSHA256, HMACSHA384, HMACSHA512} {
		d := onetime(t, nothing{}, Options{AAlg: aalg, SectorSize: 4096, Path: PathBatch})
		w, err := d.NewWorker()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		buf := make([]byte, 64<<10)
		if allocs := testing.AllocsPerRun(10, func() { w.WriteAt(buf, 1<<20) }); allocs != 0 {
			t.Errorf("%v: a write allocates %v times", aalg, allocs)
		}
	}
}

// TestLayout holds the layout to the published table.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		aalg                            AAlg
		under, sector, data, subs, last int
	}{
		{HMACSHA1, 512, 512, 480, 2, 32},
		{HMACSHA256, 512, 4096, 480, 9, 256},
		{HMACSHA384, 512, 8192, 464, 18, 304},
		{HMACSHA512, 512, 4096, 448, 10, 64},
		{HMACSHA512, 512, 8192, 448, 19, 128},
		{HMACSHA256, 4096, 4096, 4064, 2, 32},
	} {
		l, err := newLayout(c.aalg, c.under, c.sector)
		if err != nil || l.data != c.data || l.subs != c.subs || l.last != c.last || l.bytes != c.subs*c.under {
			t.Errorf("%v on %d-byte sectors, %d: %+v, %v", c.aalg, c.under, c.sector, l, err)
		}
	}
	if _, err := newLayout(HMACSHA256, 512, 7680); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty last sub-sector: %v", err)
	}
}
