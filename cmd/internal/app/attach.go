package app

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/image"
	"gelibench/cmd/internal/plan"
	"gelibench/cmd/internal/provider"
	"gelibench/geli"
	"gelibench/geli/engine"
)

func attachVerb(env Env) *cli.Command {
	return &cli.Command{
		Name:      "attach",
		Category:  wantImages,
		Usage:     "measure, read or write what is in a GELI image",
		ArgsUsage: "FILE | DISK",
		Flags: slices.Concat(oldKey.flags(), []cli.Flag{
			text("n", groupKeys, "`SLOT` key slot, 0 or 1. Default: both are tried"),
			toggle("C", groupKeys, "only try the key"),
			text("cat", groupImage, "`OFF,LEN` write so many decrypted bytes to stdout"),
			text("put", groupImage, "`FILE[@OFF]` write a file into the decrypted provider"),
			toggle("force", groupImage, "write an image that is not marked as a scratch image"),
		}, slices.DeleteFunc(requestFlags(), isZeroFlag), engineFlags(), sureFlags(), outputFlags()),
		Description: `
The image is only read, unless --put or --op write is given. Those take a
scratch image, as gelibench init makes them with a mark beside it; --force takes
any regular file. Disks are never written.

Without --cat, --put or -C, requests are measured as by gelibench onetime; the
figure then includes the storage.

examples
  gelibench attach -j pass.txt --op read --time 300ms scratch.img
  gelibench attach -j pass.txt --op both --path geli,batch --time 1s scratch.img
  gelibench attach -j pass.txt --put pass.txt@1000 scratch.img
  gelibench attach -j pass.txt --cat 1000,8 scratch.img
`,
		Action: func(c *cli.Context) error { return attach(c, env) },
	}
}

// isZeroFlag tells the flags that are about gzero.
func isZeroFlag(f cli.Flag) bool { return slices.Contains([]string{"clear", "byte"}, f.Names()[0]) }

func attach(c *cli.Context, env Env) error {
	// READ the command line.
	path, err := oneOperand(c, "gelibench attach -j PASSFILE FILE")
	if err != nil {
		return err
	}
	p, err := readPlan(c)
	if err != nil {
		return err
	}
	keys, err := oldKey.read(c)
	if err != nil {
		return err
	}
	slot, err := flag(c, "n", -1, parseSlot)
	if err != nil {
		return err
	}
	do, err := readAttachAction(c, env, keys)
	if err != nil {
		return err
	}
	out, err := readOutput(c)
	if err != nil {
		return err
	}

	// OPEN the image, for writing only if it will be.
	img, err := openImage(path, do.writes || do.measures && slices.Contains(p.Ops, plan.Write), c.Bool("force"))
	if err != nil {
		return imageError(err)
	}
	defer img.Close()

	// OPEN the master key.
	master, slot, err := openMasterKey(env, img, keys, slot)
	if err != nil {
		return imageError(err)
	}
	defer master.Wipe()
	if c.Bool("C") {
		fmt.Fprintf(env.Stdout, "%s: the key opens slot %d\n", path, slot)
		return nil
	}
	if !do.measures {
		return imageError(do.run(img, master))
	}
	return imageError(measureImage(env, img, master, p, out, c.Bool("strict")))
}

// attachAction is what to do with an attached image.
type attachAction struct {
	measures, writes bool
	run              func(*image.Image, *geli.MasterKey) error // unless it measures
}

// readAttachAction reads --cat, --put and -C, of which there may be one.
func readAttachAction(c *cli.Context, env Env, keys keySource) (attachAction, error) {
	var asked []string
	for _, name := range []string{"cat", "put", "C"} {
		if c.IsSet(name) {
			asked = append(asked, dashed(name))
		}
	}
	if len(asked) > 1 {
		return attachAction{}, usage("", "%s and %s exclude each other", asked[0], asked[1])
	}
	if len(asked) == 1 {
		var more []string
		if asked[0] != "--put" {
			more = append(more, "force")
		}
		if asked[0] == "-C" {
			more = append(more, "engine")
		}
		for _, name := range append(more, "bs", "count", "time", "op", "workers", "rate", "path", "rekey", "budget", "precision", "samples", "seed", "pin", "strict", "format", "export", "json", "no-history") {
			if c.IsSet(name) {
				return attachAction{}, usage("", "%s measures nothing, so that %s has no meaning with it", asked[0], dashed(name))
			}
		}
	}
	e, err := oneEngine(c, env)
	if err != nil {
		return attachAction{}, err
	}
	switch {
	case c.IsSet("cat"):
		r, err := flag(c, "cat", byteRange{}, parseRange)
		return attachAction{run: func(i *image.Image, k *geli.MasterKey) error { return cat(env, i, k, e, r) }}, err
	case c.IsSet("put"):
		what, err := flag(c, "put", putFile{}, parsePut)
		if err == nil && what.path == "-" && keys.stdinReads() > 0 {
			err = usage("", "stdin can be read once, not twice")
		}
		return attachAction{writes: true, run: func(i *image.Image, k *geli.MasterKey) error { return put(env, i, k, e, what) }}, err
	}
	return attachAction{measures: !c.Bool("C")}, nil
}

