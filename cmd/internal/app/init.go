package app

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/image"
	"gelibench/geli"
	"gelibench/geli/engine"
	"gelibench/results/units"
)

const groupImage = "image"

func initVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Category:  wantImages,
		Usage:     "make a scratch image, as geli init would on a disk of its size",
		ArgsUsage: "FILE",
		Flags: slices.Concat([]cli.Flag{
			text("e", groupCipher, "`NAME` aes-xts (default; or: aes; aes-cbc below -V 5), aes-cbc,\ncamellia, null"),
			text("l", groupCipher, "`BITS` key length; one half of the key for aes-xts.\nDefault, or 0: the cipher's (128 for AES)"),
			text("s", groupCipher, "`BYTES` sector size: 512, 4k, ... Default, or 0: --provider-sector"),
			text("a", groupCipher, "`NAME` data integrity: hmac/sha1, hmac/ripemd160, hmac/sha256,\nhmac/sha384, hmac/sha512"),
			text("V", groupCipher, "`N` metadata version, 0 to 7 (default)"),
			toggle("R", groupCipher, "no autoresize: clears that flag"),
			toggle("T", groupCipher, "no TRIM: sets that flag"),
		}, newKey.flags(), []cli.Flag{
			text("i", groupKeys, "`N` rounds of PBKDF2; 0: none. Default: about 2 s of them"),
			text("size", groupImage, "`BYTES` of the file: 64m (default), 1g, ... It is sparse"),
			text("provider-sector", groupImage, "`BYTES` sector size of the disk that the file stands for:\n512 (default) or 4096"),
			toggle("fill", groupImage, "write all of it, zeros inside: -a reads nothing unwritten"),
			text("B", groupImage, "`FILE` backup of the metadata. Default, or none: none"),
			toggle("force", groupImage, "make it in the place of a file that exists"),
		}),
		Description: `
The file is what FreeBSD would have made: geli attach opens it, and nothing in
it says otherwise. That gelibench may overwrite it is kept in a mark beside it,
FILE.gelibench. Disks are never written.

examples
  gelibench init -e aes-xts -l 256 -s 4096 -i 1000 -J pass.txt scratch.img
  gelibench init -a hmac/sha256 -s 4096 -i 1000 -J pass.txt --fill auth.img
`,
		Action: func(c *cli.Context) error { return initImage(c, env) },
	}
}

// defaultImageBytes is enough for every cache to matter and little to fill.
const defaultImageBytes = 64 << 20

func initImage(c *cli.Context, env Env) error {
	// READ the command line.
	const example = "gelibench init scratch.img"
	path, err := oneOperand(c, example)
	if err != nil {
		return err
	}
	label, own, err := readLabelFlags(c, env)
	if err != nil {
		return err
	}
	keys, err := newKey.read(c)
	if err != nil {
		return err
	}
	if keys.noPassphrase && c.IsSet("i") {
		return usage("", "-i and -P exclude each other: without a passphrase there is nothing to iterate")
	}
	iterations, err := flag(c, "i", -1, parseIterations)
	if err != nil {
		return err
	}
	if label.ProviderBytes, err = imageBytes(c, path, own); err != nil {
		return err
	}

	// CHECK what can be checked before a passphrase is asked for.
	inside, err := label.DecryptedBytes(label.ProviderBytes, own)
	if err != nil {
		return in("-s", asUsage(err))
	}
	if inside == 0 {
		return usage("--size BYTES", "%d bytes hold no sector of %d beside the metadata", label.ProviderBytes, label.SectorSize)
	}
	scratch := image.Scratch{Path: path, Label: label, SectorBytes: own, Replace: c.Bool("force")}
	switch b := c.String("B"); {
	case b == "" && c.IsSet("B"):
		return usage("-B none makes no backup", "-B: which file? The name is empty")
	case b != "none":
		scratch.Backup = b
	}
	if err := scratch.Check(); err != nil {
		return imageError(err)
	}
	if label.SectorSize > pageBytes {
		fmt.Fprintf(env.Stderr, "warning: sectors of %d bytes are more than a page (%d)\n", label.SectorSize, pageBytes)
	}

	// MAKE the keys and the label.
	switch {
	case keys.noPassphrase:
		iterations = -1
	case iterations < 0:
		iterations = calibrate(env)
	}
	label.Iterations = int32(iterations)
	label.NewSalt()
	user, err := keys.userKey(env, label.Salt[:], iterations, true)
	if err != nil {
		return err
	}
	defer user.Wipe()
	master := geli.NewMasterKey()
	defer master.Wipe()
	if err := label.Seal(user, master, 0); err != nil {
		return err
	}

	// WRITE the image.
	if c.Bool("fill") {
		// An interrupt ends it, so that nothing is left over.
		signals, stop := env.Signals()
		defer stop()
		scratch.Fill = func(p geli.Provider) error { return fill(p, label, master, signals.Interrupt) }
	}
	if err := scratch.Create(); err != nil {
		return imageError(err)
	}
	if label.AAlg != 0 && scratch.Fill == nil {
		fmt.Fprintln(env.Stderr, "note: with -a a sector can only be read once it was written; --fill writes them all")
	}
	fmt.Fprintf(env.Stdout, "%s: %s, %d-byte sectors, %d bytes inside, metadata version %d, %s\n",
		path, cipherWords(label), label.SectorSize, inside, label.Version, iterationWords(label.Iterations))
	return nil
}

