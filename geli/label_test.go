package geli

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gelibench/geli/engine"
)

// TestGenuineLabels opens labels that FreeBSD wrote, with their passphrases,
// and writes them again byte for byte.
func TestGenuineLabels(t *testing.T) {
	if len(genuineLabels) < 3 {
		t.Fatalf("only %d genuine labels", len(genuineLabels))
	}
	for _, g := range genuineLabels {
		raw := unhex(t, g.label)
		l, err := DecodeLabel(append(bytes.Clone(raw), make([]byte, 512-len(raw))...))
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		if again := l.Encode(); !bytes.Equal(again, raw) {
			t.Errorf("%s: encoded again it is\n%x, want\n%x", g.name, again, raw)
		}
		checkOpens(t, g.name, l, g.passphrase, g.masterKey)
		if k, err := NewUserKey(nil, []byte("not "+g.passphrase), l.Salt[:], int(l.Iterations)); err != nil {
			t.Error(err)
		} else if _, _, err := l.Open(k, -1); !errors.Is(err, ErrWrongKey) {
			t.Errorf("%s: a wrong passphrase: %v", g.name, err)
		}
	}
}

func checkOpens(t *testing.T, name string, l *Label, passphrase, masterKey string) {
	t.Helper()
	k, err := NewUserKey(nil, []byte(passphrase), l.Salt[:], int(l.Iterations))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	master, slot, err := l.Open(k, -1)
	if err != nil || slot != 0 || hex.EncodeToString(master[:]) != masterKey {
		t.Errorf("%s: opens to slot %d, %v, or another key", name, slot, err)
	}
	if _, _, err := l.Open(k, 1); !errors.Is(err, ErrWrongKey) {
		t.Errorf("%s: the unused slot 1: %v", name, err)
	}
}

