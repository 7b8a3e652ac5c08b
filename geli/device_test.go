package geli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gelibench/geli/engine"
)

// everyParams is each cipher with some or all of its key lengths.
var everyParams = []engine.Params{
	{Alg: engine.AESXTS, KeyBits: 128}, {Alg: engine.AESXTS, KeyBits: 256},
	{Alg: engine.AESCBC, KeyBits: 128}, {Alg: engine.AESCBC, KeyBits: 192}, {Alg: engine.AESCBC, KeyBits: 256},
	{Alg: engine.CamelliaCBC, KeyBits: 128}, {Alg: engine.CamelliaCBC, KeyBits: 192}, {Alg: engine.CamelliaCBC, KeyBits: 256},
	{Alg: engine.BlowfishCBC, KeyBits: 128}, {Alg: engine.BlowfishCBC, KeyBits: 448},
	{Alg: engine.TripleDESCBC, KeyBits: 192},
	{Alg: engine.Null, KeyBits: 512},
}

func onetime(t testing.TB, p Provider, o Options) *Device {
	t.Helper()
	d, err := Onetime(p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestWriteThenRead: what was written is read back, for every cipher and
// sector size, on both paths, far out, across a change of the data key, and
// whether or not the provider lets requests be split.
func TestWriteThenRead(t *testing.T) {
	for _, p := range everyParams {
		for _, sector := range []int{512, 1024, 2048, 4096, 8192} {
			for _, path := range []Path{PathGELI, PathBatch} {
				for _, piece := range []int{0, 1024} {
					disk := newMemory(1 << 60)
					disk.piece = piece
					d := onetime(t, disk, Options{Alg: p.Alg, KeyBits: p.KeyBits, SectorSize: sector, Path: path})
					perKey := int64(sector) << sectorsPerKeyShift
					for _, off := range []int64{0, perKey - 3*int64(sector), 1<<60 - 7*int64(sector)} {
						data := pattern(off+1, 7*sector)
						kept := bytes.Clone(data)
						name := fmt.Sprintf("%v, sector %d, path %s, piece %d, offset %d", p, sector, path.Name, piece, off)
						if n, err := d.WriteAt(data, off); n != len(data) || err != nil {
							t.Fatalf("%s: WriteAt = %d, %v", name, n, err)
						}
						if !bytes.Equal(data, kept) {
							t.Fatalf("%s: the write changed the caller's data", name)
						}
						under := make([]byte, len(data))
						disk.ReadAt(under, off)
						if same := bytes.Equal(under, data); same != (p.Alg == engine.Null) {
							t.Fatalf("%s: ciphertext equals plaintext: %v", name, same)
						}
						back := make([]byte, len(data))
						if n, err := d.ReadAt(back, off); n != len(back) || err != nil || !bytes.Equal(back, data) {
							t.Fatalf("%s: ReadAt = %d, %v, or other data", name, n, err)
						}
					}
				}
			}
		}
	}
}

// TestPathsAgree: how the engine is called never changes the bytes, nor does
// the request in which a sector is read.
func TestPathsAgree(t *testing.T) {
	for _, p := range everyParams {
		const sector, sectors = 512, 300
		md := Metadata{Version: 7, Flags: FlagOnetime, Alg: p.Alg, KeyBits: p.KeyBits, SectorSize: sector}
		start := int64(sector)<<sectorsPerKeyShift - 150*sector // the key changes in the middle
		data := pattern(3, sector*sectors)
		var want []byte
		for _, path := range []Path{PathGELI, PathBatch, {Name: "mixed", RunSectors: 7, Rekey: RekeyCached}, {Name: "mixed", RunSectors: 1, Rekey: RekeyCached}} {
			disk := newMemory(1 << 60)
			d, err := New(disk, md, countingKey(), Options{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.WriteAt(data, start); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, len(data))
			disk.ReadAt(got, start)
			if want == nil {
				want = got
			} else if !bytes.Equal(got, want) {
				t.Errorf("%v: path %+v wrote other bytes than path geli", p, path)
			}
			one := make([]byte, sector)
			for range 20 {
				i := rand.IntN(sectors)
				if _, err := d.ReadAt(one, start+int64(i*sector)); err != nil || !bytes.Equal(one, data[i*sector:(i+1)*sector]) {
					t.Errorf("%v: path %+v: sector %d alone reads otherwise (%v)", p, path, i, err)
				}
			}
			d.Close()
		}
	}
}

func TestOnetimeDevicesDiffer(t *testing.T) {
	zeros, a, b := make([]byte, 4096), make([]byte, 4096), make([]byte, 4096)
	diskA, diskB := newMemory(1<<20), newMemory(1<<20)
	onetime(t, diskA, Options{}).WriteAt(zeros, 0)
	onetime(t, diskB, Options{}).WriteAt(zeros, 0)
	diskA.ReadAt(a, 0)
	diskB.ReadAt(b, 0)
	if bytes.Equal(a, b) || bytes.Equal(a, zeros) {
		t.Error("two onetime devices wrote the same bytes, or none")
	}
}

// TestRules holds a device to io.ReaderAt's and io.WriterAt's.
func TestRules(t *testing.T) {
	const size = 10*4096 + 512 // the last 512 bytes are no whole sector
	d := onetime(t, newMemory(size), Options{SectorSize: 4096})
	if d.Size() != 10*4096 || d.SectorSize() != 4096 || d.Name() != "memory.eli" {
		t.Fatalf("%s has %d bytes in sectors of %d", d.Name(), d.Size(), d.SectorSize())
	}
	for _, c := range []struct {
		length, n      int
		off            int64
		read, writeErr error
	}{
		{4096, 4096, 0, nil, nil},
		{0, 0, 0, nil, nil},
		{8192, 8192, 8 * 4096, nil, nil},
		{8192, 4096, 9 * 4096, io.EOF, io.ErrShortWrite},
		{4096, 0, 10 * 4096, io.EOF, io.ErrShortWrite},
		{4096, 0, 1 << 40, io.EOF, io.ErrShortWrite},
		{512, 0, 0, ErrAlign, ErrAlign},
		{4096, 0, 512, ErrAlign, ErrAlign},
		{4096, 0, -4096, fs.ErrInvalid, fs.ErrInvalid},
	} {
		p := make([]byte, c.length)
		if n, err := d.WriteAt(p, c.off); n != c.n || !errors.Is(err, c.writeErr) {
			t.Errorf("WriteAt(%d bytes, %d) = %d, %v; want %d, %v", c.length, c.off, n, err, c.n, c.writeErr)
		}
		if n, err := d.ReadAt(p, c.off); n != c.n || !errors.Is(err, c.read) {
			t.Errorf("ReadAt(%d bytes, %d) = %d, %v; want %d, %v", c.length, c.off, n, err, c.n, c.read)
		}
	}
	d.Close()
	if err := d.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if _, err := d.ReadAt(make([]byte, 4096), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("read after Close: %v", err)
	}
	if _, err := d.NewWorker(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("NewWorker after Close: %v", err)
	}
}

// TestWorkerAfterDeviceClose: a worker that outlives its device never falls
// back on wiped keys.
func TestWorkerAfterDeviceClose(t *testing.T) {
	d := onetime(t, newMemory(1<<60), Options{})
	w, err := d.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := w.ReadAt(make([]byte, 512), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("worker of a closed device reads: %v", err)
	}
	w.Close()
	if _, err := w.WriteAt(make([]byte, 512), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("closed worker writes: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want error
	}{
		{"XTS has no 192", Options{Alg: engine.AESXTS, KeyBits: 192}, fs.ErrInvalid},
		{"sector of 513", Options{SectorSize: 513}, ErrAlign},
		{"negative sector", Options{SectorSize: -512}, ErrAlign},
		{"giant sector", Options{SectorSize: 1 << 30}, ErrAlign},
		{"no such integrity", Options{AAlg: 99}, fs.ErrInvalid},
		{"an empty last sub-sector", Options{AAlg: HMACSHA256, SectorSize: 7680}, fs.ErrInvalid},
	} {
		if d, err := Onetime(newMemory(1<<20), c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, d, err, c.want)
		}
	}
	for _, md := range []Metadata{
		{Version: 8, Alg: engine.AESCBC, KeyBits: 128, SectorSize: 512},
		{Version: -1, Alg: engine.AESCBC, KeyBits: 128, SectorSize: 512},
		{Version: 4, Alg: engine.AESXTS, KeyBits: 128, SectorSize: 512},
		{Version: 3, Alg: engine.CamelliaCBC, KeyBits: 128, SectorSize: 512},
		{Version: 7, Alg: 99, KeyBits: 128, SectorSize: 512},
	} {
		if _, err := New(newMemory(1<<20), md, countingKey(), Options{}); err == nil {
			t.Errorf("New accepts %+v", md)
		}
	}
	md := Metadata{Version: 7, Alg: engine.AESCBC, KeyBits: 128, SectorSize: 512}
	if _, err := New(newMemory(1<<20), md, countingKey(), Options{KeyBits: 256}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("New with a key length in the options: %v", err)
	}
	d, err := New(newMemory(1<<20), md, countingKey(), Options{})
	if err != nil || d.Size() != 1<<20-512 {
		t.Errorf("without onetime the last sector is the metadata's: size %d, %v", d.Size(), err)
	}
}

// TestUnderlyingErrors: what goes wrong beneath comes up with its reason, and
// a provider that ends too early is not taken for a good read.
func TestUnderlyingErrors(t *testing.T) {
	disk := newMemory(1 << 20)
	d := onetime(t, disk, Options{})
	disk.size = 4096 // the disk shrinks
	if n, err := d.ReadAt(make([]byte, 8192), 0); n != 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("read beyond a shrunk provider: %d, %v", n, err)
	}
	if n, err := d.WriteAt(make([]byte, 8192), 0); n != 0 || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("write beyond a shrunk provider: %d, %v", n, err)
	}
}

// TestRequestsHandedDown: whole, unless the provider asks for pieces.
func TestRequestsHandedDown(t *testing.T) {
	disk := newMemory(1 << 20)
	d := onetime(t, disk, Options{SectorSize: 4096})
	p := make([]byte, 64<<10)
	d.ReadAt(p, 0)
	d.WriteAt(p, 0)
	if want := []int{len(p)}; !cmp.Equal(disk.reads, want) || !cmp.Equal(disk.writes, want) {
		t.Errorf("whole requests: reads %v, writes %v, want %v", disk.reads, disk.writes, want)
	}
	disk = newMemory(1 << 20)
	disk.piece = 10000 // not a multiple: rounded down to 8192
	d = onetime(t, disk, Options{SectorSize: 4096})
	d.ReadAt(p[:20480], 0)
	if want := []int{8192, 8192, 4096}; !cmp.Equal(disk.reads, want) {
		t.Errorf("pieces: reads %v, want %v", disk.reads, want)
	}
}

func TestCounters(t *testing.T) {
	const sector = 512
	for _, c := range []struct {
		path Path
		keys int64
	}{
		{PathGELI, 2048 + 10 + 4},
		{PathBatch, 2}, // one each side of the boundary; the second write stays there
	} {
		d := onetime(t, newMemory(1<<60), Options{SectorSize: sector, Path: c.path})
		w, err := d.NewWorker()
		if err != nil {
			t.Fatal(err)
		}
		w.ReadAt(make([]byte, 2048*sector), 0)
		w.WriteAt(make([]byte, 10*sector), sector<<sectorsPerKeyShift)
		w.WriteAt(make([]byte, 4*sector), sector<<sectorsPerKeyShift)
		want := Counters{Reads: 1, Writes: 2, BytesRead: 2048 * sector, BytesWritten: 14 * sector, Sectors: 2062, Keys: c.keys}
		if diff := cmp.Diff(want, w.Counters()); diff != "" {
			t.Errorf("path %s (-want +got):\n%s", c.path.Name, diff)
		}
		w.Close()
	}
}

// TestConcurrent: many goroutines on one device, each in its own place, on
// both sides of a key change. The race detector watches.
func TestConcurrent(t *testing.T) {
	d := onetime(t, newMemory(1<<60), Options{Path: PathBatch})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			off := int64(512)<<sectorsPerKeyShift - 4*8192 + int64(g)*8192
			data := pattern(off, 8192)
			back := make([]byte, 8192)
			for range 20 {
				if _, err := d.WriteAt(data, off); err != nil {
					t.Error(err)
				}
				if _, err := d.ReadAt(back, off); err != nil || !bytes.Equal(back, data) {
					t.Errorf("goroutine %d reads other data (%v)", g, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestNoAllocations: a request allocates nothing, on either path, whichever
// engine does not allocate itself.
func TestNoAllocations(t *testing.T) {
	for _, p := range []engine.Params{{Alg: engine.AESXTS, KeyBits: 256}, {Alg: engine.AESCBC, KeyBits: 256}} {
		for _, path := range []Path{PathGELI, PathBatch} {
			d := onetime(t, nothing{}, Options{Alg: p.Alg, KeyBits: p.KeyBits, Path: path})
			if d.Engine().Info().Allocates {
				t.Fatalf("the engine chosen for %v allocates: %s", p, d.Engine().Name())
			}
			w, err := d.NewWorker()
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			buf := make([]byte, 64<<10)
			for name, request := range map[string]func([]byte, int64) (int, error){"read": w.ReadAt, "write": w.WriteAt} {
				if allocs := testing.AllocsPerRun(20, func() { request(buf, 1<<20) }); allocs != 0 {
					t.Errorf("%v, path %s: a %s allocates %v times", p, path.Name, name, allocs)
				}
			}
		}
	}
}

// nothing is a provider that does nothing.
type nothing struct{}

func (nothing) Name() string                             { return "nothing" }
func (nothing) Size() int64                              { return 1 << 60 }
func (nothing) SectorSize() int                          { return 512 }
func (nothing) ReadAt(p []byte, off int64) (int, error)  { return len(p), nil }
func (nothing) WriteAt(p []byte, off int64) (int, error) { return len(p), nil }

func TestUnaligned(t *testing.T) {
	const size = 6 * 512
	d := onetime(t, newMemory(size), Options{})
	data := pattern(0, size)
	if _, err := d.WriteAt(data, 0); err != nil {
		t.Fatal(err)
	}
	r := Unaligned(d)
	for off := 0; off <= size; off += 37 {
		for _, length := range []int{0, 1, 511, 512, 513, 1025, size} {
			p := make([]byte, length)
			n, err := r.ReadAt(p, int64(off))
			want := data[off:min(off+length, size)]
			wantErr := error(nil)
			if len(want) < length {
				wantErr = io.EOF
			}
			if n != len(want) || !errors.Is(err, wantErr) || !bytes.Equal(p[:n], want) {
				t.Fatalf("ReadAt(%d bytes, %d) = %d, %v, or other data; want %d, %v", length, off, n, err, len(want), wantErr)
			}
		}
	}
	if _, err := r.ReadAt(make([]byte, 1), -1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("negative offset: %v", err)
	}
	all, err := io.ReadAll(io.NewSectionReader(r, 0, d.Size()))
	if err != nil || !bytes.Equal(all, data) {
		t.Errorf("io.ReadAll: %d bytes, %v", len(all), err)
	}
}
