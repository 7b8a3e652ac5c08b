package app

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/cmd/internal/plan"
	"gelibench/geli"
	"gelibench/geli/engine"
)

// All flags that take a value are strings to cli, and read here: its own
// number flags would take 010 for eight and refuse 4k.

// The groups of flags in a verb's help.
const (
	groupCipher = "cipher, as in geli(8)"
	groupDD     = "requests, as in dd(1)"
	groupEngine = "engine"
	groupSure   = "how sure"
	groupOutput = "output"
)

// reworded is flags with other words for some, by name, and for --format what it
// is without: verbs that answer a question have defaults of their own.
func reworded(flags []cli.Flag, byDefault string, words map[string]string) []cli.Flag {
	for _, f := range flags {
		f, ok := f.(*cli.StringFlag)
		if !ok {
			continue
		}
		if usage, ok := words[f.Name]; ok {
			f.Usage = usage
		}
		if f.Name == "format" {
			f.Usage = formatNames + "\nDefault: " + byDefault
		}
	}
	return flags
}

// The words for flags of verbs that answer a question.
const (
	bothCiphers = "`LIST` aes-xts and aes-cbc (default), camellia, blowfish, 3des,\nnull"
	oneRequest  = "`BYTES` in a request: 64k, 1m (default), 2x512"
	toTheSector = "`LIST` sector size in bytes: 512, 4k, ...\nDefault: "
)

func text(name, group, usage string, aliases ...string) cli.Flag {
	return &cli.StringFlag{Name: name, Aliases: aliases, Category: group, Usage: usage}
}

func toggle(name, group, usage string) cli.Flag {
	return &cli.BoolFlag{Name: name, Category: group, Usage: usage}
}

// cipherFlags are geli(8)'s letters.
func cipherFlags() []cli.Flag {
	return []cli.Flag{
		text("e", groupCipher, "`LIST` aes-xts (default; or: aes), aes-cbc, camellia, blowfish,\n3des, null"),
		text("l", groupCipher, "`LIST` key length in bits; one half of the key for aes-xts.\nDefault, or 0: the cipher's (128 for AES)"),
		text("s", groupCipher, "`LIST` sector size in bytes: 512, 4k, ...\nDefault, or 0: the provider's"),
		text("a", groupCipher, "`NAME` data integrity: hmac/sha1, hmac/ripemd160, hmac/sha256,\nhmac/sha384, hmac/sha512. Only with --op write:\nzeros have no valid MAC"),
		toggle("d", groupCipher, "accepted, changes nothing here (detach on last close)"),
		toggle("R", groupCipher, "accepted, changes nothing here (no autoresize)"),
		toggle("T", groupCipher, "accepted, changes nothing here (no TRIM)"),
	}
}

// requestFlags are dd's side.
func requestFlags() []cli.Flag {
	return []cli.Flag{
		text("bs", groupDD, "`LIST` bytes in a request: 64k, 1m (default), 2x512"),
		text("count", groupDD, "`N` requests in one sample, all workers together; with\n--time samples of N, to the tenth or until the time is up"),
		text("time", groupDD, "`TIME` bound for each case: 100ms, 3s. Without it, --budget\nand --count: 3s, or 15s shared by more than 5 cases"),
		text("op", groupDD, "`LIST` read (default; decrypts), write (encrypts), both"),
		text("workers", groupDD, "`LIST` concurrent workers: 1 (default), 1,2,8 or 1-8"),
		text("rate", groupDD, "`RATE` hold all workers together to it: 550M, 550Mi"),
		toggle("clear", groupDD, "gzero fills what is read (kern.geom.zero.clear=1)"),
		text("byte", groupDD, "`N` what --clear fills with, 0 to 255 (kern.geom.zero.byte)"),
	}
}

// mixFlag belongs to verbs whose cases may end in a verdict.
func mixFlag() cli.Flag {
	return text("mix", groupDD, "`R:W` reading and writing that a verdict weighs, too: 80:20")
}

// engineFlags say who does the work, and how it is called.
func engineFlags() []cli.Flag {
	return []cli.Flag{
		text("engine", groupEngine, "`LIST` auto (default) or names that `gelibench engines` shows"),
		text("path", groupEngine, "`LIST` geli (default): one sector a call, its key expanded anew,\nas the kernel does; batch: long runs under cached keys,\nwhat the processor could do"),
		text("rekey", groupEngine, "`HOW` per-sector or cached: overrides that half of the path"),
	}
}

// sureFlags say how long and how well a run in rounds measures.
func sureFlags() []cli.Flag {
	return []cli.Flag{
		text("budget", groupSure, "`TIME` for the whole run, divided among its cases: 30s"),
		text("precision", groupSure, "`SHARE` a case ends when its median is known so well.\nDefault: 1%"),
		text("samples", groupSure, "`N` samples of each case, however well they agree"),
		text("seed", groupSure, "`N` of the random order of the cases; default: another one\neach time"),
		text("pin", groupSure, "`LIST` CPUs to bind the workers to: 0,2-3, or auto: a core\neach before two share one"),
		toggle("strict", groupSure, "exit with 5 if the figures are unreliable"),
	}
}

// flag reads one flag's text with parse, or gives the fallback where the flag
// is absent. Errors name the flag.
func flag[T any](c *cli.Context, name string, fallback T, parse func(string) (T, error)) (T, error) {
	if !c.IsSet(name) {
		return fallback, nil
	}
	v, err := parse(c.String(name))
	if err != nil {
		var none T
		return none, in(dashed(name), asUsage(err))
	}
	return v, nil
}

