package geli

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"gelibench/geli/engine"
	"gelibench/geli/engines"
	"gelibench/geli/mem"
)

// MaxSectorSize bounds the sector size of a device, in bytes. GELI has no bound of its own;
// no request of FreeBSD's is longer than this.
const MaxSectorSize = 16 << 20

// Options say how a device is made. The zero value is geli onetime's default:
// AES-XTS, 128-bit halves, the provider's own sector size, the kernel's path.
type Options struct {
	// Cipher, for Onetime; New takes it from the metadata and wants these zero.
	Alg        engine.Alg // 0: AESXTS
	KeyBits    int        // one half for XTS; 0: the algorithm's default
	SectorSize int        // bytes; 0: the provider's
	Flags      Flags      // onetime's -d and -T; FlagAutoresize is set unless NoAutoresize
	AAlg       AAlg       // -a

	NoAutoresize bool // -R

	Path   Path          // zero: PathGELI
	Engine engine.Engine // nil: the engine table's choice
	Hasher engine.Hasher // of CBC IVs and HMAC/SHA256 MACs; nil: the hasher table's choices

	// HostByteOrder is the byte order of the host that wrote a provider of
	// version 0 to 3, which put its IV offsets in it. nil: little-endian, as
	// amd64, i386 and arm64 are.
	HostByteOrder binary.ByteOrder
}

// Device is an encrypted provider on top of another. It is safe for concurrent
// use.
type Device struct {
	provider Provider
	md       Metadata
	path     Path
	engine   engine.Engine
	params   engine.Params
	hasher   engine.Hasher // of IVs
	macs     engine.Hasher // of MACs
	auth     bool          // -a
	layout   layout        // with -a
	keys     *keyCache
	oneKey   bool  // data key 0 for every sector
	ivSector int   // bytes of the sectors that IVs and data keys go by
	size     int64 // bytes
	piece    int   // bytes in which to read from the provider; 0: whole requests

	mu     sync.Mutex
	closed bool
	ivs    ivMaker
	akey   [64]byte  // with -a
	idle   []*Worker // for ReadAt and WriteAt; NewWorker's are not among them
}

// Onetime makes a device with a random master key, as geli onetime does:
// version 7, no metadata read or written.
func Onetime(p Provider, o Options) (*Device, error) {
	if o.Alg == 0 {
		o.Alg = engine.AESXTS
	}
	if o.SectorSize == 0 {
		o.SectorSize = p.SectorSize()
	}
	params := engine.Params{Alg: o.Alg, KeyBits: o.KeyBits}.Default()
	md := Metadata{
		Version:    NewestVersion,
		Flags:      FlagOnetime | o.Flags,
		Alg:        params.Alg,
		KeyBits:    params.KeyBits,
		AAlg:       o.AAlg,
		SectorSize: o.SectorSize,
	}
	if !o.NoAutoresize {
		md.Flags |= FlagAutoresize
	}
	if o.AAlg != 0 {
		md.Flags |= FlagAuth
	}
	key := NewMasterKey()
	defer key.Wipe()
	o.Alg, o.KeyBits, o.SectorSize, o.Flags, o.AAlg, o.NoAutoresize = 0, 0, 0, 0, 0, false
	return New(p, md, key, o)
}

