package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"gelibench/geli"
	"gelibench/geli/engine"
)

// fakeTable has "fast", which knows AES only, "slow", which knows everything,
// and "absent", which cannot run.
type fakeTable struct{}

type fakeEngine struct{ name string }

func (e fakeEngine) Name() string      { return e.name }
func (e fakeEngine) Info() engine.Info { return engine.Info{} }
func (e fakeEngine) Probe() error {
	if e.name == "absent" {
		return fmt.Errorf("no instructions: %w", engine.ErrUnavailable)
	}
	return nil
}
func (e fakeEngine) Supports(p engine.Params) error {
	if e.name == "fast" && p.Alg != engine.AESXTS && p.Alg != engine.AESCBC {
		return fmt.Errorf("AES only: %w", engine.ErrUnavailable)
	}
	return nil
}
func (e fakeEngine) NewSession(engine.Params) (engine.Session, error) {
	return nil, errors.New("a plan needs no session")
}

func (fakeTable) Lookup(name string) (engine.Engine, error) {
	switch name {
	case "fast", "slow", "absent":
		return fakeEngine{name}, nil
	}
	return nil, fmt.Errorf("there is no engine %q: %w", name, fs.ErrInvalid)
}

func (fakeTable) Auto(p engine.Params) (engine.Engine, string, error) {
	if e := (fakeEngine{"fast"}); e.Supports(p) == nil {
		return e, "it is fast", nil
	}
	return fakeEngine{"slow"}, "it is all there is", nil
}

// small is a plan of one case.
func small() Plan {
	return Plan{
		Provider: Provider{Name: "gzero", Bytes: 1 << 60, SectorBytes: 512},
		Algs:     []engine.Alg{engine.AESXTS}, KeyBits: []int{0}, SectorBytes: []int64{0}, RequestBytes: []int64{1 << 20},
		Ops: []Op{Read}, Workers: []int{1}, Engines: []string{Auto}, Paths: []geli.Path{geli.PathGELI},
	}
}

func TestOneCase(t *testing.T) {
	cases, err := small().Cases(fakeTable{})
	if err != nil || len(cases) != 1 {
		t.Fatalf("%v, %v", cases, err)
	}
	want := Case{
		Params: engine.Params{Alg: engine.AESXTS, KeyBits: 128}, SectorBytes: 512, RequestBytes: 1 << 20, Op: Read, Workers: 1,
		Engine: fakeEngine{"fast"}, Reason: "it is fast", Path: geli.PathGELI,
	}
	if cases[0] != want {
		t.Errorf("%+v, want %+v", cases[0], want)
	}
	if got := cases[0].String(); got != "-e aes-xts -l 128 -s 512 --bs 1048576 --op read --workers 1 --engine fast --path geli" {
		t.Error(got)
	}
}

func TestIntegrity(t *testing.T) {
	p := small()
	p.AAlg, p.Ops = geli.HMACSHA512, []Op{Write}
	cases, err := p.Cases(fakeTable{})
	if err != nil || len(cases) != 1 || cases[0].AAlg != geli.HMACSHA512 || !strings.HasPrefix(cases[0].String(), "-e aes-xts -l 128 -a hmac/sha512 -s 512 ") {
		t.Errorf("%v, %v", cases, err)
	}
	// An image that holds MACs can be read, up to where it ends inside.
	p.Ops, p.Provider = []Op{Read, Write}, Provider{Name: "image", Bytes: 2<<20 + 512, SectorBytes: 512, Labelled: true}
	if cases, err := p.Cases(fakeTable{}); err != nil || len(cases) != 2 {
		t.Errorf("%v, %v", cases, err)
	}
}

func TestMatrix(t *testing.T) {
	p := small()
	p.Algs = []engine.Alg{engine.AESCBC, engine.AESXTS}
	p.KeyBits, p.SectorBytes = []int{128, 256}, []int64{512, 4096}
	p.Ops, p.Workers = []Op{Read, Write}, []int{1, 2}
	p.Engines, p.Paths = []string{"slow", Auto}, []geli.Path{geli.PathGELI, geli.PathBatch}
	cases, err := p.Cases(fakeTable{})
	if err != nil || len(cases) != 128 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	first, second, last := cases[0], cases[1], cases[127]
	if first.Op != Read || second.Op != Write || first.Workers != 1 || second.Workers != 1 || cases[2].Workers != 2 {
		t.Errorf("the direction changes fastest, then the workers: %v; %v; %v", first, second, cases[2])
	}
	if last.Params != (engine.Params{Alg: engine.AESXTS, KeyBits: 256}) || last.SectorBytes != 4096 || last.Engine.Name() != "fast" || last.Path.Name != "batch" {
		t.Errorf("last: %v", last)
	}
}

func TestRekeyOverridesPath(t *testing.T) {
	p := small()
	p.Rekey = geli.RekeyCached
	cases, err := p.Cases(fakeTable{})
	if err != nil || cases[0].Path != (geli.Path{Name: "geli", RunSectors: 1, Rekey: geli.RekeyCached}) {
		t.Errorf("%+v, %v", cases, err)
	}
}

