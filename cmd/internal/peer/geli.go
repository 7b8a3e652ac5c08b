package peer

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gelibench/results/report"
)

// GELI itself is measured by the recipe that its figures on mailing lists come
// from: geli onetime on gzero, dd, geli detach. Modules are not loaded, and a
// gzero.eli that somebody else made is left alone.

const (
	zeroPath = "/dev/gzero"
	eliPath  = "/dev/gzero.eli"
)

var geliTool = Tool{
	Name: "geli", IV: Made, Path: PathKernel,
	Does:    "GELI in the kernel: geli onetime gzero, then dd with bs=1m",
	Divisor: "wall time of dd",
	absent: func(m Machine) string {
		switch {
		case m.OS != "freebsd":
			return "FreeBSD alone has it"
		case !m.Root:
			return "takes root"
		case !m.Exists(zeroPath):
			return "there is no " + zeroPath + ": kldload geom_zero geom_eli"
		case m.Exists(eliPath):
			return eliPath + " is in use: geli detach gzero.eli"
		}
		if _, err := m.LookPath("dd"); err != nil {
			return "dd is not in PATH"
		}
		return ""
	},
	calls: func(t Tool, path string, cells []Cell, sample time.Duration) []*call {
		var calls []*call
		for _, c := range cells {
			onetime := []string{"onetime", "-e", c.Alg, "-l", strconv.Itoa(c.KeyBits), "-s", strconv.Itoa(c.UnitBytes), "gzero"}
			g := &geliRun{path: path, onetime: onetime, op: c.Op, sample: sample, mib: firstMiB}
			calls = append(calls, &call{
				command: join(t.Name, onetime) + "; " + join("dd", g.dd()), cells: []Cell{c}, run: g.run,
				is: func(r report.Result, _ Cell) bool { return r.Tool == "dd" },
			})
		}
		return calls
	},
}

// geliRun is one case of GELI. It learns how much fits into a sample.
type geliRun struct {
	path    string
	onetime []string
	op      string
	sample  time.Duration
	mib     int64
}

// Bounds of what dd moves in a sample, in MiB.
const (
	firstMiB = 16
	mostMiB  = 64 << 10
)

// dd's arguments.
func (g *geliRun) dd() []string {
	from, to := eliPath, "/dev/null"
	if g.op == "write" {
		from, to = "/dev/zero", eliPath
	}
	return []string{"if=" + from, "of=" + to, "bs=1m", "count=" + strconv.FormatInt(g.mib, 10)}
}

func (g *geliRun) run(ctx context.Context, m Machine) (out output, err error) {
	ddPath, err := m.LookPath("dd")
	if err != nil {
		return output{}, err
	}
	if m.Exists(eliPath) {
		return output{}, errors.New(eliPath + " is in use")
	}
	if _, err := m.run(ctx, process{path: g.path, args: g.onetime, limit: slack}); err != nil {
		return output{}, fmt.Errorf("%s: %w", join("geli", g.onetime), err)
	}
	defer func() {
		// What was made goes, even when the run is interrupted.
		args := []string{"detach", "gzero.eli"}
		if _, bad := m.run(context.WithoutCancel(ctx), process{path: g.path, args: args, limit: slack}); bad != nil && err == nil {
			err = fmt.Errorf("%s: %w", join("geli", args), bad)
		}
	}()
	out, err = m.run(ctx, process{path: ddPath, args: g.dd(), limit: 10*g.sample + slack})
	if err != nil {
		return out, fmt.Errorf("%s: %w", join("dd", g.dd()), err)
	}
	g.learn(out.text)
	return out, nil
}

// learn sets how much dd will move by what it did.
func (g *geliRun) learn(text []byte) {
	rep, _ := report.Read(strings.NewReader(string(text)), "dd")
	for _, r := range rep.Results {
		if r.HasRate() {
			g.mib = min(mostMiB, max(1, int64(r.BytesPerSecond*g.sample.Seconds())>>20))
		}
	}
}
