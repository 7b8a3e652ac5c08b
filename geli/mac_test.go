package geli

import (
	"errors"
	"slices"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engines"
)

// countingMACs makes MACs with macMaker's own one by one, and notes how many
// were asked for at once.
type countingMACs struct {
	engine.Hasher
	calls *[]int
	akey  [64]byte
}

func (c countingMACs) HMACs(dst, src []byte, stride, unit int, _ *[8]uint32, off, step uint64) {
	*c.calls = append(*c.calls, len(dst)/32)
	m := newMACMaker(HMACSHA256, c.Hasher, c.akey[:], 1)
	m.lanes = nil
	for i := range len(dst) / 32 {
		m.one(dst[i*32:i*32], src[i*stride:i*stride+unit], off+uint64(i)*step)
	}
}

// TestMACRuns: how many MACs go side by side, by path and number of sectors;
// they are those of one by one, and a wrong one is found wherever it lies.
func TestMACRuns(t *testing.T) {
	l, err := newLayout(HMACSHA256, 512, 4096) // 8 full sub-sectors and a last one
	if err != nil {
		t.Fatal(err)
	}
	eight, seventy := slices.Repeat([]int{8}, 3), []int{64, 6}
	for _, c := range []struct {
		what    string
		run, n  int
		atATime []int
	}{
		{"one by one", 1, 3, slices.Repeat([]int{1}, 3*9)},
		{"few sectors", 64, 3, append(eight, 3)},
		{"many sectors", 256, 70, slices.Repeat(seventy, 9)},
	} {
		var calls []int
		counting := countingMACs{Hasher: engines.AutoHasher(1), calls: &calls}
		m := newMACMaker(HMACSHA256, counting, counting.akey[:], c.run)
		raw := pattern(0, c.n*l.bytes)
		m.sign(raw, l, 1<<30, c.n)
		if !slices.Equal(calls, c.atATime) {
			t.Errorf("%s: MACs in runs of %v, want %v", c.what, calls, c.atATime)
		}
		// The same MACs one by one, in the other order.
		single := newMACMaker(HMACSHA256, engines.AutoHasher(1), counting.akey[:], 1)
		if bad := single.verify(raw, l, 1<<30, c.n); bad != -1 {
			t.Errorf("%s: one by one, the MAC at byte %d is another", c.what, bad)
		}
		for at := 0; at < len(raw); at += (1 + c.n/7) * l.under { // with 70, every eleventh
			for _, b := range []int{at, at + l.digest + 5} {
				raw[b] ^= 1
				if bad := m.verify(raw, l, 1<<30, c.n); bad != at {
					t.Fatalf("%s: byte %d is flipped, and the MAC at %d is said to be wrong", c.what, b, bad)
				}
				raw[b] ^= 1
			}
		}
	}
}

// TestIntegrityErrorSays: sector and sub-sector, in any order of checking.
func TestIntegrityErrorSays(t *testing.T) {
	for _, path := range []Path{PathGELI, PathBatch} {
		for _, sectors := range []int{1, 4, 20} {
			disk := newMemory(1 << 30)
			d := onetime(t, disk, Options{AAlg: HMACSHA256, SectorSize: 4096, Path: path})
			data := pattern(0, sectors*4096)
			if _, err := d.WriteAt(data, 8192); err != nil {
				t.Fatal(err)
			}
			sub := int64(2+sectors-1)*9*512 + 7*512 // of the last sector, the seventh
			raw := make([]byte, 512)
			disk.ReadAt(raw, sub)
			raw[100] ^= 1
			disk.WriteAt(raw, sub)
			_, err := d.ReadAt(data, 8192)
			var where *IntegrityError
			if !errors.As(err, &where) || where.Offset != int64(2+sectors-1)*4096 || where.ProviderOffset != sub {
				t.Errorf("path %s, %d sectors: %v, want sector %d and sub-sector %d", path.Name, sectors, err, (2+sectors-1)*4096, sub)
			}
		}
	}
}
