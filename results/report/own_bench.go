package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gelibench/results"
	"gelibench/results/format"
)

// ownBench collects gelibench's benchmarks out of a text, which are read as a
// whole: a case has a line for each sample.
type ownBench struct {
	text   strings.Builder
	run    int
	about  string         // the comment on the case at hand
	places map[string]int // of the first line of each case
	order  []int
	quoted int
}

var (
	benchComment = regexp.MustCompile(`^(?:tool|version|start|go|cpus|method|interrupted|command|case|rounds|run): ?\S`)
	benchConfig  = regexp.MustCompile(`^(?:(?:goos|goarch|cpu|pkg): ?\S|Unit \S+ \w+=)`)
)

const maxBench = 16 << 20 // bytes of a text's benchmarks that are kept

// ownBenchLine takes gelibench's benchmarks and the lines around them, in the
// format of Go's.
func (rd *reader) ownBenchLine(l line) verdict {
	s := l.text
	c := rd.peek(l)
	mark := ""
	if t, ok := strings.CutPrefix(s, "spoiled: "); ok && l.hash {
		mark, s = "# spoiled: ", t
	}
	b := c.bench
	switch {
	case strings.HasPrefix(s, "BenchmarkGELI/"):
		rd.at(l)
		if b == nil {
			b = &ownBench{}
			c.bench = b
		}
		if b.places == nil {
			b.places, b.quoted = map[string]int{}, l.quoted
		}
		name, _, _ := strings.Cut(s, " ")
		name, _, _ = strings.Cut(name, "\t")
		if key := fmt.Sprintf("%d %s %s", b.run, name, b.about); b.places[key] == 0 {
			b.places[key] = l.no
			b.order = append(b.order, l.no)
		}
	case l.hash && !benchComment.MatchString(s), !l.hash && !benchConfig.MatchString(s):
		return no
	case l.hash && strings.HasPrefix(s, "tool: "+ownTool):
		if b == nil {
			b = &ownBench{}
			c.bench = b
		}
	case b == nil:
		return no
	}
	if l.hash && mark == "" {
		mark = "# "
		switch key, value, _ := strings.Cut(s, ": "); key {
		case "run":
			b.run++
		case "case":
			b.about = value
		}
	}
	if b.text.Len()+len(s) < maxBench {
		b.text.WriteString(mark + s + "\n")
	} else if mark != "# " {
		rd.report.Left++
	}
	if strings.HasPrefix(s, "cpu:") {
		return no // figures of others below may be of it
	}
	return yes
}

// benchEnd makes figures of the benchmarks of a text. Where it holds no others,
// the samples are kept as well.
func (rd *reader) benchEnd() {
	alone := len(rd.report.Results) == 0
	var own []results.Run
	for depth := range rd.ctx {
		b := rd.ctx[depth].bench
		if b == nil || len(b.order) == 0 {
			continue
		}
		runs, err := format.ReadBenchfmt(strings.NewReader(b.text.String()))
		if err != nil {
			rd.warnAt(b.order[0], "gelibench's benchmarks can't be read, lines of them may be broken: "+err.Error())
			continue
		}
		list := FromRuns(runs, rd.report.Name)
		list = slices.DeleteFunc(list, func(r Result) bool { return !r.HasRate() || misfit(Result{BytesPerSecond: r.BytesPerSecond}) != "" })
		for i := range list {
			list[i].Line = b.order[0]
			if len(list) == len(b.order) {
				list[i].Line = b.order[i]
			}
			list[i].Quoted = b.quoted
			rd.checkKey(&list[i], list[i].Name)
			if len(rd.report.Results) >= maxResults {
				rd.report.Left++
				continue
			}
			rd.report.Results = append(rd.report.Results, list[i])
			rd.meta = append(rd.meta, meta{section: rd.section, depth: depth, command: rd.ctx[depth].commands})
		}
		own = append(own, runs...)
	}
	if alone && len(rd.report.Results) > 0 {
		rd.report.Own = own
	}
}
