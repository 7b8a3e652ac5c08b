package vaes

import (
	"bytes"
	"testing"
	"unsafe"

	"gelibench/geli/engine"
	"gelibench/geli/mem"
)

var allParams = []engine.Params{
	{Alg: engine.AESXTS, KeyBits: 128}, {Alg: engine.AESXTS, KeyBits: 256},
	{Alg: engine.AESCBC, KeyBits: 128}, {Alg: engine.AESCBC, KeyBits: 192}, {Alg: engine.AESCBC, KeyBits: 256},
}

// each opens a session of every engine that can run here for every cipher.
func each(t *testing.T, test func(t *testing.T, p engine.Params, s engine.Session)) {
	for _, e := range []vaes{avx512, avx2} {
		if err := e.Probe(); err != nil {
			t.Log(err)
			continue
		}
		for _, p := range allParams {
			t.Run(e.name+"/"+p.String(), func(t *testing.T) {
				s, err := e.NewSession(p)
				if err != nil {
					t.Fatal(err)
				}
				test(t, p, s)
				s.Close()
			})
		}
	}
}

func keyedOf(s engine.Session) *keyed {
	switch s := s.(type) {
	case *xtsSession:
		return &s.keyed
	case *cbcSession:
		return &s.keyed
	}
	return nil
}

// TestWipe: after work of every kind has left its traces, Close leaves none.
func TestWipe(t *testing.T) {
	each(t, func(t *testing.T, p engine.Params, s engine.Session) {
		secrets := keyedOf(s).secrets
		ivs, buf := make([]byte, 70*16), make([]byte, 70*512)
		for _, n := range []int{1, 3, 70} {
			if err := s.SetKey(bytes.Repeat([]byte{0x5a}, p.KeyBytes())); err != nil {
				t.Fatal(err)
			}
			if err := s.Encrypt(buf, buf, ivs[:n*16], engine.Packed(512)); err != nil {
				t.Fatal(err)
			}
			if err := s.Decrypt(buf, buf, ivs[:n*16], engine.Packed(512)); err != nil {
				t.Fatal(err)
			}
		}
		used := 0
		for _, b := range secrets {
			if b != 0 {
				used++
			}
		}
		if used < 1000 {
			t.Errorf("only %d bytes of the session's memory were used", used)
		}
		s.Close()
		if !bytes.Equal(secrets, make([]byte, len(secrets))) {
			t.Error("the session's memory is not wiped")
		}
	})
}

// TestAlignment: what the kernels take to be aligned is.
func TestAlignment(t *testing.T) {
	each(t, func(t *testing.T, p engine.Params, s engine.Session) {
		var parts []unsafe.Pointer
		switch s := s.(type) {
		case *xtsSession:
			m := s.m
			parts = []unsafe.Pointer{unsafe.Pointer(m), unsafe.Pointer(&m.keys), unsafe.Pointer(&m.inverse), unsafe.Pointer(&m.wideKeys),
				unsafe.Pointer(&m.wideInverse), unsafe.Pointer(&m.wideTweakKeys), unsafe.Pointer(&m.tweaks[0]), unsafe.Pointer(&m.tweaks[1]), unsafe.Pointer(&m.scratch)}
		case *cbcSession:
			m := s.m
			parts = []unsafe.Pointer{unsafe.Pointer(m), unsafe.Pointer(&m.keys), unsafe.Pointer(&m.inverse), unsafe.Pointer(&m.wideKeys),
				unsafe.Pointer(&m.wideInverse), unsafe.Pointer(&m.chains)}
		}
		for i, part := range parts {
			if uintptr(part)%mem.CacheLine != 0 {
				t.Errorf("part %d of the session's memory is not aligned", i)
			}
		}
	})
}

// TestScheduleOrder: the schedules of a key are made in whatever order the
// directions and run lengths come, each from what is there already.
func TestScheduleOrder(t *testing.T) {
	each(t, func(t *testing.T, p engine.Params, s engine.Session) {
		key := bytes.Repeat([]byte{0x21}, p.KeyBytes())
		plain, ivs := make([]byte, 40*64), make([]byte, 40*16)
		for i := range plain {
			plain[i] = byte(i * i)
		}
		for i := range ivs {
			ivs[i] = byte(i)
		}
		cipher := make([]byte, len(plain))
		if err := s.SetKey(key); err != nil {
			t.Fatal(err)
		}
		if err := s.Encrypt(cipher, plain, ivs, engine.Packed(64)); err != nil {
			t.Fatal(err)
		}
		// Each order of these four after a fresh key; letter: direction, run.
		type call struct {
			encrypt bool
			n       int
		}
		calls := []call{{true, 1}, {false, 1}, {true, 40}, {false, 40}}
		for order := range 4 * 4 * 4 * 4 {
			if err := s.SetKey(key); err != nil {
				t.Fatal(err)
			}
			for k := range 4 {
				c := calls[order>>(2*k)&3]
				run, from, want := s.Decrypt, cipher, plain
				if c.encrypt {
					run, from, want = s.Encrypt, plain, cipher
				}
				got := make([]byte, c.n*64)
				if err := run(got, from, ivs[:c.n*16], engine.Packed(64)); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want[:c.n*64]) {
					t.Fatalf("wrong bytes in call %d of order %d: %+v", k, order, c)
				}
			}
		}
	})
}

// TestChainBytes: no kernel writes behind the memory that it is given.
func TestChainBytes(t *testing.T) {
	each(t, func(t *testing.T, p engine.Params, s engine.Session) {
		c, ok := s.(*cbcSession)
		if !ok {
			return
		}
		const canary = 0xc7
		buf, ivs := make([]byte, 64*1040), make([]byte, 64*16)
		for _, k := range c.call.encrypt {
			for _, unit := range []int{16, 64, 80, 512, 1040} {
				memory := mem.Aligned(chainBytes+256, mem.CacheLine)
				behind := memory[chainBytes:]
				for i := range behind {
					behind[i] = canary
				}
				n := k.chains
				if n > 4 {
					n = 2*n - 3
				}
				k.encrypt(&c.m.wideKeys[0], &memory[0], &buf[0], &buf[0], &ivs[0], n, unit, unit, unit)
				if !bytes.Equal(behind, bytes.Repeat([]byte{canary}, len(behind))) {
					t.Errorf("%d chains, unit %d: wrote behind chainBytes", k.chains, unit)
				}
			}
		}
	})
}
