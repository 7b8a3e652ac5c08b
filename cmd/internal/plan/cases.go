package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"gelibench/geli"
	"gelibench/geli/engine"
)

// Cases multiplies the lists, checks every combination, and gives each its
// engine. The order is that of the lists, the last named changing fastest:
// cipher, key length, sector, request, engine, path, workers, direction.
func (p Plan) Cases(t Table) ([]Case, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	var cases []Case
	seen := map[string]bool{}
	for _, alg := range p.Algs {
		for _, bits := range p.KeyBits {
			params := engine.Params{Alg: alg, KeyBits: bits}.Default()
			if err := params.Check(); err != nil {
				return nil, invalid(p.listHint("-e", len(p.Algs), "-l", len(p.KeyBits)), "-e %v with -l %d: %s", alg, bits, bare(alg.String(), err))
			}
			for _, sector := range p.SectorBytes {
				if sector == 0 {
					sector = int64(p.Provider.SectorBytes)
				}
				for _, request := range p.RequestBytes {
					if err := p.checkSizes(alg, sector, request); err != nil {
						return nil, err
					}
					for _, name := range p.Engines {
						e, reason, err := pick(t, name, params)
						if err != nil {
							return nil, err
						}
						for _, path := range p.Paths {
							if p.Rekey != "" {
								path.Rekey = p.Rekey
							}
							for _, workers := range p.Workers {
								for _, op := range p.Ops {
									c := Case{params, p.AAlg, int(sector), request, op, workers, e, reason, hashers[name], path, p.BytesPerSecond, ""}
									if seen[c.String()] {
										return nil, invalid("two items of a list mean the same (0 is the default, auto is an engine)", "the same case comes up twice: %v", c)
									}
									seen[c.String()] = true
									cases = append(cases, c)
								}
							}
						}
					}
				}
			}
		}
	}
	return cases, nil
}

// validate checks what does not depend on a combination.
func (p Plan) validate() error {
	n := 1
	for name, length := range map[string]int{
		"cipher": len(p.Algs), "key length": len(p.KeyBits), "sector size": len(p.SectorBytes), "request size": len(p.RequestBytes),
		"op": len(p.Ops), "worker count": len(p.Workers), "engine": len(p.Engines), "path": len(p.Paths),
	} {
		if length == 0 {
			return invalid("", "no %s is given", name)
		}
		if n *= length; n > MaxCases {
			return invalid("shorten the lists", "the lists make more than %d cases", MaxCases)
		}
	}
	if p.Requests < 0 || p.Time < 0 {
		return invalid("", "a run of %d requests or %v measures nothing", p.Requests, p.Time)
	}
	for _, workers := range p.Workers {
		if workers < 1 || workers > MaxWorkers {
			return invalid(MaxWorkersReason, "--workers %d is not between 1 and %d", workers, MaxWorkers)
		}
		for _, request := range p.RequestBytes {
			if request > maxBufferBytes/int64(workers) {
				return invalid("each worker has a buffer of --bs bytes", "--workers %d with --bs %d take more than %d MiB of buffers", workers, request, int64(maxBufferBytes)>>20)
			}
		}
	}
	for _, op := range p.Ops {
		if op != Read && op != Write {
			return invalid("read, write or both", "unknown op %q", op)
		}
		if op == Read && p.AAlg != 0 && !p.Provider.Labelled {
			return invalid("--op write measures encryption and MACs; gelibench init --fill -a ... makes an image that can be read",
				"-a %v with --op read: what %s holds has no valid MACs, so GELI reads nothing of it", p.AAlg, p.Provider.Name)
		}
		if op == Write && p.Provider.ReadOnly {
			return invalid("encryption is measured on gzero, which discards what is written", "--op write on %s: files and disks are only ever read", p.Provider.Name)
		}
	}
	return nil
}

