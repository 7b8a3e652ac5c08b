package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"gelibench/results"
	"gelibench/results/format"
	"gelibench/results/reference"
	"gelibench/results/units"
)

// likeList is the value of --like: reference machines, or none for the nearest
// one. It may stand alone, as a flag without a value.
type likeList []string

func (l *likeList) Set(s string) error {
	if s != "true" { // as cli calls a flag that stands alone
		*l = append(*l, s)
	}
	return nil
}

func (l *likeList) String() string { return strings.Join(*l, ",") }

// IsBoolFlag lets the flag stand alone.
func (l *likeList) IsBoolFlag() bool { return true }

// TakesNext says whether the argument behind the flag is its value.
func (l *likeList) TakesNext(arg string) bool { return strings.HasPrefix(arg, "@") }

// likeFlag sets what was measured beside machines of old.
func likeFlag() cli.Flag {
	return &cli.GenericFlag{
		Name: "like", Category: groupOutput, Value: new(likeList),
		Usage: "`[@MACHINE]` end with how many times as fast this is as that\nmachine, or as the nearest one of gelibench machines",
	}
}

// readLike reads likeFlag; nil if it was not given.
func readLike(c *cli.Context) ([]reference.Machine, error) {
	if !c.IsSet("like") {
		return nil, nil
	}
	names, _ := c.Generic("like").(*likeList)
	if names == nil || len(*names) == 0 {
		return reference.Machines(), nil
	}
	var list []reference.Machine
	for _, n := range *names {
		m, err := lookupMachine(n)
		if err != nil {
			return nil, in("--like", err)
		}
		list = append(list, m)
	}
	return list, nil
}

// like says of each case what it is on each of the machines that were named, or
// on the nearest of all. Lines are folded at a width that is not 0.
func like(w io.Writer, width int, run results.Run, machines []reference.Machine, named bool) {
	measured := slices.DeleteFunc(slices.Clone(run.Series), func(s results.Series) bool { return !(format.RateOf(s).Value > 0) })
	several := len(measured) > 1
	var missing []string
	for _, s := range measured {
		rate := results.Series{Case: s.Case, Stated: &results.StatedRate{BytesPerSecond: format.RateOf(s).Value}}
		var lines []string
		best := math.Inf(1)
		for _, m := range machines {
			r, err := reference.Like(rate, m)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			line := "your box " + r.String()
			if several {
				line += fmt.Sprintf(" [%s]", likeCase(s.Case))
			}
			switch d := likeDistance(r, s.Case); {
			case named:
				lines = append(lines, line)
			case d < best:
				best, lines = d, []string{line}
			}
		}
		if len(lines) == 0 {
			missing = append(missing, likeMissing(s.Case, machines, named))
		}
		for _, l := range lines {
			sayTo(w, width, l)
		}
	}
	slices.Sort(missing)
	for _, m := range slices.Compact(missing) {
		sayTo(w, width, m)
	}
}

// likeDistance is how far a published figure is from a case: 0 for the same
// way and sector.
func likeDistance(r reference.Ratio, c results.Case) float64 {
	if r.Exact {
		return 0
	}
	const otherTool, unknownSize = 1, 8
	if r.Row.BlockBytes <= 0 || c.SectorBytes <= 0 {
		return otherTool + unknownSize
	}
	return otherTool + math.Abs(math.Log2(float64(r.Row.BlockBytes)/float64(c.SectorBytes)))
}

// likeCase tells the cases of a run apart.
func likeCase(c results.Case) string {
	parts := []string{fmt.Sprintf("%d-byte sectors", c.SectorBytes)}
	if c.Workers > 0 {
		parts = append(parts, units.Count(c.Workers, "worker"))
	}
	return strings.Join(append(parts, c.Path, c.Engine), ", ")
}

// likeMissing says that none of the machines has a figure for a case.
func likeMissing(c results.Case, machines []reference.Machine, named bool) string {
	alg := strings.ToUpper(c.Alg)
	if c.KeyBits > 0 {
		alg += fmt.Sprintf("-%d", c.KeyBits)
	}
	if c.AAlg != "" {
		alg += " with " + c.AAlg
	}
	who := "no machine of the list"
	if named {
		who = ""
		for i, m := range machines {
			if i > 0 {
				who += " and "
			}
			who += "@" + m.ID
		}
	}
	return fmt.Sprintf("%s: no figure to %s %s (see gelibench machines)", who, c.Op, alg)
}
