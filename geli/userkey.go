package geli

import (
	"bytes"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"gelibench/geli/engine"
	"gelibench/geli/engine/soft"
	"gelibench/geli/mem"
)

// Errors of attaching a label, and of opening it with a user key.
var (
	ErrWrongKey = errors.New("wrong key: no passphrase or keyfile given fits")
	ErrSize     = fmt.Errorf("size mismatch: %w", fs.ErrInvalid)
	ErrNoSlot   = errors.New("no master key is set: the provider cannot be opened by anyone")
)

// UserKey is what a user has, 64 bytes made of keyfiles and a passphrase.
type UserKey [sha512.Size]byte

// Wipe overwrites the key.
func (k *UserKey) Wipe() { mem.Wipe(k[:]) }

// Passphrase is what GELI makes of the bytes of a passfile: the first line
// without its newline, cut at the first zero byte. Several passfiles are
// concatenated after that.
func Passphrase(passfile []byte) []byte {
	line, _, _ := bytes.Cut(passfile, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte{0})
	return line
}

// NewUserKey derives the user key:
//
//	HMAC-SHA512(key: empty, keyfiles || P)
//
// where P is empty for iterations -1, salt || passphrase for 0, and otherwise
// PBKDF2-HMAC-SHA512(passphrase, salt, iterations, 64 bytes). Keyfiles come
// first and whole, in order. With iterations of -1 passphrase must be nil.
func NewUserKey(keyfiles [][]byte, passphrase []byte, salt []byte, iterations int) (*UserKey, error) {
	mac := hmac.New(sha512.New, nil)
	for _, f := range keyfiles {
		mac.Write(f)
	}
	switch {
	case iterations < 0:
		if passphrase != nil {
			return nil, fmt.Errorf("a passphrase for a provider that takes none: %w", fs.ErrInvalid)
		}
		if len(keyfiles) == 0 {
			return nil, fmt.Errorf("no key components given: %w", fs.ErrInvalid)
		}
	case iterations == 0:
		mac.Write(salt)
		mac.Write(passphrase)
	default:
		stretched, err := pbkdf2.Key(sha512.New, string(passphrase), salt, iterations, sha512.Size)
		if err != nil {
			return nil, err
		}
		mac.Write(stretched)
		mem.Wipe(stretched)
	}
	k := new(UserKey)
	mac.Sum(k[:0])
	return k, nil
}

// CalibrateIterations finds how many PBKDF2 rounds take about the given time
// here: it doubles until a run is a tenth of that, then scales.
func CalibrateIterations(want time.Duration, now func() time.Time) int {
	for n := 1; ; n *= 2 {
		start := now()
		pbkdf2.Key(sha512.New, "calibration", make([]byte, saltBytes), n, sha512.Size)
		if took := now().Sub(start); took >= want/10 || n >= 1<<30 {
			return max(1, int(float64(n)*float64(want)/float64(max(took, 1))))
		}
	}
}

// hmkey verifies a slot and enckey encrypts it.
func (k *UserKey) hmkey() [sha512.Size]byte  { return macByte(k[:], 0x00) }
func (k *UserKey) enckey() [sha512.Size]byte { return macByte(k[:], 0x01) }

// Open decrypts a master key slot with a user key and returns the master key
// and the slot's number. slot -1 tries both. It fails with ErrNoSlot or
// ErrWrongKey.
func (l *Label) Open(k *UserKey, slot int) (*MasterKey, int, error) {
	if l.UsedSlots&3 == 0 {
		return nil, -1, ErrNoSlot
	}
	for n := range l.Slots {
		if l.UsedSlots&(1<<n) == 0 || slot >= 0 && slot != n {
			continue
		}
		plain, err := l.cryptSlot(k, l.Slots[n], false)
		if err != nil {
			return nil, -1, err
		}
		sum := slotSum(k, plain[:len(MasterKey{})])
		if hmac.Equal(sum[:], plain[len(MasterKey{}):]) {
			master := (*MasterKey)(bytes.Clone(plain[:len(MasterKey{})]))
			mem.Wipe(plain[:])
			return master, n, nil
		}
		mem.Wipe(plain[:])
	}
	return nil, -1, ErrWrongKey
}

