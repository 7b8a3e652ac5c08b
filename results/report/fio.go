package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// fioState is the fio run at hand.
type fioState struct {
	version string
	fioSetting
	settings map[string]fioSetting // by the job's name
	jobs     []fioJob              // results of job lines that no group line has summed up yet
	jobCnt   int                   // jobs=N of the group
	last     []int                 // results the next cpu line belongs to
}

// fioSetting is what fio says of a job before it starts.
type fioSetting struct {
	group string
	rw    string
	bs    int64
}

// fioJob is a job line's result.
type fioJob struct {
	at    int
	group string
}

var (
	fioVersion = regexp.MustCompile(`^fio[- ](\d+\.\d[\w.-]*)$`)
	fioSetup   = regexp.MustCompile(`^(.*?):? *\(g=(\d+)\): rw=(\w+), bs=(?:\(R\) )?([\d.]+)([KMG]?i?B?)-([\d.]+)([KMG]?i?B?)`)
	fioGroup   = regexp.MustCompile(`^(.*?):? *\(groupid=(\d+), jobs=(\d+)\)`)
	fioStatus  = regexp.MustCompile(`^Run status group (\d+)`)
	fioNew     = regexp.MustCompile(`^(READ|WRITE|TRIM|read|write|trim) ?: (?:IOPS=[\d.kKmM]+, )?(?:bw|BW)=([\d.]+) ?([kKMGT]?i?B/s) ?(?:\(([\d.]+) ?([kKMGT]?i?B/s)\))?`)
	fioRun     = regexp.MustCompile(`\(([\d.]+)([kKMGT]?i?B)/(\d+)msec\)|run=(\d+)-(\d+)msec`)
	fioIO      = regexp.MustCompile(`\bio=([\d.]+)([kKMGT]?i?B)\b`)
	fioOld     = regexp.MustCompile(`^(READ|WRITE|TRIM|read|write|trim) ?: io=([\d.]+) ?([kKMGT]?i?B), (?:aggrb|bw)=([\d.]+)([kKMGT]?i?B/s)`)
	fioTime    = regexp.MustCompile(`\b(?:runt|maxt)= *(\d+)msec`)
	fioCPU     = regexp.MustCompile(`^cpu +: usr=([\d.]+)%, sys=([\d.]+)%`)
	fioStart   = regexp.MustCompile(`^(?:READ|WRITE|TRIM|read|write|trim) ?: (?:IOPS|BW|bw|io)=`)
)

// fioLine reads the job lines and the group summary of fio 1 to 3.
func (rd *reader) fioLine(l line) verdict {
	s := l.text
	st := &rd.fio
	if len(s) > 1000 {
		return no
	}
	switch {
	case strings.HasPrefix(s, "fio"):
		if m := fioVersion.FindStringSubmatch(s); m != nil {
			st.version = m[1]
			return yes
		}
		return no
	case strings.Contains(s, "(g="):
		if m := fioSetup.FindStringSubmatch(s); m != nil {
			st.group, st.rw = m[2], m[3]
			if n, ok := number(m[4], false); ok && m[4] == m[6] && m[5] == m[7] {
				st.bs = int64(n.v * fioSize(m[5]))
			}
			if st.settings == nil {
				st.settings = map[string]fioSetting{}
			}
			if len(st.settings) < 256 {
				st.settings[m[1]] = st.fioSetting
			}
			return yes
		}
	case strings.HasPrefix(s, "Run status group"):
		if m := fioStatus.FindStringSubmatch(s); m != nil {
			st.ofGroup(m[1])
		}
		return yes
	case strings.Contains(s, "(groupid="):
		if m := fioGroup.FindStringSubmatch(s); m != nil {
			if set, ok := st.settings[m[1]]; ok {
				st.fioSetting = set
			}
			st.group = m[2]
			st.jobCnt, _ = strconv.Atoi(m[3])
			return yes
		}
	case strings.HasPrefix(s, "cpu "):
		if m := fioCPU.FindStringSubmatch(s); m != nil {
			usr, sys := percent(m[1]), percent(m[2])
			if usr != nil && sys != nil {
				p := *usr + *sys
				for _, i := range st.last {
					if i < len(rd.report.Results) {
						rd.report.Results[i].Usage = &Usage{CPUPercent: &p}
					}
				}
			}
			st.last = nil
			return yes
		}
	case strings.HasPrefix(s, "bw (") || strings.HasPrefix(s, "Jobs:") || strings.HasPrefix(s, "iops ") || strings.HasPrefix(s, "lat (") || strings.HasPrefix(s, "clat") || strings.HasPrefix(s, "slat"):
		return yes
	}
	if !fioStart.MatchString(s) {
		return no
	}
	if m := fioNew.FindStringSubmatch(s); m != nil && !strings.Contains(s, "iops=") {
		return rd.fioModern(l, m)
	}
	if m := fioOld.FindStringSubmatch(s); m != nil {
		return rd.fioAncient(l, m)
	}
	return partial
}

// ofGroup takes the setting that the jobs of a group have in common.
func (st *fioState) ofGroup(group string) {
	st.group = group
	first := true
	for _, set := range st.settings {
		switch {
		case set.group != group:
		case first:
			st.fioSetting, first = set, false
		default:
			if set.rw != st.rw {
				st.rw = ""
			}
			if set.bs != st.bs {
				st.bs = 0
			}
		}
	}
}

