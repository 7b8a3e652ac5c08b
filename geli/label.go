package geli

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"gelibench/geli/engine"
)

// Errors of reading a label. Those of a label that is not one wrap
// fs.ErrInvalid.
var (
	ErrNoLabel    = fmt.Errorf("no GELI metadata: %w", fs.ErrInvalid)
	ErrLabelSum   = fmt.Errorf("GELI metadata is damaged: its MD5 does not match: %w", fs.ErrInvalid)
	ErrTooNew     = errors.New("GELI metadata is of a newer version than this program knows")
	ErrBadLabel   = fmt.Errorf("GELI metadata makes no sense, though its MD5 is right: %w", fs.ErrInvalid)
	ErrUnknownAlg = errors.New("GELI metadata names an algorithm that this program does not know")
	ErrRemovedAlg = errors.New("algorithm was removed from GELI: FreeBSD 13 and later refuse it")
)

// LabelMagic opens the label; readers compare it up to its first zero byte.
const LabelMagic = "GEOM::ELI"

const (
	saltBytes = 64
	slotBytes = 192 // IV-Key || Data-Key || HMAC, encrypted
	magicRoom = 16
	labelV0   = 509 // bytes; there is no aalgo
	labelV1   = 511 // bytes, versions 1 to 7
)

// Label is what lies in the last sector of a provider: GELI's metadata, whole.
// All of its integers are little-endian on disk, without padding.
type Label struct {
	Metadata            // with the flags as they are on disk
	ProviderBytes int64 // media size of the underlying provider
	UsedSlots     uint8 // bit 0: slot 0, bit 1: slot 1
	Iterations    int32 // -1: no passphrase; 0: salted HMAC without PBKDF2
	Salt          [saltBytes]byte
	Slots         [2][slotBytes]byte // master keys, each encrypted
	Sum           [md5.Size]byte     // as read; Encode works it out anew
}

// labelBytes is the label's length in a version.
func labelBytes(version int) int {
	if version == 0 {
		return labelV0
	}
	return labelV1
}

// Encode returns the label as it lies on disk, 509 or 511 bytes.
func (l *Label) Encode() []byte {
	b := make([]byte, 0, labelV1)
	b = append(b, LabelMagic...)
	b = append(b, make([]byte, magicRoom-len(LabelMagic))...)
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(l.Version))
	b = le.AppendUint32(b, uint32(l.Flags))
	b = le.AppendUint16(b, uint16(l.Alg))
	b = le.AppendUint16(b, uint16(l.KeyBits))
	if l.Version > 0 {
		b = le.AppendUint16(b, uint16(l.AAlg))
	}
	b = le.AppendUint64(b, uint64(l.ProviderBytes))
	b = le.AppendUint32(b, uint32(l.SectorSize))
	b = append(b, l.UsedSlots)
	b = le.AppendUint32(b, uint32(l.Iterations))
	b = append(b, l.Salt[:]...)
	for _, slot := range l.Slots {
		b = append(b, slot[:]...)
	}
	sum := md5.Sum(b)
	return append(b, sum[:]...)
}

// DecodeLabel reads a label from the start of b, such as a provider's last
// sector. Bytes behind the label are not looked at. It fails with ErrNoLabel,
// ErrTooNew, ErrLabelSum, or ErrBadLabel where a size is out of all bounds.
// Whether the fields make sense together is for CheckProvider to say.
func DecodeLabel(b []byte) (*Label, error) {
	if !bytes.HasPrefix(b, append([]byte(LabelMagic), 0)) || len(b) < labelV0 {
		return nil, ErrNoLabel
	}
	r := reader{b: b[magicRoom:]}
	l := &Label{}
	l.Version = int(int32(r.u32()))
	if l.Version < 0 || l.Version > NewestVersion {
		return nil, fmt.Errorf("version %d: %w (newest: %d)", uint32(l.Version), ErrTooNew, NewestVersion)
	}
	n := labelBytes(l.Version)
	if len(b) < n {
		return nil, ErrNoLabel
	}
	l.Flags = Flags(r.u32())
	l.Alg = engine.Alg(r.u16())
	l.KeyBits = int(r.u16())
	if l.Version > 0 {
		l.AAlg = AAlg(r.u16())
	}
	l.ProviderBytes = int64(r.u64())
	sector := r.u32()
	l.UsedSlots = r.next(1)[0]
	l.Iterations = int32(r.u32())
	copy(l.Salt[:], r.next(saltBytes))
	for i := range l.Slots {
		copy(l.Slots[i][:], r.next(slotBytes))
	}
	copy(l.Sum[:], r.next(md5.Size))
	if md5.Sum(b[:n-md5.Size]) != l.Sum {
		return nil, ErrLabelSum
	}
	if sector > math.MaxInt32 || l.ProviderBytes < 0 {
		return nil, fmt.Errorf("sectors of %d bytes on a provider of %d: %w", sector, uint64(l.ProviderBytes), ErrBadLabel)
	}
	l.SectorSize = int(sector)
	return l, nil
}