// oneEngine is the engine of --cat and --put; nil is the table's choice.
func oneEngine(c *cli.Context, env Env) (engine.Engine, error) {
	name := c.String("engine")
	if !c.IsSet("engine") || name == plan.Auto || !c.IsSet("cat") && !c.IsSet("put") {
		return nil, nil
	}
	e, err := env.Engines.Lookup(name)
	if err != nil {
		return nil, in("--engine", asUsage(err))
	}
	return e, in("--engine", e.Probe())
}

func parseSlot(text string) (int, error) {
	n, err := parseNumber(text)
	if err == nil && n > 1 {
		return 0, usage("", "there is no key slot %s: 0 or 1", text)
	}
	return int(n), err
}

// openImage opens the image and refuses to write what is no scratch image.
func openImage(path string, write, force bool) (*image.Image, error) {
	if !write {
		return image.Open(path)
	}
	img, err := image.OpenForWriting(path)
	if err == nil && !force && !img.Marked() {
		img.Close()
		return nil, usage("--force writes it all the same; what is in it is lost", "%s is not written: there is no mark of gelibench init beside it that fits (%s)", path, image.MarkPath(path))
	}
	return img, err
}

// openMasterKey checks the label, then reads the key's components and opens a
// slot with them.
func openMasterKey(env Env, img *image.Image, keys keySource, slot int) (*geli.MasterKey, int, error) {
	l := img.Label
	switch err := l.CheckProvider(img); {
	case err != nil:
		return nil, -1, err
	case l.UsedSlots&3 == 0:
		return nil, -1, fmt.Errorf("%s: %w", img.Name(), geli.ErrNoSlot)
	case slot >= 0 && l.UsedSlots&(1<<slot) == 0:
		return nil, -1, &failure{exitFailed, fmt.Errorf("%s: key slot %d is not set", img.Name(), slot), fmt.Sprintf("slot %d is", 1-slot)}
	case l.Iterations < 0 && !keys.noPassphrase:
		return nil, -1, usage("-p, and -k for each keyfile", "%s takes no passphrase: -p is missing", img.Name())
	}
	user, err := keys.userKey(env, l.Salt[:], int(l.Iterations), false)
	if err != nil {
		return nil, -1, err
	}
	defer user.Wipe()
	master, slot, err := l.Open(user, slot)
	if err != nil {
		return nil, -1, fmt.Errorf("%s: %w", img.Name(), err)
	}
	return master, slot, nil
}

// measureImage measures requests on the decrypted provider.
func measureImage(env Env, img *image.Image, master *geli.MasterKey, p plan.Plan, out output, strict bool) error {
	l := img.Label
	p.Algs, p.KeyBits, p.SectorBytes = []engine.Alg{l.Alg}, []int{l.KeyBits}, []int64{int64(l.SectorSize)}
	if l.Flags&geli.FlagAuth != 0 {
		p.AAlg = l.AAlg
	}
	p.Provider = plan.Provider{Name: img.Name(), Bytes: img.Size(), SectorBytes: img.SectorSize(), Labelled: true}
	if l.Version < manyKeysVersion && p.Rekey == "" {
		for i := range p.Paths {
			p.Paths[i].Rekey = geli.RekeyCached
		}
	}
	cases, err := p.Cases(env.Engines)
	if err != nil {
		return fromPlan(err)
	}
	kind := "file"
	if img.Disk {
		kind = "disk"
	}
	b, err := newBench(env, provider.Of(img, kind), p, cases, func(_ plan.Case, o geli.Options) (*geli.Device, error) {
		return geli.Attach(img, l, master, o)
	})
	if err != nil {
		return err
	}
	defer b.close()
	master.Wipe() // the devices have what they need
	return conduct(env, b, cases, out, strict)
}

// manyKeysVersion is the metadata version since which the kernel's requests
// carry a key each. Before it the driver's session has the one key, so that
// nothing is expanded on path geli.
const manyKeysVersion = 5