// New makes a device from metadata and a master key, of which it keeps copies
// of its own that Close wipes. Unless md has FlagOnetime, the provider's last
// sector is left to the metadata.
func New(p Provider, md Metadata, key *MasterKey, o Options) (*Device, error) {
	if o.Alg != 0 || o.KeyBits != 0 || o.SectorSize != 0 || o.Flags != 0 || o.AAlg != 0 || o.NoAutoresize {
		return nil, fmt.Errorf("cipher options beside metadata: %w", fs.ErrInvalid)
	}
	if err := md.Check(); err != nil {
		return nil, err
	}
	own := p.SectorSize()
	if md.SectorSize <= 0 || md.SectorSize%own != 0 || md.SectorSize > MaxSectorSize {
		return nil, fmt.Errorf("sector size of %d bytes: must be a multiple of %s's %d and at most %d: %w", md.SectorSize, p.Name(), own, MaxSectorSize, ErrAlign)
	}
	d := &Device{
		provider: p,
		md:       md,
		path:     o.Path.resolve(md),
		engine:   o.Engine,
		params:   engine.Params{Alg: md.Alg, KeyBits: md.KeyBits},
	}
	d.auth = md.Flags&FlagAuth != 0
	d.ivSector = md.SectorSize
	if d.auth {
		var err error
		if d.layout, err = newLayout(md.AAlg, own, md.SectorSize); err != nil {
			return nil, err
		}
		d.ivSector = own
	}
	d.size = md.decryptedBytes(p.Size(), own, d.layout)
	if pw, ok := p.(piecewise); ok && pw.PieceSize() > 0 {
		d.piece = max(md.SectorSize, pw.PieceSize()-pw.PieceSize()%md.SectorSize)
	}
	if d.engine == nil {
		var err error
		if d.engine, _, err = engines.Auto(d.params); err != nil {
			return nil, err
		}
	}
	d.hasher, d.macs = o.Hasher, o.Hasher
	if d.hasher == nil {
		d.hasher, d.macs = engines.AutoHasher(d.path.RunSectors), engines.AutoMACHasher()
	}
	pol := md.policy()
	bigEndian := pol.nativeByteOrder && o.HostByteOrder != nil && o.HostByteOrder.String() == binary.BigEndian.String()
	d.ivs = newIVMaker(md.Alg, d.hasher, key.ivKey(), bigEndian)
	d.oneKey = pol.singleKey || pol.firstKey
	d.keys = newKeyCache(newKeySource(key, pol, d.auth), keyCacheLimit)
	if d.auth {
		d.akey = authKey(key)
	}

	// A worker now, so that an engine that cannot serve fails here.
	w, err := d.NewWorker()
	if err != nil {
		d.Close()
		return nil, err
	}
	d.idle = append(d.idle, w)
	return d, nil
}

// Name is the provider's name with ".eli" behind it.
func (d *Device) Name() string { return d.provider.Name() + ".eli" }

// Size is in bytes, a multiple of the sector size.
func (d *Device) Size() int64 { return d.size }

// SectorSize is in bytes.
func (d *Device) SectorSize() int { return d.md.SectorSize }

// Metadata says what the device was made from.
func (d *Device) Metadata() Metadata { return d.md }

// Path is how the engine is called, with nothing left open.
func (d *Device) Path() Path { return d.path }

// Engine is the one at work.
func (d *Device) Engine() engine.Engine { return d.engine }

// HasherName names what makes the IVs, or is "" where none is hashed.
func (d *Device) HasherName() string {
	if d.ivs.kind != ivHashed {
		return ""
	}
	return d.ivs.hasher.Name()
}

// MACHasherName names the hasher that makes the MACs of -a, side by side, or
// is "std" where the standard library makes them one by one, or "" without -a.
func (d *Device) MACHasherName() string {
	if !d.auth {
		return ""
	}
	if _, lanes := d.macs.(engine.Authenticator); lanes && d.md.AAlg == HMACSHA256 {
		return d.macs.Name()
	}
	return "std"
}

// ReadAt reads and decrypts whole sectors. It keeps io.ReaderAt's rules.
func (d *Device) ReadAt(p []byte, off int64) (int, error) {
	w, err := d.take()
	if err != nil {
		return 0, err
	}
	defer d.give(w)
	return w.ReadAt(p, off)
}

// WriteAt encrypts whole sectors into a buffer of its own and writes that. It
// keeps io.WriterAt's rules.
func (d *Device) WriteAt(p []byte, off int64) (int, error) {
	w, err := d.take()
	if err != nil {
		return 0, err
	}
	defer d.give(w)
	return w.WriteAt(p, off)
}

func (d *Device) take() (*Worker, error) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		w := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		return w, nil
	}
	d.mu.Unlock()
	return d.NewWorker()
}

func (d *Device) give(w *Worker) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		w.Close()
		return
	}
	d.idle = append(d.idle, w)
}

// Close wipes every key the device holds. Requests under way finish, or fail
// with fs.ErrClosed if they need another data key; workers from NewWorker are
// closed by their owners. The provider stays open. Closing twice is harmless.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	for _, w := range d.idle {
		w.Close()
	}
	d.idle = slices.Delete(d.idle, 0, len(d.idle))
	d.keys.wipe()
	d.ivs.wipe()
	mem.Wipe(d.akey[:])
	return nil
}