// reader takes little-endian fields off the front; the caller knows that they
// are there.
type reader struct{ b []byte }

func (r *reader) next(n int) []byte {
	field := r.b[:n]
	r.b = r.b[n:]
	return field
}
func (r *reader) u16() uint16 { return binary.LittleEndian.Uint16(r.next(2)) }
func (r *reader) u32() uint32 { return binary.LittleEndian.Uint32(r.next(4)) }
func (r *reader) u64() uint64 { return binary.LittleEndian.Uint64(r.next(8)) }

// ReadLabel reads the label of a provider: from the last 4096-byte sector or
// the last 512-byte one, whichever holds it. sectorSize is the provider's own
// sector size that follows from where it lay.
func ReadLabel(p interface {
	ReadAt([]byte, int64) (int, error)
	Size() int64
}) (l *Label, sectorSize int, err error) {
	for _, sector := range []int64{512, 4096} {
		if p.Size() < sector {
			break
		}
		last := make([]byte, sector)
		if n, rerr := p.ReadAt(last, p.Size()-sector); n < len(last) {
			return nil, 0, fmt.Errorf("last sector: %w", short(rerr, errShortProvider))
		}
		l, err = DecodeLabel(last)
		if !errors.Is(err, ErrNoLabel) {
			return l, int(sector), err
		}
	}
	return nil, 0, ErrNoLabel
}

// checkFields says what keeps a label, its checksum being right, from being
// that of any provider in sectors of so many bytes. It fails with ErrUnknownAlg
// or ErrBadLabel.
func (l *Label) checkFields(providerSector int) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrBadLabel)
	}
	auth := l.Flags&FlagAuth != 0
	switch {
	case !slices.Contains(engine.Algs, l.Alg):
		return fmt.Errorf("ealgo %d: %w", uint16(l.Alg), ErrUnknownAlg)
	case auth && l.Version > 0 && l.AAlg.DigestBytes() == 0:
		return fmt.Errorf("aalgo %d: %w", uint16(l.AAlg), ErrUnknownAlg)
	case l.SectorSize <= 0 || l.SectorSize%providerSector != 0:
		return bad("sectors of %d bytes, which is no multiple of the %d of the provider", l.SectorSize, providerSector)
	case l.SectorSize > MaxSectorSize:
		return bad("sectors of %d bytes, and %d MiB is the most", l.SectorSize, MaxSectorSize>>20)
	}
	err := l.Check()
	if err == nil && auth {
		_, err = newLayout(l.AAlg, providerSector, l.SectorSize)
	}
	if err != nil {
		return bad("%s", strings.TrimSuffix(err.Error(), ": "+fs.ErrInvalid.Error()))
	}
	return nil
}

// Removed reports whether today's FreeBSD refuses the label's algorithms.
func (l *Label) Removed() error {
	switch {
	case l.Alg == engine.BlowfishCBC || l.Alg == engine.TripleDESCBC:
		return fmt.Errorf("%v: %w", l.Alg, ErrRemovedAlg)
	case l.AAlg == HMACMD5:
		return fmt.Errorf("%v: %w", l.AAlg, ErrRemovedAlg)
	}
	return nil
}
