package engine

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
)

// ErrMismatch: an engine or a hasher gave wrong bytes. Nothing it does can be
// trusted, so nothing it does should be timed.
var ErrMismatch = errors.New("wrong result")

// SelfTest checks an engine before its figures are believed: the published
// answers for p first (Known), then agreement with the oracle on random runs
// (Agree, with a fresh seed). With a nil oracle, or one of e's own name, only
// the known answers are asked.
//
// It moves under 300 KB in all, so that it is over in a tenth of a second even
// at 5 MB/s. The error wraps ErrMismatch where bytes were wrong; engines that
// are not available here, and parameters they do not support, return their own
// errors.
func SelfTest(e, oracle Engine, p Params) error {
	if err := Known(e, p); err != nil {
		return err
	}
	if oracle == nil || oracle.Name() == e.Name() {
		return nil
	}
	return Agree(e, oracle, p, freshSeed())
}

// Known checks e against the published answers for p: both directions, in
// place and out of it, one sector and as many side by side as a wide kernel
// takes. XTS answers with a tweak of more than 64 bits are left out for engines
// that cannot take them (Tweak64Only).
func Known(e Engine, p Params) error {
	s, err := newSession(e, p)
	if err != nil {
		return err
	}
	defer s.Close()
	if p.Alg == Null {
		return knownNull(e, s, p)
	}
	asked := 0
	for _, k := range knownAnswers() {
		if k.params != p || (k.wideTweak() && Tweak64Only(e)) {
			continue
		}
		asked++
		if err := s.SetKey(k.bytes(k.key)); err != nil {
			return fmt.Errorf("engine %s, %v, known answer %q: %w", e.Name(), p, k.source, err)
		}
		iv := make([]byte, IVBytes)
		copy(iv, k.bytes(k.iv))
		plain, cipher := k.bytes(k.plain), k.bytes(k.cipher)
		// 37 sectors are a full round of 32 lanes with an odd rest; long
		// answers are asked in fewer copies to keep start-up short.
		for _, copies := range []int{1, 1 + min(36, 2048/len(plain))} {
			t := trial{
				e: e, s: s, p: p, what: fmt.Sprintf("known answer %q", k.source),
				ivs: bytes.Repeat(iv, copies), plain: bytes.Repeat(plain, copies), cipher: bytes.Repeat(cipher, copies),
				g: Packed(len(plain)),
			}
			if err := t.all(); err != nil {
				return err
			}
		}
	}
	if asked == 0 {
		return fmt.Errorf("no known answer for %v: %w", p, fs.ErrInvalid)
	}
	return nil
}

// knownNull needs no table: the answer is the question.
func knownNull(e Engine, s Session, p Params) error {
	if err := s.SetKey(nil); err != nil {
		return fmt.Errorf("engine %s, %v: %w", e.Name(), p, err)
	}
	plain := bytes.Repeat([]byte{0x00, 0xff, 0x5a}, 3*512)
	t := trial{
		e: e, s: s, p: p, what: "data passed unchanged",
		ivs: make([]byte, 9*IVBytes), plain: plain, cipher: plain, g: Packed(512),
	}
	return t.all()
}

func knownAnswers() []knownAnswer {
	return append(append([]knownAnswer(nil), knownAES...), knownOther...)
}

// bytes decodes a field; the tables are tested to be hex.
func (k knownAnswer) bytes(field string) []byte {
	b, err := hex.DecodeString(field)
	if err != nil {
		panic(fmt.Sprintf("known answer %q: %v", k.source, err))
	}
	return b
}

// newSession checks p before it asks the engine for a session.
func newSession(e Engine, p Params) (Session, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	s, err := e.NewSession(p)
	if err != nil {
		return nil, fmt.Errorf("engine %s, %v: %w", e.Name(), p, err)
	}
	return s, nil
}

// Tweak64Only reports whether e's XTS takes only tweaks whose upper 8 bytes
// are zero. GELI has no others: its tweak is the sector's byte offset. Such an
// engine says so with a method Tweak64Only() bool and returns an error that
// wraps ErrUnavailable for the rest.
func Tweak64Only(e Engine) bool {
	t, ok := e.(interface{ Tweak64Only() bool })
	return ok && t.Tweak64Only()
}
