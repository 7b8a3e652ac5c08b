package app

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
)

func dumpVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "dump",
		Category:  wantImages,
		Usage:     "show the GELI metadata of an image, a disk or a backup file",
		ArgsUsage: "FILE",
		Flags:     []cli.Flag{toggle("json", groupOutput, "print the metadata as JSON")},
		Description: `
The metadata lies in the last sector, of 512 or 4096 bytes, or at the start of a
file that geli backup, or init -B, made. Nothing is written, no key is needed.

examples
  gelibench dump scratch.img
`,
		Action: func(c *cli.Context) error { return dump(c, env) },
	}
}

func dump(c *cli.Context, env Env) error {
	path, err := oneOperand(c, "gelibench dump FILE")
	if err != nil {
		return err
	}
	found, err := findLabel(path)
	if err != nil {
		return imageError(err)
	}
	if c.Bool("json") {
		return found.json(env.Stdout, path)
	}
	found.print(env.Stdout, path)
	return nil
}

// oneOperand is the file that a verb for images is about.
func oneOperand(c *cli.Context, example string) (string, error) {
	switch c.NArg() {
	case 0:
		return "", usage(example, "which file?")
	case 1:
		if path := c.Args().First(); path != "" {
			return path, nil
		}
		return "", usage(example, "which file? The name is empty")
	}
	return "", usage(example, "one file, not %d: %s", c.NArg(), strings.Join(c.Args().Slice(), " "))
}

// foundLabel is a label with where it lay.
type foundLabel struct {
	*geli.Label
	offset int64 // bytes
	sector int   // bytes of the underlying provider; 0 in a backup file, which does not tell
}

// findLabel looks in the last sector, then at the start. A label that is
// damaged in one place ends the search only if there is none in another.
func findLabel(path string) (foundLabel, error) {
	p, err := provider.Open(path)
	if errors.Is(err, fs.ErrInvalid) { // a backup cut to the label alone, perhaps
		if raw, rerr := readStart(path); rerr == nil {
			l, lerr := geli.DecodeLabel(raw)
			if !errors.Is(lerr, geli.ErrNoLabel) {
				return foundLabel{Label: l}, at(path, lerr)
			}
		}
		return foundLabel{}, err
	}
	if err != nil {
		return foundLabel{}, err
	}
	defer p.Close()
	l, sector, err := geli.ReadLabel(p)
	if err == nil {
		return foundLabel{l, p.Size() - int64(sector), sector}, nil
	}
	start := make([]byte, min(p.Size(), 4096))
	if n, rerr := p.ReadAt(start, 0); n < len(start) {
		return foundLabel{}, at(path, rerr)
	}
	if l, serr := geli.DecodeLabel(start); serr == nil || errors.Is(err, geli.ErrNoLabel) {
		return foundLabel{Label: l}, at(path, serr)
	}
	return foundLabel{}, at(path, err)
}

// readStart reads what a label would take of a small regular file.
func readStart(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(path) // less than a sector: provider.Open refused it
}

// at puts the file's name before an error.
func at(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

// print writes the fields as geli dump does: its names, its order, its columns.
func (l foundLabel) print(w io.Writer, path string) {
	field := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%10s: %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(w, "Metadata on %s:\n", path)
	field("magic", "%s", geli.LabelMagic)
	field("version", "%d", l.Version)
	field("flags", "0x%x", uint32(l.Flags))
	field("ealgo", "%s", geliAlg(l.Alg))
	field("keylen", "%d", l.KeyBits)
	if l.Flags&geli.FlagAuth != 0 {
		field("aalgo", "%s", geliAAlg(l.AAlg))
	}
	field("provsize", "%d", l.ProviderBytes)
	field("sectorsize", "%d", l.SectorSize)
	field("keys", "0x%02x", l.UsedSlots)
	field("iterations", "%d", l.Iterations)
	field("Salt", "%x", l.Salt)
	field("Master Key", "%s", l.slotsHex())
	field("MD5 hash", "%x", l.Sum)
	fmt.Fprintln(w)
}

func (l foundLabel) slotsHex() string {
	return hex.EncodeToString(l.Slots[0][:]) + hex.EncodeToString(l.Slots[1][:])
}

// dumpSchema numbers the form of dump's JSON, which is only ever extended.
const dumpSchema = 1

// json writes the same fields with their units in their names.
func (l foundLabel) json(w io.Writer, path string) error {
	v := struct {
		Schema        int    `json:"schema"`
		File          string `json:"file"`
		OffsetBytes   int64  `json:"offset_bytes"` // of the label in the file
		Magic         string `json:"magic"`
		Version       int    `json:"version"`
		Flags         uint32 `json:"flags"`
		EAlgo         string `json:"ealgo"`
		KeyBits       int    `json:"key_bits"`
		AAlgo         string `json:"aalgo,omitempty"`
		ProviderBytes int64  `json:"provider_bytes"`
		SectorBytes   int    `json:"sector_bytes"`
		Keys          uint8  `json:"keys"`
		Iterations    int32  `json:"iterations"`
		Salt          string `json:"salt"`
		MasterKeys    string `json:"encrypted_master_keys"`
		MD5           string `json:"md5"`
	}{
		Schema: dumpSchema, File: path, OffsetBytes: l.offset, Magic: geli.LabelMagic,
		Version: l.Version, Flags: uint32(l.Flags), EAlgo: geliAlg(l.Alg), KeyBits: l.KeyBits,
		ProviderBytes: l.ProviderBytes, SectorBytes: l.SectorSize, Keys: l.UsedSlots, Iterations: l.Iterations,
		Salt: hex.EncodeToString(l.Salt[:]), MasterKeys: l.slotsHex(), MD5: hex.EncodeToString(l.Sum[:]),
	}
	if l.Flags&geli.FlagAuth != 0 {
		v.AAlgo = geliAAlg(l.AAlg)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// geliAlg is a cipher's name as geli prints it.
func geliAlg(a engine.Alg) string {
	switch {
	case !slices.Contains(engine.Algs, a):
		return "unknown"
	case a == engine.BlowfishCBC:
		return "Blowfish-CBC"
	}
	return strings.ToUpper(a.String())
}

// geliAAlg is an authentication algorithm's name as geli prints it.
func geliAAlg(a geli.AAlg) string {
	if a.DigestBytes() > 0 {
		return strings.ToUpper(a.String())
	}
	return "unknown"
}
