package peer_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"gelibench/geli/engine"
	"gelibench/geli/engine/enginebench/peer"
	"gelibench/geli/engine/soft"
)

// The hashes are those that OpenSSL 3.0.19 gave behind the same protocol.
func TestChecks(t *testing.T) {
	const in = `check xtsenc 256 512 4096
check xtsdec 128 4096 8192
check cbcenc 192 512 4096
check cbcdec 256 48 200
check xtsenc 192 512 4096
`
	const want = `d75ecbd024d18bfd
8ad93214876bc797
5aae33e2d9553b70
9627dcda29f17f5a
NA
`
	var out strings.Builder
	if err := peer.Serve(strings.NewReader(in), &out, overSoft); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func overSoft(job peer.Job, key []byte) (peer.Run, error) {
	s, err := soft.New().NewSession(job.Params)
	if err != nil {
		return nil, err
	}
	if err := s.SetKey(key); err != nil {
		return nil, err
	}
	do := s.Decrypt
	if job.Encrypt {
		do = s.Encrypt
	}
	return func(buf []byte) error {
		ivs := make([]byte, len(buf)/job.SectorBytes*engine.IVBytes)
		for i := 0; i < len(ivs); i += engine.IVBytes {
			binary.LittleEndian.PutUint64(ivs[i:], uint64(i/engine.IVBytes))
		}
		return do(buf, buf, ivs, engine.Packed(job.SectorBytes))
	}, nil
}

func TestRates(t *testing.T) {
	runs := 0
	setup := func(job peer.Job, key []byte) (peer.Run, error) {
		if job.KeyBits == 128 {
			return nil, errors.New("not this one")
		}
		return func([]byte) error { runs++; return nil }, nil
	}
	var out strings.Builder
	if err := peer.Serve(strings.NewReader("cbcdec 128 512 4096 1\ncbcdec 256 512 4096 1\n"), &out, setup); err != nil {
		t.Fatal(err)
	}
	if na, rate, _ := strings.Cut(out.String(), "\n"); na != "NA" || strings.TrimSpace(rate) == "" || strings.HasPrefix(rate, "0.000000") {
		t.Errorf("answers %q", out.String())
	}
	if runs < 2 { // one before the clock starts
		t.Errorf("%d runs", runs)
	}
	for _, junk := range []string{"xts", "cbcmix 256 512 4096 1", "check", "cbcenc 256 0 4096 1", "cbcenc 256 512 4096"} {
		if err := peer.Serve(strings.NewReader(junk+"\n"), &out, setup); err == nil {
			t.Errorf("%q was accepted", junk)
		}
	}
}
