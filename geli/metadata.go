package geli

import (
	"fmt"
	"io/fs"
	"strings"

	"gelibench/geli/engine"
)

// NewestVersion is the metadata version of FreeBSD 10 and later, and of every
// onetime provider.
const NewestVersion = 7

// Flags are the flags of a provider that lie on disk (g_eli.h).
type Flags uint32

// The flags that bear on the data path or are set by onetime.
const (
	FlagOnetime    Flags = 0x001
	FlagWODetach   Flags = 0x004 // onetime -d: detach on last close after a write open
	FlagAuth       Flags = 0x010 // -a
	FlagNoDelete   Flags = 0x040 // -T
	FlagAutoresize Flags = 0x200 // default; cleared by -R
)

// Metadata says how a provider is encrypted: the part of GELI's on-disk label
// that the data path needs.
type Metadata struct {
	Version    int // 0 to NewestVersion
	Flags      Flags
	Alg        engine.Alg
	KeyBits    int  // one half for XTS
	AAlg       AAlg // with FlagAuth
	SectorSize int  // bytes, of the decrypted provider
}

// policy is what a metadata version means for the data path (the run-time
// flags that the kernel sets at attach).
type policy struct {
	nativeByteOrder bool // IV offsets in the byte order of the host that wrote
	singleKey       bool // one data key for all sectors
	ivKeyBase       bool // data keys come from the IV-Key (ENC_IVKEY)
	firstKey        bool // with -a, key number 0 for all sectors
}

func (md Metadata) policy() policy {
	v := md.Version
	return policy{
		nativeByteOrder: v < 4,
		singleKey:       v < 5,
		ivKeyBase:       v < 7,
		firstKey:        v < 6 && md.Flags&FlagAuth != 0,
	}
}

// Check reports whether GELI makes providers of such metadata: a version it
// knows, and a cipher, a key length and an integrity mode that the version has.
// Sector sizes are for New to check, which knows the provider.
func (md Metadata) Check() error {
	params := engine.Params{Alg: md.Alg, KeyBits: md.KeyBits}
	if err := params.Check(); err != nil {
		return err
	}
	lowest := map[engine.Alg]int{engine.CamelliaCBC: 4, engine.AESXTS: 5}[md.Alg]
	switch {
	case md.Version < 0 || md.Version > NewestVersion:
		return fmt.Errorf("metadata version %d is not one of 0 to %d: %w", md.Version, NewestVersion, engine.ErrUnavailable)
	case md.Version < lowest:
		return fmt.Errorf("%v needs metadata version %d or later, not %d: %w", md.Alg, lowest, md.Version, fs.ErrInvalid)
	case md.Flags&FlagAuth != 0 && md.AAlg.DigestBytes() == 0:
		return fmt.Errorf("%v is no authentication algorithm GELI knows: %w", md.AAlg, fs.ErrInvalid)
	case md.Flags&FlagAuth != 0 && md.Version == 0:
		return fmt.Errorf("data integrity needs metadata version 1 or later: %w", fs.ErrInvalid)
	}
	return nil
}

// DecryptedBytes is the size of the decrypted provider that lies on one of so
// many bytes in sectors of so many: less the sector of the metadata unless they
// are onetime's, in whole sectors, and less the MACs with -a. It may be 0.
func (md Metadata) DecryptedBytes(providerBytes int64, providerSector int) (int64, error) {
	if providerSector <= 0 || md.SectorSize <= 0 || md.SectorSize%providerSector != 0 {
		return 0, fmt.Errorf("sectors of %d bytes on sectors of %d: %w", md.SectorSize, providerSector, ErrAlign)
	}
	var l layout
	if md.Flags&FlagAuth != 0 {
		if md.AAlg.DigestBytes() == 0 {
			return 0, fmt.Errorf("%v is no authentication algorithm GELI knows: %w", md.AAlg, fs.ErrInvalid)
		}
		var err error
		if l, err = newLayout(md.AAlg, providerSector, md.SectorSize); err != nil {
			return 0, err
		}
	}
	return md.decryptedBytes(providerBytes, providerSector, l), nil
}

func (md Metadata) decryptedBytes(providerBytes int64, providerSector int, l layout) int64 {
	size := providerBytes
	if md.Flags&FlagOnetime == 0 {
		size -= int64(providerSector)
	}
	if md.Flags&FlagAuth != 0 {
		return max(0, size/int64(l.bytes)*int64(md.SectorSize))
	}
	return max(0, size/int64(md.SectorSize)*int64(md.SectorSize))
}

// AAlg is a data authentication algorithm, numbered as in the metadata field
// aalgo. 0 is none.
type AAlg uint16

// The authentication algorithms that GELI knows or once knew.
const (
	HMACMD5       AAlg = 6 // FreeBSD up to 12
	HMACSHA1      AAlg = 7
	HMACRIPEMD160 AAlg = 8
	HMACSHA256    AAlg = 18
	HMACSHA384    AAlg = 19
	HMACSHA512    AAlg = 20
)

var aalgNames = map[AAlg]string{
	HMACMD5: "hmac/md5", HMACSHA1: "hmac/sha1", HMACRIPEMD160: "hmac/ripemd160",
	HMACSHA256: "hmac/sha256", HMACSHA384: "hmac/sha384", HMACSHA512: "hmac/sha512",
}

// String gives geli(8)'s name in lower case, or "none".
func (a AAlg) String() string {
	if name, ok := aalgNames[a]; ok {
		return name
	}
	if a == 0 {
		return "none"
	}
	return fmt.Sprintf("aalgo(%d)", uint16(a))
}

// ParseAAlg reads a name as geli(8) takes it behind -a, in any case.
func ParseAAlg(name string) (AAlg, error) {
	for a, n := range aalgNames {
		if strings.EqualFold(n, name) {
			return a, nil
		}
	}
	return 0, fmt.Errorf("unknown authentication algorithm %q (known: hmac/sha1, hmac/ripemd160, hmac/sha256, hmac/sha384, hmac/sha512, hmac/md5): %w", name, fs.ErrInvalid)
}
