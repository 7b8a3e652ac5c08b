package geli

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/engines"
	"gelibench/geli/mem"
)

// The integrity path beside the standard library's hash of the same bytes, a
// stretch of one sub-sector's ciphertext at a time. Both take turns of some
// microseconds and the medians of the turns are reported, since the machine is
// never quiet. A MAC of 480 bytes is 12 compressions of SHA-256 (11 after each
// other), the bare hash 8: side by side MACs can win, one by one they cannot.
//
//	taskset -c 1 go test -run '^$' -bench 'MACs|Integrity' ./geli

// bareHashes are the hashes that the MACs are made of, where the standard
// library has a function for a digest without an allocation.
var bareHashes = map[AAlg]func(p []byte){
	HMACSHA1:   func(p []byte) { sha1.Sum(p) },
	HMACSHA256: func(p []byte) { sha256.Sum256(p) },
	HMACSHA384: func(p []byte) { sha512.Sum384(p) },
	HMACSHA512: func(p []byte) { sha512.Sum512(p) },
}

// hashName is without the slash, which would part a benchmark's name.
func hashName(a AAlg) string { return strings.TrimPrefix(strings.ToLower(a.String()), "hmac/") }

// turns times two things after each other, again and again.
type turns struct{ ours, bare []time.Duration }

func (t *turns) take(ours, bare func()) {
	t0 := time.Now()
	ours()
	t1 := time.Now()
	bare()
	t.bare = append(t.bare, time.Since(t1))
	t.ours = append(t.ours, t1.Sub(t0))
}

// report says how many bytes were handled in a turn, and as how many units.
func (t *turns) report(b *testing.B, a AAlg, bytes, units int, unitName string) {
	shares := make([]float64, len(t.ours))
	for i := range shares {
		shares[i] = float64(t.bare[i]) / float64(t.ours[i])
	}
	median := func(d []time.Duration) float64 { slices.Sort(d); return float64(d[len(d)/2].Nanoseconds()) }
	slices.Sort(shares)
	ours := median(t.ours)
	b.ReportMetric(float64(bytes)/ours, "GB/s")
	b.ReportMetric(ours/float64(units), "ns/"+unitName)
	b.ReportMetric(shares[len(shares)/2], "share-of-"+hashName(a))
	b.ReportMetric(0, "ns/op") // holds both turns: of no use
}

// BenchmarkMACs makes the MACs of the full sub-sectors of 512-byte underlying
// sectors, run of them at a time, with every way there is for the hash.
func BenchmarkMACs(b *testing.B) {
	for _, a := range []AAlg{HMACSHA1, HMACSHA256, HMACSHA384, HMACSHA512} {
		for _, h := range macWays(a) {
			for _, run := range []int{1, 2, 3, 4, 8, macSums} {
				b.Run(fmt.Sprintf("mac=%s/hash=%s/run=%d", hashName(a), h.Name(), run), func(b *testing.B) { benchMACs(b, a, h, run) })
			}
		}
	}
}

// macWays are the hashers that make MACs side by side, and std for one by one.
func macWays(a AAlg) (ways []engine.Hasher) {
	for _, h := range engines.Hashers() {
		_, lanes := h.(engine.Authenticator)
		if (lanes && a == HMACSHA256 || h.Name() == "std") && h.Probe() == nil {
			ways = append(ways, h)
		}
	}
	return ways
}

func benchMACs(b *testing.B, a AAlg, h engine.Hasher, run int) {
	const count = macSums // in a turn
	l, err := newLayout(a, 512, 4096)
	if err != nil {
		b.Fatal(err)
	}
	m := newMACMaker(a, h, make([]byte, 64), run)
	src := mem.Aligned(count*l.under, mem.Page)
	bare := bareHashes[a]
	var t turns
	for range b.N {
		t.take(func() {
			for i := 0; i < count; i += run {
				n := min(run, count-i)
				m.sum(src[i*l.under+l.digest:], l.under, l.data, uint64(i*l.under), n)
			}
		}, func() {
			for i := range count {
				bare(src[i*l.under+l.digest : i*l.under+l.digest+l.data])
			}
		})
	}
	t.report(b, a, count*l.data, count, "MAC")
}

// BenchmarkIntegrity moves 1 MiB requests through a worker with -a, over a
// provider that has one request's worth of memory, with the table's engine and
// hasher. Encryption is part of it, so that the share of the bare hash, which
// hashes the request's ciphertext and nothing else, says what both cost.
func BenchmarkIntegrity(b *testing.B) {
	for _, path := range []Path{PathGELI, PathBatch} {
		for _, alg := range []engine.Alg{engine.Null, engine.AESXTS, engine.AESCBC} {
			for _, a := range []AAlg{HMACSHA1, HMACSHA256, HMACSHA384, HMACSHA512} {
				if a != HMACSHA256 && alg != engine.AESXTS {
					continue
				}
				for _, request := range []int{4096, benchRequest} {
					for _, op := range []string{"read", "write"} {
						b.Run(fmt.Sprintf("path=%s/alg=%v/mac=%s/sector=4096/request=%d/op=%s", path.Name, alg, hashName(a), request, op), func(b *testing.B) {
							benchIntegrity(b, Options{Alg: alg, AAlg: a, SectorSize: 4096, Path: path}, op == "write", request)
						})
					}
				}
			}
		}
	}
}

// aRequest is a provider that holds what was last written and hands it out for
// every read.
type aRequest struct {
	nothing
	held []byte
}

func (r *aRequest) WriteAt(p []byte, off int64) (int, error) {
	return copy(r.held[off:], p), nil
}

func (r *aRequest) ReadAt(p []byte, off int64) (int, error) { return copy(p, r.held[off:]), nil }

func benchIntegrity(b *testing.B, o Options, write bool, requestBytes int) {
	disk := &aRequest{held: mem.Aligned(2*benchRequest, mem.Page)}
	d := onetime(b, disk, o)
	w, err := d.NewWorker()
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	buf := mem.Aligned(requestBytes, mem.Page)
	if _, err := w.WriteAt(buf, 0); err != nil {
		b.Fatal(err)
	}
	request := w.ReadAt
	if write {
		request = w.WriteAt
	}
	l, bare := d.layout, bareHashes[o.AAlg]
	var t turns
	for range b.N {
		t.take(func() {
			if _, err := request(buf, 0); err != nil {
				b.Fatal(err)
			}
		}, func() {
			for first := 0; first < requestBytes; first += l.sector {
				sector := disk.held[first/l.sector*l.bytes:]
				for i := range l.subs {
					cipher := sector[i*l.under+l.digest:]
					bare(cipher[:l.unit(i)])
				}
			}
		})
	}
	t.report(b, o.AAlg, requestBytes, requestBytes/l.sector, "sector")
}
