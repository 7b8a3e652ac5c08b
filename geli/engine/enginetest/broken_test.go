package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"gelibench/geli/cpu"
	"gelibench/geli/engine"
	"gelibench/geli/engine/soft"
)

// broken is soft with something wrong. Nil fields are as soft has them.
type broken struct {
	info    func(engine.Info) engine.Info
	support func(engine.Params) error
	session func(p engine.Params, s engine.Session) engine.Session // wraps
}

func (broken) Name() string { return "broken" }
func (broken) Probe() error { return nil }

func (e broken) Info() engine.Info {
	if e.info != nil {
		return e.info(soft.New().Info())
	}
	return soft.New().Info()
}

// Supports has two ciphers, to be quick.
func (e broken) Supports(p engine.Params) error {
	if e.support != nil {
		return e.support(p)
	}
	if err := p.Check(); err != nil {
		return err
	}
	if !isAES(p) || p.KeyBits != 128 {
		return fmt.Errorf("broken has only AES-128, not %v: %w", p, engine.ErrUnavailable)
	}
	return nil
}

func (e broken) NewSession(p engine.Params) (engine.Session, error) {
	if e.support == nil {
		if err := e.Supports(p); err != nil {
			return nil, err
		}
	}
	s, err := soft.New().NewSession(p)
	if err == nil && e.session != nil {
		s = e.session(p, s)
	}
	return s, err
}

// sick is a session whose calls go through hooks, where they are set.
type sick struct {
	engine.Session
	setKey func(key []byte) error
	run    func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error
	close  func() error

	// The session's own, made once, since a method value allocates.
	encrypt, decrypt runFunc
}

func (s *sick) SetKey(key []byte) error {
	if s.setKey != nil {
		return s.setKey(key)
	}
	return s.Session.SetKey(key)
}

func (s *sick) through(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
	if s.run != nil {
		return s.run(run, dst, src, ivs, g)
	}
	return run(dst, src, ivs, g)
}

func (s *sick) Encrypt(dst, src, ivs []byte, g engine.Geometry) error {
	if s.encrypt == nil {
		s.encrypt = s.Session.Encrypt
	}
	return s.through(s.encrypt, dst, src, ivs, g)
}

func (s *sick) Decrypt(dst, src, ivs []byte, g engine.Geometry) error {
	if s.decrypt == nil {
		s.decrypt = s.Session.Decrypt
	}
	return s.through(s.decrypt, dst, src, ivs, g)
}

func (s *sick) Close() error {
	if s.close != nil {
		return s.close()
	}
	return s.Session.Close()
}

// after makes an engine that is right but for what harm does after a run.
func after(harm func(dst, src, ivs []byte, g engine.Geometry)) broken {
	return around(nil, harm)
}

// around makes an engine with something done before and after each run that
// has sectors.
func around(before, after func(dst, src, ivs []byte, g engine.Geometry)) broken {
	return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
		return &sick{Session: s, run: func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
			ok := len(ivs) > 0 && len(dst) > 0 && len(src) > 0
			if ok && before != nil {
				before(dst, src, ivs, g)
			}
			err := run(dst, src, ivs, g)
			if ok && err == nil && after != nil {
				after(dst, src, ivs, g)
			}
			return err
		}}
	}}
}

func inPlace(dst, src []byte) bool { return &dst[0] == &src[0] }

func sectors(ivs []byte) int { return len(ivs) / engine.IVBytes }

var sink any

// beyond points at a byte outside b, as a kernel with a wrong count does.
//
//go:nocheckptr
func beyond(b []byte, at int) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at))
}