// TestSharedImages reads the whole set of genuine provider tails where it
// lies beside the project.
func TestSharedImages(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "vectors")
	raw, err := os.ReadFile(filepath.Join(dir, "geli", "genuine-images-kat.json"))
	if err != nil {
		t.Skipf("no shared vectors (TestGenuineLabels has three of them): %v", err)
	}
	var file struct {
		Images []struct {
			File       string `json:"file"`
			Passphrase string `json:"passphrase_utf8"`
			SHA256     string `json:"sha256"`
			Version    int    `json:"version"`
			Alg        int    `json:"ealgo"`
			KeyBits    int    `json:"keylen"`
			Size       int64  `json:"provsize"`
			Iterations int32  `json:"iterations"`
			IVKey      string `json:"iv_key"`
			DataKey    string `json:"data_key"`
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	opened := 0
	for _, im := range file.Images {
		tail, err := os.ReadFile(filepath.Join(dir, im.File))
		if err != nil {
			continue // not every image of the list is kept
		}
		if sum := sha256.Sum256(tail); hex.EncodeToString(sum[:]) != im.SHA256 {
			t.Errorf("%s is not the file the list speaks of", im.File)
		}
		l, sector, err := ReadLabel(sized{bytes.NewReader(tail)})
		if err != nil || sector != 512 {
			t.Errorf("%s: sector %d, %v", im.File, sector, err)
			continue
		}
		if l.Version != im.Version || int(l.Alg) != im.Alg || l.KeyBits != im.KeyBits || l.ProviderBytes != im.Size || l.Iterations != im.Iterations {
			t.Errorf("%s: read as %+v", im.File, l.Metadata)
		}
		if testing.Short() && im.Iterations > 10000 {
			continue
		}
		checkOpens(t, im.File, l, im.Passphrase, im.IVKey+im.DataKey)
		opened++
	}
	t.Logf("%d images opened", opened)
	if opened == 0 {
		t.Error("no image was opened")
	}
}

type sized struct{ *bytes.Reader }

// TestSealAndAttach makes labels of every kind and opens what they stand for.
func TestSealAndAttach(t *testing.T) {
	for _, p := range everyParams {
		for _, version := range []int{0, 1, 4, 5, 6, 7} {
			l := &Label{
				Metadata:      Metadata{Version: version, Flags: FlagAutoresize, Alg: p.Alg, KeyBits: p.KeyBits, SectorSize: 4096},
				ProviderBytes: 1 << 20, Iterations: 10, Salt: [64]byte{1, 2, 3},
			}
			if l.Check() != nil { // a cipher younger than the version
				continue
			}
			master := NewMasterKey()
			k, err := NewUserKey([][]byte{[]byte("key"), []byte("file")}, []byte("pass"), l.Salt[:], 10)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Seal(k, master, 1); err != nil {
				t.Fatalf("%v: %v", p, err)
			}
			read, err := DecodeLabel(l.Encode())
			if err != nil {
				t.Fatalf("v%d %v: %v", version, p, err)
			}
			same, err := NewUserKey([][]byte{[]byte("keyfile")}, []byte("pass"), read.Salt[:], int(read.Iterations))
			if err != nil {
				t.Fatal(err)
			}
			opened, slot, err := read.Open(same, -1)
			if err != nil || slot != 1 || *opened != *master {
				t.Errorf("v%d %v: slot %d, %v, or another key", version, p, slot, err)
			}
			if clear := bytes.Contains(l.Slots[1][:], master[:64]); clear != (p.Alg == engine.Null) {
				t.Errorf("v%d %v: the slot holds the key in the clear: %v", version, p, clear)
			}
			disk := newMemory(1 << 20)
			d, err := Attach(disk, read, opened, Options{})
			if removed := read.Removed(); removed != nil {
				if !errors.Is(err, ErrRemovedAlg) {
					t.Errorf("%v: attach of a removed algorithm: %v", p, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("v%d %v: %v", version, p, err)
				continue
			}
			if want := int64(1<<20-512) / 4096 * 4096; d.Size() != want {
				t.Errorf("size %d, want %d", d.Size(), want)
			}
			disk.size = 2 << 20
			if _, err := Attach(disk, read, opened, Options{}); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("attach of a provider that grew: %v", err)
			}
		}
	}
}

func TestLabelRefusals(t *testing.T) {
	good := unhex(t, genuineLabels[0].label)
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   error
	}{
		{"zeros", func(b []byte) []byte { return make([]byte, 512) }, ErrNoLabel},
		{"empty", func(b []byte) []byte { return nil }, ErrNoLabel},
		{"short", func(b []byte) []byte { return b[:400] }, ErrNoLabel},
		{"a bit flipped", func(b []byte) []byte { b[60] ^= 1; return b }, ErrLabelSum},
		{"too new", func(b []byte) []byte { b[16] = 8; return b }, ErrTooNew},
		{"much too new", func(b []byte) []byte { b[19] = 0x80; return b }, ErrTooNew},
		{"a sector of 4 GiB", func(b []byte) []byte {
			copy(b[34:], []byte{0xff, 0xff, 0xff, 0xff})
			sum := md5.Sum(b[:labelV1-md5.Size])
			return append(b[:labelV1-md5.Size], sum[:]...)
		}, ErrBadLabel},
		{"another magic", func(b []byte) []byte { b[0] = 'g'; return b }, ErrNoLabel},
	} {
		if _, err := DecodeLabel(c.change(bytes.Clone(good))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	junk := bytes.Clone(good)
	junk[12] = 0xff // behind the magic's first zero byte nothing is compared
	l, err := DecodeLabel(junk)
	if !errors.Is(err, ErrLabelSum) { // but the sum covers it
		t.Errorf("junk behind the magic: %v, %v", l, err)
	}
	none := &Label{Metadata: Metadata{Version: 7, Alg: engine.AESXTS, KeyBits: 128}}
	if _, _, err := none.Open(new(UserKey), -1); !errors.Is(err, ErrNoSlot) {
		t.Errorf("no slot in use: %v", err)
	}
}

// A label with a right checksum and wrong fields is told from one that fits,
// before any key is tried.
func TestLabelFieldRefusals(t *testing.T) {
	disk := newMemory(1 << 20)
	for name, c := range map[string]struct {
		change func(*Label)
		want   error
	}{
		"sound":           {func(*Label) {}, nil},
		"sector 0":        {func(l *Label) { l.SectorSize = 0 }, ErrBadLabel},
		"sector 1":        {func(l *Label) { l.SectorSize = 1 }, ErrBadLabel},
		"sector 768":      {func(l *Label) { l.SectorSize = 768 }, ErrBadLabel},
		"sector 32 MiB":   {func(l *Label) { l.SectorSize = 2 * MaxSectorSize }, ErrBadLabel},
		"sector too big":  {func(l *Label) { l.SectorSize = 1 << 20 }, ErrBadLabel},
		"key length":      {func(l *Label) { l.KeyBits = 192 }, ErrBadLabel},
		"version":         {func(l *Label) { l.Version = 4 }, ErrBadLabel},
		"ealgo":           {func(l *Label) { l.Alg = 99 }, ErrUnknownAlg},
		"aalgo":           {func(l *Label) { l.Flags, l.AAlg = FlagAuth, 99 }, ErrUnknownAlg},
		"aalgo, not used": {func(l *Label) { l.AAlg = 99 }, nil},
		"layout":          {func(l *Label) { l.Flags, l.AAlg, l.SectorSize = FlagAuth, HMACSHA256, 7680 }, ErrBadLabel},
	} {
		l := &Label{Metadata: Metadata{Version: 7, Alg: engine.AESXTS, KeyBits: 128, SectorSize: 512}, ProviderBytes: disk.size}
		c.change(l)
		if err := l.CheckProvider(disk); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestUserKeyRules(t *testing.T) {
	salt := make([]byte, 64)
	key := func(files [][]byte, pass []byte, iterations int) UserKey {
		t.Helper()
		k, err := NewUserKey(files, pass, salt, iterations)
		if err != nil {
			t.Fatal(err)
		}
		return *k
	}
	ab := key([][]byte{[]byte("a"), []byte("b")}, nil, -1)
	if ab != key([][]byte{[]byte("ab")}, nil, -1) {
		t.Error("a keyfile split in two gives another key")
	}
	if ab == key([][]byte{[]byte("b"), []byte("a")}, nil, -1) {
		t.Error("the order of keyfiles does not matter")
	}
	if key(nil, []byte("p"), 0) == key(nil, []byte("p"), 1) {
		t.Error("0 and 1 iterations give the same key")
	}
	if _, err := NewUserKey(nil, nil, salt, -1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no components: %v", err)
	}
	if _, err := NewUserKey(nil, []byte("p"), salt, -1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a passphrase where none is taken: %v", err)
	}
	for in, want := range map[string]string{"pass": "pass", "pass\n": "pass", "pass\nmore": "pass", "a\x00b\n": "a", "\n": "", "": "", " x \r\n": " x \r"} {
		if got := string(Passphrase([]byte(in))); got != want {
			t.Errorf("passfile %q gives %q, want %q", in, got, want)
		}
	}
}

// TestCalibrate: under a clock that says each look takes so long, the number
// of rounds comes from the time the last run took.
func TestCalibrate(t *testing.T) {
	at := time.Unix(0, 0)
	looks := 0
	now := func() time.Time { // runs last 1, 2, 4, 8 ms ...
		looks++
		if looks%2 == 0 {
			at = at.Add(time.Millisecond << (looks/2 - 1))
		}
		return at
	}
	if got := CalibrateIterations(40*time.Millisecond, now); got != 40 {
		t.Errorf("one round a millisecond: %d rounds in 40 ms", got)
	}
}

func FuzzDecodeLabel(f *testing.F) {
	for _, g := range genuineLabels {
		raw, _ := hex.DecodeString(g.label)
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := DecodeLabel(b)
		if err != nil {
			return
		}
		if again := l.Encode(); !bytes.Equal(again[magicRoom:len(again)-16], b[magicRoom:len(again)-16]) {
			t.Errorf("encoded again it differs")
		}
	})
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