func TestHasherGoesWithEngineByName(t *testing.T) {
	for name, want := range map[string]string{"soft": "portable", "xcrypto": "std", Auto: "", "vaes-avx512": ""} {
		if hashers[name] != want {
			t.Errorf("%s: %q", name, hashers[name])
		}
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Plan)
		text   string
		kind   error
	}{
		"key length":           {func(p *Plan) { p.KeyBits = []int{192} }, "-e aes-xts with -l 192", fs.ErrInvalid},
		"key length in a list": {func(p *Plan) { p.Algs = append(p.Algs, engine.AESCBC); p.KeyBits = []int{128, 192} }, "-e aes-xts with -l 192", fs.ErrInvalid},
		"engine":               {func(p *Plan) { p.Engines = []string{"fsat"} }, `"fsat"`, fs.ErrInvalid},
		"engine and cipher":    {func(p *Plan) { p.Engines = []string{"fast"}; p.Algs = []engine.Alg{engine.Null} }, "--engine fast with -e null -l 512: AES only", fs.ErrInvalid},
		"absent engine":        {func(p *Plan) { p.Engines = []string{"absent"} }, "--engine absent: no instructions", engine.ErrUnavailable},
		"sector":               {func(p *Plan) { p.SectorBytes = []int64{4096, 1000} }, "-s 1000 is not a multiple", fs.ErrInvalid},
		"negative sector":      {func(p *Plan) { p.SectorBytes = []int64{-512} }, "-s -512", fs.ErrInvalid},
		"huge sector":          {func(p *Plan) { p.SectorBytes = []int64{1 << 40} }, "-s 1099511627776", fs.ErrInvalid},
		"sector over 16 MiB":   {func(p *Plan) { p.SectorBytes, p.RequestBytes = []int64{32 << 20}, []int64{32 << 20} }, "-s 33554432: a sector has at most 16 MiB", fs.ErrInvalid},
		"request":              {func(p *Plan) { p.RequestBytes = []int64{4096, 1000} }, "--bs 1000 with -s 512", fs.ErrInvalid},
		"huge request":         {func(p *Plan) { p.RequestBytes = []int64{1 << 40} }, "--bs 1099511627776", fs.ErrInvalid},
		"small provider":       {func(p *Plan) { p.Provider.Bytes = 4096 }, "--bs 1048576: gzero has only 4096 bytes", fs.ErrInvalid},
		"tiny provider":        {func(p *Plan) { p.Provider.Bytes = 4096; p.SectorBytes = []int64{8192} }, "-s 8192: gzero has only 4096 bytes", fs.ErrInvalid},
		"buffers":              {func(p *Plan) { p.RequestBytes = []int64{1 << 30}; p.Workers = []int{255} }, "MiB of buffers", fs.ErrInvalid},
		"no workers":           {func(p *Plan) { p.Workers = []int{0} }, "--workers 0", fs.ErrInvalid},
		"too many workers":     {func(p *Plan) { p.Workers = []int{256} }, "--workers 256", fs.ErrInvalid},
		"write to a file":      {func(p *Plan) { p.Provider.ReadOnly = true; p.Ops = []Op{Read, Write} }, "--op write", fs.ErrInvalid},
		"twice":                {func(p *Plan) { p.KeyBits = []int{0, 128} }, "comes up twice", fs.ErrInvalid},
		"twice by engine":      {func(p *Plan) { p.Engines = []string{Auto, "fast"} }, "comes up twice", fs.ErrInvalid},
		"integrity, read":      {func(p *Plan) { p.AAlg = geli.HMACSHA256 }, "-a hmac/sha256 with --op read: what gzero holds has no valid MACs", fs.ErrInvalid},
		"integrity, sector": {func(p *Plan) {
			p.AAlg = geli.HMACSHA256
			p.Ops = []Op{Write}
			p.SectorBytes = []int64{7680}
			p.RequestBytes = []int64{7680}
		}, "-s 7680: ", fs.ErrInvalid},
		"integrity, size": {func(p *Plan) { p.AAlg = geli.HMACSHA256; p.Ops = []Op{Write}; p.Provider.Bytes = 2 << 19 }, "--bs 1048576: gzero has only 524288 bytes", fs.ErrInvalid},
		"label":           {func(p *Plan) { p.Provider.Labelled = true; p.Provider.Bytes = 1 << 20 }, "--bs 1048576: gzero has only 1048064 bytes", fs.ErrInvalid},
		"op":              {func(p *Plan) { p.Ops = []Op{"erase"} }, `"erase"`, fs.ErrInvalid},
		"empty list":      {func(p *Plan) { p.Paths = nil }, "no path", fs.ErrInvalid},
		"negative bound":  {func(p *Plan) { p.Time = -1 }, "measures nothing", fs.ErrInvalid},
		"too many cases":  {func(p *Plan) { p.KeyBits, p.SectorBytes = make([]int, 100), make([]int64, 100) }, "more than 4096 cases", fs.ErrInvalid},
	} {
		p := small()
		c.change(&p)
		cases, err := p.Cases(fakeTable{})
		if err == nil || cases != nil || !strings.Contains(err.Error(), c.text) || !errors.Is(err, c.kind) {
			t.Errorf("%s: %v (%d cases), want %q", name, err, len(cases), c.text)
		}
		if bad := new(Error); !errors.As(err, &bad) {
			t.Errorf("%s: the error is no *Error", name)
		}
	}
}

func TestBound(t *testing.T) {
	for _, c := range []struct {
		requests int64
		time     time.Duration
		cases    int
		want     time.Duration
	}{
		{0, 0, 1, 3 * time.Second}, {0, 0, 5, 3 * time.Second}, {0, 0, 6, 2500 * time.Millisecond}, {0, 0, 75, 200 * time.Millisecond}, {0, 0, 4096, 200 * time.Millisecond},
		{0, time.Minute, 100, time.Minute}, {7, 0, 1, 0}, {7, time.Minute, 1, time.Minute},
	} {
		if got := (Plan{Requests: c.requests, Time: c.time}).Bound(c.cases); got != c.want {
			t.Errorf("%d requests, %v, %d cases: %v, want %v", c.requests, c.time, c.cases, got, c.want)
		}
	}
}