// ailments are engines with one thing wrong each, and the test that must see it.
var ailments = []struct {
	what, test string
	engine     func() broken
}{
	{"is wrong in the last bit of 33 sectors", "every run length", func() broken {
		return after(func(dst, _, ivs []byte, g engine.Geometry) {
			if n := sectors(ivs); n == 33 {
				dst[(n-1)*g.DstStride+g.Unit-1] ^= 1
			}
		})
	}},
	{"is wrong for units of 272 bytes", "every unit", func() broken {
		return after(func(dst, _, _ []byte, g engine.Geometry) {
			if g.Unit == 272 {
				dst[16] ^= 0x80
			}
		})
	}},
	{"is wrong for one place in a cache line", "every misalignment", func() broken {
		return after(func(dst, src, _ []byte, g engine.Geometry) {
			if uintptr(unsafe.Pointer(&src[0]))%64 == 17 {
				dst[0] ^= 4
			}
		})
	}},
	{"is wrong for one place of the IVs", "every misalignment", func() broken {
		return after(func(dst, _, ivs []byte, g engine.Geometry) {
			if uintptr(unsafe.Pointer(&ivs[0]))%64 == 63 {
				dst[0] ^= 4
			}
		})
	}},
	{"writes behind its end", "every run length", func() broken {
		return after(func(dst, _, _ []byte, _ engine.Geometry) {
			*beyond(dst, len(dst)) = 0
		})
	}},
	{"writes into a gap", "strides", func() broken {
		return after(func(dst, _, _ []byte, g engine.Geometry) {
			if g.DstStride > g.Unit && len(dst) > g.Unit {
				dst[g.DstStride-1] ^= 1
			}
		})
	}},
	{"changes its source", "every run length", func() broken {
		return after(func(dst, src, _ []byte, _ engine.Geometry) {
			if !inPlace(dst, src) {
				src[0] ^= 1
			}
		})
	}},
	{"changes its IVs", "every run length", func() broken {
		return after(func(_, _, ivs []byte, _ engine.Geometry) { ivs[len(ivs)-1]++ })
	}},
	{"changes its source for a moment", "page end", func() broken {
		return around(
			func(dst, src, _ []byte, _ engine.Geometry) {
				if !inPlace(dst, src) {
					src[0] ^= 1
					src[0] ^= 1
				}
			}, nil)
	}},
	{"reads behind its source", "page end", func() broken {
		return after(func(_, src, _ []byte, _ engine.Geometry) {
			sink = *beyond(src, len(src))
		})
	}},
	{"reads before its IVs", "page end", func() broken {
		return after(func(_, _, ivs []byte, _ engine.Geometry) {
			sink = *beyond(ivs, -1)
		})
	}},
	{"reads behind its key", "page end", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, setKey: func(key []byte) error {
				sink = *beyond(key, len(key))
				return s.SetKey(key)
			}}
		}}
	}},
	{"allocates", "allocations", func() broken {
		return after(func(_, _, _ []byte, _ engine.Geometry) { sink = make([]byte, 100) })
	}},
	{"allocates for a key", "allocations", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, setKey: func(key []byte) error { sink = make([]byte, 100); return s.SetKey(key) }}
		}}
	}},
	{"lets runs overlap", "overlap", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, run: func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
				err := run(dst, src, ivs, g)
				if errors.Is(err, engine.ErrOverlap) {
					return nil
				}
				return err
			}}
		}}
	}},
	{"refuses an overlap too late", "overlap", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, run: func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
				err := run(dst, src, ivs, g)
				if err != nil && len(dst) > 0 {
					dst[0]++
				}
				return err
			}}
		}}
	}},
	{"has errors of its own", "geometry refused", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, run: func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
				if run(dst, src, ivs, g) != nil {
					return errors.New("no")
				}
				return nil
			}}
		}}
	}},
	{"works when closed", "closed session", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, close: func() error { return nil }}
		}}
	}},
	{"closes once only", "closed session", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			closed := false
			return &sick{Session: s, close: func() error {
				if closed {
					return engine.ErrClosed
				}
				closed = true
				return s.Close()
			}}
		}}
	}},
	{"has a key from the start", "keys refused", func() broken {
		return broken{session: func(p engine.Params, s engine.Session) engine.Session {
			s.SetKey(make([]byte, p.KeyBytes()))
			return s
		}}
	}},
	{"cuts long keys", "keys refused", func() broken {
		return broken{session: func(p engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, setKey: func(key []byte) error { return s.SetKey(key[:min(len(key), p.KeyBytes())]) }}
		}}
	}},
	{"keeps the caller's key", "key change", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			var kept []byte
			return &sick{Session: s,
				setKey: func(key []byte) error { kept = key; return s.SetKey(key) },
				run: func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
					s.SetKey(kept)
					return run(dst, src, ivs, g)
				}}
		}}
	}},
	{"believes its first key", "key change", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			keys := 0
			return &sick{Session: s, setKey: func(key []byte) error {
				if keys++; keys > 2 {
					return nil
				}
				return s.SetKey(key)
			}}
		}}
	}},
	{"has one session for all", "parallel sessions", func() broken {
		var shared engine.Session
		var mu sync.Mutex
		return broken{session: func(p engine.Params, s engine.Session) engine.Session {
			mu.Lock()
			defer mu.Unlock()
			if shared == nil {
				shared = s
			}
			one := shared
			if p.Alg == engine.AESCBC {
				one = s // the lengths of the keys differ
			}
			return &sick{Session: one,
				setKey: func(key []byte) error { mu.Lock(); defer mu.Unlock(); return one.SetKey(key) },
				run: func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
					mu.Lock()
					defer mu.Unlock()
					return run(dst, src, ivs, g)
				},
				close: func() error { return nil }}
		}}
	}},
	{"uses the first IV for pairs of 80 bytes", "runs of one", func() broken {
		return around(func(_, _, ivs []byte, g engine.Geometry) {
			if g.Unit == 80 && sectors(ivs) == 2 {
				copy(ivs[16:], ivs[:16])
			}
		}, nil)
	}},
	{"takes 64 bits of a tweak", "tweaks", func() broken {
		return broken{session: func(p engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, run: func(run runFunc, dst, src, ivs []byte, g engine.Geometry) error {
				mine := slices.Clone(ivs)
				for i := range sectors(ivs) {
					if p.Alg == engine.AESXTS {
						clear(mine[i*engine.IVBytes+8 : (i+1)*engine.IVBytes])
					}
				}
				return run(dst, src, mine, g)
			}}
		}}
	}},
	{"goes wrong for some data", "accumulator", func() broken {
		return around(nil, func(dst, src, ivs []byte, g engine.Geometry) {
			for i := range sectors(ivs) {
				if dst[i*g.DstStride] == 0x42 {
					dst[i*g.DstStride] ^= 1
				}
			}
		})
	}},
	{"goes wrong for gaps in place in long runs", "random runs", func() broken {
		return after(func(dst, src, ivs []byte, g engine.Geometry) {
			if inPlace(dst, src) && g.SrcStride > g.Unit && sectors(ivs) > 9 {
				dst[0] ^= 1
			}
		})
	}},
	{"is another cipher", "known answers", func() broken {
		return broken{session: func(_ engine.Params, s engine.Session) engine.Session {
			return &sick{Session: s, setKey: func(key []byte) error {
				other := slices.Clone(key)
				slices.Reverse(other)
				return s.SetKey(other)
			}}
		}}
	}},
	{"claims Blowfish", "support", func() broken {
		return broken{support: func(p engine.Params) error {
			if p.Alg == engine.BlowfishCBC && p.KeyBits == 130 {
				return nil
			}
			return soft.New().Supports(p)
		}}
	}},
	{"needs a PadLock and runs without", "information", func() broken {
		return broken{info: func(i engine.Info) engine.Info { i.Needs = []cpu.Feature{cpu.PadLock}; return i }}
	}},
	{"has nothing to say", "information", func() broken {
		return broken{info: func(i engine.Info) engine.Info { i.About = ""; return i }}
	}},
}