// readLabelFlags reads what goes into a label from the flags, and refuses what
// geli init refuses. The second value is the provider's own sector size.
func readLabelFlags(c *cli.Context, env Env) (*geli.Label, int, error) {
	version, err := flag(c, "V", geli.NewestVersion, parseVersion)
	if err != nil {
		return nil, 0, err
	}
	alg := engine.AESXTS
	if version < 5 {
		alg = engine.AESCBC // as geli init -V has it
	}
	if alg, err = flag(c, "e", alg, engine.ParseAlg); err != nil {
		return nil, 0, err
	}
	algs, aalg, err := integrity(c, env, []engine.Alg{alg})
	if err != nil {
		return nil, 0, err
	}
	bits, err := flag(c, "l", 0, parseKeyBits)
	if err != nil {
		return nil, 0, err
	}
	own, err := flag(c, "provider-sector", 512, parseNumber)
	if err != nil {
		return nil, 0, err
	}
	if own != 512 && own != 4096 {
		return nil, 0, usage("", "--provider-sector: 512 or 4096, not %d", own)
	}
	sector, err := flag(c, "s", 0, parseNumber)
	if err != nil {
		return nil, 0, err
	}
	if sector == 0 {
		sector = own
	}
	params := engine.Params{Alg: algs[0], KeyBits: bits}.Default()
	l := &geli.Label{Metadata: geli.Metadata{
		Version: version, Alg: params.Alg, KeyBits: params.KeyBits, AAlg: aalg, Flags: geli.FlagAutoresize,
	}}
	switch {
	case sector%own != 0:
		return nil, 0, usage("", "-s %d is not a multiple of the provider's sector of %d bytes", sector, own)
	case sector&(sector-1) != 0:
		return nil, 0, usage("", "-s %d is not a power of two: geli init refuses it", sector)
	case sector > geli.MaxSectorSize:
		return nil, 0, usage("", "-s %d: a sector has at most %d MiB", sector, geli.MaxSectorSize>>20)
	}
	l.SectorSize = int(sector)
	if aalg != 0 {
		l.Flags |= geli.FlagAuth
	}
	if c.Bool("T") {
		l.Flags |= geli.FlagNoDelete
	}
	if c.Bool("R") {
		l.Flags &^= geli.FlagAutoresize
	}
	if err := l.Removed(); err != nil {
		return nil, 0, usage("", "%v, geli init too", err)
	}
	if err := l.Check(); err != nil {
		return nil, 0, asUsage(err)
	}
	return l, int(own), nil
}

func parseVersion(text string) (int, error) {
	n, err := parseNumber(text)
	if err == nil && n > geli.NewestVersion {
		return 0, usage("", "there is no metadata version %s; versions are 0 to %d", text, geli.NewestVersion)
	}
	return int(n), err
}

func parseIterations(text string) (int, error) {
	n, err := parseNumber(text)
	if err == nil && n > math.MaxInt32 {
		return 0, usage("", "%s rounds are more than %d", text, math.MaxInt32)
	}
	return int(n), err
}

// imageBytes is the size of the file: what was asked for, or that of the file
// whose place it takes, or the default.
func imageBytes(c *cli.Context, path string, own int) (int64, error) {
	size := int64(defaultImageBytes)
	if info, err := os.Lstat(path); err == nil && c.Bool("force") && info.Mode().IsRegular() && info.Size() > 0 {
		size = info.Size()
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	size, err := flag(c, "size", size, parseNumber)
	if err == nil && (size == 0 || size%int64(own) != 0) {
		from := "--size"
		if !c.IsSet("size") {
			from = path
		}
		err = usage("--size takes a whole number of them", "%s: %d bytes are not a whole number of sectors of %d bytes", from, size, own)
	}
	return size, err
}

// calibrationTime is what geli init aims at.
const calibrationTime = 2 * time.Second

// calibrate finds how many rounds take that long here.
func calibrate(env Env) int {
	start := time.Unix(0, 0)
	n := geli.CalibrateIterations(calibrationTime, func() time.Time { return start.Add(env.Clock.Now()) })
	return min(n, math.MaxInt32)
}

// fillBytes is one write of fill.
const fillBytes = 1 << 20

// fill writes zeros over the whole decrypted provider.
func fill(p geli.Provider, l *geli.Label, master *geli.MasterKey, interrupt <-chan os.Signal) error {
	d, err := geli.Attach(p, l, master, geli.Options{Path: geli.PathBatch})
	if err != nil {
		return err
	}
	defer d.Close()
	zeros := make([]byte, max(fillBytes, d.SectorSize()))
	for off := int64(0); off < d.Size(); off += int64(len(zeros)) {
		select {
		case <-interrupt:
			return errInterrupted
		default:
		}
		if _, err := d.WriteAt(zeros[:min(int64(len(zeros)), d.Size()-off)], off); err != nil {
			return err
		}
	}
	return nil
}

// cipherWords names a label's algorithms.
func cipherWords(l *geli.Label) string {
	words := engine.Params{Alg: l.Alg, KeyBits: l.KeyBits}.String()
	if l.Alg == engine.Null {
		words = l.Alg.String()
	}
	if l.AAlg != 0 && l.Flags&geli.FlagAuth != 0 {
		words += " with " + l.AAlg.String()
	}
	return words
}

func iterationWords(n int32) string {
	switch {
	case n < 0:
		return "no passphrase"
	case n == 0:
		return "passphrase not iterated"
	}
	return units.Count(int(n), "round") + " of PBKDF2"
}