// list is flag for a list of items.
func list[T any](c *cli.Context, name string, fallback T, parse func(string) (T, error)) ([]T, error) {
	return flag(c, name, []T{fallback}, func(text string) ([]T, error) { return parseList(text, parse) })
}

// asUsage makes errors of exit code 2 out of those that wrap fs.ErrInvalid.
func asUsage(err error) error {
	var f *failure
	if errors.As(err, &f) || !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return &failure{exitUsage, trimInvalid(err), ""}
}

// trimInvalid takes the bare words of fs.ErrInvalid off the end of a message.
func trimInvalid(err error) error {
	if text, ok := strings.CutSuffix(err.Error(), ": "+fs.ErrInvalid.Error()); ok {
		return errors.New(text)
	}
	return err
}

// readPlan reads every flag of the cipher, request and engine groups, once. It
// leaves the provider to the caller.
func readPlan(c *cli.Context) (plan.Plan, error) {
	var p plan.Plan
	var err [11]error
	p.Algs, err[0] = list(c, "e", engine.AESXTS, engine.ParseAlg)
	p.KeyBits, err[1] = list(c, "l", 0, parseKeyBits)
	p.SectorBytes, err[2] = list(c, "s", 0, parseNumber)
	p.RequestBytes, err[3] = list(c, "bs", 1<<20, parseSize)
	p.Requests, err[4] = flag(c, "count", 0, func(s string) (int64, error) { return parseCount(s, 1<<62, "") })
	p.Time, err[5] = flag(c, "time", 0, parseDuration)
	p.Ops, err[6] = flag(c, "op", []plan.Op{plan.Read}, parseOps)
	p.Workers, err[7] = flag(c, "workers", []int{1}, func(s string) ([]int, error) { return parseCounts(s, plan.MaxWorkers, plan.MaxWorkersReason) })
	p.Engines, err[8] = list(c, "engine", plan.Auto, func(s string) (string, error) { return strings.ToLower(s), nil })
	p.Paths, err[9] = list(c, "path", geli.PathGELI, geli.ParsePath)
	p.BytesPerSecond, err[10] = flag(c, "rate", 0, parseRate)
	for _, e := range err {
		if e != nil {
			return plan.Plan{}, e
		}
	}
	if p.Rekey, err[0] = flag(c, "rekey", "", geli.ParseRekey); err[0] != nil {
		return plan.Plan{}, err[0]
	}
	p.FitRequests = !c.IsSet("bs")
	return p, readSure(c, &p)
}

// readSure reads the flags about how sure the figures shall be.
func readSure(c *cli.Context, p *plan.Plan) error {
	var err [5]error
	p.Budget, err[0] = flag(c, "budget", 0, parseDuration)
	p.Precision, err[1] = flag(c, "precision", 0, parseShare)
	samples, bad := flag(c, "samples", 0, func(s string) (int64, error) { return parseCount(s, 1<<20, "") })
	p.Samples, err[2] = int(samples), bad
	p.Seed, err[3] = flag(c, "seed", 0, func(s string) (int64, error) {
		if strings.Trim(s, "0") == "" && s != "" {
			return 0, usage("1 or more; without --seed one is drawn", "%s is no seed", s)
		}
		return parseCount(s, maxSeed, "the seed is kept in JSON")
	})
	p.Pin = c.String("pin")
	for _, e := range err {
		if e != nil {
			return e
		}
	}
	if c.IsSet("pin") && p.Pin == "" {
		return usage("CPUs such as 0,2-3, or auto; without --pin the system places the workers", "--pin: no CPU is named")
	}
	if p.Seed == 0 {
		p.Seed = rand.Int64N(maxSeed) + 1
	}
	if !p.InRounds() {
		for _, name := range []string{"budget", "precision", "samples", "seed", "strict"} {
			if c.IsSet(name) {
				return usage("without --count a case is measured until it is precise", "--%s has no meaning with --count, which is one sample as dd takes it", name)
			}
		}
	}
	if p.Budget > 0 && p.Time > 0 {
		return usage("--budget is for the whole run, --time for each case", "--budget and --time exclude each other")
	}
	return nil
}

// maxSeed is what a JSON reader keeps exactly.
const maxSeed = 1<<53 - 1

// parseShare reads a share: 1%, or 0.01.
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) {
		return 0, usage("for example 1% or 0.5%", "%q is no share between 0 and 1", text)
	}
	return v, nil
}

// parseKeyBits reads a key length; 0 is the cipher's default.
func parseKeyBits(text string) (int, error) {
	n, err := parseNumber(text)
	if err == nil && n > 1<<16 {
		return 0, usage(numberHint, "no cipher has a key of %s bits", text)
	}
	return int(n), err
}

// parseOps reads a list of read, write and both.
func parseOps(text string) ([]plan.Op, error) {
	var ops []plan.Op
	_, err := parseList(text, func(item string) (struct{}, error) {
		var add []plan.Op
		switch item {
		case "both":
			add = []plan.Op{plan.Read, plan.Write}
		case string(plan.Read), string(plan.Write):
			add = []plan.Op{plan.Op(item)}
		default:
			return struct{}{}, usage("read (decrypts), write (encrypts) or both", "unknown operation %q", item)
		}
		for _, op := range add {
			if slices.Contains(ops, op) {
				return struct{}{}, usage("read,write is the same as both", "%s comes up twice in %q", op, text)
			}
			ops = append(ops, op)
		}
		return struct{}{}, nil
	})
	return ops, err
}