// TestAilments: every ailment is seen by the test that is meant to see it, and
// none is seen where there is none.
func TestAilments(t *testing.T) {
	alwaysShort = true
	defer func() { alwaysShort = false }()
	covered := map[string]bool{}
	for _, a := range ailments {
		covered[a.test] = true
		t.Run(a.what, func(t *testing.T) {
			switch got := record(t, func(t testing.TB) { All[a.test](t, a.engine()) }); {
			case got.skipped:
				t.Skipf("%q skips here: %s", a.test, got.said)
			case !got.failed:
				t.Errorf("an engine that %s passes %q", a.what, a.test)
			default:
				t.Logf("%s", got.said)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(All)) {
		if !covered[name] {
			t.Errorf("nothing shows that %q can fail", name)
		}
		if got := record(t, func(t testing.TB) { All[name](t, broken{}) }); got.failed {
			t.Errorf("%q fails for an engine without a fault: %s", name, got.said)
		}
	}
}

// recorder is a testing.TB that keeps a failure to itself.
type recorder struct {
	testing.TB
	failed, skipped bool
	said            string
}

// record runs a test as package testing would, in a goroutine that may end.
func record(t *testing.T, test func(testing.TB)) *recorder {
	r := &recorder{TB: t}
	var wg sync.WaitGroup
	wg.Go(func() { test(r) })
	wg.Wait()
	return r
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed, r.said = true, fmt.Sprintf(format, args...)
}
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); runtime.Goexit() }
func (r *recorder) Fatal(args ...any)                 { r.Fatalf("%s", fmt.Sprint(args...)) }
func (r *recorder) Logf(string, ...any)               {}
func (r *recorder) Skip(args ...any)                  { r.Skipf("%s", fmt.Sprint(args...)) }
func (r *recorder) Skipf(format string, args ...any) {
	r.skipped, r.said = true, fmt.Sprintf(format, args...)
	runtime.Goexit()
}