// fioCommand takes what a command line says of the run, for texts that leave
// out the line in which fio says it.
func (rd *reader) fioCommand(args string) {
	for w := range strings.FieldsSeq(args) {
		key, v, ok := strings.Cut(strings.TrimLeft(w, "-"), "=")
		if !ok {
			continue
		}
		switch key {
		case "bs", "blocksize":
			if n, ok := ddSize(v); ok && !strings.Contains(v, "x") {
				rd.fio.bs = n
			}
		case "rw", "readwrite":
			if len(v) < 16 {
				rd.fio.rw = v
			}
		}
	}
}

func fioSize(u string) float64 {
	i := strings.IndexAny("KMG", u[:min(1, len(u))])
	if u == "" || i < 0 {
		return 1
	}
	return math.Pow(1024, float64(i+1))
}

// fioModern takes a line of fio 3 (or of late 2.x): the first number is the
// group's or the job's, in the unit that stands behind it.
func (rd *reader) fioModern(l line, m []string) verdict {
	v, ok := number(m[2], false)
	scale, _, ok2 := rateUnit(m[3])
	if !ok || !ok2 {
		return rd.broken("a fio line that can't be read")
	}
	s := l.text
	t := fioRun.FindStringSubmatch(s)
	if t == nil {
		if strings.HasSuffix(s, ",") || strings.Contains(s, "(") && !strings.Contains(s, "msec") {
			return partial
		}
		if m[4] == "" {
			return partial
		}
	}
	r := rd.fioResult(m[1], m[2]+m[3])
	r.BytesPerSecond = v.v * scale // the second unit is a rounding of the first
	if t != nil {
		ms := t[3] + t[5]
		if n, err := strconv.ParseInt(ms, 10, 64); err == nil {
			r.Seconds = float64(n) / 1000
		}
		if n, ok := number(t[1], false); ok && t[1] != "" {
			if sc, _, ok := byteUnit(t[2]); ok {
				r.Bytes = int64(n.v * sc)
			}
		}
	}
	if io := fioIO.FindStringSubmatch(s); io != nil {
		if n, ok := number(io[1], false); ok {
			if sc, _, ok := byteUnit(io[2]); ok {
				r.Bytes = int64(n.v * sc)
			}
		}
	}
	rd.fioEmit(m[1], r)
	return yes
}

// fioAncient takes a line of fio 1 or 2, whose KB and MB are 2^10 and 2^20.
func (rd *reader) fioAncient(l line, m []string) verdict {
	t := fioTime.FindStringSubmatch(l.text)
	if t == nil {
		return partial
	}
	v, ok := number(m[4], false)
	scale, isBin, ok2 := rateUnit(m[5])
	io, ok3 := number(m[2], false)
	ioScale, ioBin, ok4 := byteUnit(m[3])
	ms, ok5 := integer(t[1])
	if !ok || !ok2 || !ok3 || !ok4 || !ok5 {
		return rd.broken("a fio line that can't be read")
	}
	if !isBin {
		scale = binaryScale(scale)
	}
	if !ioBin {
		ioScale = binaryScale(ioScale)
	}
	r := rd.fioResult(m[1], m[4]+m[5])
	r.Seconds, r.Bytes = float64(ms)/1000, int64(io.v*ioScale)
	r.BytesPerSecond = exact(v.times(scale)).v
	if !isBin && scale > 1 {
		r.fix(BinaryUnit, "this fio's "+m[5]+" are binary")
	}
	rd.fioEmit(m[1], r)
	return yes
}

func (rd *reader) fioResult(word, printed string) Result {
	r := Result{Kind: Disk, Tool: "fio", Version: rd.fio.version, AsPrinted: printed, Clock: Wall, BlockBytes: rd.fio.bs, Name: rd.fio.rw}
	switch strings.ToLower(word) {
	case "read":
		r.Direction = Reading
	case "write":
		r.Direction = Writing
	}
	c := rd.at(rd.l)
	if c.labelNone {
		r.Cipher = "none"
	} else if c.labelAlg != nil {
		c.labelAlg.to(&r)
	}
	return r
}

// fioEmit emits a figure; a group's line takes the place of the job's line that
// it repeats, and marks the lines of several jobs as its parts.
func (rd *reader) fioEmit(word string, r Result) {
	st := &rd.fio
	if r.BytesPerSecond <= 0 {
		rd.warn("no bytes moved: " + clip(rd.l.text))
		return
	}
	if r.Seconds > 0 && r.Seconds < 0.1 {
		r.fix(TooShort, "a run of "+strconv.FormatFloat(r.Seconds*1000, 'f', -1, 64)+" ms, too short for its clock")
	}
	group := word == strings.ToUpper(word)
	if !group {
		r.Threads = st.jobCnt
		if at := rd.emit(r); at >= 0 && len(st.jobs) < 4096 {
			st.jobs = append(st.jobs, fioJob{at, st.group})
			st.last = append(st.last, at)
		}
		return
	}
	var mine []int
	var rest []fioJob
	for _, j := range st.jobs {
		if j.group == st.group && rd.report.Results[j.at].Direction == r.Direction {
			mine = append(mine, j.at)
		} else {
			rest = append(rest, j)
		}
	}
	st.jobs, st.last = rest, nil
	if len(mine) == 1 {
		job := &rd.report.Results[mine[0]]
		if math.Abs(job.BytesPerSecond-r.BytesPerSecond) <= 0.02*r.BytesPerSecond {
			if job.Bytes == 0 {
				job.Bytes = r.Bytes
			}
			return // the same run twice
		}
	}
	for _, i := range mine {
		rd.report.Results[i].fix(PerJob, "one of the jobs that the group's line adds up")
	}
	if len(mine) > 1 {
		r.Threads = len(mine)
	}
	rd.emit(r)
}
