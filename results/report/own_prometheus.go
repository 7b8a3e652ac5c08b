package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ownProm is what gelibench's metrics have said so far, as the textfile
// collector of Prometheus reads them.
type ownProm struct {
	figures map[string]int // by labels, places in the report
	broken  []string       // the parts of a line that a mail has broken
	line    line
}

var (
	promMetric = regexp.MustCompile(`^(gelibench_[a-z_]+)(?:\{(.*)\} ?| )([^\s{}]+)(?: \d{1,16})?$`)
	promPair   = regexp.MustCompile(`([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"`)
	promLabels = regexp.MustCompile(`^[A-Za-z_]\w*="(?:[^"\\]|\\.)*"(?:,[A-Za-z_]\w*="(?:[^"\\]|\\.)*")*,?$`)
	promValue  = regexp.MustCompile(`^\d+(?:\.\d+)?(?:e[+-]\d{1,3})?$`)
)

const (
	promRate       = "gelibench_throughput_bytes_per_second"
	promInfo       = "gelibench_run_info"
	promUnreliable = "gelibench_unreliable"

	// leastPromRate is less than any cipher's rate, in bytes a second: what is
	// less is a number that a terminal has cut before its exponent.
	leastPromRate = 1e4
)

// ownMetric reads gelibench's metrics in Prometheus' text form.
func (rd *reader) ownMetric(l line) verdict {
	c := rd.peek(l)
	s := l.text
	if p := c.prom; p != nil && p.broken != nil {
		if !strings.HasPrefix(s, "gelibench_") && !strings.HasPrefix(s, "HELP ") && len(p.broken) < 8 && len(s) < 400 {
			p.broken = append(p.broken, s)
			glues := []string{"", " "}
			if strings.HasPrefix(p.broken[0], promInfo) { // names of processors have blanks
				glues = []string{" ", ""}
			}
			for _, glue := range glues {
				if m := parseMetric(strings.Join(p.broken, glue)); m != nil {
					keep := rd.l
					rd.l, p.broken = p.line, nil
					rd.metric(c, m)
					rd.l = keep
					break
				}
			}
			return yes
		}
		rd.promEnd(c)
	}
	if strings.HasPrefix(s, "HELP gelibench_") || strings.HasPrefix(s, "TYPE gelibench_") {
		return yes
	}
	if !strings.HasPrefix(s, "gelibench_") {
		return no
	}
	rd.at(l)
	if m := parseMetric(s); m != nil {
		rd.metric(c, m)
		return yes
	}
	if !strings.Contains(s, "{") || len(s) > 2000 {
		return no
	}
	if c.prom == nil {
		c.prom = &ownProm{figures: map[string]int{}}
	}
	c.prom.broken, c.prom.line = []string{s}, l
	return yes
}

// parseMetric parts a line into the name, the labels and the value; nil if it is
// not whole.
func parseMetric(s string) []string {
	m := promMetric.FindStringSubmatch(s)
	if m == nil || m[2] != "" && !promLabels.MatchString(m[2]) {
		return nil
	}
	return m
}

// promEnd gives up a line that has no rest.
func (rd *reader) promEnd(c *context) {
	if p := c.prom; p != nil && p.broken != nil {
		if strings.HasPrefix(p.broken[0], promRate) {
			rd.warnAt(p.line.no, fmt.Sprintf("cut off: %q", clip(p.broken[0])))
		}
		p.broken = nil
	}
}

// metric takes one metric: its name, its labels and its value.
func (rd *reader) metric(c *context, m []string) {
	labels := map[string]string{}
	for _, pair := range promPair.FindAllStringSubmatch(m[2], 64) {
		labels[pair[1]] = promUnescape.Replace(pair[2])
	}
	p := c.prom
	if p == nil {
		p = &ownProm{figures: map[string]int{}}
		c.prom = p
	}
	switch m[1] {
	case promRate:
		if _, twice := p.figures[m[2]]; twice {
			*p = ownProm{figures: map[string]int{}} // another run
		}
		v, err := strconv.ParseFloat(m[3], 64)
		if err != nil || !promValue.MatchString(m[3]) || v < leastPromRate {
			rd.broken("a rate that can't be read")
			return
		}
		oc, ok := promCase(labels)
		if !ok {
			rd.broken("a label that gelibench doesn't write")
			return
		}
		r := Result{Line: rd.l.no, Kind: Cipher, Tool: ownTool, Clock: Wall, BytesPerSecond: v, AsPrinted: m[3]}
		oc.to(&r)
		r.Name = algorithm{cipher: r.Cipher, mode: r.Mode}.String()
		if at := rd.emit(r); at >= 0 && len(p.figures) < 4096 {
			p.figures[m[2]] = at
		}
	case promUnreliable:
		if at, ok := p.figures[m[2]]; ok && m[3] == "1" {
			rd.report.Results[at].fix(Unreliable, unreliableText)
		}
	case promInfo:
		for _, at := range p.figures {
			r := &rd.report.Results[at]
			r.Version = labels["version"]
			if model := labels["cpu_model"]; model != "" {
				r.CPU = modelOf(model, "tool")
			}
		}
		*p = ownProm{figures: map[string]int{}}
	}
}

var promUnescape = strings.NewReplacer(`\\`, `\`, `\n`, " ", `\"`, `"`)

// promCase makes a case of labels.
func promCase(labels map[string]string) (oc ownCase, ok bool) {
	count := func(name string, most int64) int64 {
		v, stated := labels[name]
		n, good := integer(v)
		if stated && (!good || n > most) {
			ok = false
		}
		return n
	}
	ok = true
	if name := labels["alg"]; name != "" {
		a, known := parseOwnAlg(name)
		oc.alg, ok = a, known
	}
	oc.alg.keyBits = int(count("key_bits", 1<<16))
	oc.sector, oc.request = count("sector_bytes", 1<<40), count("request_bytes", 1<<40)
	oc.workers = int(count("workers", 1<<20))
	switch op := labels["op"]; op {
	case "read":
		oc.direction = Reading
	case "write":
		oc.direction = Writing
	}
	oc.provider, oc.engine, oc.path, oc.auth = labels["provider"], labels["engine"], labels["path"], labels["aalg"]
	if v := labels["clear"]; v == "true" || v == "false" {
		on := v == "true"
		oc.clear = &on
	}
	return oc, ok
}
