package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/geli"
	"gelibench/geli/mem"
)

const groupKeys = "key, as in geli(8)"

// fileList is the value of a flag that may be given again.
type fileList []string

func (l *fileList) Set(name string) error {
	if name == "" {
		return fmt.Errorf("a file's name is missing")
	}
	*l = append(*l, name)
	return nil
}

func (l *fileList) String() string { return strings.Join(*l, " ") }

// files makes a flag that names a file and may be given again.
func files(name, group, usage string) cli.Flag {
	return &cli.GenericFlag{Name: name, Category: group, Usage: usage, Value: new(fileList)}
}

// keyFlags are the flags that say what a user key is made of. geli(8) has
// capital letters for a new key and small ones for one that is there.
type keyFlags struct{ passfile, keyfile, noPassphrase string }

var (
	newKey = keyFlags{"J", "K", "P"}
	oldKey = keyFlags{"j", "k", "p"}
)

func (k keyFlags) flags() []cli.Flag {
	return []cli.Flag{
		files(k.passfile, groupKeys, "`FILE` passphrase in the first line of a file; - reads stdin.\nAgain: more of it. Without it, it is asked for"),
		files(k.keyfile, groupKeys, "`FILE` keyfile, whole; - reads stdin. Again: one more"),
		toggle(k.noPassphrase, groupKeys, "no passphrase, keyfiles only"),
	}
}

// keySource is what a user key is made of, as asked for.
type keySource struct {
	flags        keyFlags
	passfiles    []string
	keyfiles     []string
	noPassphrase bool
}

// read takes the flags together and refuses what excludes each other.
func (k keyFlags) read(c *cli.Context) (keySource, error) {
	s := keySource{flags: k, noPassphrase: c.Bool(k.noPassphrase)}
	if l, ok := c.Generic(k.passfile).(*fileList); ok {
		s.passfiles = *l
	}
	if l, ok := c.Generic(k.keyfile).(*fileList); ok {
		s.keyfiles = *l
	}
	switch {
	case s.noPassphrase && len(s.passfiles) > 0:
		return s, usage("", "-%s and -%s exclude each other: a passphrase and none", k.passfile, k.noPassphrase)
	case s.noPassphrase && len(s.keyfiles) == 0:
		return s, usage(fmt.Sprintf("-%s FILE names a keyfile", k.keyfile), "-%s without -%s: no key components given", k.noPassphrase, k.keyfile)
	case s.stdinReads() > 1:
		return s, usage("", "stdin can be read once, not %d times", s.stdinReads())
	}
	return s, nil
}

// stdinReads is how often stdin would be read.
func (s keySource) stdinReads() (n int) {
	for _, f := range slices.Concat(s.passfiles, s.keyfiles) {
		if f == "-" {
			n++
		}
	}
	return n
}

// userKey reads the components and derives the key. repeat asks a typed
// passphrase twice. What was read is wiped.
func (s keySource) userKey(env Env, salt []byte, iterations int, repeat bool) (*geli.UserKey, error) {
	var keyfiles [][]byte
	defer func() {
		for _, f := range keyfiles {
			mem.Wipe(f)
		}
	}()
	for _, name := range s.keyfiles {
		raw, err := readSecret(env, name, maxKeyfileBytes)
		if err != nil {
			return nil, in("-"+s.flags.keyfile, err)
		}
		keyfiles = append(keyfiles, raw)
	}
	if s.noPassphrase {
		return geli.NewUserKey(keyfiles, nil, nil, -1)
	}
	passphrase, err := s.passphrase(env, repeat)
	if err != nil {
		return nil, err
	}
	defer mem.Wipe(passphrase)
	if len(passphrase) == 0 {
		fmt.Fprintln(env.Stderr, "warning: the passphrase is empty")
	}
	return geli.NewUserKey(keyfiles, passphrase, salt, iterations)
}

// Bounds of what is read as a secret, in bytes.
const (
	maxKeyfileBytes  = 64 << 20
	maxPassfileBytes = 1 << 20
	maxPassphrase    = 1023 // geli(8) keeps it in 1024, with a zero byte behind it
)

// passphrase reads the passfiles, or asks. It is never nil.
func (s keySource) passphrase(env Env, repeat bool) ([]byte, error) {
	if len(s.passfiles) == 0 {
		return askPassphrase(env, s.flags.passfile, repeat)
	}
	all := make([]byte, 0, maxPassphrase+1)
	for _, name := range s.passfiles {
		raw, err := readSecret(env, name, maxPassfileBytes)
		if err != nil {
			mem.Wipe(all)
			return nil, in("-"+s.flags.passfile, err)
		}
		line := geli.Passphrase(raw)
		long := len(all)+len(line) > maxPassphrase
		if !long {
			all = append(all, line...)
		}
		mem.Wipe(raw)
		if long {
			mem.Wipe(all)
			return nil, usage("", "-%s: a passphrase of more than %d bytes: geli(8) takes none", s.flags.passfile, maxPassphrase)
		}
	}
	return all, nil
}

// readSecret reads a file, or stdin for "-". It leaves no copies behind in
// buffers that grew.
func readSecret(env Env, name string, most int) ([]byte, error) {
	r := env.Stdin
	size := 4096
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, usage("", "%v", err)
		}
		defer f.Close()
		r = f
		switch info, err := f.Stat(); {
		case err != nil:
		case info.IsDir():
			return nil, usage("name a file in it", "%s is a folder", name)
		case info.Mode().IsRegular() && info.Size() <= int64(most):
			size = int(info.Size()) + 1
		}
	}
	buf := make([]byte, 0, size)
	for {
		if len(buf) == cap(buf) {
			if len(buf) > most {
				mem.Wipe(buf)
				return nil, usage("", "%s: more than %d MiB is no key", name, most>>20)
			}
			larger := append(make([]byte, 0, 2*cap(buf)), buf...)
			mem.Wipe(buf)
			buf = larger
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			mem.Wipe(buf)
			return nil, err
		}
	}
}