// NewSalt draws a salt.
func (l *Label) NewSalt() { rand.Read(l.Salt[:]) }

// Seal fills both slots with random bytes and encrypts the master key into
// slot n under the user key, as geli init does.
func (l *Label) Seal(k *UserKey, master *MasterKey, n int) error {
	for i := range l.Slots {
		if l.UsedSlots&(1<<i) == 0 {
			rand.Read(l.Slots[i][:])
		}
	}
	var plain [slotBytes]byte
	copy(plain[:], master[:])
	sum := slotSum(k, master[:])
	copy(plain[len(master):], sum[:])
	sealed, err := l.cryptSlot(k, plain, true)
	mem.Wipe(plain[:])
	if err != nil {
		return err
	}
	l.Slots[n] = sealed
	l.UsedSlots |= 1 << n
	return nil
}

// slotSum is HMAC-SHA512(hmkey, master key), which tells a right key.
func slotSum(k *UserKey, master []byte) (sum [sha512.Size]byte) {
	key := k.hmkey()
	mac := hmac.New(sha512.New, key[:])
	mac.Write(master)
	mac.Sum(sum[:0])
	mem.Wipe(key[:])
	return sum
}

// cryptSlot runs a slot through the label's cipher as one CBC unit with an IV of
// zeros, under the first bytes of enckey. XTS labels use AES-CBC here, the null
// cipher leaves the slot in the clear.
func (l *Label) cryptSlot(k *UserKey, in [slotBytes]byte, encrypt bool) (out [slotBytes]byte, err error) {
	p := engine.Params{Alg: l.Alg, KeyBits: l.KeyBits}
	if p.Alg == engine.AESXTS {
		p.Alg = engine.AESCBC
	}
	if err := p.Check(); err != nil {
		return out, err
	}
	session, err := soft.New().NewSession(p)
	if err != nil {
		return out, err
	}
	defer session.Close()
	key := k.enckey()
	defer mem.Wipe(key[:])
	if err := session.SetKey(key[:p.KeyBytes()]); err != nil {
		return out, err
	}
	crypt := session.Decrypt
	if encrypt {
		crypt = session.Encrypt
	}
	return out, crypt(out[:], in[:], make([]byte, engine.IVBytes), engine.Packed(slotBytes))
}

// Attach makes a device on a provider from its label and master key. It fails
// where geli attach does: a removed algorithm, or a provider of another size
// than the label says.
func Attach(p Provider, l *Label, master *MasterKey, o Options) (*Device, error) {
	if err := l.CheckProvider(p); err != nil {
		return nil, err
	}
	return New(p, l.Metadata, master, o)
}

// CheckProvider says whether a label can be attached to a provider, whatever
// the key. It fails with ErrRemovedAlg, ErrUnknownAlg, ErrSize, ErrBadLabel or
// ErrNoLabel.
func (l *Label) CheckProvider(p Provider) error {
	if err := l.Removed(); err != nil {
		return err
	}
	if l.Flags&FlagOnetime != 0 {
		return fmt.Errorf("a label with the onetime flag: %w", ErrNoLabel)
	}
	if p.Size() != l.ProviderBytes {
		return fmt.Errorf("%s has %d bytes, its GELI metadata says %d: %w", p.Name(), p.Size(), l.ProviderBytes, ErrSize)
	}
	if err := l.checkFields(p.SectorSize()); err != nil {
		return fmt.Errorf("%s: %w", p.Name(), err)
	}
	switch inside, err := l.DecryptedBytes(p.Size(), p.SectorSize()); {
	case err != nil:
		return err
	case inside == 0:
		return fmt.Errorf("%s: its %d bytes hold no sector of %d beside the metadata: %w", p.Name(), p.Size(), l.SectorSize, ErrBadLabel)
	}
	return nil
}