// checkSizes checks a sector size and a request size against each other, the
// cipher and the provider.
func (p Plan) checkSizes(alg engine.Alg, sector, request int64) error {
	under := int64(p.Provider.SectorBytes)
	inside := int64(0) // bytes of the decrypted provider
	if sector > 0 && sector%under == 0 && sector <= geli.MaxSectorSize {
		var err error
		if inside, err = p.metadata(alg, int(sector)).DecryptedBytes(p.Provider.Bytes, int(under)); err != nil {
			return invalid("", "-s %d: %s", sector, bare("", err))
		}
	}
	switch {
	case sector <= 0 || sector%under != 0:
		return invalid(fmt.Sprintf("%s has sectors of %d bytes: -s %d, -s %d …", p.Provider.Name, under, max(under, roundUp(sector, under)), max(2*under, roundUp(sector, under)+under)),
			"-s %d is not a multiple of the provider's sector of %d bytes", sector, under)
	case sector > geli.MaxSectorSize:
		return invalid("a smaller -s", "-s %d: a sector has at most %d MiB", sector, geli.MaxSectorSize>>20)
	case sector%int64(alg.BlockBytes()) != 0:
		return invalid("", "-s %d is not a multiple of the %d-byte block of %v", sector, alg.BlockBytes(), alg)
	case sector > inside:
		return invalid("a smaller -s, or a larger file", "-s %d: %s has only %d bytes", sector, p.Provider.Name, p.Provider.Bytes)
	case request > MaxRequestBytes:
		return invalid("a smaller --bs", "--bs %d is more than %d bytes", request, MaxRequestBytes)
	case request <= 0 || request%sector != 0:
		return invalid(fmt.Sprintf("--bs %d", max(sector, roundUp(request, sector))),
			"--bs %d with -s %d: a request is a whole number of sectors", request, sector)
	case request > inside:
		return invalid("a smaller --bs, or a larger file", "--bs %d: %s has only %d bytes in sectors of %d", request, p.Provider.Name, inside, sector)
	}
	return nil
}

// metadata is as much of a device's as its size depends on.
func (p Plan) metadata(alg engine.Alg, sector int) geli.Metadata {
	md := geli.Metadata{Alg: alg, AAlg: p.AAlg, SectorSize: sector}
	if !p.Provider.Labelled {
		md.Flags |= geli.FlagOnetime
	}
	if p.AAlg != 0 {
		md.Flags |= geli.FlagAuth
	}
	return md
}

// roundUp rounds n up to a multiple of unit.
func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// hashers are the makers of CBC IVs that go with an engine asked for by name:
// soft stands for a machine without acceleration, xcrypto for how most Go
// programs would do it.
var hashers = map[string]string{"soft": "portable", "xcrypto": "std"}

// pick finds the engine for a cipher, and the reason if auto took it.
func pick(t Table, name string, params engine.Params) (e engine.Engine, reason string, err error) {
	if name == Auto {
		e, reason, err = t.Auto(params)
		if err != nil {
			return nil, "", fmt.Errorf("-e %v -l %d: %w", params.Alg, params.KeyBits, err)
		}
		return e, reason, nil
	}
	e, err = t.Lookup(name)
	if err != nil {
		return nil, "", invalid("`gelibench engines` lists them", "--engine: %s", bare(name, err))
	}
	if err := e.Probe(); err != nil {
		return nil, "", &Error{fmt.Sprintf("--engine %s: %s", name, bare(name, err)), "`gelibench engines` lists what this machine has", errors.Join(engine.ErrUnavailable, err)}
	}
	if err := e.Supports(params); err != nil {
		return nil, "", invalid("--engine auto takes one that has the cipher; `gelibench engines` lists them",
			"--engine %s with -e %v -l %d: %s", name, params.Alg, params.KeyBits, bare(name, err))
	}
	return e, "", nil
}

// bare is an error's text without the name before it and the words of its
// sentinel behind it, which the message around it says already.
func bare(name string, err error) string {
	text := strings.TrimPrefix(err.Error(), name+": ")
	for _, sentinel := range []error{fs.ErrInvalid, engine.ErrUnavailable} {
		text = strings.TrimSuffix(text, ": "+sentinel.Error())
	}
	return text
}

// listHint reminds that two lists are multiplied, where they are.
func (p Plan) listHint(a string, lenA int, b string, lenB int) string {
	if lenA > 1 || lenB > 1 {
		return fmt.Sprintf("every %s is combined with every %s; run the ones that do not fit separately", a, b)
	}
	return ""
}
